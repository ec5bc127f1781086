#include "formats/sqlite_profiles/profile_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/trace_steps.h"
#include "model/device_number.h"
#include "model/profile_extent.h"

namespace vizd::sqlite_profiles {
namespace {

std::string number_text(const Number& number) { return number ? std::to_string(*number) : "?"; }

std::optional<ArgumentValue> track_number(const Number& number) {
  return number ? std::optional<ArgumentValue>(*number) : std::nullopt;
}

// Added to the place of devices, which are listed before the processes of the host.
constexpr std::int32_t kBeforeHost = -1'000'000;

}  // namespace

void ProfileBuilder::set_clock(std::int64_t offset_ns, Number unix_of_zero_ns) {
  offset_ns_ = is_possible_offset(offset_ns) ? offset_ns : 0;
  if (!unix_of_zero_ns) return;
  std::int64_t begin_ns = 0;
  const bool is_possible = !__builtin_add_overflow(*unix_of_zero_ns, offset_ns_, &begin_ns);
  if (is_possible && is_possible_offset(begin_ns)) capture_.profile.clock.unix_offset_ns = begin_ns;
}

std::optional<RowTimes> ProfileBuilder::times(const Number& start, const Number& end) {
  if (!start || !end) {
    ++capture_.skipped["rows without a time"];
    return std::nullopt;
  }
  const auto is_kept = [](std::int64_t at_ns) { return at_ns > -kTimeBound_ns && at_ns < kTimeBound_ns; };
  RowTimes times;
  const bool fits = !__builtin_sub_overflow(*start, offset_ns_, &times.start_ns) &&
                    !__builtin_sub_overflow(*end, offset_ns_, &times.end_ns);
  if (fits && times.end_ns < times.start_ns) {
    ++turned_rows_;
    times.end_ns = times.start_ns;
  }
  if (!fits || !is_kept(times.start_ns) || !is_kept(times.end_ns)) {
    ++capture_.skipped["rows more than 36 years from the profile's zero"];
    return std::nullopt;
  }
  return times;
}

std::uint32_t ProfileBuilder::add_track(std::uint32_t parent, TrackKind kind, const std::string& name,
                                        const std::optional<ArgumentValue>& number) {
  std::vector<Track>& tracks = capture_.profile.tracks;
  if (tracks.size() >= kMostTracks && parent != Track::kNoParent) {
    ++capture_.skipped["streams, threads and processes beyond those that vizd keeps apart"];
    return parent;
  }
  if (tracks.size() >= 2 * kMostTracks) return 0;
  Track& track = tracks.emplace_back();
  track.name = intern(name);
  track.kind = kind;
  track.parent = parent;
  track.number = number;
  constexpr std::int64_t kMostSort = 1'000'000;
  const auto* const place = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  if (place != nullptr) track.sort = static_cast<std::int32_t>(std::clamp<std::int64_t>(*place, 0, kMostSort - 1));
  return static_cast<std::uint32_t>(tracks.size() - 1);
}

std::uint32_t ProfileBuilder::device_track(const ArgumentValue& device) {
  const auto [found, is_new] = devices_.try_emplace(device, 0);
  if (!is_new) return found->second;
  const auto* const number = std::get_if<std::int64_t>(&device);
  const auto* const text = std::get_if<StringId>(&device);
  const bool is_known = text == nullptr || *text != StringId{};
  const std::string name = number != nullptr             ? fmt::format("GPU {}", *number)
                           : is_known && text != nullptr ? fmt::format("GPU {}", capture_.strings.get(*text))
                                                         : "GPU (number not known)";
  found->second =
      add_track(Track::kNoParent, TrackKind::kDevice, name, is_known ? std::optional(device) : std::nullopt);
  capture_.profile.tracks[found->second].sort += kBeforeHost;
  capture_.facts.push_back(
      {.name = intern(fact::kDeviceNumber), .value = device, .track = found->second, .is_hidden = true});
  return found->second;
}

std::uint32_t ProfileBuilder::stream_track(const StreamId& id) {
  const auto [found, is_new] =
      streams_.try_emplace({id.device, id.process.key, id.process.pid, id.context, id.stream}, 0);
  if (!is_new) return found->second;
  std::uint32_t parent = device_track(id.device);
  if (id.process.pid) {
    const auto [process, is_new_process] = device_processes_.try_emplace({parent, {id.process.key, id.process.pid}}, 0);
    if (is_new_process)
      process->second = add_track(parent, TrackKind::kProcess, process_text(id.process), *id.process.pid);
    parent = process->second;
  }
  const std::string stream = id.stream ? fmt::format("stream {}", *id.stream) : "no stream";
  const std::string context = id.context ? fmt::format(" of context {}", *id.context) : "";
  found->second = add_track(parent, TrackKind::kStream, stream + context, track_number(id.stream));
  if (id.context) {
    capture_.facts.push_back(
        {.name = intern(fact::kDeviceContext), .value = *id.context, .track = found->second, .is_hidden = true});
  }
  return found->second;
}

std::string ProfileBuilder::process_text(const ProcessId& process) const {
  const auto name = process_names_.find(process.pid);
  const std::string number = number_text(process.pid);
  return name == process_names_.end() || name->second.empty() ? "process " + number : name->second + " " + number;
}

std::uint32_t ProfileBuilder::process_track(const ProcessId& process) {
  const auto [found, is_new] = processes_.try_emplace({process.key, process.pid}, 0);
  if (is_new)
    found->second = add_track(Track::kNoParent, TrackKind::kProcess, process_text(process), track_number(process.pid));
  return found->second;
}

std::uint32_t ProfileBuilder::thread_track(const ProcessId& process, const Number& tid) {
  const auto [found, is_new] = threads_.try_emplace({process.key, process.pid, tid}, 0);
  if (!is_new) return found->second;
  const auto name = thread_names_.find({process.pid, tid});
  const std::string number = number_text(tid);
  const bool is_named = name != thread_names_.end() && !name->second.empty();
  found->second = add_track(process_track(process), TrackKind::kThread,
                            is_named ? name->second + " " + number : "thread " + number, track_number(tid));
  return found->second;
}

EventPlace ProfileBuilder::append(std::uint32_t track, const Event& event) {
  EventColumns& events = capture_.profile.tracks[track].events;
  events.push_back(event);
  const EventPlace place{track, static_cast<std::uint32_t>(events.size() - 1)};
  if (event.kind == EventKind::kUnfinished) unfinished_.push_back(place);
  return place;
}

EventPlace ProfileBuilder::add_work(const StreamId& stream, EventRole role, std::string_view category, StringId name,
                                    const RowTimes& times, const LaunchId& launched_by) {
  const EventPlace place = append(stream_track(stream), {.start_ns = times.start_ns,
                                                         .dur_ns = times.end_ns - times.start_ns,
                                                         .name = name,
                                                         .category = intern(category),
                                                         .role = role});
  if (launched_by.number) work_.push_back({*launched_by.number, launched_by.process, 0, place});
  return place;
}

EventPlace ProfileBuilder::add_call(const ProcessId& process, const Number& tid, std::string_view category,
                                    StringId name, const RowTimes& times, const LaunchId& launches) {
  const EventPlace place = add_host_event(process, tid,
                                          {.start_ns = times.start_ns,
                                           .dur_ns = times.end_ns - times.start_ns,
                                           .name = name,
                                           .category = intern(category),
                                           .role = EventRole::kCall});
  if (launches.number)
    calls_.push_back({*launches.number, launches.process, static_cast<std::uint32_t>(calls_.size()), place});
  return place;
}

EventPlace ProfileBuilder::add_host_event(const ProcessId& process, const Number& tid, const Event& event) {
  return append(thread_track(process, tid), event);
}

EventPlace ProfileBuilder::add_apart(const ProcessId& process, std::string_view lane, const Event& event) {
  const std::uint32_t parent = process_track(process);
  const auto [found, is_new] = lanes_.try_emplace({parent, std::string(lane)}, 0);
  if (is_new) found->second = add_track(parent, TrackKind::kOther, std::string(lane), std::nullopt);
  return append(found->second, event);
}

void ProfileBuilder::add_argument(const EventPlace& place, std::string_view name, std::string_view unit,
                                  const ArgumentValue& value) {
  find_or_add_argument(capture_.profile.tracks[place.track].arguments, intern(name), intern(unit), type_of(value))
      .push_back(place.event, value);
}

void ProfileBuilder::add_fact(std::string_view subject, std::string_view name, const ArgumentValue& value) {
  capture_.facts.push_back({.subject = intern(subject), .name = intern(name), .value = value});
}

// By number and process, the first in the file first. Work of a process takes a call of that process, or else one
// whose process is not known; work whose process is not known takes the first of the number.
void ProfileBuilder::join_launches() {
  const auto by_process = [](const Launch& of) { return std::tuple(of.number, of.process, of.order); };
  const auto by_order = [](const Launch& of) { return std::pair(of.number, of.order); };
  std::ranges::sort(calls_, {}, by_process);
  std::vector<Launch> in_order;
  const auto lacks_process = [](const Launch& of) { return !of.process; };
  if (std::ranges::any_of(work_, lacks_process)) {
    in_order = calls_;
    std::ranges::sort(in_order, {}, by_order);
  }
  const auto of_process = [&](std::int64_t number, const Number& process) -> const Launch* {
    const auto found = std::ranges::lower_bound(calls_, std::tuple(number, process, std::uint32_t{0}), {}, by_process);
    return found != calls_.end() && found->number == number && found->process == process ? &*found : nullptr;
  };
  for (const Launch& work : work_) {
    const Launch* call = work.process ? of_process(work.number, work.process) : nullptr;
    if (work.process && call == nullptr) call = of_process(work.number, std::nullopt);
    if (!work.process) {
      const auto found = std::ranges::lower_bound(in_order, std::pair(work.number, std::uint32_t{0}), {}, by_order);
      if (found != in_order.end() && found->number == work.number) call = &*found;
    }
    if (call == nullptr) continue;
    capture_.profile.flows.push_back({.from_track = call->place.track,
                                      .from_event = call->place.event,
                                      .to_track = work.place.track,
                                      .to_event = work.place.event});
  }
  work_.clear();
  calls_.clear();
}

void ProfileBuilder::finish(std::string_view format) {
  capture_.facts.push_back({.name = intern(fact::kTimeOffset_ns), .value = offset_ns_, .is_hidden = true});
  if (turned_rows_ > 0)
    capture_.notes.push_back(
        fmt::format("{} rows end before they start; their end counts as their start", turned_rows_));
  extend_profile(capture_.profile);
  for (const EventPlace& place : unfinished_) {
    EventColumns& events = capture_.profile.tracks[place.track].events;
    events.end(place.event, capture_.profile.end_ns - events.start_ns(place.event), EventKind::kUnfinished);
  }
  for (Track& track : capture_.profile.tracks) track.events.settle();
  capture_.profile.is_trace = true;
  trace::add_steps(capture_, 0, kNoId);
  capture_.has_profile = true;
  capture_.format = format;
}

}  // namespace vizd::sqlite_profiles
