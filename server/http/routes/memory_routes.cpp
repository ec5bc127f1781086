// GET /api/v1/memory/KEY/LANE, its summary and its sets, and /api/v1/allocation/LANE.
#include <algorithm>

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

Result<LiveSet> parse_set(const Request& request, const Profile& profile, const Track& lane, const LaneMemory& memory) {
  const std::string_view at = request.parameter("at").value_or("peak");
  if (at == "peak") return live_at_peak(lane, memory);
  if (at == "end") return live_at_end(profile, lane, memory);
  const auto at_ns = parse_number(request, "at", -kMostTime_ns, kMostTime_ns);
  if (!at_ns) return Error{ErrorKind::kBadInput, "at must be peak, end or a time in nanoseconds", ""};
  return live_at(lane, memory, *at_ns + profile.start_ns);
}

Response set_answer(const Request& request, const LoadedCapture& loaded, std::uint32_t lane) {
  constexpr std::int64_t kMostItems = 10'000, kUsualItems = 1000;
  const Profile& profile = loaded.capture.profile;
  const auto set = parse_set(request, profile, profile.tracks[lane], loaded.timeline.lanes[lane].memory);
  if (!set) return error_response(set.error());
  const auto offset = parse_number(request, "offset", 0, kNoId, 0);
  if (!offset) return error_response(offset.error());
  const auto limit = parse_number(request, "limit", 1, kMostItems, kUsualItems);
  if (!limit) return error_response(limit.error());
  return Response::json(live_set_json(loaded.capture, loaded.timeline, lane, *set, static_cast<std::size_t>(*offset),
                                      static_cast<std::size_t>(*limit)));
}

Response view_answer(const Request& request, const LoadedCapture& loaded, std::uint32_t lane) {
  const LaneMemory& memory = loaded.timeline.lanes[lane].memory;
  const auto query = parse_memory_query(request, loaded.capture.profile, memory);
  if (!query) return error_response(query.error());
  return binary_response(memory_view(loaded.capture.profile.tracks[lane], memory, *query));
}

Response summary_answer(const Request&, const LoadedCapture& loaded, std::uint32_t lane) {
  return Response::json(memory_summary_json(loaded.capture, loaded.timeline, lane));
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
  return Response::json(allocation_json((*loaded)->capture, (*loaded)->timeline, *lane, index));
}

}  // namespace

void add_memory_routes(Router& router, const Services& services) {
  const auto add = [&](std::string_view path, auto answer) {
    router.add(path, [services, answer](const Request& request, auto arguments) {
      const auto loaded = profile_by_key(arguments[0], services);
      if (!loaded) return error_response(loaded.error());
      const auto lane = find_lane(arguments[1], **loaded);
      if (!lane) return error_response(lane.error());
      return immutable_answer(request, [&] { return answer(request, **loaded, *lane); });
    });
  };
  add("/api/v1/memory/{}/{}", view_answer);
  add("/api/v1/memory/{}/{}/summary", summary_answer);
  add("/api/v1/memory/{}/{}/set", set_answer);
  const auto allocation = [services](const Request& request, auto arguments) {
    return allocation_answer(request, arguments, services);
  };
  router.add("/api/v1/allocation/{}", allocation);
  router.add("/api/v1/allocation/{}/{}", allocation);
}

}  // namespace vizd
