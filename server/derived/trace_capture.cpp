#include "derived/trace_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/content_hash.h"
#include "base/parallel.h"
#include "derived/recorded_runs.h"
#include "derived/traced_runs.h"
#include "formats/tinygrad/hardware_records.h"
#include "model/profile_extent.h"

namespace vizd {
namespace {

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::uint64_t sum_of(const StretchCounts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [stretch, count] : counts) sum += count;
  return sum;
}

}  // namespace

std::optional<TraceId> parse_trace_id(std::string_view id) {
  const std::size_t mark = id.find('~');
  if (mark == std::string_view::npos) return std::nullopt;
  TraceId made{.capture = std::string(id.substr(0, mark))};
  std::string_view rest = id.substr(mark + 1);
  made.is_sampling = rest.starts_with('s');
  if (made.is_sampling) rest.remove_prefix(1);
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
  return bytes + (beginning ? beginning->memory_bytes() : 0);
}

class TraceCaptureBuilder {
 public:
  TraceCaptureBuilder(std::shared_ptr<const LoadedCapture> of, const TraceId& id, std::stop_token stop)
      : of_(std::move(of)), id_(id), stop_(std::move(stop)), records_(tinygrad::hardware_records(of_->capture)) {}

  Result<std::shared_ptr<const TraceCapture>> make(const ReportProgress& report) {
    const auto source = find_source();
    if (!source) return source.error();
    std::shared_ptr<const TraceCapture> beginning;
    if (const auto first = id_.part == 0 ? (*source)->beginning() : nullptr) {
      const auto made = fill(*first, {}, true, {stopped_, [](std::uint64_t) {}}, [] {});
      made->instructions = sum_of(first->count({stopped_, [](std::uint64_t) {}}));
      beginning = made;
    }
    report({.what = "counting", .so_far = beginning});
    const StretchCounts counts = (*source)->count({stopped_, [](std::uint64_t) {}});
    if (stop_.stop_requested()) return given_up();
    const std::vector<TraceWindow> windows = trace_windows(counts, TraceCapture::kMostOfPart);
    if (id_.part >= windows.size()) return missing("there is no such part");
    const std::uint64_t all = sum_of(counts);
    constexpr std::uint64_t kThousands = 1000;
    const auto tell = [&](std::uint64_t done) {
      report({static_cast<std::uint32_t>(done / kThousands), static_cast<std::uint32_t>(all / kThousands), "reading"});
    };
    const auto made = fill(**source, windows[id_.part], false, {stopped_, tell},
                           [&] { report({.what = "laying out", .so_far = nullptr}); });
    if (stop_.stop_requested()) return given_up();
    made->instructions = all;
    made->parts = static_cast<std::uint32_t>(windows.size());
    made->beginning = std::move(beginning);
    if (made->parts > 1) {
      made->loaded.capture.notes.push_back(fmt::format("part {} of {}: {} {} in all", id_.part + 1, made->parts, all,
                                                       id_.is_sampling ? "samples" : "instructions"));
    }
    return std::shared_ptr<const TraceCapture>(made);
  }

 private:
  Error missing(std::string_view what) const { return {ErrorKind::kNotFound, std::string(what), of_->name}; }
  Error given_up() const { return {ErrorKind::kBusy, "whoever asked has left", of_->name}; }

  Result<std::unique_ptr<TraceSource>> find_source() const {
    if (id_.is_sampling) {
      if (id_.run >= records_.samplings.size()) return missing("there are no such samples");
      return sample_source(records_, records_.samplings[id_.run]);
    }
    if (id_.run >= records_.runs.size()) return missing("there is no such run");
    auto source = thread_trace_source(records_, records_.runs[id_.run]);
    if (!source) return missing("no thread trace of this run was recorded");
    return source;
  }

  std::shared_ptr<TraceCapture> fill(const TraceSource& source, TraceWindow window, bool is_beginning,
                                     const SourceReading& reading, const std::function<void()>& on_read) const {
    auto made = std::make_shared<TraceCapture>();
    Capture& capture = made->loaded.capture;
    name(source, is_beginning, *made);
    made->clock = source.fill(capture, window, reading);
    on_read();
    for (Track& track : capture.profile.tracks) track.events.settle();
    extend_profile(capture.profile);
    for (std::int64_t& cycle : made->clock.cycle) cycle -= capture.profile.start_ns;
    if (!stop_.stop_requested()) made->loaded.timeline = prepare_timeline(capture, core_count());
    tell_work(capture.profile, *made);
    made->when_unloaded_ = std::make_unique<std::stop_callback<std::function<void()>>>(
        of_->unloaded.get_token(), [unloaded = made->loaded.unloaded] { (void)unloaded.request_stop(); });
    return made;
  }

  // An id and a number of its own, so that answers about it are told from those about the capture.
  void name(const TraceSource& source, bool is_beginning, TraceCapture& trace) const {
    LoadedCapture& loaded = trace.loaded;
    loaded.id = fmt::format("{}~{}", of_->id, run_name(id_.is_sampling, id_.run));
    if (id_.part != 0) loaded.id += fmt::format(".{}", id_.part);
    loaded.name =
        fmt::format("{}, {} {} of {}", of_->name, id_.is_sampling ? "samples" : "run", id_.run + 1, source.kernel());
    ContentHash hash;
    hash.add(of_->revision);
    hash.add(loaded.id);
    hash.add(is_beginning);
    // Below 2^53, beyond which numbers of JSON are not exact.
    loaded.revision = (std::uint64_t{1} << 52) | (hash.value() & ((std::uint64_t{1} << 52) - 1));
    loaded.capture.has_profile = true;
    loaded.capture.format = id_.is_sampling ? "samples of program counters" : "thread trace";
    if (source.program() != nullptr) trace.program = program_place(of_->capture, *source.program());
  }

  // For work that did not end, only its begin is recorded: it is taken to last as long as the trace.
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

  const std::shared_ptr<const LoadedCapture> of_;
  const TraceId id_;
  const std::stop_token stop_;
  const std::function<bool()> stopped_ = [this] { return stop_.stop_requested(); };
  const hardware::Records records_;
};

Derived::Ticket<TraceCapture> trace_capture(Derived& store, const std::shared_ptr<const LoadedCapture>& capture,
                                            const TraceId& id) {
  const Make<TraceCapture> make = [capture, id](const ReportProgress& report, std::stop_token stop) {
    return TraceCaptureBuilder(capture, id, std::move(stop)).make(report);
  };
  return store.get<TraceCapture>(capture, fmt::format("{}.{}", run_name(id.is_sampling, id.run), id.part), make);
}

}  // namespace vizd
