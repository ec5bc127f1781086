// GET /api/v1/event/LANE/INDEX/memory?with=SNAPSHOT: what an event of a trace has to do with the memory of a snapshot
// of the same run: an operator asked for allocations, device work ran while some were allocated.
#include <algorithm>

#include "http/routes/allocator_answer.h"
#include "http/routes/routes.h"
#include "http/transport/query.h"
#include "timeline/lanes_json.h"

namespace vizd {
namespace {

struct TraceEvent {
  Loaded trace;
  std::uint32_t track = 0, event = 0;

  const EventColumns& events() const { return trace->capture.profile.tracks[track].events; }
  bool is_device_work() const { return is_work(events().role(event)); }
};

struct EventMemory {
  std::vector<std::uint32_t> lives;  // the largest first
  AllocationSum sum;
  AllocatorMoment moment = 0;  // when the event began
};

EventMemory memory_of(const TraceEvent& of, const LoadedAllocator& allocator, const LinkedLives& links) {
  const Capture& trace = of.trace->capture;
  EventMemory memory;
  memory.moment = moments_of_trace(allocator.capture(), allocator.log(), trace, of.events().start_ns(of.event),
                                   of.events().end_ns(of.event))
                      .first;
  memory.lives = lives_of_event(allocator.capture(), allocator.track(), links, trace, of.track, of.event);
  for (const std::uint32_t life : memory.lives) memory.sum.add(allocator.track(), life);
  std::ranges::stable_sort(memory.lives, std::greater(),
                           [&](std::uint32_t life) { return allocator.track().allocations[life].size_bytes(); });
  return memory;
}

// By line, the most bytes first.
void write_owners(JsonWriter& json, const LoadedAllocator& allocator, const EventMemory& memory,
                  const AllocationOwners& owners) {
  constexpr std::size_t kMostOwners = 8;
  std::vector<AllocationSum> sums(owners.names.size());
  for (const std::uint32_t life : memory.lives) sums[owners.of_life[life]].add(allocator.track(), life);
  std::vector<std::uint32_t> order;
  for (std::uint32_t owner = 0; owner < sums.size(); ++owner) {
    if (sums[owner].count > 0) order.push_back(owner);
  }
  std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t owner) { return sums[owner].block_bytes; });
  json.key("owner_count").number(order.size());
  if (order.size() > kMostOwners) order.resize(kMostOwners);
  json.column("owners", order, [&](JsonWriter& j, std::uint32_t owner) {
    j.begin_object().key("id").number(owner).key("owner").raw(owners.names[owner]);
    j.key("count").number(sums[owner].count).key("block_bytes").number(sums[owner].block_bytes).end_object();
  });
}

Result<void> write_event_memory(JsonWriter& json, const TraceEvent& of, const LoadedAllocator& allocator,
                                const Request& request, const Services& services) {
  constexpr std::size_t kMostRows = 20;
  const auto links = linked_lives_of(allocator, of.trace, request, services);
  if (!links) return links.error();
  const auto owners = owners_of(allocator, request, services);
  if (!owners) return owners.error();
  const EventMemory memory = memory_of(of, allocator, **links);
  json.begin_object().key("key").text(key_text(allocator.loaded->timeline)).key("lane").number(allocator.lane);
  json.key("path").text(track_paths(allocator.capture().profile.tracks, allocator.capture().strings)[allocator.lane]);
  json.key("device").number(allocator.log().device).key("is_sure").boolean((*links)->has_reports());
  write_moment(json, allocator, memory.moment);
  json.key("count").number(memory.sum.count).key("block_bytes").number(memory.sum.block_bytes);
  write_owners(json, allocator, memory, **owners);
  const auto shown = std::span(memory.lives).first(std::min(memory.lives.size(), kMostRows));
  json.column("rows", shown, [&](JsonWriter& j, std::uint32_t life) { write_life(j, allocator, life); });
  json.end_object();
  return {};
}

Response event_memory_answer(const Request& request, std::span<const std::string_view> arguments,
                             const Services& services) {
  const auto trace = profile_of(request, services);
  if (!trace) return error_response(trace.error());
  const auto& tracks = (*trace)->capture.profile.tracks;
  const auto track = parse_index(arguments[0], tracks.size(), "lane");
  if (!track) return error_response(track.error());
  const auto event = parse_index(arguments[1], tracks[*track].events.size(), "event");
  if (!event) return error_response(event.error());
  const auto snapshot = capture_named(request.parameter("with").value_or(""), request, services);
  if (!snapshot) return error_response(snapshot.error());
  const TraceEvent of{*trace, *track, *event};
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("kind").text(of.is_device_work() ? "alive" : "asked").key("memories").begin_array();
  const auto& memories = (*snapshot)->capture.profile.tracks;
  for (std::uint32_t lane = 0; lane < memories.size(); ++lane) {
    if (memories[lane].allocator == nullptr) continue;
    if (!may_use((*trace)->capture, of.track, of.event, *memories[lane].allocator)) continue;
    if (const auto written = write_event_memory(json, of, {*snapshot, lane}, request, services); !written)
      return error_response(written.error());
  }
  json.end_array().end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_event_memory_routes(Router& router, const Services& services) {
  router.add("/api/v1/event/{}/{}/memory", [services](const Request& request, auto arguments) {
    return event_memory_answer(request, arguments, services);
  });
}

}  // namespace vizd
