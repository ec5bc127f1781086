#include "formats/tinygrad/reading/hardware_programs.h"

#include <algorithm>

#include "formats/tinygrad/hardware_records.h"

namespace vizd::tinygrad {

void add_hardware_programs(Capture& capture) {
  Rewrites& rewrites = capture.rewrites;
  const hardware::Records records = hardware_records(capture);
  for (const hardware::Program& recorded : records.programs) {
    if (recorded.binary.empty()) continue;
    const StringId binary = capture.strings.add(
        std::string_view(reinterpret_cast<const char*>(recorded.binary.data()), recorded.binary.size()));
    const auto context = rewrites.context_by_name.find(capture.strings.find(recorded.key));
    const ProgramId made = context == rewrites.context_by_name.end()
                               ? ProgramId{kNoId}
                               : rewrites.contexts[index(context->second)].program;
    if (index(made) != kNoId) {
      Program& program = rewrites.programs[index(made)];
      if (capture.strings.get(program.binary).empty()) program.binary = binary;
      continue;
    }
    const StringId name = capture.strings.add(recorded.name);
    const auto is_same = [&](const Program& other) { return other.name == name && other.binary == binary; };
    if (std::ranges::any_of(rewrites.programs, is_same)) continue;  // loaded a second time
    rewrites.programs.push_back({.name = name, .binary = binary, .device = capture.strings.add(recorded.device)});
  }
}

}  // namespace vizd::tinygrad
