#include "reference/tinygrad/steps.h"

namespace vizd {

bool has_newer_viewer(const Capture& capture) {
  if (capture.dialect == nullptr) return false;
  return capture.dialect->sends_hidden_ops() || capture.format == "tinygrad-0.12" || capture.format == "tinygrad-0.13";
}

std::vector<ReferenceStep> reference_steps(const Capture& capture, const Context& context) {
  std::vector<ReferenceStep> steps;
  const auto passes = capture.rewrites.passes_of(context);
  for (std::size_t j = 0; j < passes.size(); ++j) {
    steps.push_back({capture.strings.get(passes[j].name), "/graph-rewrites", &passes[j], j, std::nullopt});
    if (!capture.dialect->makes_program(passes[j])) continue;
    steps.push_back({"View UOp List", "/uops", &passes[j], j, ProgramStage::kOps});
    steps.push_back({"View Source", "/code", &passes[j], j, ProgramStage::kSource});
    steps.push_back({"View Disassembly", "/asm", &passes[j], j, ProgramStage::kBinary});
  }
  return steps;
}

}  // namespace vizd
