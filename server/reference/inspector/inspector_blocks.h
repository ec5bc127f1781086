// Blocks as ExecuTorch's Inspector itself forms, resolves and times them, its faults included: for those who compare
// with figures that they had from it. Pure functions.
#pragma once

#include "formats/etdump/dump_blocks.h"

namespace vizd::inspector {

using namespace etdump;

// Settings that the Inspector does not have count for nothing. Errors: the file's; where the Inspector has no answer,
// that in its words.
Result<DumpBlocks> inspector_blocks(const Sources& sources, const Settings& settings);

// Gives the block its method and its events their nodes: by the maps of "forward", ids by whichever key is a part of
// them. Errors: it has no answer.
Result<void> resolve_as_inspector(const EtRecord& record, Block& block);

}  // namespace vizd::inspector
