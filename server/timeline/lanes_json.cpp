#include "timeline/lanes_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "timeline/live_set.h"

namespace vizd {
namespace {

class LanesWriter {
 public:
  LanesWriter(JsonWriter& json, const Capture& capture, const Timeline& timeline)
      : json_(json),
        capture_(capture),
        timeline_(timeline),
        paths_(track_paths(capture.profile.tracks, capture.strings)) {}

  void write(std::string_view key) {
    const Profile& profile = capture_.profile;
    std::uint64_t events = 0;
    for (const Track& track : profile.tracks) events += track.events.size();
    json_.key("key")
        .text(key.empty() ? key_text(timeline_) : std::string(key))
        .key("dur_ns")
        .number(profile.end_ns - profile.start_ns);
    json_.key("start").text(std::to_string(profile.start_ns));
    json_.key("events").number(events).key("flows").number(profile.flows.size());
    write_names(json_, capture_, timeline_, 0);
    json_.key("name_count").number(timeline_.names.size()).key("lanes").begin_array();
    for (std::uint32_t i = 0; i < profile.tracks.size(); ++i) write_track(i);
    json_.end_array();
    json_.column("order", track_order(profile.tracks), [](JsonWriter& w, std::uint32_t i) { w.number(i); });
    write_clock(profile.clock);
    json_.column("runs", profile.runs, [&](JsonWriter& w, const Run& run) { write_run(w, run); });
    json_.column("markers", profile.markers, [&](JsonWriter& w, const Marker& marker) {
      w.begin_object().key("at").number(relative(marker.at_ns)).key("name").text(text(marker.name));
      w.key("colour").text(text(marker.colour)).end_object();
    });
  }

 private:
  std::string_view text(StringId id) const { return capture_.strings.get(id); }
  std::int64_t relative(std::int64_t ns) const { return ns - capture_.profile.start_ns; }

  void write_track(std::uint32_t number) {
    const Track& track = capture_.profile.tracks[number];
    const LaneIndex& index = timeline_.lanes[number];
    json_.begin_object().key("name").text(text(track.name)).key("path").text(paths_[number]);
    json_.key("kind").text(track_kind_name(track.kind)).key("parent").number(or_minus_one(track.parent));
    json_.key("events").number(track.events.size()).key("rows").number(index.row_count());
    json_.key("relaned").number(index.relaned).key("busy_ns").number(index.busy_ns);
    const bool is_empty = track.events.empty();
    json_.key("first_ns").number(is_empty ? 0 : relative(index.first_ns));
    json_.key("last_ns").number(is_empty ? 0 : relative(index.last_ns)).key("hz");
    if (track.cycles_per_second > 0) {
      json_.real(track.cycles_per_second);
    } else {
      json_.null();
    }
    json_.column("arguments", track.arguments, [&](JsonWriter& w, const ArgumentColumn& argument) {
      w.begin_object().key("name").text(text(argument.name)).key("unit").text(text(argument.unit));
      w.key("events").number(argument.size()).end_object();
    });
    json_.column("counters", track.counters, [&](JsonWriter& w, const Counter& counter) { write_counter(w, counter); });
    json_.key("samples").number(track.samples.size()).key("memory");
    if (track.allocations.empty()) {
      json_.null();
    } else {
      write_memory(track, index.memory);
    }
    json_.end_object();
  }

  void write_clock(const Clock& clock) {
    json_.key("clock").begin_object().key("name").text(text(clock.name)).key("unix_start");
    // Beyond what a JSON number can say.
    if (clock.unix_offset_ns) {
      json_.text(std::to_string(*clock.unix_offset_ns + capture_.profile.start_ns));
    } else {
      json_.null();
    }
    json_.end_object();
  }

  void write_run(JsonWriter& json, const Run& run) {
    json.begin_object().key("lane").number(or_minus_one(run.track)).key("kind").text(text(run.kind));
    json.key("name").text(text(run.name)).key("number").number(run.number);
    json.key("from_ns").number(relative(run.from_ns)).key("to_ns").number(relative(run.to_ns)).end_object();
  }

  void write_counter(JsonWriter& json, const Counter& counter) {
    double min = 0, max = 0;
    bool is_first = true;
    for (const double value : counter.value.span()) {
      if (!std::isfinite(value)) continue;
      min = is_first ? value : std::min(min, value);
      max = is_first ? value : std::max(max, value);
      is_first = false;
    }
    std::string name(text(counter.name));
    if (counter.series != StringId{}) name.append(" ").append(text(counter.series));
    json.begin_object().key("name").text(name).key("unit").text(text(counter.unit));
    json.key("samples").number(counter.value.size()).key("min").real(min).key("max").real(max).end_object();
  }

  void write_memory(const Track& track, const LaneMemory& memory) {
    const MemoryLayout& layout = memory.layout;
    json_.begin_object().key("allocations").number(track.allocations.size());
    json_.key("peak_bytes").number(layout.peak_bytes).key("peak_ns").number(relative(layout.peak_ns));
    json_.key("end_bytes").number(layout.end_bytes).key("height_bytes").number(layout.height_bytes);
    json_.key("addressed").boolean(layout.addressed).key("has_log").boolean(track.allocator != nullptr);
    json_.key("unlisted_bytes");
    if (const auto unlisted = unlisted_bytes(track, memory, capture_.strings)) {
      json_.number(*unlisted);
    } else {
      json_.null();
    }
    json_.end_object();
  }

  JsonWriter& json_;
  const Capture& capture_;
  const Timeline& timeline_;
  const std::vector<std::string> paths_;
};

}  // namespace

std::string key_text(const Timeline& timeline) { return fmt::format("{:016x}", timeline.key); }

void write_lanes(JsonWriter& json, const Capture& capture, const Timeline& timeline, std::string_view key) {
  LanesWriter(json, capture, timeline).write(key);
}

void write_names(JsonWriter& json, const Capture& capture, const Timeline& timeline, std::size_t page) {
  const std::size_t names = timeline.names.size();
  const std::size_t from = page > names / kNamesPerPage ? names : page * kNamesPerPage;
  const auto shown = std::span(timeline.names).subspan(from, std::min(kNamesPerPage, names - from));
  json.column("names", shown, [&](JsonWriter& w, StringId name) { w.text(capture.strings.get(name)); });
}

}  // namespace vizd
