// Holds replays against the captured ranges: the best fit, the smallest that is large enough, the right place in its
// step. Replays of a graph with node ids are held as one; others each by itself, those that are alike once.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {
namespace {

constexpr std::size_t kMostCandidates = 100;
// All comparisons together may cost so many steps (alignment.h) for each piece of work and each launch, and at the
// least as many as one of them may; to ask for one costs some too.
constexpr std::size_t kStepsOfPiece = 1024, kStepsOfQuestion = 16;

using NodeShape = std::vector<std::tuple<EventRole, StringId, std::uint32_t>>;

// What is held against the captures: a graph with all its nodes, or one replay without node ids.
struct Unit {
  std::vector<std::uint32_t> replays;
  bool is_ordered = false;
  std::vector<std::uint64_t> nodes;  // where it is ordered
  std::vector<ReplayedWork> work;
  std::uint32_t shape = 0;
  std::optional<std::int64_t> began_ns;  // its first launch
  std::set<std::uint32_t> places;        // ranges that stand at its place in a step
};

struct Candidate {
  std::uint32_t range;
  const Alignment* aligned;
  std::optional<std::int64_t> need;
  std::optional<std::int64_t> beyond;  // how much larger than the need; none: not known to be enough
  bool is_elsewhere;

  // Better ones first.
  bool is_better(const Candidate& other) const {
    if (const auto order = aligned->fit <=> other.aligned->fit; order != 0) return order > 0;
    return rest() < other.rest();
  }
  bool is_as_good(const Candidate& other) const { return aligned->fit == other.aligned->fit && rest() == other.rest(); }

 private:
  std::tuple<bool, std::int64_t, bool> rest() const { return {!beyond, beyond.value_or(0), is_elsewhere}; }
};

class Namer {
 public:
  explicit Namer(GraphReplays& made) : made_(made), sources_(*made.sources) {}

  void name() {
    find_units();
    read_captures();
    hold_ranges();
    for (Unit& unit : units_) choose(unit);
    if (left_out_ > 0)
      sources_.unused.push_back(fmt::format(
          "{} comparisons of replays with captures: all that there are would take too long for so much work",
          left_out_));
  }

 private:
  StringId name_of(std::uint32_t i) {
    const WorkItem& item = made_.item(i);
    const StringId own = made_.capture.profile.tracks[item.track].events.name(item.event);
    const auto [found, is_new] = names_.try_emplace(own);
    if (is_new) found->second = sources_.strings.add(made_.capture.strings.get(own));
    return found->second;
  }

  // A kernel of AMD's driver may have been captured as a copy or a set.
  EventRole or_kind_of(EventRole kind, StringId name) const {
    if (kind != EventRole::kKernel) return kind;
    const std::string_view text = sources_.strings.get(name);
    if (text.starts_with("__amd_rocclr_copyBuffer")) return EventRole::kMemcpy;
    return text.starts_with("__amd_rocclr_fillBuffer") ? EventRole::kMemset : EventRole::kKernel;
  }

  ReplayedWork work_of(std::uint32_t i) {
    const WorkItem& item = made_.item(i);
    const StringId name = name_of(i);
    return {item.work, name, or_kind_of(item.work, name), item.stream, item.start_ns};
  }

  void find_units() {
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> graphs;
    unit_of_.resize(made_.replays.size());
    for (std::uint32_t r = 0; r < made_.replays.size(); ++r) {
      const GraphReplay& replay = made_.replays[r];
      std::size_t at = units_.size();
      if (replay.graph_id) at = graphs.try_emplace({replay.device, *replay.graph_id}, at).first->second;
      if (at == units_.size()) units_.emplace_back();
      units_[at].replays.push_back(r);
      unit_of_[r] = at;
    }
    for (Unit& unit : units_) fill(unit);
  }

  void fill(Unit& unit) {
    unit.is_ordered = made_.replays[unit.replays.front()].is_ordered;
    std::map<std::uint64_t, std::uint32_t> seen;
    for (const std::uint32_t r : unit.replays) {
      const GraphReplay& replay = made_.replays[r];
      if (replay.call != kNoId) {
        const std::int64_t call_ns = made_.analysis.work.calls[replay.call].start_ns;
        unit.began_ns = std::min(unit.began_ns.value_or(call_ns), call_ns);
      }
      for (const std::uint32_t i : replay.items) {
        if (unit.is_ordered) seen.try_emplace(*made_.work[i].node_id, i);
      }
    }
    if (unit.is_ordered) {
      for (const auto& [node, i] : seen) {
        unit.nodes.push_back(node);
        unit.work.push_back(work_of(i));
      }
    } else {
      for (const std::uint32_t i : made_.replays[unit.replays.front()].items) unit.work.push_back(work_of(i));
    }
    NodeShape shape;
    for (const ReplayedWork& piece : unit.work)
      shape.emplace_back(piece.kind, piece.name, unit.is_ordered ? kNoId : piece.stream);
    unit.shape = shapes_.try_emplace(std::move(shape), static_cast<std::uint32_t>(shapes_.size())).first->second;
  }

  // Files that say what they are of are read to the end in the order in which they may be chosen: first those that
  // would be if they fitted, then, where one of these does not fit whole, all that may fit better.
  void read_captures() {
    if (sources_.unread.empty()) return;
    sources_.read_more(sources_, likeliest());
    if (sources_.unread.empty()) return;
    hold_ranges();
    if (const auto places = those_that_may_win(); !places.empty()) sources_.read_more(sources_, places);
  }

  void hold_ranges() {
    launch_shape_.clear(), has_unnamed_.clear();
    left_out_ = 0;
    for (Unit& unit : units_) unit.places.clear();
    add_steps();
    for (const CapturedRange& range : sources_.ranges) add_launch_shape(range);
    find_places();
  }

  // As good as it can turn out to be.
  Candidate hoped_of(const Unit& unit, const CapturedRange& unread) const {
    const auto need = need_of(unit, unread.unit);
    return {kNoId, &whole_, need, beyond(unread, need), false};
  }

  std::vector<std::size_t> likeliest() const {
    std::set<std::size_t> places;
    std::set<std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>> needs;
    for (const Unit& unit : units_) {
      if (!needs.emplace(need_of(unit, SizeUnit::kTokens), need_of(unit, SizeUnit::kRequests)).second) continue;
      std::vector<Candidate> hoped;
      for (const CapturedRange& unread : sources_.unread) hoped.push_back(hoped_of(unit, unread));
      const auto best =
          std::ranges::min_element(hoped, [](const Candidate& a, const Candidate& b) { return a.is_better(b); });
      for (std::size_t place = 0; place < hoped.size(); ++place) {
        if (hoped[place].is_as_good(*best)) places.insert(place);
      }
    }
    return {places.begin(), places.end()};
  }

  std::vector<std::size_t> those_that_may_win() {
    std::vector<bool> may(sources_.unread.size());
    for (const Unit& unit : units_) {
      const std::vector<Candidate> best = candidates_of(unit);
      for (std::size_t place = 0; place < may.size(); ++place) {
        const bool loses = !best.empty() && best.front().is_better(hoped_of(unit, sources_.unread[place]));
        if (!loses) may[place] = true;
      }
    }
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < may.size(); ++place) {
      if (may[place]) places.push_back(place);
    }
    return places;
  }

  void add_launch_shape(const CapturedRange& range) {
    NodeShape shape;
    bool has_unnamed = false;
    for (const CapturedLaunch& launch : range.launches) {
      shape.emplace_back(launch.kind, launch.name, 0);
      has_unnamed |= launch.is_unnamed();
    }
    launch_shape_.push_back(
        launch_shapes_.try_emplace(std::move(shape), static_cast<std::uint32_t>(launch_shapes_.size())).first->second);
    has_unnamed_.push_back(has_unnamed);
  }

  // Launches that are read later bring steps of their own.
  void add_steps() {
    std::size_t pieces = made_.work.size();
    for (const CapturedRange& range : sources_.ranges) pieces += range.launches.size();
    const std::size_t granted = std::max(kMostAlignmentSteps, kStepsOfPiece * pieces);
    steps_left_ += granted - std::exchange(granted_, granted);
  }

  // Null where it fits by less than half, or no comparison may be made any more.
  const Alignment* fit(const Unit& unit, std::uint32_t r) {
    const CapturedRange& range = sources_.ranges[r];
    const std::size_t n = unit.work.size(), m = range.launches.size();
    if (m == 0 || 2 * std::min(n, m) < std::max(n, m)) return nullptr;
    // A graph does not run before it is captured.
    if (range.is_self && (!unit.began_ns || *unit.began_ns < range.begin_ns)) return nullptr;
    if (steps_left_ < kStepsOfQuestion) {
      ++left_out_;
      return nullptr;
    }
    steps_left_ -= kStepsOfQuestion;
    const auto [found, is_new] = aligned_.try_emplace(std::tuple(unit.shape, unit.is_ordered, launch_shape_[r]));
    if (is_new) found->second = align(unit.work, range.launches, unit.is_ordered, steps_left_);
    return found->second.fit.is_half() ? &found->second : nullptr;
  }

  // The launches of a step are a run of the ranges of one capture: where only one such run fits, each has its place.
  void find_places() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t r = 0; r < made_.replays.size(); ++r) {
      if (made_.replays[r].step != kNoId) order.push_back(r);
    }
    std::ranges::sort(order, {}, [&](std::uint32_t r) { return std::pair(made_.call_ns(made_.replays[r].first), r); });
    std::vector<std::vector<std::uint32_t>> steps;
    std::map<std::uint32_t, std::size_t> place_of;
    for (const std::uint32_t r : order) {
      const auto [found, is_new] = place_of.try_emplace(made_.replays[r].step, steps.size());
      if (is_new) steps.emplace_back();
      steps[found->second].push_back(r);
    }
    std::vector<std::vector<std::uint32_t>> groups;
    place_of.clear();
    for (std::uint32_t c = 0; c < sources_.ranges.size(); ++c) {
      const auto [found, is_new] = place_of.try_emplace(sources_.ranges[c].group, groups.size());
      if (is_new) groups.emplace_back();
      groups[found->second].push_back(c);
    }
    for (const auto& step : steps) {
      for (const auto& group : groups) find_place(step, group);
    }
  }

  void find_place(const std::vector<std::uint32_t>& step, const std::vector<std::uint32_t>& group) {
    if (group.size() < 2 || step.size() > group.size()) return;
    std::vector<std::size_t> fitting;
    for (std::size_t o = 0; o + step.size() <= group.size(); ++o) {
      bool is_near = true;
      for (std::size_t i = 0; i < step.size() && is_near; ++i) {
        const Alignment* const aligned = fit(units_[unit_of_[step[i]]], group[o + i]);
        is_near = aligned != nullptr && aligned->fit.is_good();
      }
      if (is_near) fitting.push_back(o);
    }
    if (fitting.size() != 1) return;
    for (std::size_t i = 0; i < step.size(); ++i) units_[unit_of_[step[i]]].places.insert(group[fitting[0] + i]);
  }

  // How large the graph must be: the most tokens, or requests, that a step gave it.
  std::optional<std::int64_t> need_of(const Unit& unit, SizeUnit counts) const {
    std::optional<std::int64_t> most;
    for (const std::uint32_t r : unit.replays) {
      const std::uint32_t step = made_.replays[r].step;
      if (step == kNoId) continue;
      const StepName& says = made_.steps[step].says;
      const StepCount padded = says.padded.value_or(0) != 0 ? says.padded : says.requests;
      const StepCount need = counts == SizeUnit::kTokens ? says.tokens : padded;
      if (need) most = std::max(most.value_or(*need), *need);
    }
    return most;
  }

  static std::optional<std::int64_t> beyond(const CapturedRange& range, const std::optional<std::int64_t>& need) {
    return need && range.size && *range.size >= *need ? std::optional(*range.size - *need) : std::nullopt;
  }

  std::vector<Candidate> candidates_of(const Unit& unit) {
    std::vector<Candidate> found;
    std::optional<std::int64_t> least_enough;  // of those without names, which prove nothing by themselves
    for (std::uint32_t c = 0; c < sources_.ranges.size(); ++c) {
      const Alignment* const aligned = fit(unit, c);
      if (aligned == nullptr) continue;
      const CapturedRange& range = sources_.ranges[c];
      const auto need = need_of(unit, range.unit);
      found.push_back({c, aligned, need, beyond(range, need), !unit.places.contains(c)});
      if (found.back().beyond && has_unnamed_[c])
        least_enough = std::min(least_enough.value_or(*range.size), *range.size);
    }
    std::erase_if(found, [&](const Candidate& candidate) {
      const CapturedRange& range = sources_.ranges[candidate.range];
      return has_unnamed_[candidate.range] && candidate.need && range.size && range.size != least_enough;
    });
    std::ranges::stable_sort(found, [](const Candidate& a, const Candidate& b) { return a.is_better(b); });
    const auto worse = std::ranges::find_if(found, [&](const Candidate& c) { return !c.is_as_good(found.front()); });
    found.erase(worse, found.end());
    return found;
  }

  void choose(const Unit& unit) {
    const std::vector<Candidate> best = candidates_of(unit);
    if (best.empty()) return;
    const CapturedRange& range = sources_.ranges[best.front().range];
    const bool is_small = best.front().need && range.size && *range.size < *best.front().need;
    const Alignment& aligned = *best.front().aligned;
    const std::vector<std::uint32_t>& said = said_by(best, unit.work.size(), is_small);
    for (const std::uint32_t r : unit.replays) {
      GraphReplay& replay = made_.replays[r];
      replay.candidates = best.size();
      for (const Candidate& candidate : best) {
        if (replay.ranges.size() < kMostCandidates) replay.ranges.push_back(candidate.range);
      }
      replay.fit = aligned.fit;
      replay.is_by_order = aligned.is_by_order;
      std::size_t paired = 0;
      for (std::size_t place = 0; place < replay.items.size(); ++place) {
        NamedWork& work = made_.work[replay.items[place]];
        const std::size_t at = unit.is_ordered ? place_of(unit, *work.node_id) : place;
        work.launch = aligned.launches[at];
        work.said = said[at];
        work.found = aligned.found[at] == Found::kOrder && !aligned.fit.is_good() ? Found::kGuessed : aligned.found[at];
        if (work.launch != kNoId) ++paired;
      }
      replay.missing = static_cast<std::uint32_t>(range.launches.size() - paired);
    }
  }

  static std::size_t place_of(const Unit& unit, std::uint64_t node) {
    return static_cast<std::size_t>(std::ranges::lower_bound(unit.nodes, node) - unit.nodes.begin());
  }

  // By place in the work what the captures that fit equally well all say of it.
  const std::vector<std::uint32_t>& said_by(const std::vector<Candidate>& best, std::size_t size, bool is_small) {
    std::vector<std::pair<std::uint32_t, const Alignment*>> key;
    for (const Candidate& candidate : best) {
      if (key.size() < kMostCandidates) key.emplace_back(candidate.range, candidate.aligned);
    }
    const auto [found, is_new] = said_.try_emplace(std::pair(key, is_small));
    if (!is_new) return found->second;
    for (std::size_t at = 0; at < size; ++at) {
      const std::uint32_t first = key.front().second->launches[at];
      if (first == kNoId) {
        found->second.push_back(0);
        continue;
      }
      SaidOfWork said = said_of(sources_.ranges[key.front().first].launches[first].says);
      for (const auto& [range, aligned] : key) {
        if (aligned->launches[at] == kNoId) continue;  // equal fits of equal work name the same pieces
        agree(said, sources_.ranges[range].launches[aligned->launches[at]].says);
      }
      if (is_small) said.input_dims = said.input_types = kNoText;  // captured for less: not these shapes
      found->second.push_back(static_cast<std::uint32_t>(made_.said.size()));
      made_.said.push_back(said);
    }
    return found->second;
  }

  static SaidOfWork said_of(const LaunchContext& says) {
    return {.label = kNoText,
            .operator_name = says.operator_name(),
            .module = says.module,
            .layer = says.layer,
            .input_dims = says.input_dims,
            .input_types = says.input_types,
            .layer_index = says.layer_index,
            .piece = says.piece,
            .operators = &says.operators,
            .stack = &says.stack,
            .captured = &says};
  }

  // What the two do not agree on is not known.
  static void agree(SaidOfWork& said, const LaunchContext& other) {
    const auto keep = [](auto& value, const auto& others, const auto& none) {
      if (value != others) value = none;
    };
    keep(said.operator_name, other.operator_name(), kNoText);
    keep(said.module, other.module, kNoText);
    keep(said.layer, other.layer, kNoText);
    keep(said.input_dims, other.input_dims, kNoText);
    keep(said.input_types, other.input_types, kNoText);
    keep(said.layer_index, other.layer_index, std::nullopt);
    keep(said.piece, other.piece, std::nullopt);
    if (said.operators != nullptr && *said.operators != other.operators) said.operators = nullptr;
    if (said.stack != nullptr && *said.stack != other.stack) said.stack = nullptr;
  }

  GraphReplays& made_;
  NamingSources& sources_;
  const Alignment whole_{.launches = {}, .found = {}, .fit = {1, 1}};
  std::map<StringId, StringId> names_;  // the trace's as the sources'
  std::vector<Unit> units_;
  std::vector<std::size_t> unit_of_;  // by replay
  std::map<NodeShape, std::uint32_t> shapes_, launch_shapes_;
  std::vector<std::uint32_t> launch_shape_;  // by range
  std::vector<bool> has_unnamed_;            // likewise
  std::map<std::tuple<std::uint32_t, bool, std::uint32_t>, Alignment> aligned_;
  std::size_t steps_left_ = 0, granted_ = 0, left_out_ = 0;
  std::map<std::pair<std::vector<std::pair<std::uint32_t, const Alignment*>>, bool>, std::vector<std::uint32_t>> said_;
};

}  // namespace

void name_replays(GraphReplays& made) { Namer(made).name(); }

}  // namespace vizd
