#include "hardware/traced_code.h"

namespace vizd::hardware {

std::optional<amd::Family> family_of(const Records& records, std::string_view device) {
  for (const Device& each : records.devices) {
    if (each.name == device && each.gfx_target) return amd::family_of(*each.gfx_target);
  }
  return std::nullopt;
}

TracedCode traced_code(const Records& records, const ThreadTrace& trace) {
  TracedCode code;
  code.family = family_of(records, trace.device).value_or(code.family);
  code.program = records.find_program(trace.key.program);
  if (code.program == nullptr) return code;
  if (auto listing = amd::CodeListing::read(code.family, code.program->binary)) code.listing = *std::move(listing);
  return code;
}

}  // namespace vizd::hardware
