#include "rewrite/state_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "base/ascii_case.h"
#include "rewrite/history_index.h"
#include "rewrite/likeness.h"
#include "rewrite/live_boxes.h"

namespace vizd {
namespace {

// A user reads no more boxes than this through one hidden source: more lines would hide what they show.
constexpr std::size_t kMostBridges = 16;
constexpr std::size_t kMostHiddenWalked = 256;

class ViewBuilder {
 public:
  ViewBuilder(const Capture& capture, const History& history, std::uint32_t state, const ViewOptions& options)
      : capture_(capture),
        history_(history),
        state_(state),
        options_(options),
        boxes_(history, state, options.with_excluded) {}

  Result<StateView> build() {
    if (options_.between && options_.nodes.size() != 1)
      return Error{ErrorKind::kBadInput, "between needs one other node", ""};
    for (const NodeId node : options_.nodes) VIZD_TRY(check(node));
    if (options_.between) VIZD_TRY(check(*options_.between));
    view_.of = boxes_.size();
    view_.excluded = boxes_.excluded();
    close_bodies();
    hide(select());
    fold();
    connect();
    return std::move(view_);
  }

 private:
  Result<void> check(NodeId node) const {
    if (index(node) < history_.nodes.size() && boxes_.is_box(node)) return {};
    return Error{ErrorKind::kNotFound, fmt::format("node {} is no box of state {}", index(node), state_), ""};
  }

  const HistoryEdge& edge(EdgeId id) const { return history_.edges[index(id)]; }

  // Adds what is reached from the nodes by sources (up) or users, the nearest first; distance is by node, in edges.
  void spread(std::vector<NodeId> nodes, bool up, std::vector<std::uint32_t>& distance) const {
    distance.assign(history_.nodes.size(), kNoId);
    for (const NodeId node : nodes) distance[index(node)] = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t next = distance[index(nodes[i])] + 1;
      if (next > options_.radius) break;
      for (const EdgeId e : up ? boxes_.into(nodes[i]) : boxes_.out_of(nodes[i])) {
        const NodeId other = up ? edge(e).source : edge(e).user;
        if (distance[index(other)] != kNoId) continue;
        distance[index(other)] = next;
        nodes.push_back(other);
      }
    }
  }

  // The boxes to look at, the nearest first.
  std::vector<NodeId> select() const {
    std::vector<std::uint32_t> up, down;
    if (options_.between) return select_between();
    if (options_.nodes.empty()) {
      spread({root_at(history_, state_)}, true, up);
    } else {
      if (options_.cone != Cone::kDown) spread(options_.nodes, true, up);
      if (options_.cone != Cone::kUp) spread(options_.nodes, false, down);
    }
    return by_distance(
        [&](std::size_t n) { return std::min(up.empty() ? kNoId : up[n], down.empty() ? kNoId : down[n]); });
  }

  // The nodes that are above the one and below the other, whichever of the two is above.
  std::vector<NodeId> select_between() const {
    std::vector<std::uint32_t> above, below;
    NodeId low = options_.nodes[0], high = *options_.between;
    spread({low}, false, above);
    if (above[index(high)] == kNoId) {
      std::swap(low, high);
      spread({low}, false, above);
    }
    spread({high}, true, below);
    return by_distance(
        [&](std::size_t n) { return above[n] == kNoId || below[n] == kNoId ? kNoId : std::min(above[n], below[n]); });
  }

  template <typename DistanceOf>
  std::vector<NodeId> by_distance(DistanceOf distance_of) const {
    std::vector<std::pair<std::uint32_t, NodeId>> nodes;
    for (std::size_t n = 0; n < history_.nodes.size(); ++n) {
      if (const std::uint32_t distance = distance_of(n); distance != kNoId)
        nodes.emplace_back(distance, to_id<NodeId>(n));
    }
    std::ranges::stable_sort(nodes, {}, &std::pair<std::uint32_t, NodeId>::first);
    std::vector<NodeId> result;
    for (const auto& [distance, node] : nodes) result.push_back(node);
    return result;
  }

  void close_bodies() {
    closed_ports_.assign(history_.nodes.size(), 0);
    if (!options_.hides_bodies && options_.turned.empty()) return;
    for (std::size_t n = 0; n < history_.nodes.size(); ++n) {
      const NodeId node = to_id<NodeId>(n);
      if (!boxes_.is_box(node)) continue;
      const bool is_turned = std::ranges::find(options_.turned, node) != options_.turned.end();
      if (options_.hides_bodies == is_turned) continue;
      closed_ports_[n] = capture_.dialect->body_sources(version_at(history_, node, state_).kind);
    }
  }

  bool is_to_closed_body(const HistoryEdge& e) const { return e.port < closed_ports_[index(e.user)]; }

  // Hides the boxes that nothing but closed bodies leads to.
  void hide_bodies(const std::vector<NodeId>& selected) {
    std::vector<bool> is_reached(history_.nodes.size(), false);
    std::vector<NodeId> walk{root_at(history_, state_)};
    walk.insert(walk.end(), options_.nodes.begin(), options_.nodes.end());
    if (options_.between) walk.push_back(*options_.between);
    for (const NodeId node : walk) is_reached[index(node)] = true;
    while (!walk.empty()) {
      const NodeId node = walk.back();
      walk.pop_back();
      for (const EdgeId e : boxes_.into(node)) {
        const NodeId source = edge(e).source;
        if (is_to_closed_body(edge(e)) || is_reached[index(source)]) continue;
        is_reached[index(source)] = true;
        walk.push_back(source);
      }
    }
    for (const NodeId node : selected) {
      if (!is_reached[index(node)]) is_hidden_[index(node)] = true;
    }
  }

  // Parts the selected boxes into those that are shown, as far as the limit goes, and those that are hidden.
  void hide(const std::vector<NodeId>& selected) {
    const std::size_t count = history_.nodes.size();
    is_selected_.assign(count, false);
    is_hidden_.assign(count, false);
    shown_as_.assign(count, NodeId{kNoId});
    for (const NodeId node : selected) is_selected_[index(node)] = true;
    if (!options_.index_ops.empty()) hide_index(selected);
    if (std::ranges::any_of(closed_ports_, [](std::uint32_t ports) { return ports > 0; })) hide_bodies(selected);
    for (const NodeId node : selected) {
      if (names(options_.hidden_ops, node)) is_hidden_[index(node)] = true;
    }
    for (const NodeId node : options_.nodes) is_hidden_[index(node)] = false;
    for (const NodeId node : view_.excluded) is_hidden_[index(node)] = false;
    if (options_.between) is_hidden_[index(*options_.between)] = false;
    for (const NodeId node : selected) {
      if (is_hidden_[index(node)]) {
        ++view_.hidden;
      } else if (view_.boxes.size() == options_.limit) {
        ++view_.left_out;
      } else {
        view_.boxes.push_back(node);
        shown_as_[index(node)] = node;
      }
    }
  }

  bool names(const std::vector<std::string>& ops, NodeId node) const {
    const std::string_view op = capture_.dialect->kind_name(version_at(history_, node, state_).kind);
    return std::ranges::any_of(ops, [&](const std::string& name) { return equal_in_any_case(name, op); });
  }

  // Hides the boxes all of whose users take them for an index, or are hidden so themselves.
  void hide_index(const std::vector<NodeId>& selected) {
    std::vector<std::size_t> users_left(history_.nodes.size());
    std::vector<NodeId> found;
    const auto count_down = [&](EdgeId e) {
      if (--users_left[index(edge(e).source)] == 0) found.push_back(edge(e).source);
    };
    for (const NodeId node : selected) users_left[index(node)] = boxes_.out_of(node).size();
    for (const NodeId node : selected) {
      if (!names(options_.index_ops, node)) continue;
      for (const EdgeId e : boxes_.into(node)) {
        if (is_selected_[index(edge(e).source)] && edge(e).port > 0) count_down(e);
      }
    }
    while (!found.empty()) {
      const NodeId node = found.back();
      found.pop_back();
      is_hidden_[index(node)] = true;
      const bool is_access = names(options_.index_ops, node);
      for (const EdgeId e : boxes_.into(node)) {
        const bool is_counted = is_access && edge(e).port > 0;
        if (is_selected_[index(edge(e).source)] && !is_counted) count_down(e);
      }
    }
  }

  void fold() {
    if (options_.fold < 2) return;
    const std::vector<std::uint64_t> likeness = likeness_at(capture_, history_, state_);
    std::set<std::uint64_t> unfolded;
    for (const NodeId node : options_.unfold) {
      if (index(node) < likeness.size()) unfolded.insert(likeness[index(node)]);
    }
    for (const NodeId node : options_.nodes) unfolded.insert(likeness[index(node)]);
    std::map<std::uint64_t, std::vector<NodeId>> groups;
    for (const NodeId node : view_.boxes) groups[likeness[index(node)]].push_back(node);
    for (auto& [hash, nodes] : groups) {
      if (nodes.size() < options_.fold || unfolded.contains(hash)) continue;
      for (const NodeId node : nodes) shown_as_[index(node)] = nodes.front();
      view_.folds.push_back({nodes.front(), std::move(nodes)});
    }
    std::erase_if(view_.boxes, [&](NodeId node) { return shown_as_[index(node)] != node; });
    std::ranges::sort(view_.folds, {}, &Fold::shown);
    is_folded_.assign(history_.nodes.size(), false);
    for (const Fold& fold : view_.folds) is_folded_[index(fold.shown)] = true;
  }

  bool is_folded(NodeId shown) const { return !is_folded_.empty() && is_folded_[index(shown)]; }

  void connect() {
    for (std::size_t n = 0; n < history_.nodes.size(); ++n) {
      if (shown_as_[n] == NodeId{kNoId}) continue;
      for (const EdgeId e : boxes_.into(to_id<NodeId>(n))) {
        if (is_to_closed_body(edge(e))) continue;
        const NodeId source = edge(e).source;
        if (shown_as_[index(source)] != NodeId{kNoId}) {
          add_edge(source, edge(e), static_cast<std::uint32_t>(index(e)), false);
        } else if (is_hidden_[index(source)]) {
          for (const NodeId through : bridge(source)) add_edge(through, edge(e), kNoId, true);
        }
      }
    }
  }

  // The boxes that are shown and lead to a hidden one through hidden ones alone.
  const std::vector<NodeId>& bridge(NodeId hidden) {
    const auto [found, added] = bridges_.try_emplace(hidden);
    if (!added) return found->second;
    std::vector<NodeId> result;
    std::vector<NodeId> walk{hidden};
    std::set<NodeId> seen{hidden};
    for (std::size_t i = 0; i < walk.size() && i < kMostHiddenWalked && result.size() < kMostBridges; ++i) {
      for (const EdgeId e : boxes_.into(walk[i])) {
        const NodeId source = edge(e).source;
        if (!seen.insert(source).second) continue;
        if (shown_as_[index(source)] != NodeId{kNoId}) {
          if (result.size() < kMostBridges) result.push_back(source);
        } else if (is_hidden_[index(source)]) {
          walk.push_back(source);
        }
      }
    }
    return bridges_[hidden] = std::move(result);
  }

  void add_edge(NodeId source_node, const HistoryEdge& at, std::uint32_t number, bool bridged) {
    const NodeId source = shown_as_[index(source_node)], user = shown_as_[index(at.user)];
    const bool once = bridged || is_folded(source) || is_folded(user);
    if (once && !joined_.emplace(source, user).second) return;
    view_.edges.push_back({source, user, at.port, number, bridged});
  }

  const Capture& capture_;
  const History& history_;
  const std::uint32_t state_;
  const ViewOptions& options_;
  const LiveBoxes boxes_;
  std::vector<std::uint32_t> closed_ports_;  // by node, as the next four: how many of its first sources are hidden
  std::vector<bool> is_selected_;
  std::vector<bool> is_hidden_;
  std::vector<NodeId> shown_as_;  // itself, or what stands for its fold; none where it is not shown
  std::vector<bool> is_folded_;
  std::unordered_map<NodeId, std::vector<NodeId>> bridges_;
  std::set<std::pair<NodeId, NodeId>> joined_;  // by bridges and folds
  StateView view_;
};

}  // namespace

Result<StateView> view_state(const Capture& capture, const History& history, std::uint32_t state,
                             const ViewOptions& options) {
  return ViewBuilder(capture, history, state, options).build();
}

}  // namespace vizd
