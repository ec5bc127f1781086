#include "analysis/xla/programs.h"

#include <algorithm>

namespace vizd {

Programs::Programs(const hlo::HostModules& modules) {
  for (const hlo::ProgramModule& module : modules) {
    if (!module.module) continue;
    const auto [place, is_new] = by_id_.try_emplace(module.program_id, programs_.size());
    // If several modules have one number, the last one counts.
    Program& program = is_new ? programs_.emplace_back() : programs_[place->second];
    program = {.source = &module, .instructions = {}};
    program.instructions.reserve(module.module->instructions.size());
    for (const hlo::Instruction& instruction : module.module->instructions) {
      const auto [known, is_first] = program.instructions.try_emplace(instruction.name, &instruction);
      if (!is_first) known->second = nullptr;
    }
  }
}

const Programs::Program* Programs::find(const std::optional<std::uint64_t>& program_id,
                                        const std::optional<std::string_view>& module) const {
  if (const auto found = by_id_.find(program_id); found != by_id_.end()) return &programs_[found->second];
  if (program_id || !module || module->empty()) return nullptr;
  const auto named = std::ranges::find(programs_, *module, [](const Program& program) { return program.source->name; });
  return named == programs_.end() ? nullptr : &*named;
}

}  // namespace vizd
