#include "analysis/graph_replay/replay_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "analysis/graph_replay/module_levels.h"
#include "analysis/graph_replay/replay_holes.h"
#include "analysis/graph_replay/replay_rows.h"

namespace vizd {
namespace {

// A span before it is an event.
struct LaneSpan {
  std::int64_t start_ns = 0, end_ns = 0;
  StringId name{};
  std::string_view category = {};
  std::uint32_t replay = kNoId;
  std::uint32_t step = kNoId;          // of one that is no part of another
  std::int64_t work = 0, guessed = 0;  // pieces of work in it
  std::optional<std::int64_t> missing = {};
  bool is_lost = false, is_part = false;  // part: of a replay's span, which tells the rest
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

// The names of spans, each added to the lanes' texts once.
class LaneNames {
 public:
  LaneNames(const ModuleLevels& levels, StringTable& strings) : levels_(levels), strings_(strings) {}

  StringId add(std::string_view name) { return strings_.add(name); }
  StringId of(const ModuleLevel& level) {
    if (level.text >= of_text_.size()) of_text_.resize(level.text + 1);
    StringId& name = of_text_[level.text];
    if (name == StringId{}) name = strings_.add(levels_.text(level.text));
    return name;
  }
  // The name of a span all of whose work is guessed.
  StringId about(StringId name) {
    const auto [found, is_new] = about_.try_emplace(name);
    if (is_new) found->second = strings_.add(std::string(kAbout) + std::string(strings_.get(name)));
    return found->second;
  }

 private:
  const ModuleLevels& levels_;
  StringTable& strings_;
  std::vector<StringId> of_text_;  // by ModuleLevel::text
  std::map<StringId, StringId> about_;
};

// The spans of one replay on one lane.
class ReplaySpans {
 public:
  ReplaySpans(const GraphReplays& replays, ModuleLevels& levels, LaneNames& names, std::vector<LaneSpan>& spans)
      : replays_(replays), levels_(levels), names_(names), spans_(spans) {}

  // items: of the replay on that lane, by start.
  void add(std::uint32_t r, const std::vector<std::uint32_t>& items, std::span<const LaneSpan> holes) {
    const GraphReplay& replay = replays_.replays[r];
    std::int64_t end_ns = 0;
    for (const std::uint32_t i : items) end_ns = std::max(end_ns, replays_.item(i).end_ns);
    const std::size_t whole =
        open(r, replays_.item(items.front()).start_ns, names_.add(replay_name(replays_, replay)), "replay");
    spans_[whole].is_part = false;
    spans_[whole].step = replay.step;
    if (!replay.ranges.empty()) spans_[whole].missing = replay.missing;
    std::size_t hole = 0;
    std::int64_t until_ns = replays_.item(items.front()).start_ns;  // of all work so far
    for (const std::uint32_t i : items) {
      const WorkItem& item = replays_.item(i);
      // If work overlaps by less than the clock's resolution, the spans end where the next begin.
      const auto& path = levels_.of(replays_.work[i]);
      std::size_t depth = 0;
      while (depth < path.size() && depth < open_.size() && open_[depth].level == path[depth]) ++depth;
      close_to(depth, std::min(until_ns, item.start_ns));
      for (; hole < holes.size() && holes[hole].end_ns <= item.start_ns; ++hole) spans_.push_back(holes[hole]);
      for (; depth < path.size(); ++depth)
        open_.push_back(
            {path[depth], open(r, item.start_ns, names_.of(path[depth]), levels_.kind_name(path[depth].kind))});
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

  std::size_t open(std::uint32_t r, std::int64_t start_ns, StringId name, std::string_view category) {
    spans_.push_back({.start_ns = start_ns, .name = name, .category = category, .replay = r, .is_part = true});
    return spans_.size() - 1;
  }

  void close_to(std::size_t depth, std::int64_t end_ns) {
    for (; open_.size() > depth; open_.pop_back()) {
      LaneSpan& span = spans_[open_.back().span];
      span.end_ns = std::max(end_ns, span.start_ns);
      if (span.guessed == span.work) span.name = names_.about(span.name);
    }
  }

  const GraphReplays& replays_;
  ModuleLevels& levels_;
  LaneNames& names_;
  std::vector<LaneSpan>& spans_;
  std::vector<Open> open_;
};

// The holes of a replay by track.
std::map<std::uint32_t, std::vector<LaneSpan>> find_holes(const GraphReplays& replays, std::uint32_t r,
                                                          LaneNames& names) {
  std::map<std::uint32_t, std::vector<LaneSpan>> by_track;
  const GraphReplay& replay = replays.replays[r];
  for (const ReplayHole& hole : replay_holes(replays, r)) {
    const StringId first = replays.sources->ranges[replay.ranges.front()].launches[hole.first_launch].name;
    std::string name = hole.launches > 1  ? fmt::format("{} records not recorded", hole.launches)
                       : first == kNoText ? std::string("not recorded")
                                          : fmt::format("not recorded: {}", replays.text(first));
    by_track[hole.track].push_back({.start_ns = hole.start_ns,
                                    .end_ns = hole.end_ns,
                                    .name = names.add(name),
                                    .category = kNotRecordedCategory,
                                    .replay = r,
                                    .step = replay.step,
                                    .missing = hole.launches,
                                    .is_lost = true});
  }
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
                             .name = span.name,
                             .category = strings_.add(span.category),
                             .kind = is_moment ? EventKind::kInstant : EventKind::kSpan,
                             .is_error = span.is_lost});
    if (span.replay != kNoId) number(event, "replay", span.replay);
    if (span.replay != kNoId && !span.is_part) {
      const GraphReplay& replay = replays_.replays[span.replay];
      number(event, "graph", replay.graph);
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
    const auto known = std::ranges::find(columns_, name, &std::pair<std::string_view, std::size_t>::first);
    if (known != columns_.end()) return track_.arguments[known->second];
    ArgumentColumn& column = find_or_add_argument(track_.arguments, strings_.add(name), strings_.add(""), type);
    columns_.emplace_back(name, static_cast<std::size_t>(&column - track_.arguments.data()));
    return column;
  }

  const GraphReplays& replays_;
  StringTable& strings_;
  Track& track_;
  std::vector<std::pair<std::string_view, std::size_t>> columns_;  // by name their places
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
      : replays_(replays), tree_(tree), lanes_(lanes), over_(over), levels_(replays), names_(levels_, lanes.strings) {}

  void add() {
    add_steps();
    std::map<std::uint32_t, std::uint32_t> lanes;  // by track of the replays' work
    for (const GraphReplay& replay : replays_.replays) {
      for (const std::uint32_t i : replay.items) lanes.try_emplace(replays_.item(i).track);
    }
    for (auto& [track, lane] : lanes) {
      const std::string_view name = replays_.capture.strings.get(replays_.capture.profile.tracks[track].name);
      lane = add_lane(track, fmt::format("{} replays", name));
    }
    std::map<std::uint32_t, LaneWriter> writers;
    for (const auto& [track, lane] : lanes) writers.try_emplace(track, replays_, lanes_, lane);
    // Written replay by replay: of all of them together the spans would take more room than the lanes.
    std::vector<LaneSpan> spans;
    for (std::uint32_t r = 0; r < replays_.replays.size(); ++r) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> items;
      for (const std::uint32_t i : replays_.replays[r].items) items[replays_.item(i).track].push_back(i);
      const auto holes = find_holes(replays_, r, names_);
      for (auto& [track, of] : items) {
        std::ranges::stable_sort(of, {}, [&](std::uint32_t i) { return replays_.item(i).start_ns; });
        const auto found = holes.find(track);
        spans.clear();
        ReplaySpans(replays_, levels_, names_, spans)
            .add(r, of, found == holes.end() ? std::span<const LaneSpan>() : std::span(found->second));
        for (const LaneSpan& span : spans) writers.at(track).add(span);
      }
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
                                        .name = names_.add(step_name_text(*row.says)),
                                        .category = "step",
                                        .step = step,
                                        .work = row.work});
    }
    for (const auto& [device, of] : spans) {
      LaneWriter writer(replays_, lanes_, add_lane(lane_of.at(device), "steps"));
      for (const LaneSpan& span : of) writer.add(span);
    }
  }

  // Its track.
  std::uint32_t add_lane(std::uint32_t over, std::string_view name) {
    const std::uint32_t track = tree_.add_lane(over, name, static_cast<std::int32_t>(over_.size()));
    over_.resize(track, kNoId);
    over_.push_back(over);
    return track;
  }

  const GraphReplays& replays_;
  TrackTree& tree_;
  Capture& lanes_;
  std::vector<std::uint32_t>& over_;
  ModuleLevels levels_;
  LaneNames names_;
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
