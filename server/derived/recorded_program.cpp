#include "derived/recorded_program.h"

#include <algorithm>
#include <span>

#include "formats/tinygrad/hardware_records.h"
#include "hardware/loaded_code.h"
#include "hardware/traced_code.h"

namespace vizd {

RecordedProgram::RecordedProgram(const Capture& capture, const Program& program)
    : binary_(capture.strings.get(program.binary)),
      name_(capture.strings.get(program.name)),
      target_(tinygrad::compiler_target(capture, program)),
      records_(tinygrad::hardware_records(capture)) {
  is_named_ = std::ranges::any_of(records_.programs,
                                  [&](const hardware::Program& each) { return each.name == name_ && is_it(each); });
}

bool RecordedProgram::is_it(const hardware::Program& program) const {
  return !binary_.empty() && (!is_named_ || program.name == name_) &&
         std::ranges::equal(program.binary, std::as_bytes(std::span(binary_.data(), binary_.size())));
}

std::optional<amd::Family> RecordedProgram::family() const {
  for (const hardware::Program& program : records_.programs) {
    if (!is_it(program)) continue;
    if (const auto family = hardware::family_of(records_, program.device)) return family;
  }
  return std::nullopt;
}

std::optional<amd::Family> RecordedProgram::code_family() const {
  const auto told = family();
  return told || binary_.empty() ? told : amd::family_of_target(target_);
}

Result<amd::CodeListing> RecordedProgram::listing() const {
  return amd::CodeListing::read(code_family().value_or(amd::Family::kRdna3),
                                std::as_bytes(std::span(binary_.data(), binary_.size())));
}

std::vector<hardware::RunKey> RecordedProgram::runs() const {
  std::vector<hardware::RunKey> runs;
  for (const hardware::RunKey& run : records_.runs) {
    const hardware::Program* const program = records_.find_program(run.program);
    if (program != nullptr && is_it(*program)) runs.push_back(run);
  }
  return runs;
}

std::vector<const hardware::ThreadTrace*> RecordedProgram::traces_of(const hardware::RunKey& run) const {
  std::vector<const hardware::ThreadTrace*> traces = records_.traces_of(run);
  std::erase_if(traces, [](const hardware::ThreadTrace* trace) { return !trace->has_instructions; });
  return traces;
}

std::vector<const hardware::PcSampling*> RecordedProgram::samplings() const {
  std::vector<const hardware::PcSampling*> samplings;
  for (const hardware::PcSampling& sampling : records_.samplings) {
    const auto is_of_it = [&](const hardware::Program& program) {
      return program.key == sampling.key && is_it(program);
    };
    if (std::ranges::any_of(records_.programs, is_of_it)) samplings.push_back(&sampling);
  }
  return samplings;
}

thread_trace::Heat RecordedProgram::heat(const amd::CodeListing& listing, std::optional<std::uint32_t> run,
                                         std::optional<std::uint32_t> wave,
                                         std::vector<const hardware::ThreadTrace*>& traces) const {
  thread_trace::HeatBuilder builder(family().value_or(amd::Family::kRdna3), listing, wave);
  const std::vector<hardware::RunKey> all = runs();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (run && *run != i) continue;
    for (const hardware::ThreadTrace* trace : traces_of(all[i])) {
      builder.add(trace->packets);
      traces.push_back(trace);
    }
  }
  return builder.finish();
}

std::optional<std::uint64_t> RecordedProgram::base() const {
  for (const hardware::Program& program : records_.programs) {
    if (is_it(program) && program.base) return hardware::listing_base(program);
  }
  return std::nullopt;
}

}  // namespace vizd
