// GET /api/v1/lanes, /api/v1/names/KEY/PAGE, /api/v1/tiles/KEY and /api/v1/span/KEY.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/devices/lane_classes.h"
#include "base/parallel.h"
#include "derived/traced_runs.h"
#include "http/routes/device_answer.h"
#include "http/routes/timeline_request.h"
#include "http/routes/trace_request.h"
#include "http/transport/query.h"
#include "timeline/event_json.h"
#include "timeline/lanes_json.h"
#include "timeline/whole_tiles.h"

namespace vizd {
namespace {

// The status of the capture that ?capture= names, or of the first.
std::optional<CaptureStatus> status_of(const Request& request, const Services& services) {
  const std::string_view id = request.parameter("capture").value_or("");
  for (CaptureStatus& status : services.session.captures()) {
    if (id.empty() || status.id == id) return std::move(status);
  }
  return std::nullopt;
}

// The lanes, of which class their work is, and what launched it.
void write_classed_lanes(JsonWriter& json, const LoadedCapture& loaded, const LaneClasses& classes) {
  write_lanes(json, loaded.capture, loaded.timeline);
  std::vector<std::uint32_t> working, launching;
  for (std::uint32_t i = 0; i < classes.lanes.size(); ++i) {
    if (classes.lanes[i].has_work) working.push_back(i);
    if (classes.lanes[i].launches > 0) launching.push_back(i);
  }
  const auto column = [&](std::string_view name, const std::vector<std::uint32_t>& lanes, auto&& member) {
    json.column(name, lanes, [&](JsonWriter& w, std::uint32_t i) { w.number(member(classes.lanes[i])); });
  };
  const auto list = [](JsonWriter& w, std::uint32_t i) { w.number(i); };
  json.key("name_classes").text(classes.of_names);
  json.key("work").begin_object().column("lane", working, list);
  column("compute_ns", working, [](const LaneClasses::Lane& lane) { return lane.compute_ns; });
  column("communication_ns", working, [](const LaneClasses::Lane& lane) { return lane.communication_ns; });
  column("memory_ns", working, [](const LaneClasses::Lane& lane) { return lane.memory_ns; });
  column("busy_ns", working, [](const LaneClasses::Lane& lane) { return lane.busy_ns; });
  json.end_object().key("launches").begin_object().column("lane", launching, list);
  column("count", launching, [](const LaneClasses::Lane& lane) { return lane.launches; });
  json.end_object();
}

// Kept: while a capture opens, pages ask for the same beginning of it again and again. Null where it takes too long, or
// where too many wait: they are made all the same, and are there at once for whoever asks then.
std::shared_ptr<const LaneClasses> classes_of(const std::shared_ptr<const LoadedCapture>& beginning,
                                              const Request& request, const Services& services) {
  const Make<LaneClasses> make = [of = beginning](const ReportProgress&, const std::stop_token&) {
    return std::make_shared<const LaneClasses>(find_lane_classes(of->capture, of->timeline));
  };
  auto classes = wait_for(services.analyses.get<LaneClasses>(beginning, "lane classes", make), request, services);
  return classes ? *std::move(classes) : nullptr;
}

std::string opening_json(const CaptureStatus& status, const Request& request, const Services& services) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("capture").text(status.id).key("revision").number(0).key("status").text("opening");
  const ReadPhase phase = phase_of(*status.progress);
  json.key("progress").begin_object().key("what").text(phase.what).key("unit").text(phase.unit);
  json.key("done").number(phase.done).key("of");
  if (phase.of == 0) {
    json.null();
  } else {
    json.number(phase.of);
  }
  json.end_object();
  const auto beginning = status.beginnings.empty() ? nullptr : status.beginnings.back();
  const auto classes = beginning && beginning->capture.has_profile ? classes_of(beginning, request, services) : nullptr;
  if (classes) {
    write_classed_lanes(json, *beginning, *classes);
  } else {
    json.key("lanes").begin_array().end_array();
    json.key("lanes_soon").boolean(beginning && beginning->capture.has_profile);
  }
  json.end_object();
  return text;
}

std::string no_lanes_json(const CaptureStatus& status) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("capture").text(status.id).key("revision").number(status.loaded->revision);
  json.key("status").text("none").key("lanes").begin_array().end_array().end_object();
  return text;
}

// By which pages lead from a run to its thread traces, and back.
void write_traced_runs(JsonWriter& json, const Capture& capture) {
  const std::vector<TracedRun> runs = traced_runs(capture);
  if (runs.empty()) return;
  const EventLinks links(capture);
  json.column("traced_runs", runs, [&](JsonWriter& j, const TracedRun& run) {
    j.begin_object().key("trace").text(run_name(run.is_sampling, run.run));
    j.key("kernel").text(run.kernel).key("device").text(run.device);
    j.key("event");
    run.event ? links.write(j, {.track = run.event->lane, .event = run.event->event}) : void(j.null());
    j.end_object();
  });
}

std::string lanes_json(const LoadedCapture& loaded) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("capture").text(loaded.id).key("revision").number(loaded.revision);
  json.key("status").text("ready");
  write_classed_lanes(json, loaded, find_lane_classes(loaded.capture, loaded.timeline));
  write_traced_runs(json, loaded.capture);
  json.end_object();
  return text;
}

// What a trace's lanes say beside those of a capture.
void write_trace_capture(JsonWriter& json, const TraceCapture& trace, const LoadedCapture& of, const TraceId& id) {
  json.key("trace").begin_object().key("name").text(trace.loaded.name);
  json.key("trace").text(run_name(id.is_sampling, id.run)).key("of").text(id.is_sampling ? "samples" : "instructions");
  json.key("part").number(id.part).key("parts").number(trace.parts).key("instructions").number(trace.instructions);
  json.key("program").number(trace.program == kNoId ? -1 : std::int64_t{trace.program});
  json.column("clock_cycle", trace.clock.cycle, [](JsonWriter& w, std::int64_t cycle) { w.number(cycle); });
  json.column("clock_ns", trace.clock.ns, [](JsonWriter& w, std::int64_t ns) { w.number(ns); });
  json.key("work").begin_array().number(trace.work_from_cycle).number(trace.work_to_cycle).end_array();
  json.column("notes", trace.loaded.capture.notes, [](JsonWriter& w, const std::string& note) { w.text(note); });
  json.end_object();
  write_traced_runs(json, of.capture);
}

// How far the making of a trace's timeline is, and the beginning of a long one.
std::string trace_opening_json(const Derived::Ticket<TraceCapture>& ticket, const Loaded& of, const TraceId& id,
                               const Request& request, const Services& services) {
  const ProgressReport progress = ticket.progress();
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("capture").text(request.parameter("capture").value_or("")).key("revision").number(0);
  json.key("status").text("opening");
  json.key("progress").begin_object().key("what").text(progress.what.empty() ? "waiting" : progress.what);
  json.key("unit").text(progress.of == 0 ? "" : id.is_sampling ? "thousand samples" : "thousand instructions");
  json.key("done").number(progress.done).key("of");
  progress.of == 0 ? json.null() : json.number(progress.of);
  json.end_object();
  const auto beginning = ticket.so_far();
  const auto loaded = beginning ? Loaded(beginning, &beginning->loaded) : nullptr;
  const auto classes = loaded ? classes_of(loaded, request, services) : nullptr;
  if (classes) {
    write_classed_lanes(json, *loaded, *classes);
    write_trace_capture(json, *beginning, *of, id);
  } else {
    json.key("lanes").begin_array().end_array().key("lanes_soon").boolean(true);
  }
  json.end_object();
  return text;
}

std::string trace_lanes_json(const TraceCapture& trace, const LoadedCapture& of, const TraceId& id) {
  const LoadedCapture& loaded = trace.loaded;
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("capture").text(loaded.id).key("revision").number(loaded.revision);
  json.key("status").text("ready");
  write_classed_lanes(json, loaded, find_lane_classes(loaded.capture, loaded.timeline));
  write_trace_capture(json, trace, of, id);
  json.end_object();
  return text;
}

Response trace_lanes_answer(const TraceId& id, const Request& request, const Services& services) {
  constexpr std::chrono::milliseconds kPatience{400};
  const auto of = capture_named(id.capture, request, services);
  if (!of) return error_response(of.error());
  const auto ticket = trace_capture(services.analyses, *of, id);
  if (!ticket.wait_for(kPatience, request.left))
    return Response::json(trace_opening_json(ticket, *of, id, request, services));
  const auto trace = ticket.result();
  if (!trace) return error_response(trace.error());
  return Response::json(trace_lanes_json(**trace, **of, id));
}

Response lanes_answer(const Request& request, const Services& services) {
  if (const auto trace = trace_named(request)) return trace_lanes_answer(*trace, request, services);
  const auto status = status_of(request, services);
  if (status && !status->loaded && status->opening) return Response::json(opening_json(*status, request, services));
  // No error: who asks how far the reading is cannot know before it has ended whether there is a profile.
  if (status && status->loaded && !status->loaded->capture.has_profile) return Response::json(no_lanes_json(*status));
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  return kept_json(
      request, *loaded, "lanes", [of = *loaded] { return lanes_json(*of); }, services);
}

Response names_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto loaded = profile_by_key(arguments[0], request, services);
  if (!loaded) return error_response(loaded.error());
  const Timeline& timeline = (*loaded)->timeline;
  const auto page = parse_index(arguments[1], timeline.names.size() / kNamesPerPage + 1, "page");
  if (!page) return error_response(page.error());
  return immutable_answer(request, [&] {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    write_names(json, (*loaded)->capture, timeline, *page);
    json.end_object();
    return Response::json(std::move(text));
  });
}

Result<TileQuery> parse_tile_query(const Request& request, const LoadedCapture& loaded) {
  TileQuery query;
  const auto level = parse_number(request, "level", 0, kHighestLevel);
  if (!level) return level.error();
  query.level = static_cast<unsigned>(*level);
  const std::int64_t tiles = tiles_of_level(query.level);
  const auto from = parse_number(request, "from", 0, tiles - 1);
  if (!from) return from.error();
  const auto to = parse_number(request, "to", *from, std::min(*from + kMostTiles, tiles) - 1);
  if (!to) return to.error();
  query.from = static_cast<std::uint64_t>(*from);
  query.to = static_cast<std::uint64_t>(*to);
  if (!request.parameter("rows")) return Error{ErrorKind::kBadInput, "rows must list lanes, like 0,2:0-7", ""};
  auto rows = parse_rows(request, loaded.timeline, kMostTileRows);
  if (!rows) return rows.error();
  query.rows = std::move(*rows);
  auto counters = parse_counters(request, loaded.capture.profile);
  if (!counters) return counters.error();
  query.counters = std::move(*counters);
  if ((query.rows.size() + query.counters.size()) * (query.to - query.from + 1) > kMostTilesTimesRows)
    return Error{ErrorKind::kTooLarge, "too many tiles at once; ask for fewer rows", ""};
  return query;
}

Response tiles_answer(const Request& request, std::string_view key, const Services& services) {
  const auto loaded = profile_by_key(key, request, services);
  if (!loaded) return error_response(loaded.error());
  const auto query = parse_tile_query(request, **loaded);
  if (!query) return error_response(query.error());
  std::shared_ptr<const Picks> picks;
  if (const auto pick = request.parameter("pick")) {
    auto found = picks_of(*pick, *loaded, request, services);
    if (!found) return error_response(found.error());
    picks = std::move(*found);
  }
  return immutable_answer(request, [&] {
    return binary_response(tiles((*loaded)->capture.profile, (*loaded)->timeline, *query, picks.get(), core_count()));
  });
}

Response whole_answer(const Request& request, std::string_view key, const Services& services) {
  const auto loaded = profile_by_key(key, request, services);
  if (!loaded) return error_response(loaded.error());
  const Profile& profile = (*loaded)->capture.profile;
  if (items_of(profile) > kMostOfSmallProfile)
    return error_response({ErrorKind::kTooLarge, "this profile is too large to send at once; ask for tiles", ""});
  std::shared_ptr<const Picks> picks;
  if (const auto pick = request.parameter("pick")) {
    auto found = picks_of(*pick, *loaded, request, services);
    if (!found) return error_response(found.error());
    picks = std::move(*found);
  }
  return immutable_answer(
      request, [&] { return binary_response(whole_tiles(profile, (*loaded)->timeline, picks.get(), core_count())); });
}

Result<SpanPlace> parse_span_place(const Request& request, const LoadedCapture& loaded) {
  SpanPlace place;
  const auto level = parse_number(request, "level", 0, kHighestLevel);
  if (!level) return level.error();
  place.level = static_cast<unsigned>(*level);
  place.whole = request.parameter("tile") == "all";
  if (!place.whole) {
    const auto tile = parse_number(request, "tile", 0, tiles_of_level(place.level) - 1);
    if (!tile) return tile.error();
    place.tile = static_cast<std::uint64_t>(*tile);
  }
  const auto rows = parse_rows(request, loaded.timeline, kMostTileRows);
  if (!rows) return rows.error();
  if (rows->size() != 1) return Error{ErrorKind::kBadInput, "rows must name one row, like 2:0-0", ""};
  place.where = rows->front();
  const auto span = parse_number(request, "span", 0, place.whole ? kMostOfSmallProfile : kMostSpansOfTile - 1);
  if (!span) return span.error();
  place.span = static_cast<std::uint64_t>(*span);
  return place;
}

void write_span(JsonWriter& json, const LoadedCapture& loaded, const SpanPlace& place, const RowSpan& span) {
  const EventColumns& events = loaded.capture.profile.tracks[place.where.lane].events;
  std::uint32_t longest = span.first;
  for (std::uint32_t i = span.first; i < span.first + span.events; ++i) {
    if (events.length_ns(i) > events.length_ns(longest)) longest = i;
  }
  const auto write = [&](std::string_view key, std::uint32_t event) {
    json.key(key);
    write_event(json, loaded.capture, loaded.timeline, {place.where.lane, event});
  };
  const std::int64_t origin_ns = loaded.capture.profile.start_ns;
  json.begin_object().key("events").number(span.events);
  json.key("start_ns").number(span.start_ns - origin_ns).key("end_ns").number(span.end_ns - origin_ns);
  json.key("busy_ns").number(span.busy_ns).key("name");
  const bool has_half = span.name_ns > 0 && 2 * span.name_ns >= static_cast<std::uint64_t>(span.busy_ns);
  if (has_half) {
    json.number(loaded.timeline.number_of(span.name));
  } else {
    json.null();
  }
  json.key("name_ns").number(has_half ? span.name_ns : 0);
  write("first", span.first);
  write("longest", longest);
  json.end_object();
}

Response span_answer(const Request& request, std::string_view key, const Services& services) {
  const auto loaded = profile_by_key(key, request, services);
  if (!loaded) return error_response(loaded.error());
  const auto place = parse_span_place(request, **loaded);
  if (!place) return error_response(place.error());
  const auto span = span_of_tile((*loaded)->capture.profile, (*loaded)->timeline, *place);
  if (!span) return error_response({ErrorKind::kNotFound, "the tile has no such span", ""});
  return immutable_answer(request, [&] {
    std::string text;
    JsonWriter json(text);
    write_span(json, **loaded, *place, *span);
    return Response::json(std::move(text));
  });
}

}  // namespace

void add_tile_routes(Router& router, const Services& services) {
  router.add("/api/v1/lanes", [services](const Request& request, auto) { return lanes_answer(request, services); });
  router.add("/api/v1/names/{}/{}",
             [services](const Request& request, auto arguments) { return names_answer(request, arguments, services); });
  router.add("/api/v1/tiles/{}", [services](const Request& request, auto arguments) {
    return tiles_answer(request, arguments[0], services);
  });
  router.add("/api/v1/tiles/{}/all", [services](const Request& request, auto arguments) {
    return whole_answer(request, arguments[0], services);
  });
  router.add("/api/v1/span/{}", [services](const Request& request, auto arguments) {
    return span_answer(request, arguments[0], services);
  });
}

}  // namespace vizd
