#include "http/routes/timeline_request.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/graph_replay/replay_query.h"
#include "analysis/recorded/recordable.h"
#include "base/content_hash.h"
#include "base/parallel.h"
#include "base/version.h"
#include "http/routes/kept_analyses.h"
#include "http/routes/trace_request.h"
#include "timeline/event_query.h"
#include "timeline/lanes_json.h"

namespace vizd {

std::optional<TraceId> trace_named(const Request& request) {
  return parse_trace_id(request.parameter("capture").value_or(""));
}

Result<Loaded> loaded_trace(const TraceId& id, const Request& request, const Services& services) {
  const auto of = capture_named(id.capture, request, services);
  if (!of) return of.error();
  const auto trace = wait_for(trace_capture(services.analyses, *of, id), request, services);
  return trace ? Result<Loaded>(Loaded(*trace, &(*trace)->loaded)) : trace.error();
}

namespace {

// The trace, or the beginning of one, that has this key.
Result<Loaded> trace_by_key(const TraceId& id, std::string_view key, const Request& request, const Services& services) {
  const auto of = capture_named(id.capture, request, services);
  if (!of) return of.error();
  const auto ticket = trace_capture(services.analyses, *of, id);
  const auto found = [&](const std::shared_ptr<const TraceCapture>& trace) {
    return trace && key_text(trace->loaded.timeline) == key ? Loaded(trace, &trace->loaded) : nullptr;
  };
  if (auto beginning = found(ticket.so_far())) return beginning;
  const auto trace = wait_for(ticket, request, services);
  if (!trace) return trace.error();
  if (auto whole = found(*trace)) return whole;
  if (auto beginning = found((*trace)->beginning)) return beginning;
  return Error{ErrorKind::kNotFound, "the trace has another key; ask for /api/v1/lanes again", ""};
}

}  // namespace

Result<Loaded> profile_of(const Request& request, const Services& services) {
  if (const auto key = request.parameter("key")) return profile_by_key(*key, request, services);
  if (const auto trace = trace_named(request)) return loaded_trace(*trace, request, services);
  auto loaded = capture_of(request, services);
  if (loaded && !(*loaded)->capture.has_profile)
    return Error{ErrorKind::kNotFound, not_recorded((*loaded)->capture, Recordable::kEvents).text(), (*loaded)->name};
  return loaded;
}

Result<Loaded> profile_by_key(std::string_view key, const Request& request, const Services& services) {
  if (const auto trace = trace_named(request)) return trace_by_key(*trace, key, request, services);
  // The key of a capture's replays begins with that of the capture.
  if (const std::size_t dash = key.find('-'); dash != std::string_view::npos) {
    const auto of = profile_by_key(key.substr(0, dash), request, services);
    if (!of) return of;
    const auto kept = replay_lanes_of(*of, request, services);
    if (!kept) return kept.error();
    if ((*kept)->key == key) return (*kept)->lanes;
    key = {};
  }
  for (const CaptureStatus& status : services.session.captures()) {
    const auto is_it = [&](const Loaded& loaded) {
      return loaded && loaded->capture.has_profile && key_text(loaded->timeline) == key;
    };
    if (is_it(status.loaded)) return status.loaded;
    const auto found = std::ranges::find_if(status.beginnings, is_it);
    if (found != status.beginnings.end()) return *found;
  }
  return Error{ErrorKind::kNotFound, "no profile with this key is loaded; ask for /api/v1/lanes again",
               std::string(key.substr(0, 40))};
}

Response immutable_answer(const Request& request, const std::function<Response()>& make) {
  ContentHash hash;
  hash.add(kVersion);
  hash.add(request.path);
  for (const auto& [name, value] : request.query) {
    hash.add(name);
    hash.add(value);
  }
  const std::string etag = fmt::format("W/\"{:016x}\"", hash.value());
  const bool is_known = request.header("If-None-Match").find(etag) != std::string_view::npos;
  Response response = is_known ? Response{.status = 304, .content_type = "application/octet-stream"} : make();
  if (response.status >= 400) return response;
  response.headers.push_back({"ETag", etag});
  response.headers.push_back({"Cache-Control", "private, max-age=31536000, immutable"});
  return response;
}

Response binary_response(std::string bytes) {
  return {.content_type = "application/octet-stream", .body = std::make_shared<const Body>(std::move(bytes))};
}

namespace {

// What words of replays pick, of that what the other words find too.
Picks find_by_replays(const KeptReplays& kept, const ReplayQuery& query, const Budget& budget) {
  const LoadedCapture& loaded = *kept.loaded;
  Picks picks;
  for (const Track& track : loaded.capture.profile.tracks) picks.lanes.emplace_back(track.events.size());
  for (const GraphReplays& replays : kept.ranks())
    find_replayed_work(replays, query,
                       [&](std::uint32_t track, std::uint32_t event) { picks.lanes[track].set(event); });
  std::optional<Picks> others;
  if (!query.rest.empty()) others = find_by_text(loaded.capture, loaded.timeline, query.rest, core_count(), budget);
  for (std::size_t lane = 0; lane < picks.lanes.size(); ++lane) {
    if (others) picks.lanes[lane].keep_common(others->lanes[lane]);
    picks.lanes[lane].count();
    picks.total += picks.lanes[lane].total();
  }
  return picks;
}

}  // namespace

Result<std::shared_ptr<const Picks>> picks_of(std::string_view predicate, const Loaded& loaded, const Request& request,
                                              const Services& services) {
  constexpr std::string_view kSearch = "search:", kName = "name:", kSlowest = "slowest";
  constexpr std::size_t kLongestText = 1000;
  const Timeline& timeline = loaded->timeline;
  std::function<Picks(const Budget&)> find;
  if (predicate.size() > kLongestText)
    return Error{ErrorKind::kTooLarge, "the search text is too long; use a part of it", ""};
  if (predicate == kSlowest) {
    find = [loaded](const Budget& budget) { return find_slowest(loaded->capture, loaded->timeline, budget); };
  } else if (predicate.starts_with(kSearch)) {
    const std::string text(predicate.substr(kSearch.size()));
    ReplayQuery query = ReplayQuery::parse(text);
    // Where there are no replays its words are words like any others.
    std::shared_ptr<const KeptReplays> kept;
    if (!query.conditions.empty()) {
      auto replays = replays_of(loaded, request, services);
      if (!replays) return std::move(replays).error();
      if (!(*replays)->ranks().empty()) kept = *std::move(replays);
    }
    find = [loaded, text, kept, query = std::move(query)](const Budget& budget) {
      if (kept) return find_by_replays(*kept, query, budget);
      return find_by_text(loaded->capture, loaded->timeline, text, core_count(), budget);
    };
  } else if (predicate.starts_with(kName)) {
    const auto number = parse_index(predicate.substr(kName.size()), timeline.names.size(), "name");
    if (!number) return number.error();
    find = [loaded, name = timeline.names[*number]](const Budget& budget) {
      return find_by_name(loaded->capture, name, core_count(), budget);
    };
  } else {
    return Error{ErrorKind::kBadInput, "pick must be search:TEXT, name:NUMBER or slowest",
                 std::string(predicate.substr(0, 40))};
  }
  const auto make = [find](const ReportProgress&, std::stop_token stop) -> Result<std::shared_ptr<const Picks>> {
    const Budget budget(std::move(stop));
    auto found = std::make_shared<const Picks>(find(budget));
    if (budget.is_over()) return budget.error();
    return found;
  };
  // In the store that gives up what nobody waits for.
  return wait_for(services.passes.get<Picks>(loaded, predicate, make), request, services);
}

}  // namespace vizd
