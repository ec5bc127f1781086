// GET /api/v1/allocator/KEY/LANE, and its curve, its owners, its state at a moment, and its leaks: of a memory whose
// allocator told of itself entry by entry.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "analysis/allocator/out_of_memory.h"
#include "analysis/allocator/step_leaks.h"
#include "analysis/allocator/step_names.h"
#include "http/routes/allocator_answer.h"
#include "http/routes/routes.h"
#include "http/transport/query.h"

namespace vizd {
namespace {

void write_bytes(JsonWriter& json, std::string_view key, const AllocatorBytes& bytes) {
  json.key(key).begin_object().key("reserved").number(bytes.reserved).key("allocated").number(bytes.allocated);
  json.key("active").number(bytes.active).key("requested").number(bytes.requested).end_object();
}

void write_shape(JsonWriter& json, const AllocatorShape& shape) {
  json.key("shape").begin_object().key("segments").number(shape.segments);
  json.key("segments_wholly_free").number(shape.segments_wholly_free).key("free_blocks").number(shape.free_blocks);
  json.key("inactive_bytes").number(shape.inactive_bytes).key("largest_free_bytes").number(shape.largest_free_bytes);
  json.key("stuck_bytes").number(shape.stuck_bytes).key("releasable_bytes").number(shape.releasable_bytes);
  json.key("internal_bytes").number(shape.internal_bytes).key("pending_bytes").number(shape.pending_bytes);
  json.end_object();
}

void write_oom(JsonWriter& json, const LoadedAllocator& of, const AllocatorStates& states, AllocatorMoment moment) {
  const OutOfMemory oom = out_of_memory(of.track(), states, moment);
  json.begin_object();
  write_moment(json, of, moment);
  json.key("asked_bytes").number(oom.asked_bytes).key("device_free_bytes");
  if (oom.device_free_bytes) {
    json.number(*oom.device_free_bytes);
  } else {
    json.null();
  }
  write_bytes(json, "bytes", oom.bytes);
  write_shape(json, oom.shape);
  const bool is_fragmented = oom.reason == OomReason::kFragmented;
  json.key("is_fragmented").boolean(is_fragmented).key("is_limited").boolean(oom.is_limited);
  json.key("reason").text(oom_reason_text(oom.reason));
  const auto between = is_fragmented ? find_obstacles(states, states.at(moment), oom.asked_bytes) : std::nullopt;
  json.key("between");
  if (!between) return void(json.null().end_object());
  json.begin_object().key("address").text(address_text(between->address)).key("size_bytes").number(between->size_bytes);
  json.key("alive_bytes").number(between->alive_bytes);
  json.column("lives", between->lives, [&](JsonWriter& j, std::uint32_t life) { write_life(j, of, life); });
  json.end_object().end_object();
}

// What the file does not tell, in words.
std::vector<std::string_view> list_lacking(const LoadedAllocator& of) {
  const AllocatorLog& log = of.log();
  std::vector<std::string_view> lacking;
  const auto lack = [&](bool is_lacking, std::string_view what) {
    if (is_lacking) lacking.push_back(what);
  };
  lack(!log.has_times, "times");
  lack(std::ranges::none_of(log.sites, [](const AllocationSite& site) { return site.depth > 0; }), "stacks");
  lack(std::ranges::none_of(log.pools, [](const AllocatorPool& pool) { return pool.is_known; }), "pools");
  lack(log.entries.size() == 0, "entries: there is only what was held at the end");
  const auto has = [&](AllocatorAction action) {
    const auto actions = log.entries.action.span();
    return std::ranges::find(actions, action) != actions.end();
  };
  lack(!has(AllocatorAction::kFreeRequested) && has(AllocatorAction::kFreeCompleted),
       "requests to free: memory counts as allocated until its block is free");
  lack(NamedRanges(of.capture(), of.log().device).ranges().empty(), "annotations");
  return lacking;
}

Response allocator_answer(const Request& request, const LoadedAllocator& of, const Services& services) {
  const auto curve = curve_of(of, request, services);
  if (!curve) return error_response(curve.error());
  const auto states = states_of(of, request, services);
  if (!states) return error_response(states.error());
  const AllocatorLog& log = of.log();
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("device").number(log.device).key("entries").number(log.entries.size());
  json.key("allocations")
      .number(log.lives.size())
      .key("before")
      .number(std::ranges::count(log.lives.born.span(), AllocatorMoment{0}));
  json.key("is_exact").boolean(log.is_exact).key("mismatched").number(log.mismatched);
  json.key("peaks").begin_object();
  const auto write_peak = [&](std::string_view key, const AllocatorCurve::Peak& peak) {
    json.key(key).begin_object().key("bytes").number(peak.bytes);
    write_moment(json, of, peak.moment);
    json.end_object();
  };
  write_peak("allocated", (*curve)->allocated);
  write_peak("reserved", (*curve)->reserved);
  write_peak("active", (*curve)->active);
  write_peak("requested", (*curve)->requested);
  json.end_object();
  write_bytes(json, "start", (*curve)->start);
  write_bytes(json, "end", (*curve)->end);
  json.key("end_ns").number(of.wire_ns(time_of(log, (*states)->last_moment())));
  write_shape(json, allocator_shape(of.track(), **states, (*states)->at((*states)->last_moment())));
  std::vector<AllocatorMoment> ooms = moments_out_of_memory(log);
  constexpr std::size_t kMostOoms = 100;
  json.key("oom_count").number(ooms.size());
  if (ooms.size() > kMostOoms) ooms.resize(kMostOoms);
  json.column("ooms", ooms, [&](JsonWriter& j, AllocatorMoment moment) { write_oom(j, of, **states, moment); });
  json.column("lacking", list_lacking(of), [](JsonWriter& j, std::string_view what) { j.text(what); });
  const NamedRanges ranges(of.capture(), of.log().device);
  json.column("steps", step_names(ranges), [](JsonWriter& j, const StepNameCount& steps) {
    j.begin_object().key("name").text(steps.name).key("count").number(steps.count).end_object();
  });
  constexpr std::size_t kMostRanges = 2000;
  json.key("range_count").number(ranges.ranges().size());
  json.column("ranges", ranges.ranges().first(std::min(ranges.ranges().size(), kMostRanges)),
              [&](JsonWriter& j, const NamedRanges::Range& range) {
                j.begin_object().key("name").text(range.name).key("from_ns").number(of.wire_ns(range.from_ns));
                j.key("to_ns");
                if (range.to_ns == INT64_MAX) {
                  j.null();
                } else {
                  j.number(of.wire_ns(range.to_ns));
                }
                j.end_object();
              });
  json.end_object();
  return Response::json(std::move(text));
}

// A column of a curve: each number as its difference from the one before it, which is a third of the bytes.
template <typename Values, typename NumberOf>
void write_differences(JsonWriter& json, std::string_view key, const Values& values, NumberOf number_of) {
  std::int64_t before = 0;
  json.column(key, values, [&](JsonWriter& j, const auto& value) {
    const std::int64_t number = number_of(value);
    j.number(number - std::exchange(before, number));
  });
}

Response curve_answer(const Request& request, const LoadedAllocator& of, const Services& services) {
  constexpr std::int64_t kMostWidth = 4096, kMostOwners = 64, kUsualOwners = 12;
  const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns - 1);
  if (!from) return error_response(from.error());
  const auto to = parse_number(request, "to", *from + 1, kMostTime_ns);
  if (!to) return error_response(to.error());
  const auto width = parse_number(request, "width", 1, kMostWidth);
  if (!width) return error_response(width.error());
  const auto most = parse_number(request, "owners", 1, kMostOwners, kUsualOwners);
  if (!most) return error_response(most.error());
  const auto curve = curve_of(of, request, services);
  if (!curve) return error_response(curve.error());
  const auto owners = owners_of(of, request, services);
  if (!owners) return error_response(owners.error());
  const auto focus = parse_number(request, "focus", 0, std::int64_t{kNoId} - 1, std::int64_t{kNoId} - 1);
  if (!focus) return error_response(focus.error());
  // The allocations that ever held the most, and the one that is looked at.
  std::vector<std::uint32_t> drawn;
  const auto count = static_cast<std::uint32_t>((*owners)->names.size());
  for (std::uint32_t i = 0; i < std::min<std::int64_t>(*most, count); ++i) drawn.push_back(i);
  if (*focus >= *most && *focus < count) drawn.push_back(static_cast<std::uint32_t>(*focus));
  const std::int64_t start_ns = of.capture().profile.start_ns;
  const StackedCurve stacked = stacked_curve(of.track(), **curve, **owners,
                                             {.from_ns = *from + start_ns,
                                              .to_ns = *to + start_ns,
                                              .stretches = static_cast<std::size_t>(*width),
                                              .owners = drawn});
  std::uint64_t all_bits = 0;
  for (const std::int64_t bytes : stacked.allocated_bytes) all_bits |= static_cast<std::uint64_t>(bytes);
  for (const std::int64_t bytes : stacked.reserved_bytes) all_bits |= static_cast<std::uint64_t>(bytes);
  for (const auto& row : stacked.bytes_by_owner) {
    for (const std::uint64_t bytes : row) all_bits |= bytes;
  }
  // Blocks are multiples of 512 bytes as a rule: numbers of three digits less.
  const int unit_bits = all_bits == 0 ? 0 : std::countr_zero(all_bits);
  const auto in_units = [&](auto bytes) { return static_cast<std::int64_t>(bytes) >> unit_bits; };
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("owner_count").number(count).key("entries").number(stacked.entries);
  json.key("unit_bytes").number(std::int64_t{1} << unit_bits);
  write_differences(json, "entry", stacked.moments, [](AllocatorMoment at) { return std::int64_t{at} - 1; });
  write_differences(json, "at_ns", stacked.moments,
                    [&](AllocatorMoment at) { return of.wire_ns(time_of(of.log(), at)); });
  write_differences(json, "reserved", stacked.reserved_bytes, in_units);
  write_differences(json, "allocated", stacked.allocated_bytes, in_units);
  json.key("owners").begin_array();
  for (std::size_t row = 0; row < drawn.size(); ++row) {
    json.begin_object().key("id").number(drawn[row]).key("owner").raw((*owners)->names[drawn[row]]);
    write_differences(json, "bytes", stacked.bytes_by_owner[row], in_units);
    json.end_object();
  }
  json.end_array().end_object();
  return Response::json(std::move(text));
}

Response owners_answer(const Request& request, const LoadedAllocator& of, const Services& services) {
  constexpr std::int64_t kMostRows = 10'000, kUsualRows = 1000;
  const auto limit = parse_number(request, "limit", 1, kMostRows, kUsualRows);
  if (!limit) return error_response(limit.error());
  const auto curve = curve_of(of, request, services);
  if (!curve) return error_response(curve.error());
  const auto asked = lives_of(of, **curve, request);
  if (!asked) return error_response(asked.error());
  const auto owners = owners_of(of, request, services);
  if (!owners) return error_response(owners.error());
  std::vector<AllocationSum> sums((*owners)->names.size());
  AllocationSum whole;
  for (std::uint32_t i = 0; i < of.log().lives.size(); ++i) {
    if (!asked->is_about(i)) continue;
    sums[(*owners)->of_life[i]].add(of.track(), i);
    whole.add(of.track(), i);
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t owner = 0; owner < sums.size(); ++owner) {
    if (sums[owner].count > 0) order.push_back(owner);
  }
  std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t owner) { return sums[owner].block_bytes; });
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_moment(json, of, asked->moment);
  json.key("bytes").number(whole.block_bytes).key("allocations").number(whole.count).key("count").number(order.size());
  if (order.size() > static_cast<std::size_t>(*limit)) order.resize(static_cast<std::size_t>(*limit));
  json.column("rows", order, [&](JsonWriter& j, std::uint32_t owner) {
    const AllocationSum& sum = sums[owner];
    j.begin_object().key("id").number(owner).key("owner").raw((*owners)->names[owner]);
    j.key("count").number(sum.count).key("requested_bytes").number(sum.requested_bytes);
    j.key("block_bytes").number(sum.block_bytes).end_object();
  });
  json.end_object();
  return Response::json(std::move(text));
}

void write_segment(JsonWriter& json, const LoadedAllocator& of, const AllocationOwners& owners, AllocatorMoment moment,
                   const AllocatorSegment& segment, const std::vector<AllocatorBlock>& blocks) {
  const AllocatorPool& pool = of.log().pools[segment.pool];
  json.begin_object().key("address").text(address_text(segment.address)).key("size_bytes").number(segment.size_bytes);
  json.key("pool").raw(pool_json(pool)).key("stream").text(stream_json(pool));
  json.key("is_expandable").boolean(segment.is_expandable);
  json.column("offset", blocks,
              [&](JsonWriter& j, const AllocatorBlock& block) { j.number(block.address - segment.address); });
  json.column("bytes", blocks, [](JsonWriter& j, const AllocatorBlock& block) { j.number(block.size_bytes); });
  json.column("owner", blocks, [&](JsonWriter& j, const AllocatorBlock& block) {
    j.number(block.life == kNoId ? std::int64_t{-1} : std::int64_t{owners.of_life[block.life]});
  });
  // The life, or -1 of a free one; and whether it waits for another stream.
  json.column("life", blocks, [](JsonWriter& j, const AllocatorBlock& block) {
    j.number(block.life == kNoId ? std::int64_t{-1} : std::int64_t{block.life});
  });
  json.column("is_pending", blocks, [&](JsonWriter& j, const AllocatorBlock& block) {
    j.number(block.life != kNoId && !of.log().lives.is_allocated(block.life, moment) ? 1 : 0);
  });
  json.end_object();
}

Response state_answer(const Request& request, const LoadedAllocator& of, const Services& services) {
  const auto curve = curve_of(of, request, services);
  if (!curve) return error_response(curve.error());
  const auto moment = moment_of(of, **curve, request);
  if (!moment) return error_response(moment.error());
  const auto states = states_of(of, request, services);
  if (!states) return error_response(states.error());
  const auto owners = owners_of(of, request, services);
  if (!owners) return error_response(owners.error());
  const AllocatorState state = (*states)->at(*moment);
  const AllocatorLog& log = of.log();
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_moment(json, of, *moment);
  json.key("action");
  if (*moment == 0) {
    json.null();
  } else {
    const auto action = static_cast<std::size_t>(log.entries.action[*moment - 1]);
    json.text(of.capture().strings.get(log.actions[action]));
  }
  json.key("action_bytes").number(*moment == 0 ? 0 : log.entries.size_bytes[*moment - 1]);
  write_bytes(json, "bytes", state.bytes);
  write_shape(json, allocator_shape(of.track(), **states, state));
  json.key("segments").begin_array();
  (*states)->for_each_segment(state, [&](const AllocatorSegment& segment, const std::vector<AllocatorBlock>& blocks) {
    write_segment(json, of, **owners, *moment, segment, blocks);
  });
  json.end_array().end_object();
  return Response::json(std::move(text));
}

Response leaks_answer(const Request& request, const LoadedAllocator& of, const Services& services) {
  const std::string_view name = request.parameter("name").value_or("");
  if (name.empty()) return error_response({ErrorKind::kBadInput, "name the steps: name=ProfilerStep%23", "name"});
  const auto owners = owners_of(of, request, services);
  if (!owners) return error_response(owners.error());
  const StepLeaks leaks(of.track(), NamedRanges(of.capture(), of.log().device).ends(name));
  std::map<std::uint32_t, std::pair<AllocationSum, std::vector<std::uint64_t>>> rows;  // with the bytes of each step
  leaks.for_each([&](std::uint32_t life, std::size_t step) {
    auto& [sum, by_step] = rows[(*owners)->of_life[life]];
    by_step.resize(leaks.judged());
    by_step[step - 1] += of.track().allocations[life].size_bytes();
    sum.add(of.track(), life);
  });
  constexpr std::size_t kMostSteps = 256;
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("steps").number(leaks.judged());
  json.column("rows", rows, [&](JsonWriter& j, const auto& row) {
    const auto& [sum, by_step] = row.second;
    j.begin_object().key("id").number(row.first).key("owner").raw((*owners)->names[row.first]);
    j.key("count").number(sum.count).key("requested_bytes").number(sum.requested_bytes);
    j.key("block_bytes").number(sum.block_bytes);
    j.column("by_step", std::span(by_step).last(std::min(by_step.size(), kMostSteps)),
             [](JsonWriter& w, std::uint64_t bytes) { w.number(bytes); });
    j.end_object();
  });
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_allocator_routes(Router& router, const Services& services) {
  add_allocator_route(router, services, "", allocator_answer);
  add_allocator_route(router, services, "/curve", curve_answer);
  add_allocator_route(router, services, "/owners", owners_answer);
  add_allocator_route(router, services, "/state", state_answer);
  add_allocator_route(router, services, "/leaks", leaks_answer);
}

}  // namespace vizd
