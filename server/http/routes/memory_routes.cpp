// GET /api/v1/memory/KEY/LANE, its summary, its sets and who holds them, and /api/v1/allocation/LANE.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/answer_json.h"
#include "analysis/answers/device_answers.h"
#include "base/json_writer.h"
#include "http/routes/timeline_request.h"
#include "http/transport/query.h"
#include "timeline/memory_json.h"
#include "timeline/memory_view.h"

namespace vizd {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

// The lane that a segment names, which owns memory.
Result<std::uint32_t> find_lane(std::string_view segment, const LoadedCapture& loaded) {
  const std::vector<Track>& lanes = loaded.capture.profile.tracks;
  const auto lane = parse_index(segment, lanes.size(), "lane");
  if (lane && lanes[*lane].allocations.empty())
    return Error{ErrorKind::kNotFound, "this lane has no memory", std::string(segment)};
  return lane;
}

Result<MemoryQuery> parse_memory_query(const Request& request, const Profile& profile, const LaneMemory& memory) {
  MemoryQuery query;
  const std::string_view axis = request.parameter("axis").value_or("time");
  if (axis != "time" && axis != "order") return Error{ErrorKind::kBadInput, "axis must be time or order", ""};
  query.by_order = axis == "order";
  const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns - 1);
  if (!from) return from.error();
  const auto to = parse_number(request, "to", *from + 1, kMostTime_ns);
  if (!to) return to.error();
  const std::int64_t start = query.by_order ? 0 : profile.start_ns;
  query.from = *from + start;
  query.to = *to + start;
  const auto width = parse_number(request, "width", 1, MemoryQuery::kMostPixels);
  if (!width) return width.error();
  const auto height = parse_number(request, "height", 1, MemoryQuery::kMostPixels);
  if (!height) return height.error();
  query.width = static_cast<std::uint64_t>(*width);
  query.height = static_cast<std::uint64_t>(*height);
  const auto top = static_cast<std::int64_t>(std::min<std::uint64_t>(memory.layout.height_bytes, kMostBytes));
  const auto low = parse_number(request, "low", 0, kMostBytes - 1, 0);
  if (!low) return low.error();
  const auto high = parse_number(request, "high", *low + 1, kMostBytes, std::max(top, *low + 1));
  if (!high) return high.error();
  query.low_bytes = static_cast<std::uint64_t>(*low);
  query.high_bytes = static_cast<std::uint64_t>(*high);
  return query;
}

// Found once a reading of the capture for each memory, for all that ask.
Result<std::shared_ptr<const AllocationOrigins>> origins_of(const Loaded& loaded, std::uint32_t lane,
                                                            const Request& request, const Services& services) {
  const auto make = [loaded, lane](const ReportProgress&,
                                   std::stop_token) -> Result<std::shared_ptr<const AllocationOrigins>> {
    return std::make_shared<const AllocationOrigins>(find_allocation_origins(loaded->capture, loaded->timeline, lane));
  };
  return wait_for(services.analyses.get<AllocationOrigins>(loaded, fmt::format("allocation origins {}", lane), make),
                  request, services);
}

// The same for the memory index of one lane.
Result<std::shared_ptr<const MemoryIndex>> index_of(const Loaded& loaded, std::uint32_t lane, const Request& request,
                                                    const Services& services) {
  const auto make = [loaded, lane](const ReportProgress&,
                                   std::stop_token) -> Result<std::shared_ptr<const MemoryIndex>> {
    return std::make_shared<const MemoryIndex>(
        memory_index(loaded->capture.profile.tracks[lane], loaded->timeline.lanes[lane].memory));
  };
  return wait_for(services.analyses.get<MemoryIndex>(loaded, fmt::format("memory index {}", lane), make), request,
                  services);
}

// When the state is asked for, and what it is called after.
struct Moment {
  std::size_t changes = 0;  // that are done (timeline/live_set.h)
  std::int64_t at_ns = 0;   // on the capture's clock
};

// at: the peak, of the time from `from` to `to` where these are given, the end or a time.
Result<Moment> parse_moment(const Request& request, const Profile& profile, const LaneMemory& memory) {
  const std::string_view at = request.parameter("at").value_or("peak");
  if (at == "end") return Moment{last_moment(memory), profile.end_ns};
  if (at == "peak") {
    if (!request.parameter("from") && !request.parameter("to"))
      return Moment{peak_moment(memory), memory.layout.peak_ns};
    const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns, 0);
    if (!from) return from.error();
    const auto to = parse_number(request, "to", *from, kMostTime_ns, kMostTime_ns);
    if (!to) return to.error();
    const std::int64_t from_ns = *from + profile.start_ns;
    const std::size_t peak = peak_moment(memory, from_ns, *to + profile.start_ns);
    const std::int64_t change_ns = peak == 0 ? from_ns : memory.layout.at_ns[peak - 1];
    return Moment{peak, std::max(change_ns, from_ns)};
  }
  const auto at_ns = parse_number(request, "at", -kMostTime_ns, kMostTime_ns);
  if (!at_ns) return Error{ErrorKind::kBadInput, "at must be peak, end or a time in nanoseconds", ""};
  return Moment{moment_at(memory, *at_ns + profile.start_ns), *at_ns + profile.start_ns};
}

Result<HolderGroup> parse_holder_group(const Request& request) {
  const auto group = holder_group(request.parameter("by").value_or("operator"));
  if (!group) return Error{ErrorKind::kBadInput, "by must be operator, module, line or category", ""};
  return *group;
}

Response set_answer(const Request& request, const Loaded& loaded, std::uint32_t lane, const Services& services) {
  constexpr std::int64_t kMostItems = 10'000, kUsualItems = 1000;
  const Profile& profile = loaded->capture.profile;
  const LaneMemory& memory = loaded->timeline.lanes[lane].memory;
  const auto moment = parse_moment(request, profile, memory);
  if (!moment) return error_response(moment.error());
  const auto offset = parse_number(request, "offset", 0, kNoId, 0);
  if (!offset) return error_response(offset.error());
  const auto limit = parse_number(request, "limit", 1, kMostItems, kUsualItems);
  if (!limit) return error_response(limit.error());
  const auto group = parse_holder_group(request);
  if (!group) return error_response(group.error());
  const auto holder = parse_number(request, "holder", kEarlierHolder, kNoId, kUnknownHolder);
  if (!holder) return error_response(holder.error());
  const auto origins = origins_of(loaded, lane, request, services);
  if (!origins) return error_response(origins.error());
  std::function<bool(std::uint32_t)> is_wanted;
  const MemoryHolders holders(loaded->capture, loaded->timeline, lane, **origins, *group);
  if (request.parameter("holder")) is_wanted = [&](std::uint32_t place) { return holders.holder_of(place) == *holder; };
  const auto first = static_cast<std::size_t>(*offset), count = static_cast<std::size_t>(*limit);
  const LiveSet set = live_set(profile.tracks[lane], memory, moment->changes, first + count, is_wanted);
  return Response::json(
      live_set_json({loaded->capture, loaded->timeline, lane, **origins}, set, moment->at_ns, first, count));
}

Response holders_answer(const Request& request, const Loaded& loaded, std::uint32_t lane, const Services& services) {
  constexpr std::int64_t kMostHolders = 10'000, kUsualHolders = 1000;
  const Capture& capture = loaded->capture;
  const Track& track = capture.profile.tracks[lane];
  const std::int64_t start_ns = capture.profile.start_ns;
  const LaneMemory& memory = loaded->timeline.lanes[lane].memory;
  const auto moment = parse_moment(request, capture.profile, memory);
  if (!moment) return error_response(moment.error());
  const auto since = parse_number(request, "since", -kMostTime_ns, kMostTime_ns, 0);
  if (!since) return error_response(since.error());
  const auto limit = parse_number(request, "limit", 1, kMostHolders, kUsualHolders);
  if (!limit) return error_response(limit.error());
  const auto group = parse_holder_group(request);
  if (!group) return error_response(group.error());
  const auto origins = origins_of(loaded, lane, request, services);
  if (!origins) return error_response(origins.error());
  const MemoryHolders holders(capture, loaded->timeline, lane, **origins, *group);
  std::vector<MemoryHolder> rows = holders.list(moment->changes, moment_at(memory, *since + start_ns));
  const std::uint64_t bytes = live_bytes(memory, moment->changes);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("at_ns").number(moment->at_ns - start_ns).key("since_ns").number(*since);
  json.key("bytes").number(bytes).key("count").number(rows.size());
  if (rows.size() > static_cast<std::size_t>(*limit)) rows.resize(static_cast<std::size_t>(*limit));
  json.column("rows", rows, [&, fields = holder_fields()](JsonWriter& j, const MemoryHolder& row) {
    write_row(j, fields, HolderLine{capture, track, holders, row, bytes}, [&](JsonWriter& more) {
      more.key("id").number(row.id).key("example");
      if (row.largest == kNoId) {
        more.null();
      } else {
        more.number(memory.index(row.largest));
      }
    });
  });
  json.end_object();
  return Response::json(std::move(text));
}

Response view_answer(const Request& request, const Loaded& loaded, std::uint32_t lane, const Services& services) {
  const LaneMemory& memory = loaded->timeline.lanes[lane].memory;
  const auto query = parse_memory_query(request, loaded->capture.profile, memory);
  if (!query) return error_response(query.error());
  const auto index = index_of(loaded, lane, request, services);
  if (!index) return error_response(index.error());
  return binary_response(memory_view(loaded->capture.profile.tracks[lane], memory, **index, *query));
}

Response memory_summary_answer(const Request&, const Loaded& loaded, std::uint32_t lane, const Services&) {
  return Response::json(memory_summary_json(loaded->capture, loaded->timeline, lane));
}

Response allocation_answer(const Request& request, std::span<const std::string_view> arguments,
                           const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto lane = find_lane(arguments[0], **loaded);
  if (!lane) return error_response(lane.error());
  const Profile& profile = (*loaded)->capture.profile;
  std::uint32_t index = 0;
  if (arguments.size() > 1) {
    const auto parsed = parse_index(arguments[1], profile.tracks[*lane].allocations.size(), "allocation");
    if (!parsed) return error_response(parsed.error());
    index = *parsed;
  } else {
    const auto at = parse_number(request, "at", -kMostTime_ns, kMostTime_ns);
    if (!at) return error_response(at.error());
    const auto offset = parse_number(request, "offset", 0, kMostBytes);
    if (!offset) return error_response(offset.error());
    index = allocation_at(profile.tracks[*lane], (*loaded)->timeline.lanes[*lane].memory, *at + profile.start_ns,
                          static_cast<std::uint64_t>(*offset));
    if (index == kNoId) return Response::json("{\"index\":null}");
  }
  const auto origins = origins_of(*loaded, *lane, request, services);
  if (!origins) return error_response(origins.error());
  return Response::json(allocation_json({(*loaded)->capture, (*loaded)->timeline, *lane, **origins}, index));
}

}  // namespace

void add_memory_routes(Router& router, const Services& services) {
  const auto add = [&](std::string_view path, auto answer) {
    router.add(path, [services, answer](const Request& request, auto arguments) {
      const auto loaded = profile_by_key(arguments[0], request, services);
      if (!loaded) return error_response(loaded.error());
      const auto lane = find_lane(arguments[1], **loaded);
      if (!lane) return error_response(lane.error());
      return immutable_answer(request, [&] { return answer(request, *loaded, *lane, services); });
    });
  };
  add("/api/v1/memory/{}/{}", view_answer);
  add("/api/v1/memory/{}/{}/summary", memory_summary_answer);
  add("/api/v1/memory/{}/{}/set", set_answer);
  add("/api/v1/memory/{}/{}/holders", holders_answer);
  const auto allocation = [services](const Request& request, auto arguments) {
    return allocation_answer(request, arguments, services);
  };
  router.add("/api/v1/allocation/{}", allocation);
  router.add("/api/v1/allocation/{}/{}", allocation);
}

}  // namespace vizd
