#include "analysis/graph_replay/replay_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "analysis/graph_replay/module_levels.h"
#include "analysis/graph_replay/replay_rows.h"

namespace vizd {
namespace {

// A span before it is an event.
struct LaneSpan {
  std::int64_t start_ns = 0, end_ns = 0;
  std::string name = {};
  std::string_view category = {};
  std::uint32_t replay = kNoId;
  std::uint32_t step = kNoId;
  std::int64_t work = 0, guessed = 0;  // pieces of work in it
  std::optional<std::int64_t> missing = {};
  bool is_lost = false;
};

// The tree of tracks above the lanes, each copied once.
class TrackTree {
 public:
  TrackTree(const Capture& of, Capture& lanes) : of_(of), lanes_(lanes), known_(of.profile.tracks.size(), kNoId) {}

  // Adds a lane before a lane of the capture, under the same tracks.
  std::uint32_t add_lane(std::uint32_t beside, std::string_view name, std::int32_t sort) {
    const Track& lane = of_.profile.tracks[beside];
    const std::uint32_t parent = lane.parent == Track::kNoParent ? Track::kNoParent : copy(lane.parent);
    return add(lanes_.strings.add(name), TrackKind::kOther, parent, sort);
  }

 private:
  std::uint32_t copy(std::uint32_t track) {
    if (known_[track] != kNoId) return known_[track];
    const Track& from = of_.profile.tracks[track];
    const std::uint32_t parent = from.parent == Track::kNoParent ? Track::kNoParent : copy(from.parent);
    return known_[track] = add(lanes_.strings.add(of_.strings.get(from.name)), from.kind, parent, from.sort);
  }

  std::uint32_t add(StringId name, TrackKind kind, std::uint32_t parent, std::int32_t sort) {
    Track& track = lanes_.profile.tracks.emplace_back();
    track.name = name;
    track.kind = kind;
    track.parent = parent;
    track.sort = sort;
    return static_cast<std::uint32_t>(lanes_.profile.tracks.size() - 1);
  }

  const Capture& of_;
  Capture& lanes_;
  std::vector<std::uint32_t> known_;  // by track of of_
};

std::string replay_name(const GraphReplays& replays, const GraphReplay& replay) {
  std::string name = fmt::format("graph {}", replay.graph);
  if (replay.ranges.empty()) return name;
  const CapturedRange& range = replays.sources->ranges[replay.ranges.front()];
  if (range.size && range.unit != SizeUnit::kUnknown)
    name += fmt::format(" · {} {}{}", *range.size, range.unit == SizeUnit::kTokens ? "token" : "request",
                        *range.size == 1 ? "" : "s");
  if (range.mode != kNoText) name += fmt::format(" · {}", replays.text(range.mode));
  return name;
}

// The spans of one replay on one lane.
class ReplaySpans {
 public:
  ReplaySpans(const GraphReplays& replays, ModuleLevels& levels, std::vector<LaneSpan>& spans)
      : replays_(replays), levels_(levels), spans_(spans) {}

  // items: of the replay on that lane, by start.
  void add(std::uint32_t r, const std::vector<std::uint32_t>& items, std::span<const LaneSpan> holes) {
    const GraphReplay& replay = replays_.replays[r];
    std::int64_t end_ns = 0;
    for (const std::uint32_t i : items) end_ns = std::max(end_ns, replays_.item(i).end_ns);
    const std::size_t whole = open(r, replays_.item(items.front()).start_ns, replay_name(replays_, replay), "replay");
    if (!replay.ranges.empty()) spans_[whole].missing = replay.missing;
    std::size_t hole = 0;
    std::int64_t until_ns = replays_.item(items.front()).start_ns;  // of all work so far
    for (const std::uint32_t i : items) {
      const WorkItem& item = replays_.item(i);
      // Of work that overlaps by less than the clock can tell the spans end where the next begin.
      const auto& path = levels_.of(replays_.work[i]);
      std::size_t depth = 0;
      while (depth < path.size() && depth < open_.size() && open_[depth].level == path[depth]) ++depth;
      close_to(depth, std::min(until_ns, item.start_ns));
      for (; hole < holes.size() && holes[hole].end_ns <= item.start_ns; ++hole) spans_.push_back(holes[hole]);
      for (; depth < path.size(); ++depth)
        open_.push_back({path[depth], open(r, item.start_ns, std::string(levels_.text(path[depth].text)),
                                           levels_.kind_name(path[depth].kind))});
      spans_[whole].work++, spans_[whole].guessed += is_guess(i);
      for (const Open& each : open_) spans_[each.span].work++, spans_[each.span].guessed += is_guess(i);
      until_ns = std::max(until_ns, item.end_ns);
    }
    close_to(0, end_ns);
    spans_.insert(spans_.end(), holes.begin() + static_cast<std::ptrdiff_t>(hole), holes.end());
    spans_[whole].end_ns = end_ns;
  }

 private:
  struct Open {
    ModuleLevel level;
    std::size_t span;
  };

  bool is_guess(std::uint32_t i) const { return replays_.work[i].found == Found::kGuessed; }

  std::size_t open(std::uint32_t r, std::int64_t start_ns, std::string name, std::string_view category) {
    spans_.push_back({.start_ns = start_ns,
                      .name = std::move(name),
                      .category = category,
                      .replay = r,
                      .step = replays_.replays[r].step});
    return spans_.size() - 1;
  }

  void close_to(std::size_t depth, std::int64_t end_ns) {
    for (; open_.size() > depth; open_.pop_back()) {
      LaneSpan& span = spans_[open_.back().span];
      span.end_ns = std::max(end_ns, span.start_ns);
      if (span.guessed == span.work) span.name.insert(0, kAbout);
    }
  }

  const GraphReplays& replays_;
  ModuleLevels& levels_;
  std::vector<LaneSpan>& spans_;
  std::vector<Open> open_;
};

// Where captured launches have no work: between the work before and after, where that is on one stream; a moment where
// it is not, and before the first and after the last, since nothing tells how long those ran.
std::map<std::uint32_t, std::vector<LaneSpan>> find_holes(const GraphReplays& replays, std::uint32_t r) {
  std::map<std::uint32_t, std::vector<LaneSpan>> by_track;
  const GraphReplay& replay = replays.replays[r];
  if (replay.ranges.empty() || replay.missing == 0) return by_track;
  const CapturedRange& range = replays.sources->ranges[replay.ranges.front()];
  std::vector<std::uint32_t> work_of(range.launches.size(), kNoId);
  for (const std::uint32_t i : replay.items) {
    if (replays.work[i].launch != kNoId) work_of[replays.work[i].launch] = i;
  }
  for (std::size_t at = 0; at < work_of.size();) {
    if (work_of[at] != kNoId) {
      ++at;
      continue;
    }
    const std::size_t first = at;
    while (at < work_of.size() && work_of[at] == kNoId) ++at;
    const std::uint32_t before = first > 0 ? work_of[first - 1] : kNoId;
    const std::uint32_t after = at < work_of.size() ? work_of[at] : kNoId;
    if (before == kNoId && after == kNoId) break;  // nothing of it was recorded
    const WorkItem& item = replays.item(before != kNoId ? before : after);
    std::int64_t start_ns = before != kNoId ? item.end_ns : item.start_ns, end_ns = start_ns;
    if (before != kNoId && after != kNoId && replays.item(after).track == item.track)
      end_ns = std::max(start_ns, replays.item(after).start_ns);
    const CapturedLaunch& launch = range.launches[first];
    std::string name = at - first > 1           ? fmt::format("{} records not recorded", at - first)
                       : launch.name == kNoText ? std::string("not recorded")
                                                : fmt::format("not recorded: {}", replays.text(launch.name));
    by_track[item.track].push_back({.start_ns = start_ns,
                                    .end_ns = end_ns,
                                    .name = std::move(name),
                                    .category = kNotRecorded,
                                    .replay = r,
                                    .step = replay.step,
                                    .missing = static_cast<std::int64_t>(at - first),
                                    .is_lost = true});
  }
  for (auto& [track, holes] : by_track) std::ranges::stable_sort(holes, {}, &LaneSpan::start_ns);
  return by_track;
}

// Writes the spans of one lane, with what is told of each.
class LaneWriter {
 public:
  LaneWriter(const GraphReplays& replays, Capture& lanes, std::uint32_t track)
      : replays_(replays), strings_(lanes.strings), track_(lanes.profile.tracks[track]) {}

  void add(const LaneSpan& span) {
    const auto event = static_cast<std::uint32_t>(track_.events.size());
    const bool is_moment = span.is_lost && span.end_ns == span.start_ns;
    track_.events.push_back({.start_ns = span.start_ns,
                             .dur_ns = span.end_ns - span.start_ns,
                             .name = strings_.add(span.name),
                             .category = strings_.add(span.category),
                             .kind = is_moment ? EventKind::kInstant : EventKind::kSpan,
                             .is_error = span.is_lost});
    if (span.replay != kNoId) {
      const GraphReplay& replay = replays_.replays[span.replay];
      number(event, "replay", span.replay), number(event, "graph", replay.graph);
      if (replay.call != kNoId) text(event, "launch", launch_name(replay));
      if (!replay.ranges.empty()) text(event, "capture", capture_name(replay));
    }
    if (span.work > 0) number(event, "work", span.work);
    if (span.guessed > 0) number(event, "guessed", span.guessed);
    if (span.missing) number(event, "not recorded", *span.missing);
    if (span.step != kNoId) add_step(event, span.step);
  }

 private:
  std::string_view launch_name(const GraphReplay& replay) const {
    const ProfileEvent& call = replays_.analysis.work.calls[replay.call];
    return replays_.capture.strings.get(replays_.capture.profile.tracks[call.track].events.name(call.event));
  }
  std::string_view capture_name(const GraphReplay& replay) const {
    const CapturedRange& range = replays_.sources->ranges[replay.ranges.front()];
    return range.is_self ? std::string_view("self") : std::string_view(range.file);
  }
  void add_step(std::uint32_t event, std::uint32_t step) {
    const StepName& says = replays_.steps[step].says;
    number(event, "step", step);
    if (says.phase) text(event, "phase", step_phase_name(*says.phase));
    const auto count = [&](std::string_view name, const StepCount& of) {
      if (of) number(event, name, *of);
    };
    count("requests", says.requests), count("padded", says.padded), count("tokens", says.tokens);
  }
  void number(std::uint32_t event, std::string_view name, std::int64_t value) {
    column(name, ArgumentType::kInteger).push_number(event, value);
  }
  void text(std::uint32_t event, std::string_view name, std::string_view value) {
    const StringId id = strings_.add(value);
    column(name, ArgumentType::kText).push_number(event, static_cast<std::int64_t>(index(id)));
  }
  ArgumentColumn& column(std::string_view name, ArgumentType type) {
    return find_or_add_argument(track_.arguments, strings_.add(name), strings_.add(""), type);
  }

  const GraphReplays& replays_;
  StringTable& strings_;
  Track& track_;
};

std::string step_name_text(const StepName& says) {
  std::string name(says.phase ? step_phase_name(*says.phase) : "step");
  const auto add = [&](const StepCount& count, std::string_view unit) {
    if (count) name += fmt::format(" · {} {}{}", *count, unit, *count == 1 ? "" : "s");
  };
  add(says.requests, "request"), add(says.tokens, "token");
  return name;
}

// The lanes of one rank.
class RankLanes {
 public:
  RankLanes(const GraphReplays& replays, TrackTree& tree, Capture& lanes, std::vector<std::uint32_t>& over)
      : replays_(replays), tree_(tree), lanes_(lanes), over_(over), levels_(replays) {}

  void add() {
    add_steps();
    std::map<std::uint32_t, std::vector<LaneSpan>> spans;  // by track
    for (std::uint32_t r = 0; r < replays_.replays.size(); ++r) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> items;
      for (const std::uint32_t i : replays_.replays[r].items) items[replays_.item(i).track].push_back(i);
      const auto holes = find_holes(replays_, r);
      for (auto& [track, of] : items) {
        std::ranges::stable_sort(of, {}, [&](std::uint32_t i) { return replays_.item(i).start_ns; });
        const auto found = holes.find(track);
        ReplaySpans(replays_, levels_, spans[track])
            .add(r, of, found == holes.end() ? std::span<const LaneSpan>() : std::span(found->second));
      }
    }
    for (const auto& [track, of] : spans) {
      const std::string_view name = replays_.capture.strings.get(replays_.capture.profile.tracks[track].name);
      write(track, fmt::format("{} replays", name), of);
    }
  }

 private:
  void add_steps() {
    const std::vector<StepRow> rows = step_rows(replays_);
    const std::int64_t offset_ns = file_offset_ns(replays_);
    std::map<std::uint32_t, std::uint32_t> lane_of;  // by device its first stream's
    std::vector<std::uint32_t> device_of(rows.size(), kNoId);
    for (std::uint32_t i = 0; i < replays_.work.size(); ++i) {
      const std::uint32_t device = replays_.analysis.work.streams[replays_.item(i).stream].device;
      const auto [known, is_new] = lane_of.try_emplace(device, replays_.item(i).track);
      if (!is_new) known->second = std::min(known->second, replays_.item(i).track);
      if (replays_.work[i].step != kNoId) device_of[replays_.work[i].step] = device;
    }
    std::map<std::uint32_t, std::vector<LaneSpan>> spans;  // by device
    for (const StepRow& row : rows) {
      const auto step = static_cast<std::uint32_t>(row.step);
      if (!row.device_start_ns || device_of[step] == kNoId) continue;
      spans[device_of[step]].push_back({.start_ns = *row.device_start_ns - offset_ns,
                                        .end_ns = *row.device_end_ns - offset_ns,
                                        .name = step_name_text(*row.says),
                                        .category = "step",
                                        .step = step,
                                        .work = row.work});
    }
    for (const auto& [device, of] : spans) write(lane_of.at(device), "steps", of);
  }

  void write(std::uint32_t over, std::string_view name, const std::vector<LaneSpan>& spans) {
    const std::uint32_t track = tree_.add_lane(over, name, static_cast<std::int32_t>(over_.size()));
    over_.resize(track, kNoId);
    over_.push_back(over);
    LaneWriter writer(replays_, lanes_, track);
    for (const LaneSpan& span : spans) writer.add(span);
  }

  const GraphReplays& replays_;
  TrackTree& tree_;
  Capture& lanes_;
  std::vector<std::uint32_t>& over_;
  ModuleLevels levels_;
};

}  // namespace

std::vector<std::uint32_t> add_replay_lanes(const Capture& of, std::span<const GraphReplays> ranks, Capture& lanes) {
  lanes.has_profile = true;
  lanes.profile.start_ns = of.profile.start_ns;
  lanes.profile.end_ns = of.profile.end_ns;
  std::vector<std::uint32_t> over;
  TrackTree tree(of, lanes);
  for (const GraphReplays& replays : ranks) RankLanes(replays, tree, lanes, over).add();
  over.resize(lanes.profile.tracks.size(), kNoId);
  return over;
}

}  // namespace vizd
