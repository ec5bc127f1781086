#include "derived/trace_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/parallel.h"
#include "derived/recorded_runs.h"
#include "derived/trace_tracks.h"
#include "formats/tinygrad/hardware_records.h"
#include "hardware/traced_code.h"

namespace vizd {
namespace {

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

class InstructionCounter : public thread_trace::SpanSink {
 public:
  explicit InstructionCounter(const std::function<bool()>& stopped) : stopped_(stopped) {}
  std::uint64_t begin(const thread_trace::IssuedInstruction& made) override {
    ++counts[made.start_cycle >> kStretchBits];
    return seen++;
  }
  void end(std::uint64_t, std::int64_t, bool) override {}
  void execute(const thread_trace::UnitExecution&) override {}
  bool is_full() const override { return seen % (1 << 14) == 0 && stopped_(); }

  InstructionCounts counts;
  std::uint64_t seen = 0;

 private:
  const std::function<bool()>& stopped_;
};

}  // namespace

std::optional<TraceId> parse_trace_id(std::string_view id) {
  const std::size_t mark = id.find('~');
  if (mark == std::string_view::npos) return std::nullopt;
  TraceId made{.capture = std::string(id.substr(0, mark))};
  const std::string_view rest = id.substr(mark + 1);
  const std::size_t dot = std::min(rest.find('.'), rest.size());
  const auto run = number_in(rest.substr(0, dot));
  const auto part = dot == rest.size() ? std::optional<std::uint32_t>(0) : number_in(rest.substr(dot + 1));
  if (!run || !part) return std::nullopt;
  made.run = *run;
  made.part = *part;
  return made;
}

std::size_t TraceCapture::memory_bytes() const {
  constexpr std::size_t kOfEvent = 40, kOfFlow = sizeof(Flow);
  std::size_t bytes = sizeof(*this) + loaded.capture.profile.flows.size() * kOfFlow;
  for (const Track& track : loaded.capture.profile.tracks) bytes += sizeof(Track) + track.events.size() * kOfEvent;
  return bytes;
}

class TraceCaptureBuilder {
 public:
  TraceCaptureBuilder(std::shared_ptr<const LoadedCapture> of, const TraceId& id, std::stop_token stop)
      : of_(std::move(of)), id_(id), stop_(std::move(stop)), records_(tinygrad::hardware_records(of_->capture)) {}

  Result<std::shared_ptr<const TraceCapture>> make(const ReportProgress& report) {
    if (id_.run >= records_.runs.size()) return missing("there is no such run");
    key_ = records_.runs[id_.run];
    traces_ = records_.traces_of(key_);
    if (traces_.empty()) return missing("no thread trace of this run was recorded");
    code_ = hardware::traced_code(records_, *traces_.front());
    auto made = std::make_shared<TraceCapture>();
    TraceCapture& trace = *made;
    if (auto windows = find_windows(trace, report); !windows) return std::move(windows).error();
    name(trace);
    if (auto filled = fill(trace, report); !filled) return std::move(filled).error();
    trace.when_unloaded_ = std::make_unique<std::stop_callback<std::function<void()>>>(
        of_->unloaded.get_token(), [unloaded = trace.loaded.unloaded] { (void)unloaded.request_stop(); });
    return std::shared_ptr<const TraceCapture>(std::move(made));
  }

 private:
  Error missing(std::string_view what) const { return {ErrorKind::kNotFound, std::string(what), of_->name}; }
  Error given_up() const { return {ErrorKind::kBusy, "whoever asked has left", of_->name}; }

  Result<void> find_windows(TraceCapture& trace, const ReportProgress& report) {
    InstructionCounter counter(stopped_);
    std::uint32_t done = 0;
    for (const hardware::ThreadTrace* each : traces_) {
      report({done++, static_cast<std::uint32_t>(2 * traces_.size()), "counting instructions"});
      if (each->has_instructions) thread_trace::walk_spans(each->packets, code_.family, code_.followed(), counter);
      if (stop_.stop_requested()) return given_up();
    }
    const std::vector<TraceWindow> windows = trace_windows(counter.counts, TraceCapture::kMostInstructions);
    trace.instructions = counter.seen;
    trace.parts = static_cast<std::uint32_t>(windows.size());
    if (id_.part >= windows.size()) return missing("there is no such part");
    window_ = windows[id_.part];
    return {};
  }

  // An id and a number of its own, so that answers about it are told from those about the capture.
  void name(TraceCapture& trace) const {
    constexpr unsigned kRevisionBits = 20;
    LoadedCapture& loaded = trace.loaded;
    loaded.id =
        id_.part == 0 ? fmt::format("{}~{}", of_->id, id_.run) : fmt::format("{}~{}.{}", of_->id, id_.run, id_.part);
    const std::string_view kernel = code_.program == nullptr ? std::string_view("program") : code_.program->name;
    loaded.name = fmt::format("{}, run {} of {}", of_->name, id_.run + 1, kernel);
    // Below 2^53, beyond which numbers of JSON are not exact.
    loaded.revision = (std::uint64_t{1} << 52) | ((of_->revision << kRevisionBits) & ((std::uint64_t{1} << 52) - 1)) |
                      ((id_.run * 31 + id_.part) & ((1u << kRevisionBits) - 1));
    loaded.capture.has_profile = true;
    loaded.capture.format = "thread trace";
    if (code_.program != nullptr) trace.program = program_place(of_->capture, *code_.program);
  }

  Result<void> fill(TraceCapture& trace, const ReportProgress& report) {
    Capture& capture = trace.loaded.capture;
    const hardware::TimedRun* const timed = records_.find_timed(key_);
    const std::int64_t near_ns = timed == nullptr ? 0 : timed->start_ns;
    std::optional<thread_trace::CycleClock> axis;  // of the first trace that has a clock: the others are moved to it
    for (const hardware::ThreadTrace* each : traces_) {
      if (thread_trace::CycleClock clock(each->packets, near_ns); !axis && clock.is_known()) axis = std::move(clock);
    }
    TraceTracks tracks(capture, code_.family, code_.followed(), window_);
    auto done = static_cast<std::uint32_t>(traces_.size());
    std::uint64_t apart = 0;
    for (const hardware::ThreadTrace* each : traces_) {
      report({done++, static_cast<std::uint32_t>(2 * traces_.size()), "reading instructions"});
      std::int64_t shift_cycles = 0;
      if (thread_trace::CycleClock clock(each->packets, near_ns); axis && clock.is_known()) {
        shift_cycles = shift_between(*axis, clock);
      } else {
        ++apart;
      }
      tracks.add(*each, shift_cycles, stopped_);
      if (stop_.stop_requested()) return given_up();
    }
    tracks.finish();
    if (apart != 0 && traces_.size() > 1) {
      capture.notes.push_back(fmt::format(
          "{} shader engines tell no real-time clock: each counts its cycles from the beginning of its own trace",
          apart));
    }
    if (trace.parts > 1) {
      capture.notes.push_back(
          fmt::format("part {} of {}: {} instructions in all", id_.part + 1, trace.parts, trace.instructions));
    }
    trace.loaded.timeline = prepare_timeline(capture, core_count());
    if (axis) tell_clock(*axis, capture.profile.start_ns, trace);
    tell_work(capture.profile, trace);
    return {};
  }

  // From a trace's cycles to those of another that ran at the same time.
  static std::int64_t shift_between(const thread_trace::CycleClock& axis, const thread_trace::CycleClock& clock) {
    const auto &first = axis.readings().front(), &last = axis.readings().back();
    const double cycles_per_ns =
        static_cast<double>(last.cycle - first.cycle) / static_cast<double>(last.at_ns - first.at_ns);
    const auto& at = clock.readings().front();
    constexpr double kMost = 0x1p50;  // further apart nothing of one run is
    const double cycle = static_cast<double>(first.cycle) + static_cast<double>(at.at_ns - first.at_ns) * cycles_per_ns;
    const double shift = cycle - static_cast<double>(at.cycle);
    return &axis == &clock || shift != std::clamp(shift, -kMost, kMost) ? 0 : static_cast<std::int64_t>(shift);
  }

  // Of what did not end, when it began counts alone: it is taken to last as long as the trace.
  static void tell_work(const Profile& profile, TraceCapture& trace) {
    std::int64_t from_cycle = profile.end_ns, to_cycle = profile.start_ns;
    for (const Track& track : profile.tracks) {
      const EventColumns& events = track.events;
      for (std::size_t i = 0; i < events.size(); ++i) {
        const bool has_ended = events.kind(i) != EventKind::kUnfinished;
        from_cycle = std::min(from_cycle, events.start_ns(i));
        to_cycle = std::max(to_cycle, has_ended ? events.end_ns(i) : events.start_ns(i));
      }
    }
    if (from_cycle >= to_cycle) {
      from_cycle = profile.start_ns;
      to_cycle = profile.end_ns;
    }
    trace.work_from_cycle = from_cycle - profile.start_ns;
    trace.work_to_cycle = to_cycle - profile.start_ns;
  }

  static void tell_clock(const thread_trace::CycleClock& axis, std::int64_t start_cycle, TraceCapture& trace) {
    constexpr std::size_t kMostPoints = 2000;
    const auto& readings = axis.readings();
    const std::size_t step = std::max<std::size_t>(1, readings.size() / kMostPoints);
    for (std::size_t i = 0; i < readings.size(); i += i + step < readings.size() ? step : readings.size()) {
      trace.clock_cycle.push_back(readings[i].cycle - start_cycle);
      trace.clock_ns.push_back(readings[i].at_ns - readings.front().at_ns);
    }
    if (trace.clock_cycle.back() != readings.back().cycle - start_cycle) {
      trace.clock_cycle.push_back(readings.back().cycle - start_cycle);
      trace.clock_ns.push_back(readings.back().at_ns - readings.front().at_ns);
    }
  }

  const std::shared_ptr<const LoadedCapture> of_;
  const TraceId id_;
  const std::stop_token stop_;
  const std::function<bool()> stopped_ = [this] { return stop_.stop_requested(); };
  const hardware::Records records_;
  hardware::RunKey key_;
  std::vector<const hardware::ThreadTrace*> traces_;
  hardware::TracedCode code_;
  TraceWindow window_;
};

Derived::Ticket<TraceCapture> trace_capture(Derived& store, const std::shared_ptr<const LoadedCapture>& capture,
                                            const TraceId& id) {
  const Make<TraceCapture> make = [capture, id](const ReportProgress& report, std::stop_token stop) {
    return TraceCaptureBuilder(capture, id, std::move(stop)).make(report);
  };
  return store.get<TraceCapture>(capture, fmt::format("{}.{}", id.run, id.part), make);
}

}  // namespace vizd
