// OpenedSet: the files of an input set, read. Holds the files' bytes open through the OpenSet, which must outlive it.
// One thread.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "base/sparse_file.h"
#include "formats/etdump/dump_blocks.h"
#include "formats/etdump/program_contents.h"
#include "formats/open_set.h"

namespace vizd::etdump {

struct OpenedSet {
  Settings settings;
  std::optional<EtdumpFile> file;  // none: the set is an ETRecord or a program alone
  std::optional<EtRecord> record;
  std::optional<ProgramContents> program;  // of a .pte, or of an ETRecord alone
  std::optional<std::span<const std::byte>> debug_buffer;
  // Hold the dump, which is read from its beginning to its end, and the debug buffer, of whose values those of one
  // iteration are looked at, where they are large.
  std::shared_ptr<const SparseFile> large_dump, large_buffer;

  Sources sources() const {
    return {.file = &*file, .record = record ? &*record : nullptr, .debug_buffer = debug_buffer};
  }
};

// Errors: a file that cannot be read is blamed; settings that make no sense.
Result<OpenedSet> open_all(OpenSet& set);

// The same of a set that must have an ETDump. Errors: also an ETRecord or a program alone, which has no times.
Result<OpenedSet> open_dump(OpenSet& set);

// Once all was made of it that is wanted. Errors: a large file was cut meanwhile, which is blamed.
Result<void> check_whole(OpenSet& set, const OpenedSet& opened);

}  // namespace vizd::etdump
