// What GPUs recorded of themselves, as tinygrad's viewer lists and answers it: after the contexts of rewrites, one of
// all counters, then one for each run of a program, with its counters and the packets of its thread traces. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "hardware/records.h"
#include "model/capture.h"

namespace vizd {

struct HardwareStep {
  enum class Kind : std::uint8_t { kAllCounters, kCounters, kTrace, kSamples };
  std::string name;  // "PMC", "SE:1 PKTS"
  std::string path;  // of the query that asks for it
  Kind kind{};
  std::size_t record = 0;  // its place in the Records of its kind

  // Whether it is answered as a table in JSON; else in the layout of /get_profile.
  bool is_table() const { return kind == Kind::kAllCounters || kind == Kind::kCounters; }
};

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
  // The answer to a step's query. Errors: its record cannot be read.
  Result<std::string> answer(const HardwareStep& step) const;

 private:
  std::string program_name(std::int64_t number) const;
  void list_amd();
  void list_nvidia();
  Result<std::string> all_counters() const;
  Result<std::string> trace_lanes(const hardware::ThreadTrace& trace) const;
  Result<std::string> sample_lanes(const hardware::PcSampling& sampling) const;

  const Capture& capture_;
  hardware::Records records_;
  std::vector<HardwareContext> contexts_;
};

}  // namespace vizd
