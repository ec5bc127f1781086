#include "formats/tinygrad/reading/cut_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/tinygrad/hardware_records.h"
#include "hardware/counter_table.h"
#include "hardware/pc_samples.h"

namespace vizd::tinygrad {

void tell_cut_records(Capture& capture) {
  const hardware::Records records = hardware_records(capture);
  const auto count = [](const auto& list, const auto& is_meant) {
    return static_cast<std::size_t>(std::ranges::count_if(list, is_meant));
  };
  const auto is_empty = [](const auto& record) { return record.packets.empty(); };
  if (const std::size_t empty = count(records.traces, is_empty); empty != 0) {
    capture.notes.push_back(fmt::format("{} of {} thread traces are empty: their shader engines recorded nothing",
                                        empty, records.traces.size()));
  }
  if (const std::size_t empty = count(records.samplings, is_empty); empty != 0) {
    capture.notes.push_back(
        fmt::format("{0} of {1} runs with sampled program counters have no sample", empty, records.samplings.size()));
  }
  const std::size_t cut_counters = count(
      records.counters, [](const hardware::CounterRun& run) { return !hardware::counter_table(run).problem.empty(); });
  if (cut_counters != 0) {
    capture.warnings.push_back(
        fmt::format("the counters of {} of {} runs were cut off: those before the cut are shown, with their rates",
                    cut_counters, records.counters.size()));
  }
  const std::size_t cut_samples = count(records.samplings, [](const hardware::PcSampling& sampling) {
    return sampling.packets.size() % hardware::kPcPacketBytes != 0;
  });
  if (cut_samples != 0) {
    capture.warnings.push_back(fmt::format(
        "the samples of {} of {} runs end within a packet: the recording was cut off, and is shown up to there",
        cut_samples, records.samplings.size()));
  }
}

}  // namespace vizd::tinygrad
