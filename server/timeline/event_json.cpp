#include "timeline/event_json.h"

#include <algorithm>
#include <ranges>

#include "model/argument_json.h"
#include "timeline/launch_chain.h"

namespace vizd {
namespace {

constexpr std::size_t kMostReferences = 256;

std::string_view role_name(EventRole role) {
  constexpr std::string_view kNames[] = {"", "kernel", "memcpy", "memset", "call", "operator"};
  return kNames[static_cast<std::size_t>(role)];
}

void write_arguments(JsonWriter& json, const Capture& capture, const EventPlace& place) {
  json.key("arguments").begin_array();
  for (const ArgumentColumn& column : capture.profile.tracks[place.lane].arguments) {
    if (column.is_hidden) continue;
    const auto value = column.of(place.event);
    if (!value) continue;
    const std::string_view unit = capture.strings.get(column.unit);
    json.begin_object().key("name").text(capture.strings.get(column.name));
    json.key("unit").text(unit == argument::kJson ? std::string_view() : unit).key("value");
    write_value(json, *value, capture.strings);
    json.end_object();
  }
  json.end_array();
}

class EventWriter {
 public:
  EventWriter(const Capture& capture, const Timeline& timeline, const EventPlace& place, std::string& out)
      : capture_(capture),
        timeline_(timeline),
        place_(place),
        track_(capture.profile.tracks[place.lane]),
        events_(track_.events),
        lane_(timeline.lanes[place.lane]),
        json_(out) {}

  void write() {
    const Event event = events_[place_.event];
    const std::uint32_t row = lane_.row_of(place_.event);
    json_.begin_object().key("lane").number(place_.lane).key("index").number(place_.event).key("row").number(row);
    json_.key("name").number(timeline_.number_of(event.name)).key("label").text(text(event.name));
    json_.key("start_ns").number(event.start_ns - capture_.profile.start_ns);
    json_.key("dur_ns").number(events_.length_ns(place_.event)).key("dur_ps").number(event.dur_ps);
    json_.key("kind").text(event_kind_name(event.kind)).key("error").boolean(event.is_error);
    json_.key("self_ns").number(self_ns(events_, lane_, place_.event));
    json_.key("category").text(text(event.category));
    json_.key("context").number(or_minus_one(lane_.link_context[place_.event]));
    json_.key("pass").number(or_minus_one(lane_.link_pass[place_.event]));
    write_arguments(json_, capture_, place_);
    write_neighbour("parent", parent_of(events_, lane_, place_.event));
    write_neighbour("previous", place_.event > lane_.row_begin[row] ? place_.event - 1 : kNoId);
    write_neighbour("next", place_.event + 1 < lane_.row_begin[row + 1] ? place_.event + 1 : kNoId);
    write_flows();
    write_launch_chain();
    write_allocations();
    json_.end_object();
  }

 private:
  std::string_view text(StringId id) const { return capture_.strings.get(id); }

  void write_neighbour(std::string_view key, std::uint32_t event) {
    json_.key(key);
    if (event == kNoId) {
      json_.null();
    } else {
      write_event(json_, capture_, timeline_, {place_.lane, event});
    }
  }

  void write_flows() {
    const Column<Flow>& flows = capture_.profile.flows;
    const std::pair here(place_.lane, place_.event);
    const auto target = [&](std::uint32_t i) { return std::pair(flows[i].to_track, flows[i].to_event); };
    const auto into = std::ranges::equal_range(timeline_.flows_by_target.span(), here, {}, target);
    json_.column("incoming", std::views::take(into, kMostReferences), [&](JsonWriter& w, std::uint32_t i) {
      write_event(w, capture_, timeline_, {flows[i].from_track, flows[i].from_event});
    });
    const auto source = [](const Flow& flow) { return std::pair(flow.from_track, flow.from_event); };
    const auto from = std::ranges::equal_range(flows.span(), here, {}, source);
    json_.column("outgoing", std::views::take(from, kMostReferences), [&](JsonWriter& w, const Flow& flow) {
      write_event(w, capture_, timeline_, {flow.to_track, flow.to_event});
    });
  }

  void write_launch_chain() {
    json_.column("launched_in", launch_chain(capture_, timeline_, place_),
                 [&](JsonWriter& w, const LaunchFrame& frame) {
                   const EventColumns& events = capture_.profile.tracks[frame.place.lane].events;
                   write_event(w.begin_object().key("event"), capture_, timeline_, frame.place);
                   w.key("category").text(text(events.category(frame.place.event)));
                   w.key("role").text(role_name(events.role(frame.place.event)));
                   w.key("forward").boolean(frame.is_forward).end_object();
                 });
  }

  void write_allocations() {
    json_.key("allocations").begin_array();
    std::size_t count = 0;
    for (std::uint32_t lane = 0; lane < timeline_.lanes.size() && count < kMostReferences; ++lane) {
      const Column<Use>& uses = capture_.profile.tracks[lane].uses;
      const auto event = [&](std::uint32_t i) { return std::pair(uses[i].track, uses[i].event); };
      for (const std::uint32_t i : std::ranges::equal_range(timeline_.lanes[lane].uses_by_event.span(),
                                                            std::pair(place_.lane, place_.event), {}, event)) {
        if (count++ == kMostReferences) break;
        json_.begin_object().key("lane").number(lane);
        json_.key("index").number(timeline_.lanes[lane].memory.index(uses[i].allocation)).end_object();
      }
    }
    json_.end_array();
  }

  const Capture& capture_;
  const Timeline& timeline_;
  const EventPlace place_;
  const Track& track_;
  const EventColumns& events_;
  const LaneIndex& lane_;
  JsonWriter json_;
};

}  // namespace

void write_event(JsonWriter& json, const Capture& capture, const Timeline& timeline, const EventPlace& place,
                 WithArguments with) {
  const EventColumns& events = capture.profile.tracks[place.lane].events;
  json.begin_object().key("lane").number(place.lane).key("index").number(place.event);
  json.key("row").number(timeline.lanes[place.lane].row_of(place.event));
  json.key("name").number(timeline.number_of(events.name(place.event)));
  json.key("label").text(capture.strings.get(events.name(place.event)));
  json.key("start_ns").number(events.start_ns(place.event) - capture.profile.start_ns);
  json.key("dur_ns").number(events.length_ns(place.event)).key("dur_ps").number(events[place.event].dur_ps);
  json.key("kind").text(event_kind_name(events.kind(place.event)));
  json.key("error").boolean(events.is_error(place.event));
  if (with == WithArguments::kYes) write_arguments(json, capture, place);
  json.end_object();
}

std::string event_json(const Capture& capture, const Timeline& timeline, const EventPlace& place) {
  std::string out;
  EventWriter(capture, timeline, place, out).write();
  return out;
}

}  // namespace vizd
