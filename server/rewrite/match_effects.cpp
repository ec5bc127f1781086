// Equal states are found by a sum over each state's graph: of every node's contents and of every edge with the contents
// of its two ends. A sum changes by what comes and goes, so all of them cost one pass over the lives. States of equal
// sums are nearly always equal; whether they are is then told by making both graphs, hash-consed.
#include "rewrite/match_effects.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "rewrite/digest.h"
#include "rewrite/history_index.h"

namespace vizd {
namespace {

// So many nodes are made again to compare states of one pass; beyond, equal sums are taken for equal graphs.
constexpr std::uint64_t kMostComparedNodes = 50'000'000;

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

// Compares states exactly, as far as its budget goes.
class StateComparison {
 public:
  StateComparison(const Capture& capture, const History& history) : history_(history), graph_(&capture.ops) {}

  bool equal(std::uint32_t a, std::uint32_t b) {
    if (made_ > kMostComparedNodes) return true;
    return root(a) == root(b);
  }

 private:
  OpId root(std::uint32_t state) {
    const auto [found, added] = roots_.try_emplace(state, OpId{kNoId});
    if (!added) return found->second;
    made_ += history_.nodes.size() + history_.edges.size();
    return found->second = add_state(graph_, history_, state, op_of_node_);
  }

  const History& history_;
  OpGraph graph_;
  std::unordered_map<std::uint32_t, OpId> roots_;
  std::vector<OpId> op_of_node_;
  std::uint64_t made_ = 0;
};

}  // namespace

std::vector<MatchEffect> match_effects(const Capture& capture, const History& history) {
  std::vector<MatchEffect> effects(history.state_count - 1);
  for (const HistoryNode& node : history.nodes) {
    if (node.born > 0) ++effects[node.born - 1].added;
    if (node.died < history.state_count) ++effects[node.died - 1].removed;
  }
  const StateSums sums(history);
  StateComparison comparison(capture, history);
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
