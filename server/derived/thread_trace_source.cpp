// The thread traces of a run, engine by engine, on the cycles of the first of them whose clock is known.
#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "derived/trace_source.h"
#include "derived/trace_tracks.h"
#include "hardware/traced_code.h"

namespace vizd {
namespace {

using thread_trace::CycleClock;

class InstructionCounter : public thread_trace::SpanSink {
 public:
  explicit InstructionCounter(const std::function<bool()>& stopped) : stopped_(stopped) {}
  std::uint64_t begin(const thread_trace::IssuedInstruction& made) override {
    if (const std::int64_t stretch = made.start_cycle >> kStretchBits; last_ == nullptr || stretch != last_stretch_) {
      last_ = &counts[stretch];
      last_stretch_ = stretch;
    }
    ++*last_;
    return seen_++;
  }
  void end(std::uint64_t, std::int64_t, bool) override {}
  void execute(const thread_trace::UnitExecution&) override {}
  bool is_full() const override { return seen_ % (1 << 14) == 0 && stopped_(); }

  StretchCounts counts;

 private:
  const std::function<bool()>& stopped_;
  std::uint64_t seen_ = 0;
  std::int64_t last_stretch_ = 0;
  std::uint64_t* last_ = nullptr;  // the count of that stretch
};

// From a trace's cycles to those of another that ran at the same time.
std::int64_t shift_between(const CycleClock& axis, const CycleClock& clock) {
  const auto &first = axis.readings().front(), &last = axis.readings().back();
  const double cycles_per_ns =
      static_cast<double>(last.cycle - first.cycle) / static_cast<double>(last.at_ns - first.at_ns);
  const auto& at = clock.readings().front();
  constexpr double kMost = 0x1p50;  // further apart nothing of one run is
  const double cycle = static_cast<double>(first.cycle) + static_cast<double>(at.at_ns - first.at_ns) * cycles_per_ns;
  const double shift = cycle - static_cast<double>(at.cycle);
  return &axis == &clock || shift != std::clamp(shift, -kMost, kMost) ? 0 : static_cast<std::int64_t>(shift);
}

// Its cycles are still those of the traces.
ClockLine line_of(const CycleClock& axis) {
  constexpr std::size_t kMostPoints = 2000;
  ClockLine line;
  const auto& readings = axis.readings();
  const std::size_t step = std::max<std::size_t>(1, readings.size() / kMostPoints);
  const auto add = [&](const CycleClock::Reading& reading) {
    line.cycle.push_back(reading.cycle);
    line.ns.push_back(reading.at_ns - readings.front().at_ns);
  };
  for (std::size_t i = 0; i < readings.size(); i += step) add(readings[i]);
  if (line.cycle.back() != readings.back().cycle) add(readings.back());
  return line;
}

class ThreadTraceSource : public TraceSource {
 public:
  ThreadTraceSource(const hardware::Records& records, const hardware::RunKey& run) {
    for (const hardware::ThreadTrace* const trace : records.traces_of(run)) traces_.push_back(*trace);
    if (traces_.empty()) return;
    code_ = hardware::traced_code(records, traces_.front());
    if (const hardware::TimedRun* const timed = records.find_timed(run)) near_ns_ = timed->start_ns;
  }
  bool empty() const { return traces_.empty(); }

  const hardware::Program* program() const override { return code_.program; }
  std::string_view kernel() const override { return code_.program == nullptr ? "program" : code_.program->name; }

  StretchCounts count(const SourceReading& reading) const override {
    std::vector<StretchCounts> counts(traces_.size());
    for_each_index(traces_.size(), core_count(), [&](std::size_t i) {
      if (!traces_[i].has_instructions) return;
      InstructionCounter counter(reading.stopped);
      thread_trace::walk_spans(traces_[i].packets, code_.family, code_.followed(), counter);
      counts[i] = std::move(counter.counts);
    });
    StretchCounts all;
    for (const StretchCounts& each : counts) {
      for (const auto& [stretch, count] : each) all[stretch] += count;
    }
    return all;
  }

  ClockLine fill(Capture& capture, TraceWindow window, const SourceReading& reading) const override {
    std::vector<CycleClock> clocks;
    for (const hardware::ThreadTrace& trace : traces_) clocks.emplace_back(trace.packets, near_ns_);
    const auto axis = std::ranges::find_if(clocks, &CycleClock::is_known);
    TraceTracks tracks(capture, code_.family, code_.followed(), window);
    std::uint64_t apart = 0;
    for (std::size_t i = 0; i < traces_.size() && !reading.stopped(); ++i) {
      apart += !clocks[i].is_known();
      tracks.add(traces_[i], clocks[i].is_known() ? shift_between(*axis, clocks[i]) : 0, reading);
    }
    tracks.note_what_is_missing();
    if (apart != 0 && traces_.size() > 1) {
      capture.notes.push_back(fmt::format(
          "{} shader engines tell no real-time clock: each counts its cycles from the beginning of its own trace",
          apart));
    }
    return axis == clocks.end() ? ClockLine() : line_of(*axis);
  }

  std::unique_ptr<TraceSource> beginning() const override {
    constexpr std::size_t kBytes = std::size_t{2} << 20;
    std::size_t bytes = 0, telling = 0;
    for (const hardware::ThreadTrace& trace : traces_) {
      bytes += trace.packets.size();
      telling += trace.has_instructions;
    }
    if (bytes <= 4 * kBytes) return nullptr;
    auto made = std::make_unique<ThreadTraceSource>(*this);
    for (hardware::ThreadTrace& trace : made->traces_)
      trace.packets = trace.packets.first(std::min(trace.packets.size(), kBytes / std::max<std::size_t>(telling, 1)));
    return made;
  }

 private:
  std::vector<hardware::ThreadTrace> traces_;  // of each engine
  hardware::TracedCode code_;
  std::int64_t near_ns_ = 0;
};

}  // namespace

std::unique_ptr<TraceSource> thread_trace_source(const hardware::Records& records, const hardware::RunKey& run) {
  auto made = std::make_unique<ThreadTraceSource>(records, run);
  return made->empty() ? nullptr : std::move(made);
}

}  // namespace vizd
