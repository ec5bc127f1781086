// GET /api/v1/allocator/KEY/LANE/lives: the allocations of a moment, an owner, a step that leaks or words; /life/N: one
// with its stack, and the operator of a trace beside it that asked for it.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/allocator/life_filter.h"
#include "analysis/allocator/step_leaks.h"
#include "http/routes/allocator_answer.h"
#include "http/routes/device_answer.h"
#include "http/routes/routes.h"
#include "http/transport/query.h"

namespace vizd {
namespace {

using IsWanted = std::function<bool(std::uint32_t life)>;

// All that the request's parameters ask of an allocation. What it holds must outlive the answer alone.
Result<std::vector<IsWanted>> parse_wanted(const Request& request, const LoadedAllocator& of,
                                           const Services& services) {
  std::vector<IsWanted> wanted;
  if (request.parameter("owner")) {
    const auto owners = owners_of(of, request, services);
    if (!owners) return owners.error();
    const auto owner = parse_number(request, "owner", 0, static_cast<std::int64_t>((*owners)->names.size()) - 1);
    if (!owner) return owner.error();
    wanted.push_back([owners = *owners, owner = *owner](std::uint32_t life) { return owners->of_life[life] == owner; });
  }
  if (const auto name = request.parameter("leaked")) {
    std::vector<bool> is_leak(of.log().lives.size());
    StepLeaks(of.track(), NamedRanges(of.capture(), of.log().device).ends(*name))
        .for_each([&](std::uint32_t life, std::size_t) { is_leak[life] = true; });
    wanted.push_back([is_leak = std::move(is_leak)](std::uint32_t life) { return is_leak[life]; });
  } else if (request.parameter("at") || request.parameter("entry") || request.parameter("of")) {
    const auto curve = curve_of(of, request, services);
    if (!curve) return curve.error();
    auto asked = lives_of(of, **curve, request);
    if (!asked) return asked.error();
    wanted.push_back(std::move(asked->is_about));
  }
  if (const auto words = request.parameter("q")) {
    auto filter = LifeFilter::parse(of.capture(), of.track(), *words);
    if (!filter) return filter.error();
    wanted.push_back([filter = std::make_shared<LifeFilter>(*std::move(filter))](std::uint32_t life) {
      return filter->holds(life);
    });
  }
  return wanted;
}

Response lives_answer(const Request& request, const LoadedAllocator& of, const Services& services) {
  constexpr std::int64_t kMostRows = 10'000, kUsualRows = 500;
  const auto limit = parse_number(request, "limit", 1, kMostRows, kUsualRows);
  if (!limit) return error_response(limit.error());
  const auto wanted = parse_wanted(request, of, services);
  if (!wanted) return error_response(wanted.error());
  std::vector<std::uint32_t> found;
  AllocationSum sum;
  for (std::uint32_t i = 0; i < of.log().lives.size(); ++i) {
    if (!std::ranges::all_of(*wanted, [&](const IsWanted& holds) { return holds(i); })) continue;
    found.push_back(i);
    sum.add(of.track(), i);
  }
  const auto most = std::min(found.size(), static_cast<std::size_t>(*limit));
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(most),
                            [&](std::uint32_t a, std::uint32_t b) {
                              const auto size = [&](std::uint32_t i) { return of.track().allocations[i].size_bytes(); };
                              return size(a) != size(b) ? size(a) > size(b) : a < b;
                            });
  found.resize(most);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("count").number(sum.count).key("block_bytes").number(sum.block_bytes);
  json.column("rows", found, [&](JsonWriter& j, std::uint32_t life) { write_life(j, of, life); });
  json.end_object();
  return Response::json(std::move(text));
}

void write_frames(JsonWriter& json, std::string_view key, const Capture& capture, StackId stack,
                  const Services& services) {
  constexpr std::size_t kMostFrames = 256;
  std::vector<Frame> frames = frames_of(capture.stacks, stack);
  if (frames.size() > kMostFrames) frames.resize(kMostFrames);
  json.column(key, frames, [&](JsonWriter& j, const Frame& frame) {
    const std::string_view file = capture.strings.get(frame.file);
    j.begin_object().key("function").text(capture.strings.get(frame.function)).key("file").text(file);
    j.key("line").number(frame.line).key("code");
    if (const std::string_view code = capture.strings.get(frame.code); !code.empty()) {
      j.text(code).end_object();
    } else {
      j.text_or_null(frame.line == 0 ? std::nullopt : services.sources.line(file, frame.line)).end_object();
    }
  });
}

// The operator of a trace that asked for it: {"trace", "status", "event"}; status: linked, by time, no report, no
// reports.
Result<void> write_link(JsonWriter& json, const LoadedAllocator& of, std::uint32_t life, std::string_view trace,
                        const Request& request, const Services& services) {
  const auto loaded = capture_named(trace, request, services);
  if (!loaded) return loaded.error();
  const auto links = linked_lives_of(of, *loaded, request, services);
  if (!links) return links.error();
  const AllocationLink& link = (*links)->of(life);
  const bool is_linked = link.event != kNoId;
  json.key("link").begin_object().key("trace").text((*loaded)->name).key("status");
  json.text(is_linked ? link.is_sure ? "linked" : "by time" : (*links)->has_reports() ? "no report" : "no reports");
  json.key("event");
  if (is_linked) {
    const EventColumns& events = (*loaded)->capture.profile.tracks[link.track].events;
    EventLinks((*loaded)->capture)
        .write(json, {.start_ns = events.start_ns(link.event), .track = link.track, .event = link.event});
  } else {
    json.null();
  }
  json.end_object();
  return {};
}

Response life_answer(const Request& request, const LoadedAllocator& of, const Services& services) {
  const auto life = parse_number(request, "life", 0, static_cast<std::int64_t>(of.log().lives.size()) - 1);
  if (!life) return error_response(life.error());
  const auto place = static_cast<std::uint32_t>(*life);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("life");
  write_life(json, of, place);
  const AllocationSite& site = of.log().sites[of.log().lives.site[place]];
  json.key("depth").number(site.depth);
  write_frames(json, "frames", of.capture(), site.stack, services);
  write_frames(json, "forward_frames", of.capture(), site.forward, services);
  if (const auto trace = request.parameter("trace")) {
    if (const auto written = write_link(json, of, place, *trace, request, services); !written)
      return error_response(written.error());
  }
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_allocation_life_routes(Router& router, const Services& services) {
  add_allocator_route(router, services, "/lives", lives_answer);
  add_allocator_route(router, services, "/life", life_answer);
}

}  // namespace vizd
