#include "hardware/records.h"

#include <algorithm>
#include <numeric>

namespace vizd::hardware {
namespace {

std::string_view kind_of(std::string_view device) { return device.substr(0, device.find(':')); }

}  // namespace

void Records::index() {
  traces_by_run_.resize(traces.size());
  std::iota(traces_by_run_.begin(), traces_by_run_.end(), std::size_t{0});
  std::ranges::stable_sort(traces_by_run_, {}, [this](std::size_t i) { return traces[i].key; });
  for (std::size_t i = 0; i < programs.size(); ++i) {
    program_of_number_[programs[i].number] = i;
    program_of_key_[programs[i].key] = i;
  }
  for (std::size_t i = 0; i < timed_runs.size(); ++i)
    timed_[{kind_of(timed_runs[i].device), timed_runs[i].key}].push_back(i);
  std::map<std::int64_t, std::size_t> runs_of;
  for (const RunKey& run : runs) runs_before_.emplace(run, runs_of[run.program]++);
  std::map<std::string_view, std::size_t> samplings_of;
  for (const PcSampling& sampling : samplings) samplings_before_.push_back(samplings_of[sampling.key]++);
}

const Program* Records::find_program(std::int64_t number) const {
  const auto found = program_of_number_.find(number);
  return found == program_of_number_.end() ? nullptr : &programs[found->second];
}

const Program* Records::find_program(const PcSampling& sampling) const {
  const auto found = program_of_key_.find(sampling.key);
  return found == program_of_key_.end() ? nullptr : &programs[found->second];
}

std::vector<const ThreadTrace*> Records::traces_of(const RunKey& run) const {
  std::vector<const ThreadTrace*> found;
  for (const std::size_t i :
       std::ranges::equal_range(traces_by_run_, run, {}, [this](std::size_t at) { return traces[at].key; }))
    found.push_back(&traces[i]);
  return found;
}

const TimedRun* Records::find_timed(const RunKey& key) const {
  const Program* const program = find_program(key.program);
  const auto before = runs_before_.find(key);
  if (program == nullptr || before == runs_before_.end()) return nullptr;
  return find_timed(program->device, program->key, before->second);
}

const TimedRun* Records::find_timed(const PcSampling& sampling) const {
  const auto at = static_cast<std::size_t>(&sampling - samplings.data());
  return find_timed(sampling.device, sampling.key, samplings_before_[at]);
}

const TimedRun* Records::find_timed(std::string_view device, std::string_view key, std::size_t before) const {
  const auto found = timed_.find({kind_of(device), key});
  if (found == timed_.end() || before >= found->second.size()) return nullptr;
  return &timed_runs[found->second[before]];
}

}  // namespace vizd::hardware
