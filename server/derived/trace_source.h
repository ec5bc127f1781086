// TraceSource: what of GPUs' records becomes a TraceCapture: the thread traces of a run of one of AMD's programs, or
// the samples of program counters that were taken of one of NVIDIA's. One thread; the records must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "derived/trace_window.h"
#include "hardware/records.h"
#include "model/capture.h"

namespace vizd {

// What those who read a source are told and asked.
struct SourceReading {
  std::function<bool()> stopped;                        // asked now and then
  std::function<void(std::uint64_t done)> on_progress;  // instructions or samples, told now and then
};

// Pairs of cycles since the profile's start and of nanoseconds since the first of them, by the shader's reading of the
// real-time clock; none where the trace has none.
struct ClockLine {
  std::vector<std::int64_t> cycle, ns;
};

class TraceSource {
 public:
  virtual ~TraceSource() = default;
  // Null where the capture has none.
  virtual const hardware::Program* program() const = 0;
  virtual std::string_view kernel() const = 0;
  // Counts the whole source.
  virtual StretchCounts count(const SourceReading& reading) const = 0;
  // Puts what is in the window on tracks, and notes what is not shown. What there is once it is stopped is no answer.
  virtual ClockLine fill(Capture& capture, TraceWindow window, const SourceReading& reading) const = 0;
  // As much of its beginning as is read in a moment; null where that is all.
  virtual std::unique_ptr<TraceSource> beginning() const = 0;
};

// Null where no thread trace of the run was recorded.
std::unique_ptr<TraceSource> thread_trace_source(const hardware::Records& records, const hardware::RunKey& run);
std::unique_ptr<TraceSource> sample_source(const hardware::Records& records, const hardware::PcSampling& sampling);

}  // namespace vizd
