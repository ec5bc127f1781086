#include "timeline/lanes_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace vizd {
namespace {

class LanesWriter {
 public:
  LanesWriter(JsonWriter& json, const Capture& capture, const Timeline& timeline)
      : json_(json), capture_(capture), timeline_(timeline) {}

  void write() {
    const Profile& profile = capture_.profile;
    std::uint64_t events = 0;
    for (const Lane& lane : profile.lanes) events += lane.events.size();
    json_.key("key").text(key_text(timeline_)).key("dur_ns").number(profile.end_ns - profile.start_ns);
    json_.key("start").text(std::to_string(profile.start_ns));
    json_.key("events").number(events).key("flows").number(profile.flows.size());
    write_names(json_, capture_, timeline_, 0);
    json_.key("name_count").number(timeline_.names.size()).key("lanes").begin_array();
    for (std::size_t i = 0; i < profile.lanes.size(); ++i) write_lane(profile.lanes[i], timeline_.lanes[i]);
    json_.end_array();
    json_.column("markers", profile.markers, [&](JsonWriter& w, const Marker& marker) {
      w.begin_object().key("at").number(relative(marker.at_ns)).key("name").text(text(marker.name));
      w.key("colour").text(text(marker.colour)).end_object();
    });
  }

 private:
  std::string_view text(StringId id) const { return capture_.strings.get(id); }
  std::int64_t relative(std::int64_t ns) const { return ns - capture_.profile.start_ns; }

  void write_lane(const Lane& lane, const LaneIndex& index) {
    json_.begin_object().key("name").text(text(lane.name)).key("group").begin_object();
    write_group("rank", lane.group.rank);
    write_group("process", lane.group.process);
    write_group("device", lane.group.device);
    write_group("stream", lane.group.stream);
    json_.end_object().key("events").number(lane.events.size()).key("rows").number(index.row_count());
    json_.key("relaned").number(index.relaned).key("busy_ns").number(index.busy_ns);
    const bool is_empty = lane.events.empty();
    json_.key("first_ns").number(is_empty ? 0 : relative(index.first_ns));
    json_.key("last_ns").number(is_empty ? 0 : relative(index.last_ns)).key("hz");
    lane.cycles_per_second > 0 ? json_.real(lane.cycles_per_second) : json_.null();
    json_.column("counters", lane.counters, [&](JsonWriter& w, const Counter& counter) { write_counter(w, counter); });
    json_.key("memory");
    lane.allocations.empty() ? void(json_.null()) : write_memory(lane, index.memory.layout);
    json_.end_object();
  }

  void write_group(std::string_view key, StringId value) {
    json_.key(key);
    value == StringId{} ? json_.null() : json_.text(text(value));
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
    json.begin_object().key("name").text(text(counter.name)).key("unit").text(text(counter.unit));
    json.key("samples").number(counter.value.size()).key("min").real(min).key("max").real(max).end_object();
  }

  void write_memory(const Lane& lane, const MemoryLayout& layout) {
    json_.begin_object().key("allocations").number(lane.allocations.size());
    json_.key("peak_bytes").number(layout.peak_bytes).key("peak_ns").number(relative(layout.peak_ns));
    json_.key("end_bytes").number(layout.end_bytes).key("height_bytes").number(layout.height_bytes);
    json_.key("addressed").boolean(layout.addressed).end_object();
  }

  JsonWriter& json_;
  const Capture& capture_;
  const Timeline& timeline_;
};

}  // namespace

std::string key_text(const Timeline& timeline) { return fmt::format("{:016x}", timeline.key); }

void write_lanes(JsonWriter& json, const Capture& capture, const Timeline& timeline) {
  LanesWriter(json, capture, timeline).write();
}

void write_names(JsonWriter& json, const Capture& capture, const Timeline& timeline, std::size_t page) {
  const std::size_t names = timeline.names.size();
  const std::size_t from = page > names / kNamesPerPage ? names : page * kNamesPerPage;
  const auto shown = std::span(timeline.names).subspan(from, std::min(kNamesPerPage, names - from));
  json.column("names", shown, [&](JsonWriter& w, StringId name) { w.text(capture.strings.get(name)); });
}

}  // namespace vizd
