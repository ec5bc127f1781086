// GET /api/v1/event/LANE/INDEX, /api/v1/at, /api/v1/events/search, /api/v1/durations, /api/v1/range
// and /api/v1/flows.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "analysis/figures/busy_time.h"
#include "analysis/figures/name_durations.h"
#include "analysis/figures/range_table.h"
#include "base/json_writer.h"
#include "base/parallel.h"
#include "http/routes/executions_json.h"
#include "http/routes/timeline_request.h"
#include "http/transport/query.h"
#include "timeline/event_json.h"
#include "timeline/event_order.h"
#include "timeline/event_search.h"

namespace vizd {
namespace {

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
  const auto at = parse_number(request, "at", -kMostTime_ns, kMostTime_ns);
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
        i == 0 ? numbers[i] >= -kMostTime_ns && numbers[i] <= kMostTime_ns : numbers[i] >= 0 && numbers[i] < kNoId;
    if (failed != std::errc() || !in_range) return std::nullopt;
    if (after == end && i != 1)
      return EventCursor{numbers[0] + start_ns,
                         {static_cast<std::uint32_t>(numbers[1]), static_cast<std::uint32_t>(numbers[2])}};
    if (after == end || *after != '.') return std::nullopt;
    at = after + 1;
  }
  return std::nullopt;
}

struct FoundEvents {
  const LoadedCapture& loaded;
  const Picks& picks;
  const std::vector<std::uint32_t>& lanes;
  WithArguments with = WithArguments::kNo;

  void write_items(JsonWriter& json, const std::vector<EventPlace>& items) const {
    json.column("items", items,
                [&](JsonWriter& w, const EventPlace& p) { write_event(w, loaded.capture, loaded.timeline, p, with); });
  }
  void write_total(JsonWriter& json) const {
    std::uint64_t total = 0;
    for (const std::uint32_t lane : lanes) total += picks.lanes[lane].total();
    json.begin_object().key("total").number(total);
  }
};

std::string search_json(const FoundEvents& of, const std::vector<EventCursor>& found) {
  const Profile& profile = of.loaded.capture.profile;
  const auto write_cursor = [&](JsonWriter& json, const EventCursor& c) {
    json.text(fmt::format("{}.{}.{}", c.start_ns - profile.start_ns, c.place.lane, c.place.event));
  };
  std::string text;
  JsonWriter json(text);
  of.write_total(json);
  json.key("rank");
  if (found.empty()) {
    json.null();
  } else {
    json.number(count_picked_before(profile, of.loaded.timeline, of.picks, of.lanes, found.front()));
  }
  std::vector<EventPlace> items;
  for (const EventCursor& cursor : found) items.push_back(cursor.place);
  of.write_items(json, items);
  if (found.empty()) {
    json.key("first").null().key("last").null();
  } else {
    write_cursor(json.key("first"), found.front());
    write_cursor(json.key("last"), found.back());
  }
  json.end_object();
  return text;
}

// In another order than that of start: the first of all, without cursors.
Response sorted_answer(const FoundEvents& of, std::string_view sort, std::size_t limit, const Budget& budget) {
  const auto order = parse_event_order(sort);
  if (!order)
    return error_response({ErrorKind::kBadInput,
                           "sort must be start, dur, name or argument:NAME, or one of these "
                           "with a '-' before it",
                           std::string(sort.substr(0, 40))});
  const auto found = marked_in_order(of.loaded.capture, of.picks, of.lanes, *order, limit, budget);
  if (budget.is_over()) return error_response(budget.error());
  std::string text;
  JsonWriter json(text);
  of.write_total(json);
  of.write_items(json.key("rank").null(), found);
  json.key("first").null().key("last").null().end_object();
  return Response::json(std::move(text));
}

Response event_search_answer(const Request& request, const Services& services) {
  constexpr std::int64_t kMostItems = 1000, kUsualItems = 100;
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto text = request.parameter("q"), name = request.parameter("name"), pick = request.parameter("pick");
  if (!text && !name && !pick)
    return error_response({ErrorKind::kBadInput, "q, name or pick must say what to search for", ""});
  const std::string predicate = text   ? fmt::format("search:{}", *text)
                                : name ? fmt::format("name:{}", *name)
                                       : std::string(*pick);
  const auto picks = picks_of(predicate, *loaded, request, services);
  if (!picks) return error_response(picks.error());
  const auto lanes = parse_lanes(request, (*loaded)->timeline);
  if (!lanes) return error_response(lanes.error());
  const auto limit = parse_number(request, "limit", 1, kMostItems, kUsualItems);
  if (!limit) return error_response(limit.error());
  const auto count = static_cast<std::size_t>(*limit);
  const FoundEvents of{**loaded, **picks, *lanes,
                       request.parameter("arguments") == "1" ? WithArguments::kYes : WithArguments::kNo};
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  if (const auto sort = request.parameter("sort")) return sorted_answer(of, *sort, count, turn->budget);
  const auto after = request.parameter("after"), before = request.parameter("before");
  const Profile& profile = (*loaded)->capture.profile;
  std::optional<EventCursor> cursor;
  if (after || before) {
    cursor = parse_cursor(after ? *after : *before, profile.start_ns);
    if (!cursor) return error_response({ErrorKind::kBadInput, "a cursor must be NS or NS.LANE.INDEX", ""});
  }
  std::vector<EventCursor> found;
  if (before && !after) {
    found = picked_before(profile, (*loaded)->timeline, **picks, *lanes, *cursor, count);
    std::ranges::reverse(found);
  } else {
    found = picked_after(profile, (*loaded)->timeline, **picks, *lanes, cursor, count);
  }
  return Response::json(search_json(of, found));
}

// from and to, on the capture's clock; without them the profile's start and end.
Result<std::pair<std::int64_t, std::int64_t>> parse_range(const Request& request, const Profile& profile) {
  const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns, 0);
  if (!from) return from.error();
  const auto to = parse_number(request, "to", *from, kMostTime_ns, std::max(*from, profile.end_ns - profile.start_ns));
  if (!to) return to.error();
  return std::pair(*from + profile.start_ns, *to + profile.start_ns);
}

// The rows that ?rows= or else ?lanes= names.
Result<std::vector<LaneRow>> parse_rows_or_lanes(const Request& request, const Timeline& timeline) {
  if (request.parameter("rows")) return parse_rows(request, timeline, kMostRows);
  const auto lanes = parse_lanes(request, timeline);
  if (!lanes) return lanes.error();
  return rows_of(timeline, *lanes);
}

void write_shares(JsonWriter& json, const Figures& figures, const RangeTime& whole) {
  json.key("share").real(share_of_time(figures.covered_ns, whole.busy_ns));
  json.key("wall_share").real(share_of_time(figures.covered_ns, whole.wall_ns));
}

void write_name(JsonWriter& json, const NameFigures& line, const RangeTime& whole, const LoadedCapture& loaded) {
  json.begin_object().key("name").number(line.name);
  json.key("label").text(loaded.capture.strings.get(loaded.timeline.names[line.name]));
  if (line.lane != kNoId) json.key("lane").number(line.lane);
  write_figures(json, line.figures);
  write_shares(json, line.figures, whole);
  write_longest(json, line.figures, loaded.capture.profile.start_ns);
  json.end_object();
}

Response range_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Profile& profile = (*loaded)->capture.profile;
  const auto range = parse_range(request, profile);
  if (!range) return error_response(range.error());
  const auto rows = parse_rows_or_lanes(request, (*loaded)->timeline);
  if (!rows) return error_response(rows.error());
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  const TableLines lines = request.parameter("by") == "lane" ? TableLines::kNamesByLane : TableLines::kNames;
  // An event at the very end of the profile belongs to a range that ends there.
  const std::int64_t to_ns = range->second + (range->second == profile.end_ns ? 1 : 0);
  const RangeTable table = range_table(profile, (*loaded)->timeline, *rows, range->first, to_ns, lines, core_count(),
                                       kMostExactEvents, turn->budget);
  if (turn->budget.is_over()) return error_response(turn->budget.error());
  const std::size_t shown = std::min(table.names.size(), kMostNames);
  std::uint64_t other_events = 0;
  std::int64_t other_ns = 0;
  for (const NameFigures& line : std::span(table.names).subspan(shown)) {
    other_events += line.figures.count;
    other_ns += line.figures.total_ns;
  }
  const RangeTime whole =
      range_time(profile, (*loaded)->timeline, *rows, range->first, range->second, core_count(), turn->budget);
  if (turn->budget.is_over()) return error_response(turn->budget.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("from").number(range->first - profile.start_ns);
  json.key("to").number(range->second - profile.start_ns).key("lanes").number(whole.lanes);
  json.key("events").number(table.events).key("busy_ns").number(whole.busy_ns);
  json.key("wall_ns").number(whole.wall_ns).key("exact").boolean(table.exact);
  json.column("names", std::span(table.names).first(shown),
              [&](JsonWriter& w, const NameFigures& line) { write_name(w, line, whole, **loaded); });
  json.key("others").begin_object().key("names").number(table.names.size() - shown);
  json.key("count").number(other_events).key("total_ns").number(other_ns).end_object().end_object();
  return Response::json(std::move(text));
}

Response durations_answer(const Request& request, std::span<const std::string_view> arguments,
                          const Services& services) {
  constexpr std::int64_t kMostBins = 200, kUsualBins = 28;
  const auto loaded = profile_by_key(arguments[0], request, services);
  if (!loaded) return error_response(loaded.error());
  const Timeline& timeline = (*loaded)->timeline;
  const auto name = parse_index(arguments[1], timeline.names.size(), "name");
  if (!name) return error_response(name.error());
  const auto bins = parse_number(request, "bins", 1, kMostBins, kUsualBins);
  if (!bins) return error_response(bins.error());
  const auto lanes = parse_lanes(request, timeline);
  if (!lanes) return error_response(lanes.error());
  return immutable_answer(request, [&] {
    const auto turn = services.heavy.begin(request);
    if (!turn) return error_response(turn.error());
    const Profile& profile = (*loaded)->capture.profile;
    const NameDurations found = name_durations(profile, timeline, *name, *lanes, static_cast<std::size_t>(*bins),
                                               core_count(), kMostExactEvents, turn->budget);
    const RangeTime whole = range_time(profile, timeline, rows_of(timeline, *lanes), profile.start_ns, profile.end_ns,
                                       core_count(), turn->budget);
    if (turn->budget.is_over()) return error_response(turn->budget.error());
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    write_figures(json, found.figures);
    json.key("least_ns").number(found.figures.least_ns);
    write_shares(json, found.figures, whole);
    json.key("exact").boolean(found.exact);
    write_longest(json, found.figures, profile.start_ns);
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
  add("/api/v1/events/search", event_search_answer);
  add("/api/v1/range", range_answer);
  add("/api/v1/flows", flows_answer);
}

}  // namespace vizd
