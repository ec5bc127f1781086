// Programs: finds the instruction of an op in the modules of a host. Refers to the modules. Any thread may read.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/hlo_module.h"

namespace vizd {

class Programs {
 public:
  struct Program {
    const hlo::ProgramModule* source = nullptr;
    // By name; null where several instructions have it, since none of them is meant then for sure.
    std::unordered_map<std::string_view, const hlo::Instruction*> instructions;

    const hlo::Instruction* find(std::string_view op) const {
      const auto found = instructions.find(op);
      return found == instructions.end() ? nullptr : found->second;
    }
  };

  explicit Programs(const hlo::HostModules& modules);

  // The program of that number; of work without a number the first module of that name. Null where there is none.
  const Program* find(const std::optional<std::uint64_t>& program_id,
                      const std::optional<std::string_view>& module) const;
  bool has(const std::optional<std::uint64_t>& program_id) const { return by_id_.contains(program_id); }

 private:
  std::vector<Program> programs_;  // in the order of their first modules
  std::map<std::optional<std::uint64_t>, std::size_t> by_id_;
};

}  // namespace vizd
