#include "analysis/figures/executions.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analysis/figures/overlap.h"
#include "base/clean_text.h"

namespace vizd {
namespace {

CountedEvent whole_event(const EventColumns& events, const LaneIndex& lane, const EventPlace& place) {
  const std::int64_t dur_ns = events.length_ns(place.event);
  return {place, events.start_ns(place.event), dur_ns, dur_ns, self_ns(events, lane, place.event)};
}

template <typename IsWanted>
Executions find_events(const Capture& capture, const Timeline& timeline, const IsWanted& is_wanted) {
  Executions found;
  FigureSum sum;
  const std::vector<Track>& tracks = capture.profile.tracks;
  for (std::uint32_t lane = 0; lane < tracks.size(); ++lane) {
    const EventColumns& events = tracks[lane].events;
    std::vector<Interval> intervals;
    for (std::uint32_t event = 0; event < events.size(); ++event) {
      if (!is_wanted(lane, event)) continue;
      intervals.push_back({events.start_ns(event), events.end_ns(event)});
      found.places.push_back({lane, event});
      sum.add(whole_event(events, timeline.lanes[lane], {lane, event}), true);
    }
    sum.add_overlap(overlap_of(intervals));
  }
  std::ranges::stable_sort(found.places, std::greater(),
                           [&](const EventPlace& place) { return tracks[place.lane].events.length_ns(place.event); });
  if (sum.count() != 0) found.figures = sum.figures();
  return found;
}

template <typename IsWanted>
Executions find_executions(const Capture& capture, const Timeline& timeline, std::uint32_t context,
                           const IsWanted& is_wanted) {
  return find_events(capture, timeline, [&](std::uint32_t lane, std::uint32_t event) {
    return index(capture.profile.tracks[lane].events.context(event)) == context && is_wanted(lane, event);
  });
}

// Lanes are called after their device, or stand under one that is; "CPU:1" and "CPU Graph" are of "CPU".
bool is_of_device(const Capture& capture, std::uint32_t lane, StringId device) {
  const std::string_view name = capture.strings.get(device);
  for (std::uint32_t at = lane; at != Track::kNoParent; at = capture.profile.tracks[at].parent) {
    if (capture.strings.get(capture.profile.tracks[at].name).starts_with(name)) return true;
  }
  return false;
}

// Which programs, of those that no context made, events of a name are the running of. Looks at each text once.
class ProgramsByName {
 public:
  explicit ProgramsByName(const Capture& capture) : capture_(capture) {}
  void add(std::size_t place, StringId name) { places_[std::string(capture_.strings.get(name))].push_back(place); }
  const std::vector<std::size_t>& of(StringId label) {
    static const std::vector<std::size_t> kNone;
    const auto [known, is_new] = found_.try_emplace(label, &kNone);
    if (is_new && !places_.empty()) {
      const auto found = places_.find(one_line(capture_.strings.get(label), false));
      if (found != places_.end()) known->second = &found->second;
    }
    return *known->second;
  }

 private:
  const Capture& capture_;
  std::map<std::string, std::vector<std::size_t>> places_;
  std::unordered_map<StringId, const std::vector<std::size_t>*> found_;
};

// Places of all programs, with where each one's executions are to be found.
struct ProgramList {
  std::vector<ProgramFigures> programs;
  std::vector<std::size_t> by_context;  // SIZE_MAX: that context made none
  ProgramsByName by_name;
};

ProgramList list_programs(const Capture& capture) {
  const Rewrites& rewrites = capture.rewrites;
  ProgramList list{{}, std::vector<std::size_t>(rewrites.contexts.size(), SIZE_MAX), ProgramsByName(capture)};
  std::vector<bool> is_made(rewrites.programs.size());
  for (std::uint32_t context = 0; context < rewrites.contexts.size(); ++context) {
    const auto program = static_cast<std::uint32_t>(index(rewrites.contexts[context].program));
    if (program == kNoId) continue;
    is_made[program] = true;
    list.by_context[context] = list.programs.size();
    list.programs.push_back({.program = program, .context = context});
  }
  for (std::uint32_t program = 0; program < rewrites.programs.size(); ++program) {
    if (is_made[program]) continue;
    list.by_name.add(list.programs.size(), rewrites.programs[program].name);
    list.programs.push_back({.program = program});
  }
  return list;
}

}  // namespace

Executions executions_of_context(const Capture& capture, const Timeline& timeline, std::uint32_t context) {
  const StringId name = capture.rewrites.contexts[context].name;
  Executions found = find_executions(capture, timeline, context, [&](std::uint32_t lane, std::uint32_t event) {
    return capture.profile.tracks[lane].events.name(event) == name;
  });
  if (!found.places.empty()) return found;
  return find_executions(capture, timeline, context, [](std::uint32_t, std::uint32_t) { return true; });
}

Executions executions_of_program(const Capture& capture, const Timeline& timeline, std::uint32_t context) {
  const StringId device = capture.rewrites.programs[index(capture.rewrites.contexts[context].program)].device;
  return find_executions(capture, timeline, context,
                         [&](std::uint32_t lane, std::uint32_t) { return is_of_device(capture, lane, device); });
}

Executions executions_of_name(const Capture& capture, const Timeline& timeline, std::uint32_t program) {
  const Program& wanted = capture.rewrites.programs[program];
  ProgramsByName names(capture);
  names.add(0, wanted.name);
  return find_events(capture, timeline, [&](std::uint32_t lane, std::uint32_t event) {
    return !names.of(capture.profile.tracks[lane].events.name(event)).empty() &&
           is_of_device(capture, lane, wanted.device);
  });
}

std::vector<ProgramFigures> program_figures(const Capture& capture, const Timeline& timeline) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  ProgramList list = list_programs(capture);
  std::vector<ProgramFigures>& programs = list.programs;
  const auto device_of = [&](std::size_t place) { return capture.rewrites.programs[programs[place].program].device; };
  std::vector<FigureSum> sums(programs.size());
  std::vector<std::vector<Interval>> intervals(programs.size());  // of one lane after another
  std::map<StringId, std::int64_t> busy_ns;                       // by device
  for (std::size_t place = 0; place < programs.size(); ++place) busy_ns[device_of(place)] = 0;
  for (std::uint32_t lane = 0; lane < tracks.size(); ++lane) {
    std::set<StringId> devices;  // that the lane is of
    for (auto& [device, device_busy_ns] : busy_ns) {
      if (!is_of_device(capture, lane, device)) continue;
      devices.insert(device);
      device_busy_ns += timeline.lanes[lane].busy_ns;
    }
    if (devices.empty()) continue;
    const EventColumns& events = tracks[lane].events;
    const auto add = [&](std::size_t place, std::uint32_t event) {
      if (!devices.contains(device_of(place))) return;
      sums[place].add(whole_event(events, timeline.lanes[lane], {lane, event}), true);
      intervals[place].push_back({events.start_ns(event), events.end_ns(event)});
    };
    for (std::uint32_t event = 0; event < events.size(); ++event) {
      const auto context = index(events.context(event));
      if (context < list.by_context.size() && list.by_context[context] != SIZE_MAX)
        add(list.by_context[context], event);
      for (const std::size_t place : list.by_name.of(events.name(event))) add(place, event);
    }
    for (std::size_t place = 0; place < programs.size(); ++place) {
      sums[place].add_overlap(overlap_of(intervals[place]));
      intervals[place].clear();
    }
  }
  for (std::size_t place = 0; place < programs.size(); ++place) {
    if (sums[place].count() != 0) programs[place].figures = sums[place].figures();
    programs[place].device_busy_ns = busy_ns[device_of(place)];
  }
  return std::move(list.programs);
}

}  // namespace vizd
