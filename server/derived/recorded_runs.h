// The runs of programs that GPUs' recorders tell of: their counters with the rates that follow, how full the shader
// engines were, and samples of program counters. Views into the capture, which must outlive them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/counter_rates.h"
#include "hardware/counter_table.h"
#include "hardware/records.h"
#include "hardware/sample_table.h"
#include "hardware/thread_trace/occupancy.h"
#include "model/capture.h"

namespace vizd {

struct EngineOccupancy {
  std::int64_t engine = 0;
  thread_trace::Occupancy occupancy;
};

struct RecordedRun {
  hardware::RunKey key;
  std::string name;               // the program's, as its context is called
  std::uint32_t program = kNoId;  // its place in Rewrites::programs
  std::optional<double> dur_us;
  std::optional<hardware::CounterTable> counters;  // nothing where none were recorded
  std::string problem;                             // why these are not all
  std::vector<hardware::DerivedRate> rates;
  std::vector<EngineOccupancy> engines;  // of each thread trace
  std::int64_t engine_waves = 0;         // that an engine holds at once; 0 where the device does not say
  // Averaged over the traced engines in the time of the longest: 100 · cycles of all waves / (engines · cycles · what
  // one holds).
  std::optional<double> occupancy_percent;
  std::optional<double> imbalance;  // of compute units: the cycles of the one with most waves, over the mean's
};

struct RecordedSampling {
  std::string_view name;
  std::uint32_t program = kNoId;
  std::optional<std::uint64_t> base;  // hardware::listing_base
  hardware::SampleTable samples;
};

// The place of a recorder's program in Rewrites::programs, or kNoId.
std::uint32_t program_place(const Capture& capture, const hardware::Program& program);

// Whether there is any of these.
bool tells_hardware(const Capture& capture);

// In the order in which they were recorded.
std::vector<RecordedRun> recorded_runs(const Capture& capture);
// The same without how full the engines were, which their thread traces tell: takes no decoding of these.
std::vector<RecordedRun> counted_runs(const Capture& capture);
std::vector<RecordedSampling> recorded_samplings(const Capture& capture);

// How many of these there are, and one of them by its place: of no other anything is decoded.
std::size_t recorded_run_count(const Capture& capture);
RecordedRun recorded_run(const Capture& capture, std::size_t place);
std::size_t recorded_sampling_count(const Capture& capture);
RecordedSampling recorded_sampling(const Capture& capture, std::size_t place);

}  // namespace vizd
