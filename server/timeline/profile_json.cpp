#include "timeline/profile_json.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/json_writer.h"
#include "timeline/event_links.h"
#include "timeline/lane_rows.h"
#include "timeline/memory_layout.h"

namespace vizd {
namespace {

// The strings of the body, numbered by first use; 0 is "".
class StringColumn {
 public:
  explicit StringColumn(const StringTable& table) : table_(table) { place(StringId{}); }

  std::uint32_t place(StringId id) {
    const auto [entry, is_new] = places_.try_emplace(id, static_cast<std::uint32_t>(ids_.size()));
    if (is_new) ids_.push_back(id);
    return entry->second;
  }

  void write(JsonWriter& json) const {
    json.column("strings", ids_, [&](JsonWriter& w, StringId id) { w.text(table_.get(id)); });
  }

 private:
  const StringTable& table_;
  std::vector<StringId> ids_;
  std::unordered_map<StringId, std::uint32_t> places_;
};

std::int64_t or_minus_one(std::uint32_t id) { return id == kNoId ? -1 : static_cast<std::int64_t>(id); }

class Writer {
 public:
  Writer(const Capture& capture, std::string& out) : capture_(capture), json_(out), strings_(capture.strings) {}

  void write(std::uint64_t revision) {
    const Profile& profile = capture_.profile;
    json_.begin_object();
    json_.key("revision").number(revision);
    json_.key("dur_ns").number(profile.end_ns - profile.start_ns);
    json_.key("lanes").begin_array();
    for (const Track& lane : profile.tracks) write_lane(lane);
    json_.end_array();
    json_.column("markers", profile.markers, [&](JsonWriter& w, const Marker& marker) {
      w.begin_object().key("at").number(relative(marker.at_ns));
      w.key("name").text(capture_.strings.get(marker.name));
      w.key("colour").text(capture_.strings.get(marker.colour)).end_object();
    });
    strings_.write(json_);
    json_.end_object();
  }

 private:
  std::int64_t relative(std::int64_t ns) const { return ns - capture_.profile.start_ns; }

  void write_lane(const Track& lane) {
    const LaneRows rows = lane_rows(lane.events);
    const std::vector<EventLink> links = event_links(lane.events, rows, capture_.rewrites);
    const auto column = [&](std::string_view name, auto&& number_of) {
      json_.column(name, rows.order, [&](JsonWriter& w, std::uint32_t i) { w.number(number_of(i)); });
    };
    json_.begin_object();
    json_.key("name").text(capture_.strings.get(lane.name));
    column("start", [&](std::uint32_t i) { return relative(lane.events.start_ns(i)); });
    column("dur", [&](std::uint32_t i) { return lane.events.length_ns(i); });
    column("label", [&](std::uint32_t i) { return strings_.place(lane.events.name(i)); });
    column("context", [&](std::uint32_t i) { return or_minus_one(static_cast<std::uint32_t>(links[i].context)); });
    column("pass", [&](std::uint32_t i) { return or_minus_one(links[i].pass); });
    column("row", [&](std::uint32_t i) { return rows.row[i]; });
    json_.key("rows").number(rows.row_count);
    json_.key("relaned").number(rows.relaned);
    json_.key("memory");
    if (lane.allocations.empty()) {
      json_.null();
    } else {
      write_memory(lane.allocations);
    }
    json_.end_object();
  }

  void write_memory(const std::vector<Allocation>& allocations) {
    const MemoryLayout layout = memory_layout(allocations);
    const std::vector<std::uint32_t> order = by_birth(allocations);
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    const auto column = [&](std::string_view name, auto&& number_of) {
      json_.column(name, order, [&](JsonWriter& w, std::uint32_t i) { w.number(number_of(allocations[i], i)); });
    };
    json_.begin_object();
    json_.key("peak_bytes").number(layout.peak_bytes).key("peak_ns").number(relative(layout.peak_ns));
    json_.key("end_bytes").number(layout.end_bytes).key("height_bytes").number(layout.height_bytes);
    column("key", [](const Allocation& a, std::uint32_t) { return a.key; });
    column("birth", [&](const Allocation& a, std::uint32_t) { return relative(a.birth_ns); });
    column("death", [&](const Allocation& a, std::uint32_t) {
      return a.freed ? relative(std::max(a.birth_ns, a.death_ns)) : std::int64_t{-1};
    });
    column("count", [](const Allocation& a, std::uint32_t) { return a.count; });
    column("size_bytes", [](const Allocation& a, std::uint32_t) { return a.size_bytes(); });
    column("dtype", [&](const Allocation& a, std::uint32_t) { return strings_.place(a.dtype); });
    column("offset", [&](const Allocation&, std::uint32_t i) { return layout.offset_bytes[i]; });
    json_.column("at_peak", layout.at_peak, [&](JsonWriter& w, std::uint32_t i) { w.number(place[i]); });
    json_.key("live").begin_object();
    json_.column("at", layout.live, [&](JsonWriter& w, const LivePoint& p) { w.number(relative(p.at_ns)); });
    json_.column("bytes", layout.live, [](JsonWriter& w, const LivePoint& p) { w.number(p.bytes); });
    json_.end_object().end_object();
  }

  static std::vector<std::uint32_t> by_birth(const std::vector<Allocation>& allocations) {
    std::vector<std::uint32_t> order(allocations.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(allocations[a].birth_ns, allocations[a].birth_order) <
             std::pair(allocations[b].birth_ns, allocations[b].birth_order);
    });
    return order;
  }

  const Capture& capture_;
  JsonWriter json_;
  StringColumn strings_;
};

}  // namespace

std::string profile_json(const Capture& capture, std::uint64_t revision) {
  std::string out;
  std::size_t items = 0;
  for (const Track& lane : capture.profile.tracks) items += lane.events.size() + 2 * lane.allocations.size();
  out.reserve(items * 48);
  Writer(capture, out).write(revision);
  return out;
}

}  // namespace vizd
