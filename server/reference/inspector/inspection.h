// Inspection: an ETDump's blocks as vizd or as ExecuTorch's Inspector has them, and what their values are compared
// with. Refers to the record and to the files' bytes. Plain data.
#pragma once

#include "base/result.h"
#include "formats/etdump/dump_blocks.h"
#include "reference/inspector/reference_tensors.h"

namespace vizd::inspector {

using namespace etdump;

struct ReferenceDump;  // reference_dump.h

// The values that those of a run are compared with.
struct References {
  ReferenceValues tensors;
  const ReferenceDump* dump = nullptr;  // another run; null: none

  bool are_given() const { return dump != nullptr || !tensors.empty(); }
};

struct Inspection : DumpBlocks {
  References references;
};

// The tensors that the settings name, and that run. Errors: no such folder. What is wrong with a file is added to
// warnings.
Result<References> read_references(const Settings& settings, const ReferenceDump* dump,
                                   std::vector<std::string>& warnings);

// Errors: the file's; where the Inspector's answer is asked for and it has none, that in its words.
Result<Inspection> inspect(const Sources& sources, const Settings& settings, const ReferenceDump* reference = nullptr);

}  // namespace vizd::inspector
