// Equal states are found by a sum over each state's graph: of every node's contents and of every edge with the contents
// of its two ends. A sum changes by what comes and goes, so all of them cost one pass over the lives. States of equal
// sums are nearly always equal; whether they are is then told by what came and went between them.
#include "rewrite/match_effects.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "rewrite/digest.h"
#include "rewrite/history_index.h"

namespace vizd {
namespace {

// So many nodes and sources are looked at to compare states of one pass; beyond, equal sums are taken for equal graphs.
constexpr std::uint64_t kMostCompared = 50'000'000;

std::uint64_t contents(const NodeVersion& version) {
  return Digest(1).add(version.kind).add(index(version.dtype)).add(index(version.arg)).add(index(version.tag)).value();
}

bool same_contents(const NodeVersion& a, const NodeVersion& b) {
  return std::tie(a.kind, a.dtype, a.arg, a.tag) == std::tie(b.kind, b.dtype, b.arg, b.tag);
}

class StateSums {
 public:
  explicit StateSums(const History& history)
      : history_(history), change_(history.state_count + 1, 0), touched_(history.state_count + 1, false) {
    for (const HistoryNode& node : history.nodes) add_node(node);
    for (const HistoryEdge& edge : history.edges) add_edge(edge);
    for (std::uint32_t state = 1; state < history.state_count; ++state) change_[state] += change_[state - 1];
  }

  std::uint64_t sum(std::uint32_t state) const { return change_[state]; }
  // Whether any life began or ended, or a node became another op.
  bool is_touched(std::uint32_t state) const { return touched_[state]; }

 private:
  std::span<const NodeVersion> versions_of(const HistoryNode& node) const {
    return std::span(history_.versions).subspan(node.first_version, node.version_count);
  }
  void begin(std::uint32_t state, std::uint64_t value) {
    change_[state] += value;
    touched_[state] = true;
  }
  void end(std::uint32_t state, std::uint64_t value) {
    const std::uint32_t at = std::min(state, history_.state_count);
    change_[at] -= value;
    touched_[at] = true;
  }

  void add_node(const HistoryNode& node) {
    const auto versions = versions_of(node);
    if (versions.empty()) return;
    begin(node.born, contents(versions.front()));
    const NodeVersion* last = &versions.front();
    for (const NodeVersion& version : versions.subspan(1)) {
      if (same_contents(*last, version)) continue;
      end(version.state, contents(*last));
      begin(version.state, contents(version));
      last = &version;
    }
    end(node.died, contents(*last));
  }

  void add_edge(const HistoryEdge& edge) {
    const HistoryNode& source = history_.nodes[index(edge.source)];
    const HistoryNode& user = history_.nodes[index(edge.user)];
    const auto value_at = [&](std::uint32_t state) {
      return Digest(2)
          .add(contents(version_at(history_, edge.source, state)))
          .add(contents(version_at(history_, edge.user, state)))
          .add(edge.port)
          .value();
    };
    std::uint64_t value = value_at(edge.born);
    begin(edge.born, value);
    if (source.version_count + user.version_count > 2) {
      moments_.clear();
      for (const HistoryNode* node : {&source, &user}) {
        for (const NodeVersion& version : versions_of(*node)) {
          if (version.state > edge.born && version.state < edge.died) moments_.push_back(version.state);
        }
      }
      std::ranges::sort(moments_);
      for (const std::uint32_t state : moments_) {
        const std::uint64_t next = value_at(state);
        change_[state] += next - value;
        value = next;
      }
    }
    end(edge.died, value);
  }

  const History& history_;
  std::vector<std::uint64_t> change_;  // by state, then summed up
  std::vector<bool> touched_;
  std::vector<std::uint32_t> moments_;
};

// Compares states exactly, as far as its budget goes. What lives at both and was not touched between them is the same;
// of what lives at the later one alone, each node must have one that lived at the earlier one alone, of the same
// contents and with the same sources.
class StateComparison {
 public:
  explicit StateComparison(const History& history) : history_(history) {}

  bool equal(std::uint32_t before, std::uint32_t after) {
    if (looked_at_ > kMostCompared) return true;
    if (!index_) index_.emplace(history_);
    before_ = before;
    after_ = after;
    gone_.clear();
    partners_.clear();
    collect();
    for (const NodeId node : touched_) {
      if (lives(node, before) && !lives(node, after)) gone_[signature(node, before)].push_back(node);
    }
    if (!same(root_at(history_, before), root_at(history_, after))) return false;
    return std::ranges::all_of(touched_, [&](NodeId node) { return !lives(node, after) || is_as_before(node); });
  }

 private:
  bool lives(NodeId id, std::uint32_t state) const {
    const HistoryNode& node = history_.nodes[index(id)];
    return lives_at(node.born, node.died, state);
  }

  void collect() {
    touched_.clear();
    for (std::uint32_t state = before_ + 1; state <= after_; ++state) {
      const auto touched = index_->touched_at(state);
      touched_.insert(touched_.end(), touched.begin(), touched.end());
    }
    looked_at_ += touched_.size();
    std::ranges::sort(touched_);
    touched_.erase(std::ranges::unique(touched_).begin(), touched_.end());
  }

  // In the order of ports.
  std::vector<NodeId> sources(NodeId user, std::uint32_t state) {
    std::vector<NodeId> found;
    const auto edges = index_->edges_of_user(user);
    looked_at_ += edges.size();
    for (const EdgeId id : edges) {
      const HistoryEdge& edge = history_.edges[index(id)];
      if (lives_at(edge.born, edge.died, state)) found.push_back(edge.source);
    }
    return found;
  }

  std::uint64_t signature(NodeId node, std::uint32_t state) {
    return Digest(3).add(contents(version_at(history_, node, state))).add(sources(node, state).size()).value();
  }

  bool is_as_before(NodeId node) {
    return lives(node, before_) ? have_same_parts(node, node) : partner(node) != NodeId{kNoId};
  }

  // Whether the first node as it was is the second as it is.
  bool same(NodeId was, NodeId is) {
    if (was == is) return true;
    return !lives(is, before_) && partner(is) == was;
  }

  bool have_same_parts(NodeId was, NodeId is) {
    if (!same_contents(version_at(history_, was, before_), version_at(history_, is, after_))) return false;
    return std::ranges::equal(sources(was, before_), sources(is, after_),
                              [&](NodeId source_was, NodeId source_is) { return same(source_was, source_is); });
  }

  // The node that a new one stands for, by contents and sources, sources first; none where there is none.
  NodeId partner(NodeId of) {
    std::vector<NodeId> stack{of};
    while (!stack.empty()) {
      const NodeId node = stack.back();
      if (partners_.contains(node)) {
        stack.pop_back();
        continue;
      }
      const std::size_t waiting = stack.size();
      for (const NodeId source : sources(node, after_)) {
        if (!lives(source, before_) && !partners_.contains(source)) stack.push_back(source);
      }
      if (stack.size() > waiting) continue;
      stack.pop_back();
      NodeId found{kNoId};
      for (const NodeId candidate : gone_[signature(node, after_)]) {
        if (have_same_parts(candidate, node)) found = candidate;
      }
      partners_.emplace(node, found);
    }
    return partners_.at(of);
  }

  const History& history_;
  std::optional<HistoryIndex> index_;  // made when first asked for
  std::uint64_t looked_at_ = 0;
  // Counts of the two current states:
  std::uint32_t before_ = 0, after_ = 0;
  std::vector<NodeId> touched_;
  std::unordered_map<std::uint64_t, std::vector<NodeId>> gone_;  // by signature
  std::unordered_map<NodeId, NodeId> partners_;
};

}  // namespace

std::vector<MatchEffect> match_effects(const History& history) {
  std::vector<MatchEffect> effects(history.state_count - 1);
  for (const HistoryNode& node : history.nodes) {
    if (node.born > 0) ++effects[node.born - 1].added;
    if (node.died < history.state_count) ++effects[node.died - 1].removed;
  }
  const StateSums sums(history);
  StateComparison comparison(history);
  std::unordered_map<std::uint64_t, std::uint32_t> last_state;  // with that sum
  last_state[sums.sum(0)] = 0;
  for (std::uint32_t state = 1; state < history.state_count; ++state) {
    MatchEffect& effect = effects[state - 1];
    const auto [found, added] = last_state.try_emplace(sums.sum(state), state);
    const std::uint32_t earlier = std::exchange(found->second, state);
    effect.changed = sums.is_touched(state);
    if (added || !effect.changed || !comparison.equal(earlier, state)) continue;
    // The first match after the earlier state that changed anything is taken back now.
    std::uint32_t match = earlier;
    while (match + 1 < state && !effects[match].changed) ++match;
    if (match + 1 == state) {
      effect.changed = false;
    } else {
      effects[match].undone_at = state;
    }
  }
  return effects;
}

}  // namespace vizd
