#include "query/slice_naming.h"

#include <algorithm>

#include "analysis/graph_replay/named_replays.h"

namespace vizd::sql {
namespace {

void write_place(std::int64_t first, std::uint32_t place, Cell& cell) {
  place == kNoId ? cell.null() : cell.integer(first + place);
}

void write_said(const GraphReplays& replays, StringId text, Cell& cell) {
  text == kNoText ? cell.null() : cell.text(replays.text(text));
}

}  // namespace

void SliceNaming::write(NamingColumn column, std::size_t source, std::uint32_t track, std::uint32_t event, Cell& cell) {
  const Work* const at = find_work(source, track, event);
  if (at == nullptr) return cell.null();
  const Rank& rank = captures_[source].ranks[at->rank];
  const GraphReplays& replays = *rank.replays;
  const NamedWork& work = replays.work[at->place];
  const SaidOfWork& said = replays.said_of(work);
  switch (column) {
    case NamingColumn::kReplay:
      return write_place(rank.first_replay, work.replay, cell);
    case NamingColumn::kNode:
      if (work.replay == kNoId) return cell.null();
      return write_place(rank.first_node[replays.replays[work.replay].graph], work.node, cell);
    case NamingColumn::kStep:
      return write_place(rank.first_step, work.step, cell);
    case NamingColumn::kModule:
      return write_said(replays, said.module, cell);
    case NamingColumn::kLayer:
      return write_said(replays, said.layer, cell);
    case NamingColumn::kOperator:
      return write_said(replays, said.operator_name, cell);
    case NamingColumn::kFound:
      return work.replay == kNoId ? cell.null() : cell.text(found_name(work.found));
  }
}

void SliceNaming::find() {
  is_found_ = true;
  captures_.resize(catalog_.sources().size());
  for (std::size_t source = 0; source < captures_.size(); ++source) {
    if (!catalog_.capture(source).has_profile) continue;
    const auto replays = catalog_.replays(source);
    if (!replays) continue;  // the time is over, of which the query hears by itself
    captures_[source].work.resize(catalog_.capture(source).profile.tracks.size());
    for (const GraphReplays& rank : (*replays)->ranks) add(rank, captures_[source]);
    for (auto& of_track : captures_[source].work) std::ranges::sort(of_track, {}, &Work::event);
  }
}

// Rows of the three tables are counted as replay_tables.cpp lists them.
void SliceNaming::add(const GraphReplays& replays, OfCapture& to) {
  Rank& rank = to.ranks.emplace_back();
  rank.replays = &replays, rank.first_replay = replays_, rank.first_step = steps_;
  for (const ReplayedGraph& graph : replays.graphs) {
    rank.first_node.push_back(nodes_);
    nodes_ += graph.nodes;
  }
  replays_ += static_cast<std::int64_t>(replays.replays.size());
  steps_ += static_cast<std::int64_t>(replays.steps.size());
  for (std::uint32_t place = 0; place < replays.work.size(); ++place) {
    const WorkItem& item = replays.item(place);
    to.work[item.track].push_back({item.event, static_cast<std::uint32_t>(to.ranks.size() - 1), place});
  }
}

const SliceNaming::Work* SliceNaming::find_work(std::size_t source, std::uint32_t track, std::uint32_t event) {
  if (!is_work(catalog_.capture(source).profile.tracks[track].events.role(event))) return nullptr;
  if (!is_found_) find();
  if (captures_[source].work.empty()) return nullptr;
  const std::vector<Work>& of_track = captures_[source].work[track];
  const auto found = std::ranges::lower_bound(of_track, event, {}, &Work::event);
  return found == of_track.end() || found->event != event ? nullptr : &*found;
}

}  // namespace vizd::sql
