// GET /api/v1/event/LANE/INDEX, /api/v1/at, /api/v1/events/search, /api/v1/durations, /api/v1/range
// and /api/v1/flows.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "analysis/busy_time.h"
#include "analysis/name_durations.h"
#include "analysis/range_table.h"
#include "base/json_writer.h"
#include "base/parallel.h"
#include "http/query.h"
#include "http/timeline_request.h"
#include "timeline/event_json.h"
#include "timeline/event_search.h"

namespace vizd {
namespace {

constexpr std::int64_t kLastNs = std::int64_t{1} << 61;
constexpr std::size_t kMostRows = 1'000'000;
constexpr std::size_t kMostFlows = 2000;
constexpr std::size_t kMostNames = 1000;

Response event_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const std::vector<Track>& lanes = (*loaded)->capture.profile.tracks;
  const auto lane = parse_index(arguments[0], lanes.size(), "lane");
  if (!lane) return error_response(lane.error());
  const auto event = parse_index(arguments[1], lanes[*lane].events.size(), "event");
  if (!event) return error_response(event.error());
  return Response::json(event_json((*loaded)->capture, (*loaded)->timeline, {*lane, *event}));
}

Response at_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Profile& profile = (*loaded)->capture.profile;
  const Timeline& timeline = (*loaded)->timeline;
  const auto lane = parse_number(request, "lane", 0, static_cast<std::int64_t>(profile.tracks.size()) - 1);
  if (!lane) return error_response(lane.error());
  const auto lane_number = static_cast<std::uint32_t>(*lane);
  const LaneIndex& index = timeline.lanes[lane_number];
  const auto row = parse_number(request, "row", 0, std::int64_t{index.row_count()} - 1);
  if (!row) return error_response(row.error());
  const auto at = parse_number(request, "at", -kLastNs, kLastNs);
  if (!at) return error_response(at.error());
  const bool or_next = request.parameter("next") == "1";
  const EventColumns& events = profile.tracks[lane_number].events;
  const Row in_row = index.row(static_cast<std::uint32_t>(*row));
  std::uint32_t event = event_at(events, in_row, *at + profile.start_ns);
  if (event == kNoId && or_next) event = first_starting_at(events, in_row, *at + profile.start_ns);
  if (event == kNoId || event == in_row.end) return Response::json("{\"index\":null}");
  std::string text;
  JsonWriter json(text);
  write_event(json, (*loaded)->capture, timeline, {lane_number, event});
  return Response::json(std::move(text));
}

// "NS" or "NS.LANE.INDEX".
std::optional<EventCursor> parse_cursor(std::string_view text, std::int64_t start_ns) {
  std::array<std::int64_t, 3> numbers{0, 0, 0};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [after, failed] = std::from_chars(at, end, numbers[i]);
    const bool in_range =
        i == 0 ? numbers[i] >= -kLastNs && numbers[i] <= kLastNs : numbers[i] >= 0 && numbers[i] < kNoId;
    if (failed != std::errc() || !in_range) return std::nullopt;
    if (after == end && i != 1)
      return EventCursor{numbers[0] + start_ns,
                         {static_cast<std::uint32_t>(numbers[1]), static_cast<std::uint32_t>(numbers[2])}};
    if (after == end || *after != '.') return std::nullopt;
    at = after + 1;
  }
  return std::nullopt;
}

std::string search_json(const LoadedCapture& loaded, const Marks& marks, const std::vector<std::uint32_t>& lanes,
                        const std::vector<EventCursor>& found) {
  const auto cursor = [&](JsonWriter& json, const EventCursor& c) {
    json.text(fmt::format("{}.{}.{}", c.start_ns - loaded.capture.profile.start_ns, c.place.lane, c.place.event));
  };
  std::uint64_t total = 0;
  for (const std::uint32_t lane : lanes) total += marks.lanes[lane].total();
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("total").number(total).key("rank");
  if (found.empty()) {
    json.null();
  } else {
    json.number(count_marked_before(loaded.capture.profile, loaded.timeline, marks, lanes, found.front()));
  }
  json.column("items", found,
              [&](JsonWriter& w, const EventCursor& c) { write_event(w, loaded.capture, loaded.timeline, c.place); });
  if (found.empty()) {
    json.key("first").null().key("last").null();
  } else {
    cursor(json.key("first"), found.front());
    cursor(json.key("last"), found.back());
  }
  json.end_object();
  return text;
}

Response search_answer(const Request& request, const Services& services) {
  constexpr std::int64_t kMostItems = 1000, kUsualItems = 100;
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto text = request.parameter("q"), name = request.parameter("name"), pin = request.parameter("pin");
  if (!text && !name && !pin)
    return error_response({ErrorKind::kBadInput, "q, name or pin must say what to look for", ""});
  const std::string predicate = text   ? fmt::format("search:{}", *text)
                                : name ? fmt::format("name:{}", *name)
                                       : std::string(*pin);
  const auto marks = marks_of(predicate, *loaded, services);
  if (!marks) return error_response(marks.error());
  const auto lanes = parse_lanes(request, (*loaded)->timeline);
  if (!lanes) return error_response(lanes.error());
  const auto limit = parse_number(request, "limit", 1, kMostItems, kUsualItems);
  if (!limit) return error_response(limit.error());
  const auto count = static_cast<std::size_t>(*limit);
  const auto after = request.parameter("after"), before = request.parameter("before");
  const Profile& profile = (*loaded)->capture.profile;
  std::optional<EventCursor> cursor;
  if (after || before) {
    cursor = parse_cursor(after ? *after : *before, profile.start_ns);
    if (!cursor) return error_response({ErrorKind::kBadInput, "a cursor must be NS or NS.LANE.INDEX", ""});
  }
  std::vector<EventCursor> found;
  if (before && !after) {
    found = marked_before(profile, (*loaded)->timeline, **marks, *lanes, *cursor, count);
    std::ranges::reverse(found);
  } else {
    found = marked_after(profile, (*loaded)->timeline, **marks, *lanes, cursor, count);
  }
  return Response::json(search_json(**loaded, **marks, *lanes, found));
}

// from and to, on the capture's clock.
Result<std::pair<std::int64_t, std::int64_t>> parse_range(const Request& request, const Profile& profile) {
  const auto from = parse_number(request, "from", -kLastNs, kLastNs);
  if (!from) return from.error();
  const auto to = parse_number(request, "to", *from, kLastNs);
  if (!to) return to.error();
  return std::pair(*from + profile.start_ns, *to + profile.start_ns);
}

// The rows that ?rows= or else ?lanes= names.
Result<std::vector<LaneRow>> parse_rows_or_lanes(const Request& request, const Timeline& timeline) {
  if (request.parameter("rows")) return parse_rows(request, timeline, kMostRows);
  const auto lanes = parse_lanes(request, timeline);
  if (!lanes) return lanes.error();
  std::vector<LaneRow> rows;
  for (const std::uint32_t lane : *lanes) {
    for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) rows.push_back({lane, row});
  }
  return rows;
}

void write_name(JsonWriter& json, const NameStatistics& name, const LoadedCapture& loaded) {
  const auto count = static_cast<std::int64_t>(name.count);
  json.begin_object().key("name").number(name.name);
  json.key("label").text(loaded.capture.strings.get(loaded.timeline.names[name.name]));
  json.key("count").number(name.count).key("sum_ns").number(name.sum_ns).key("inside_ns").number(name.inside_ns);
  json.key("self_ns").number(name.self_ns).key("mean_ns").number((name.sum_ns + count / 2) / count);
  json.key("median_ns").number(name.median_ns).key("p90_ns").number(name.p90_ns).key("max_ns").number(name.max_ns);
  json.key("worst").begin_object().key("lane").number(name.worst.lane).key("index").number(name.worst.event);
  json.key("start_ns").number(name.worst_start_ns - loaded.capture.profile.start_ns).end_object().end_object();
}

Response range_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Profile& profile = (*loaded)->capture.profile;
  const auto range = parse_range(request, profile);
  if (!range) return error_response(range.error());
  const auto rows = parse_rows_or_lanes(request, (*loaded)->timeline);
  if (!rows) return error_response(rows.error());
  const RangeTable table = range_table(profile, (*loaded)->timeline, *rows, range->first, range->second, core_count());
  const std::size_t shown = std::min(table.names.size(), kMostNames);
  NameStatistics others;
  for (const NameStatistics& name : std::span(table.names).subspan(shown)) {
    others.count += name.count;
    others.sum_ns += name.sum_ns;
    others.inside_ns += name.inside_ns;
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("from").number(range->first - profile.start_ns);
  json.key("to").number(range->second - profile.start_ns).key("events").number(table.events);
  json.key("busy_ns").number(busy_time(profile, (*loaded)->timeline, *rows, range->first, range->second, core_count()));
  json.key("exact").boolean(table.exact);
  json.column("names", std::span(table.names).first(shown),
              [&](JsonWriter& w, const NameStatistics& name) { write_name(w, name, **loaded); });
  json.key("others").begin_object().key("names").number(table.names.size() - shown).key("count").number(others.count);
  json.key("sum_ns").number(others.sum_ns).key("inside_ns").number(others.inside_ns).end_object().end_object();
  return Response::json(std::move(text));
}

Response durations_answer(const Request& request, std::span<const std::string_view> arguments,
                          const Services& services) {
  constexpr std::int64_t kMostBins = 200, kUsualBins = 28;
  const auto loaded = profile_by_key(arguments[0], services);
  if (!loaded) return error_response(loaded.error());
  const Timeline& timeline = (*loaded)->timeline;
  const auto name = parse_index(arguments[1], timeline.names.size(), "name");
  if (!name) return error_response(name.error());
  const auto bins = parse_number(request, "bins", 1, kMostBins, kUsualBins);
  if (!bins) return error_response(bins.error());
  return immutable_answer(request, [&] {
    const Profile& profile = (*loaded)->capture.profile;
    const NameDurations found = name_durations(profile, timeline, *name, static_cast<std::size_t>(*bins), core_count());
    const NameStatistics& all = found.all;
    std::string text;
    JsonWriter json(text);
    json.begin_object().key("count").number(all.count).key("sum_ns").number(all.sum_ns);
    json.key("least_ns").number(found.least_ns).key("median_ns").number(all.median_ns);
    json.key("p90_ns").number(all.p90_ns).key("max_ns").number(all.max_ns).key("exact").boolean(found.exact);
    json.key("worst").begin_object().key("lane").number(all.worst.lane).key("index").number(all.worst.event);
    json.key("start_ns").number(all.worst_start_ns - profile.start_ns).end_object();
    json.key("bins").begin_object();
    json.column("edges_ns", found.edges_ns, [](JsonWriter& w, double edge_ns) { w.real(edge_ns); });
    json.column("count", found.count, [](JsonWriter& w, std::uint64_t count) { w.number(count); });
    json.end_object().end_object();
    return Response::json(std::move(text));
  });
}

// One end of flows, as three columns and a fourth.
void write_ends(JsonWriter& json, const LoadedCapture& loaded, const std::vector<Flow>& flows, bool is_from) {
  const auto place = [&](const Flow& f) {
    return is_from ? EventPlace{f.from_track, f.from_event} : EventPlace{f.to_track, f.to_event};
  };
  const std::string end = is_from ? "from" : "to";
  const Profile& profile = loaded.capture.profile;
  json.column(end + "_lane", flows, [&](JsonWriter& w, const Flow& f) { w.number(place(f).lane); });
  json.column(end + "_index", flows, [&](JsonWriter& w, const Flow& f) { w.number(place(f).event); });
  json.column(end + "_row", flows, [&](JsonWriter& w, const Flow& f) {
    w.number(loaded.timeline.lanes[place(f).lane].row_of(place(f).event));
  });
  json.column(end + "_ns", flows, [&](JsonWriter& w, const Flow& f) {
    w.number(profile.tracks[place(f).lane].events.start_ns(place(f).event) - profile.start_ns);
  });
}

Response flows_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Profile& profile = (*loaded)->capture.profile;
  const Timeline& timeline = (*loaded)->timeline;
  const auto range = parse_range(request, profile);
  if (!range) return error_response(range.error());
  const auto rows = parse_rows_or_lanes(request, timeline);
  if (!rows) return error_response(rows.error());
  const auto is_shown = [&](std::uint32_t lane, std::uint32_t event) {
    return std::ranges::binary_search(*rows, std::pair(lane, timeline.lanes[lane].row_of(event)), {},
                                      [](const LaneRow& row) { return std::pair(row.lane, row.row); });
  };
  const auto is_in_range = [&](std::uint32_t lane, std::uint32_t event) {
    const EventColumns& events = profile.tracks[lane].events;
    return events.start_ns(event) < range->second && events.end_ns(event) >= range->first;
  };
  std::vector<Flow> found;
  std::uint64_t total = 0;
  for (const Flow& flow : profile.flows.span()) {
    if (!is_in_range(flow.from_track, flow.from_event) && !is_in_range(flow.to_track, flow.to_event)) continue;
    if (!is_shown(flow.from_track, flow.from_event) || !is_shown(flow.to_track, flow.to_event)) continue;
    if (++total <= kMostFlows) found.push_back(flow);
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("total").number(total).key("flows").begin_object();
  write_ends(json, **loaded, found, true);
  write_ends(json, **loaded, found, false);
  json.end_object().end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_event_routes(Router& router, const Services& services) {
  const auto add = [&](std::string_view path, auto answer) {
    router.add(path, [services, answer](const Request& request, auto) { return answer(request, services); });
  };
  router.add("/api/v1/event/{}/{}",
             [services](const Request& request, auto arguments) { return event_answer(request, arguments, services); });
  router.add("/api/v1/durations/{}/{}", [services](const Request& request, auto arguments) {
    return durations_answer(request, arguments, services);
  });
  add("/api/v1/at", at_answer);
  add("/api/v1/events/search", search_answer);
  add("/api/v1/range", range_answer);
  add("/api/v1/flows", flows_answer);
}

}  // namespace vizd
