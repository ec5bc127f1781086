// ReferenceDump: another run of the same model, whose logged values a run's are compared with: portable kernels against
// a delegate, or before and after a change. Its files stay open for as long as it is there. Read-only once made.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "formats/etdump/opened_set.h"
#include "reference/inspector/inspection.h"

namespace vizd::inspector {

struct ReferenceDump {
  explicit ReferenceDump(InputSet of) : set(std::move(of)), files(set) {}
  ReferenceDump(const ReferenceDump&) = delete;
  ReferenceDump& operator=(const ReferenceDump&) = delete;

  InputSet set;
  OpenSet files;
  OpenedSet opened;
  Inspection inspection;
};

// The ETDump at a path, or the one in that folder, with the files beside it. Errors: there is none, or several.
Result<InputSet> find_dump(const std::string& path);

// With the values of that iteration where a block has logged any then, else of the first that has. Errors: its files
// cannot be read; it is an ETRecord alone.
Result<std::shared_ptr<const ReferenceDump>> open_reference(const InputSet& set, std::size_t iteration);

// The one that the settings name, in their iteration; null where they name none. Errors: also find_dump's.
Result<std::shared_ptr<const ReferenceDump>> open_reference(const Settings& settings);

}  // namespace vizd::inspector
