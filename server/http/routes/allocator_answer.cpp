#include "http/routes/allocator_answer.h"

#include <fmt/format.h>

#include "http/transport/query.h"

namespace vizd {
namespace {

// made: of the allocator's track, once a reading of the capture.
template <typename T, typename MakeOf>
Result<std::shared_ptr<const T>> kept_of_allocator(std::string_view name, const LoadedAllocator& of, MakeOf made,
                                                   const Request& request, const Services& services) {
  const auto make = [of, made](const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const T>> {
    return std::make_shared<const T>(made(of));
  };
  return wait_for(services.analyses.get<T>(of.loaded, fmt::format("{} {}", name, of.lane), make), request, services);
}

}  // namespace

Result<LoadedAllocator> allocator_of(const Loaded& loaded, std::string_view lane) {
  const std::vector<Track>& lanes = loaded->capture.profile.tracks;
  const auto place = parse_index(lane, lanes.size(), "lane");
  if (!place) return place.error();
  if (lanes[*place].allocator == nullptr) {
    return Error{ErrorKind::kNotFound,
                 "no allocator's event log was recorded for this memory; torch.cuda.memory._dump_snapshot() of PyTorch "
                 "writes one",
                 std::string(lane)};
  }
  return LoadedAllocator{loaded, *place};
}

Result<std::shared_ptr<const AllocatorCurve>> curve_of(const LoadedAllocator& of, const Request& request,
                                                       const Services& services) {
  const auto make = [](const LoadedAllocator& a) { return AllocatorCurve(a.track()); };
  return kept_of_allocator<AllocatorCurve>("allocator curve", of, make, request, services);
}

Result<std::shared_ptr<const AllocatorStates>> states_of(const LoadedAllocator& of, const Request& request,
                                                         const Services& services) {
  const auto make = [](const LoadedAllocator& a) { return AllocatorStates(a.track()); };
  return kept_of_allocator<AllocatorStates>("allocator states", of, make, request, services);
}

Result<std::shared_ptr<const AllocationOwners>> owners_of(const LoadedAllocator& of, const Request& request,
                                                          const Services& services) {
  const std::string_view wanted = request.parameter("by").value_or("line");
  const auto kinds = allocation_owner_kinds();
  const auto kind = std::ranges::find(kinds, wanted);
  if (kind == kinds.end())
    return Error{ErrorKind::kBadInput, fmt::format("by must be one of {}", fmt::join(kinds, ", ")), "by"};
  const auto curve = curve_of(of, request, services);
  if (!curve) return curve.error();
  const auto make = [kind = *kind, curve = *curve](const LoadedAllocator& a) {
    return allocation_owners(a.capture(), a.track(), curve->changes(), kind);
  };
  return kept_of_allocator<AllocationOwners>(fmt::format("allocation owners by {}", wanted), of, make, request,
                                             services);
}

Result<std::shared_ptr<const LinkedLives>> linked_lives_of(const LoadedAllocator& of, const Loaded& trace,
                                                           const Request& request, const Services& services) {
  const auto make_links = [trace](const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const TraceLinks>> {
    return std::make_shared<const TraceLinks>(trace->capture);
  };
  const auto links =
      wait_for(services.analyses.get<TraceLinks>(trace, "memory reports", make_links), request, services);
  if (!links) return links.error();
  const auto make = [links = *links](const LoadedAllocator& a) { return LinkedLives(a.capture(), a.track(), *links); };
  return kept_of_allocator<LinkedLives>(fmt::format("lives linked to reading {}", trace->revision), of, make, request,
                                        services);
}

Result<AllocatorMoment> moment_of(const LoadedAllocator& of, const AllocatorCurve& curve, const Request& request) {
  const AllocatorLog& log = of.log();
  const auto last = static_cast<std::int64_t>(log.entries.size());
  if (request.parameter("entry")) {
    const auto entry = parse_number(request, "entry", -1, last - 1);
    if (!entry) return entry.error();
    return static_cast<AllocatorMoment>(*entry + 1);
  }
  const std::string_view at = request.parameter("at").value_or("peak");
  if (at == "end") return static_cast<AllocatorMoment>(last);
  const std::int64_t start_ns = of.capture().profile.start_ns;
  if (at == "peak") {
    if (!request.parameter("from") && !request.parameter("to")) return curve.allocated.moment;
    const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns, 0);
    if (!from) return from.error();
    const auto to = parse_number(request, "to", *from, kMostTime_ns, kMostTime_ns);
    if (!to) return to.error();
    return peak_between(of.track(), curve, *from + start_ns, *to + start_ns);
  }
  const auto at_ns = parse_number(request, "at", -kMostTime_ns, kMostTime_ns);
  if (!at_ns) return Error{ErrorKind::kBadInput, "at must be peak, end or a time in nanoseconds", "at"};
  return moment_at(log, *at_ns + start_ns);
}

Result<AskedLives> lives_of(const LoadedAllocator& of, const AllocatorCurve& curve, const Request& request) {
  const AllocatorLives& lives = of.log().lives;
  const std::string_view which = request.parameter("of").value_or("held");
  if (which == "held") {
    const auto moment = moment_of(of, curve, request);
    if (!moment) return moment.error();
    return AskedLives{*moment, [&lives, at = *moment](std::uint32_t life) { return lives.is_allocated(life, at); }};
  }
  const bool is_left = which == "left";
  if (!is_left && which != "made") return Error{ErrorKind::kBadInput, "of must be held, made or left", "of"};
  const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns);
  if (!from) return from.error();
  const auto to = parse_number(request, "to", *from, kMostTime_ns);
  if (!to) return to.error();
  const std::int64_t start_ns = of.capture().profile.start_ns;
  const AllocatorMoment before = moment_at(of.log(), *from + start_ns - 1), last = moment_at(of.log(), *to + start_ns);
  return AskedLives{last, [&lives, before, last, is_left](std::uint32_t life) {
                      return lives.born[life] > before && lives.born[life] <= last &&
                             (!is_left || lives.done(life) > last);
                    }};
}

void write_moment(JsonWriter& json, const LoadedAllocator& of, AllocatorMoment moment) {
  json.key("entry").number(std::int64_t{moment} - 1).key("at_ns");
  if (moment == 0) {
    json.null();
  } else {
    json.number(of.wire_ns(time_of(of.log(), moment)));
  }
}

std::string address_text(std::uint64_t address) { return fmt::format("0x{:x}", address); }

void write_life(JsonWriter& json, const LoadedAllocator& of, std::uint32_t life) {
  const AllocatorLog& log = of.log();
  const AllocatorLives& lives = log.lives;
  const AllocationSite& site = log.sites[lives.site[life]];
  const auto write_entry = [&](std::string_view entry_key, std::string_view time_key, AllocatorMoment moment) {
    json.key(entry_key);
    if (moment == kNeverDone) return void(json.null().key(time_key).null());
    json.number(std::int64_t{moment} - 1).key(time_key);
    if (moment == 0) return void(json.null());
    json.number(of.wire_ns(time_of(log, moment)));
  };
  json.begin_object().key("life").number(life).key("line").text(line_of(of.capture(), site));
  json.key("address").text(address_text(of.track().allocations[life].address));
  json.key("requested_bytes").number(lives.requested_bytes[life]);
  json.key("block_bytes").number(of.track().allocations[life].size_bytes());
  write_entry("born_entry", "born_ns", lives.born[life]);
  write_entry("freed_entry", "freed_ns", lives.done(life));
  write_entry("completed_entry", "completed_ns", lives.completed[life]);
  json.key("is_lost").boolean((lives.flags[life] & AllocatorLives::kLost) != 0);
  json.key("pool").raw(pool_json(log.pools[lives.pool[life]]));
  json.key("stream").text(stream_json(log.pools[lives.pool[life]]));
  const auto text = [&](std::string_view key, StringId id) {
    const std::string_view value = of.capture().strings.get(id);
    json.key(key).text_or_null(value.empty() ? std::nullopt : std::optional(value));
  };
  text("forward_line", site.forward_frame);
  text("operator", site.operation);
  text("phase", site.phase);
  text("metadata", site.metadata);
  text("compile_context", site.compile_context);
  json.end_object();
}

void add_allocator_route(Router& router, const Services& services, const std::string& rest, AnswerOfAllocator answer) {
  router.add("/api/v1/allocator/{}/{}" + rest, [services, answer](const Request& request, auto arguments) {
    const auto loaded = profile_by_key(arguments[0], request, services);
    if (!loaded) return error_response(loaded.error());
    const auto of = allocator_of(*loaded, arguments[1]);
    if (!of) return error_response(of.error());
    return immutable_answer(request, [&] { return answer(request, *of, services); });
  });
}

}  // namespace vizd
