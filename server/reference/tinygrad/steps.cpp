#include "reference/tinygrad/steps.h"

#include "reference/tinygrad/viewer.h"

namespace vizd {

std::vector<ReferenceStep> reference_steps(const Capture& capture, const Context& context) {
  // 0.12.0 lists what a context's program is last, whichever pass made it.
  const ReferenceViewer viewer = reference_viewer(capture);
  const bool is_12 = viewer == ReferenceViewer::k0_12;
  std::vector<ReferenceStep> steps, last;
  const auto passes = capture.rewrites.passes_of(context);
  for (std::size_t j = 0; j < passes.size(); ++j) {
    steps.push_back(
        {capture.strings.get(passes[j].name), "/graph-rewrites", &passes[j], j, std::nullopt, passes[j].depth});
    if (!capture.dialect->makes_program(passes[j])) continue;
    const std::uint32_t depth = viewer < ReferenceViewer::k2026 ? 0 : passes[j].depth;
    std::vector<ReferenceStep>& made = is_12 ? last : steps;
    made.push_back({"View UOp List", "/uops", &passes[j], j, ProgramStage::kOps, depth});
    made.push_back({is_12 ? "View Program" : "View Source", "/code", &passes[j], j, ProgramStage::kSource, depth});
    made.push_back({"View Disassembly", "/asm", &passes[j], j, ProgramStage::kBinary, depth});
  }
  steps.insert(steps.end(), last.begin(), last.end());
  return steps;
}

}  // namespace vizd
