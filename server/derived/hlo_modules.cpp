#include "derived/hlo_modules.h"

#include <utility>

#include "formats/hlo/module_reader.h"

namespace vizd {

std::vector<hlo::HostModules> read_hlo_modules(const XlaProfile& profile) {
  std::vector<hlo::HostModules> hosts;
  for (const XlaHost& host : profile.hosts) {
    hlo::HostModules& modules = hosts.emplace_back();
    for (const HloModuleBytes& packed : host.modules) {
      hlo::ProgramModule& program = modules.emplace_back();
      program = {.name = packed.name, .program_id = packed.program_id, .size_bytes = packed.bytes.size(), .module = {}};
      auto module = hlo::read_module(packed.bytes);
      if (!module) continue;
      if (!module->name.empty()) program.name = module->name;
      program.module = *std::move(module);
    }
  }
  return hosts;
}

}  // namespace vizd
