// What GPUs recorded of themselves, as tinygrad's viewer lists and answers it: after the contexts of rewrites, one of
// all counters, then one for each run of a program, with its counters, the packets of its thread traces, and when its
// compute units had waves. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "hardware/records.h"
#include "model/capture.h"

namespace vizd {

struct HardwareStep {
  enum class Kind : std::uint8_t { kAllCounters, kCounters, kTrace, kOccupancy, kUnitWaves, kSamples };
  std::string name;  // "PMC", "SE:1 PKTS"
  std::string path;  // of the query that asks for it
  Kind kind{};
  std::size_t record = 0;              // its place in the Records of its kind, or the run's in theirs
  std::size_t context = 0, place = 0;  // as /ctxs counts them
  std::size_t unit = 0;                // of kUnitWaves: its place among those that had waves

  std::string query() const;
  // Whether it is answered in JSON; else in the layout of /get_profile.
  bool is_json() const { return kind == Kind::kAllCounters || kind == Kind::kCounters || kind == Kind::kOccupancy; }
};

// As /ctxs has it.
void write_step(JsonWriter& json, const HardwareStep& step);

struct HardwareContext {
  std::string name;  // "SQTT r_32_32 n2"
  std::vector<HardwareStep> steps;
};

class HardwareSteps {
 public:
  // The capture must outlive it.
  explicit HardwareSteps(const Capture& capture);

  const hardware::Records& records() const { return records_; }
  const std::vector<HardwareContext>& contexts() const { return contexts_; }
  // The step of a context at that place. What its OCC unfolds into is not among its steps, and stands behind them.
  std::optional<HardwareStep> find_step(std::size_t context, std::size_t place) const;
  // The answer to a step's query. Errors: its record cannot be read.
  Result<std::string> answer(const HardwareStep& step) const;

 private:
  std::string program_name(std::int64_t number) const;
  void list_amd();
  void list_nvidia();
  void number_steps();
  Result<std::string> all_counters() const;
  Result<std::string> trace_lanes(const hardware::ThreadTrace& trace) const;
  std::string unit_steps(const HardwareStep& occupancy) const;
  Result<std::string> sample_lanes(const hardware::PcSampling& sampling) const;

  const Capture& capture_;
  hardware::Records records_;
  std::vector<HardwareContext> contexts_;
};

}  // namespace vizd
