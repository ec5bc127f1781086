// GET /api/v1/idle and /api/v1/idle/LANE: when devices did nothing, and what each such gap waited for, down to the
// call of the host.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/devices/device_breakdown.h"
#include "http/routes/device_answer.h"
#include "http/transport/query.h"
#include "timeline/event_json.h"

namespace vizd {
namespace {

constexpr std::int64_t kMostGaps = 5000, kUsualGaps = 1000;

struct KeptGaps {
  std::shared_ptr<const DeviceAnalysis> analysis;
  std::vector<std::vector<Gap>> of_device;

  std::size_t memory_bytes() const {
    std::size_t bytes = sizeof(*this);
    for (const auto& gaps : of_device) bytes += gaps.capacity() * sizeof(Gap);
    return bytes;
  }
};

Result<std::shared_ptr<const KeptGaps>> gaps_of(const Loaded& loaded, const Request& request,
                                                const Services& services) {
  const auto analysis = device_analysis_of(loaded, {}, request, services);
  if (!analysis) return analysis.error();
  const auto make = [of = *analysis](const ReportProgress&,
                                     std::stop_token) -> Result<std::shared_ptr<const KeptGaps>> {
    return std::make_shared<const KeptGaps>(KeptGaps{of, find_gaps(of->work, {})});
  };
  return wait_for(services.answers.get<KeptGaps>(loaded, "gaps", make), request, services);
}

// The part of a device's gaps that touches a range.
std::span<const Gap> gaps_between(const std::vector<Gap>& gaps, std::int64_t from_ns, std::int64_t to_ns) {
  const auto first = std::ranges::upper_bound(gaps, from_ns, {}, &Gap::to_ns);
  const auto last = std::ranges::lower_bound(gaps, to_ns, {}, &Gap::from_ns);
  return first < last ? std::span<const Gap>(first, last) : std::span<const Gap>();
}

Response idle_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Profile& profile = (*loaded)->capture.profile;
  const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns, 0);
  if (!from) return error_response(from.error());
  const auto to = parse_number(request, "to", *from, kMostTime_ns, std::max(*from, profile.end_ns - profile.start_ns));
  if (!to) return error_response(to.error());
  const auto least = parse_number(request, "least_ns", 0, kMostTime_ns, 0);
  if (!least) return error_response(least.error());
  const auto limit = parse_number(request, "limit", 1, kMostGaps, kUsualGaps);
  if (!limit) return error_response(limit.error());
  const auto kept = gaps_of(*loaded, request, services);
  if (!kept) return error_response(kept.error());
  std::vector<Gap> gaps;
  for (const std::vector<Gap>& of_device : (*kept)->of_device) {
    for (const Gap& gap : gaps_between(of_device, *from + profile.start_ns, *to + profile.start_ns)) {
      if (gap.to_ns - gap.from_ns >= *least) gaps.push_back(gap);
    }
  }
  const std::size_t total = gaps.size();
  if (total > static_cast<std::size_t>(*limit)) {
    const auto shown = gaps.begin() + static_cast<std::ptrdiff_t>(*limit);
    std::ranges::nth_element(gaps, shown, std::greater(), [](const Gap& gap) { return gap.to_ns - gap.from_ns; });
    gaps.erase(shown, gaps.end());
  }
  std::ranges::sort(gaps, {}, [](const Gap& gap) { return std::pair(gap.from_ns, gap.item); });
  const DeviceWork& work = (*kept)->analysis->work;
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("total").number(total);
  json.column("lane", gaps, [&](JsonWriter& w, const Gap& gap) { w.number(work.items[gap.item].track); });
  json.column("from_ns", gaps, [&](JsonWriter& w, const Gap& gap) { w.number(gap.from_ns - profile.start_ns); });
  json.column("to_ns", gaps, [&](JsonWriter& w, const Gap& gap) { w.number(gap.to_ns - profile.start_ns); });
  json.column("cause", gaps, [](JsonWriter& w, const Gap& gap) { w.text(idle_cause_name(gap.cause)); });
  json.end_object();
  return Response::json(std::move(text));
}

// The device whose work is in that lane; kNoId: none.
std::uint32_t device_of_lane(const DeviceWork& work, std::uint32_t lane) {
  const auto found = std::ranges::find(work.items, lane, &WorkItem::track);
  return found == work.items.end() ? kNoId : work.streams[found->stream].device;
}

// The innermost event on the launching thread in the middle of the gap.
std::optional<EventPlace> host_during(const LoadedCapture& loaded, const ProfileEvent& call, const Gap& gap) {
  const EventColumns& events = loaded.capture.profile.tracks[call.track].events;
  const std::int64_t middle_ns = gap.from_ns + (std::min(gap.to_ns, call.start_ns) - gap.from_ns) / 2;
  const std::uint32_t event = innermost_at(events, loaded.timeline.lanes[call.track], middle_ns);
  if (event == kNoId || middle_ns < gap.from_ns) return std::nullopt;
  return EventPlace{call.track, event};
}

void write_gap(JsonWriter& json, const LoadedCapture& loaded, const DeviceWork& work, const Gap& gap) {
  const std::int64_t start_ns = loaded.capture.profile.start_ns;
  const WorkItem& item = work.items[gap.item];
  const auto write_or_null = [&](std::string_view key, const std::optional<EventPlace>& place) {
    json.key(key);
    place ? write_event(json, loaded.capture, loaded.timeline, *place) : static_cast<void>(json.null());
  };
  json.begin_object().key("device").text(work.device_of(item).name);
  json.key("from_ns").number(gap.from_ns - start_ns).key("to_ns").number(gap.to_ns - start_ns);
  json.key("cause").text(idle_cause_name(gap.cause));
  write_or_null("ended_by", EventPlace{item.track, item.event});
  if (item.call == kNoId) {
    json.key("call").null().key("host").null();
  } else {
    const ProfileEvent& call = work.calls[item.call];
    write_or_null("call", EventPlace{call.track, call.event});
    write_or_null("host", host_during(loaded, call, gap));
  }
  json.end_object();
}

Response gap_answer(const Request& request, std::string_view lane_text, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Profile& profile = (*loaded)->capture.profile;
  const auto lane = parse_index(lane_text, profile.tracks.size(), "lane");
  if (!lane) return error_response(lane.error());
  const auto at = parse_number(request, "at", -kMostTime_ns, kMostTime_ns);
  if (!at) return error_response(at.error());
  const auto kept = gaps_of(*loaded, request, services);
  if (!kept) return error_response(kept.error());
  const DeviceWork& work = (*kept)->analysis->work;
  const std::uint32_t device = device_of_lane(work, *lane);
  const std::int64_t at_ns = *at + profile.start_ns;
  const auto found =
      device == kNoId ? std::span<const Gap>() : gaps_between((*kept)->of_device[device], at_ns, at_ns + 1);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("gap");
  if (found.empty()) {
    json.null();
  } else {
    write_gap(json, **loaded, work, found.front());
  }
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_idle_routes(Router& router, const Services& services) {
  router.add("/api/v1/idle", [services](const Request& request, auto) { return idle_answer(request, services); });
  router.add("/api/v1/idle/{}", [services](const Request& request, auto arguments) {
    return gap_answer(request, arguments[0], services);
  });
}

}  // namespace vizd
