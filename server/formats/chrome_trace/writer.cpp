#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/clean_text.h"
#include "base/json_writer.h"
#include "formats/chrome_trace/format.h"
#include "formats/chrome_trace/trace_writer.h"
#include "formats/rewrite_spans.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"

namespace vizd::chrome_trace {
namespace {

std::string_view phase_of(EventKind kind) {
  switch (kind) {
    case EventKind::kInstant:
      return "i";
    case EventKind::kUnfinished:
      return "B";
    case EventKind::kAsynchronous:
      return "b";
    case EventKind::kSpan:
      break;
  }
  return "X";
}

// The tracks above those with events make the processes of a trace, which knows two levels: the number of each track's,
// and their names.
struct Processes {
  explicit Processes(const Capture& capture) {
    const std::vector<Track>& tracks = capture.profile.tracks;
    for (const Track& track : tracks) {
      std::string name;
      for (std::uint32_t above = track.parent; above != Track::kNoParent; above = tracks[above].parent) {
        const std::string_view text = capture.strings.get(tracks[above].name);
        name = name.empty() ? std::string(text) : fmt::format("{} {}", text, name);
      }
      const auto found = std::ranges::find(names, name);
      of_track.push_back(static_cast<std::size_t>(found - names.begin()));
      if (found == names.end()) names.push_back(name);
    }
  }

  std::vector<std::size_t> of_track;
  std::vector<std::string> names;
};

class TraceWriter {
 public:
  TraceWriter(const Capture& capture, const ProfilePart& part, const WriteText& write)
      : capture_(capture), selection_(capture, part), processes_(capture), write_(write) {}

  void write_all() {
    write_("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    for (std::size_t i = 0; i < capture_.profile.tracks.size(); ++i) {
      if (!selection_.takes(capture_.profile.tracks[i])) continue;
      put_names(i);
      for (const Counter& counter : capture_.profile.tracks[i].counters) put_counter(counter, i);
    }
    selection_.for_each_event(
        [&](std::uint32_t track, std::uint32_t i, const Event& event) { put_event(track, i, event); });
    for (const Marker& marker : capture_.profile.markers) {
      if (!selection_.takes(marker.at_ns, marker.at_ns)) continue;
      put("i", plain(marker.name), 0, marker.at_ns, [](JsonWriter& json) { json.key("s").text("g"); });
    }
    for (std::size_t i = 0; i < capture_.profile.flows.size(); ++i) put_flow(capture_.profile.flows[i], i);
    put_rewrites();
    write_("\n]}\n");
  }

 private:
  std::string plain(StringId text) const { return many_lines(capture_.strings.get(text), false); }

  // Writes one trace event: what make(json) adds to what all have.
  template <typename Make>
  void put(std::string_view phase, std::string_view name, std::size_t track, std::int64_t at_ns, Make&& make) {
    text_ = std::exchange(is_first_, false) ? "" : ",\n";
    JsonWriter json(text_);
    const std::size_t process = track < processes_.of_track.size() ? processes_.of_track[track] : 0;
    json.begin_object().key("ph").text(phase).key("name").text(name).key("pid").number(process).key("tid").number(
        track);
    json.key("ts").raw(as_us(at_ns - capture_.profile.start_ns));
    make(json);
    json.end_object();
    write_(text_);
  }

  void put_names(std::size_t track) {
    const auto put_name = [&](std::string_view what, std::string_view name) {
      put("M", what, track, capture_.profile.start_ns,
          [&](JsonWriter& json) { json.key("args").begin_object().key("name").text(name).end_object(); });
    };
    put_name("thread_name", plain(capture_.profile.tracks[track].name));
    const std::size_t process = processes_.of_track[track];
    const auto first_of_process = std::ranges::find(processes_.of_track, process) - processes_.of_track.begin();
    if (first_of_process == static_cast<std::ptrdiff_t>(track) && !processes_.names[process].empty())
      put_name("process_name", processes_.names[process]);
  }

  void put_counter(const Counter& counter, std::size_t track) {
    for (std::size_t k = 0; k < counter.at_ns.size(); ++k) {
      if (!selection_.takes(counter.at_ns[k], counter.at_ns[k])) continue;
      put("C", plain(counter.name), track, counter.at_ns[k],
          [&](JsonWriter& json) { json.key("args").begin_object().key("value").real(counter.value[k]).end_object(); });
    }
  }

  void put_event(std::uint32_t track, std::uint32_t i, const Event& event) {
    const std::string category = plain(event.category);
    const auto put_id = [&](JsonWriter& json) {
      if (!category.empty()) json.key("cat").text(category);
      if (event.kind == EventKind::kAsynchronous) json.key("id").number(asynchronous_);
    };
    put(phase_of(event.kind), plain(event.name), track, event.start_ns, [&](JsonWriter& json) {
      if (event.kind == EventKind::kInstant) json.key("s").text("t");
      if (event.kind == EventKind::kSpan) json.key("dur").raw(as_us(event.dur_ns, event.dur_ps));
      put_id(json);
      put_arguments(json, track, i, event);
    });
    if (event.kind != EventKind::kAsynchronous) return;
    put("e", plain(event.name), track, event.start_ns + std::max<std::int64_t>(event.dur_ns, 0), put_id);
    ++asynchronous_;
  }

  void put_arguments(JsonWriter& json, std::uint32_t track, std::uint32_t i, const Event& event) {
    std::string text;
    JsonWriter members(text);
    members.begin_object();
    selection_.for_each_argument(track, i, [&](const ArgumentColumn& argument, const ArgumentValue& value) {
      write_value(members.key(capture_.strings.get(argument.name)), value, capture_.strings);
    });
    if (event.context != ContextId{kNoId})
      members.key("context").text(plain(capture_.rewrites.contexts[index(event.context)].name));
    if (event.is_error) members.key("error").boolean(true);
    members.end_object();
    if (text != "{}") json.key("args").raw(text);
  }

  void put_flow(const Flow& flow, std::size_t id) {
    const Track& from_track = capture_.profile.tracks[flow.from_track];
    const Track& to_track = capture_.profile.tracks[flow.to_track];
    const Event from = from_track.events[flow.from_event], to = to_track.events[flow.to_event];
    if (!selection_.takes(from_track) || !selection_.takes(to_track)) return;
    if (!selection_.takes(from) || !selection_.takes(to)) return;
    put("s", "flow", flow.from_track, from.start_ns,
        [&](JsonWriter& json) { json.key("cat").text("flow").key("id").number(id); });
    put("f", "flow", flow.to_track, to.start_ns,
        [&](JsonWriter& json) { json.key("cat").text("flow").key("id").number(id).key("bp").text("e"); });
  }

  // The compiler's passes, as a process beside those of the profile.
  void put_rewrites() {
    const std::vector<RewriteSpan> spans = rewrite_spans(capture_);
    if (spans.empty()) return;
    const std::size_t track = capture_.profile.tracks.size();
    const auto put_of = [&](std::string_view phase, std::string_view name, std::int64_t at_ns, auto&& make) {
      text_ = std::exchange(is_first_, false) ? "" : ",\n";
      JsonWriter json(text_);
      json.begin_object().key("ph").text(phase).key("name").text(name);
      json.key("pid").number(processes_.names.size()).key("tid").number(track).key("ts").raw(as_us(at_ns));
      make(json);
      json.end_object();
      write_(text_);
    };
    put_of("M", "process_name", 0,
           [](JsonWriter& json) { json.key("args").begin_object().key("name").text("rewrites").end_object(); });
    for (const RewriteSpan& span : spans) {
      put_of("X", plain(span.name), span.start_ns, [&](JsonWriter& json) {
        json.key("dur").raw(as_us(span.dur_ns)).key("cat").text(span.is_context ? "context" : "pass");
        json.key("args").begin_object().key("matches").number(span.matches).end_object();
      });
    }
  }

  const Capture& capture_;
  const ProfileSelection selection_;
  const Processes processes_;
  const WriteText& write_;
  std::string text_;
  bool is_first_ = true;
  std::uint64_t asynchronous_ = 0;  // so many were written
};

}  // namespace

void write(const Capture& capture, const WriteOptions& options, const WriteText& write) {
  if (capture.profile.is_trace) return write_trace(capture, options.part, write);
  TraceWriter(capture, options.part, write).write_all();
}

}  // namespace vizd::chrome_trace
