// OpenedSet: the files of an input set, read: what summaries, tables and tracks are made of. Holds the files' bytes
// open through the OpenSet, which must outlive it. One thread.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "base/sparse_file.h"
#include "formats/etdump/inspection.h"
#include "formats/open_set.h"

namespace vizd::etdump {

struct OpenedSet {
  Settings settings;
  std::optional<EtdumpFile> file;  // none: the set is an ETRecord alone
  std::optional<EtRecord> record;
  std::optional<std::span<const std::byte>> debug_buffer;
  std::shared_ptr<const ReferenceDump> reference;  // null: none
  // Holds the debug buffer where that is large: of its values those of one iteration are looked at.
  std::optional<SparseFile> large_buffer;

  Sources sources() const {
    return {.file = &*file,
            .record = record ? &*record : nullptr,
            .debug_buffer = debug_buffer,
            .reference = reference.get()};
  }
};

// Errors: a file that cannot be read is blamed; settings that make no sense.
Result<OpenedSet> open_all(OpenSet& set);

// Once all was made of it that is wanted. Errors: the debug buffer was cut meanwhile, which is blamed.
Result<void> check_whole(OpenSet& set, const OpenedSet& opened);

}  // namespace vizd::etdump
