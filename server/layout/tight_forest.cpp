#include "layout/tight_forest.h"

#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace vizd {
namespace {

// Parts: sets of nodes joined by tight tree arcs, each with a list of its members.
class Parts {
 public:
  explicit Parts(std::size_t node_count) : part_of_(node_count), members_(node_count) {
    std::iota(part_of_.begin(), part_of_.end(), 0u);
    for (std::uint32_t node = 0; node < node_count; ++node) members_[node].push_back(node);
  }

  std::uint32_t of(std::uint32_t node) const { return part_of_[node]; }
  const std::vector<std::uint32_t>& members(std::uint32_t part) const { return members_[part]; }

  // Joins two parts and returns the name of both: the larger one's.
  std::uint32_t join(std::uint32_t a, std::uint32_t b) {
    if (members_[a].size() < members_[b].size()) std::swap(a, b);
    for (const std::uint32_t node : members_[b]) part_of_[node] = a;
    members_[a].insert(members_[a].end(), members_[b].begin(), members_[b].end());
    members_[b] = {};
    return a;
  }

 private:
  std::vector<std::uint32_t> part_of_;
  std::vector<std::vector<std::uint32_t>> members_;
};

// The arcs on one side of a part that lead to other parts.
struct Border {
  std::int64_t weight = 0;
  std::int32_t slack = std::numeric_limits<std::int32_t>::max();
  std::uint32_t arc = 0;  // one of least slack

  bool empty() const { return slack == std::numeric_limits<std::int32_t>::max(); }
  void add(std::uint32_t id, const RankArc& arc_at, std::int32_t slack_at) {
    weight += arc_at.weight;
    if (slack_at < slack) {
      slack = slack_at;
      arc = id;
    }
  }
};

}  // namespace

std::vector<std::uint32_t> tighten(std::span<const RankArc> arcs, const Adjacency& in, const Adjacency& out,
                                   std::vector<std::int32_t>& ranks) {
  const auto slack = [&](std::uint32_t arc) {
    return ranks[arcs[arc].head] - ranks[arcs[arc].tail] - arcs[arc].length;
  };
  std::vector<std::uint32_t> forest;
  Parts parts(ranks.size());
  for (std::uint32_t arc = 0; arc < arcs.size(); ++arc) {
    const std::uint32_t a = parts.of(arcs[arc].tail);
    const std::uint32_t b = parts.of(arcs[arc].head);
    if (a == b || slack(arc) != 0) continue;
    parts.join(a, b);
    forest.push_back(arc);
  }

  using Entry = std::pair<std::size_t, std::uint32_t>;  // size, part
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::uint32_t part = 0; part < ranks.size(); ++part) {
    if (!parts.members(part).empty()) queue.emplace(parts.members(part).size(), part);
  }
  while (!queue.empty()) {
    const auto [size, part] = queue.top();
    queue.pop();
    if (parts.members(part).size() != size) continue;  // it has grown or is gone since
    Border left;
    Border right;
    for (const std::uint32_t node : parts.members(part)) {
      for (const std::uint32_t arc : in.of(node)) {
        if (parts.of(arcs[arc].tail) != part) left.add(arc, arcs[arc], slack(arc));
      }
      for (const std::uint32_t arc : out.of(node)) {
        if (parts.of(arcs[arc].head) != part) right.add(arc, arcs[arc], slack(arc));
      }
    }
    if (left.empty() && right.empty()) continue;  // a whole component
    const bool to_right = right.weight != left.weight ? right.weight > left.weight : right.slack <= left.slack;
    const Border& side = to_right ? right : left;
    for (const std::uint32_t node : parts.members(part)) ranks[node] += to_right ? side.slack : -side.slack;
    forest.push_back(side.arc);
    const std::uint32_t joined = parts.join(parts.of(arcs[side.arc].tail), parts.of(arcs[side.arc].head));
    queue.emplace(parts.members(joined).size(), joined);
  }
  return forest;
}

}  // namespace vizd
