#include "rewrite/graph_matching.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/hash_index.h"
#include "model/op_values.h"

namespace vizd {
namespace {

constexpr std::size_t kMostCandidates = 32;  // looked at for one op

class Matching {
 public:
  explicit Matching(const LiveGraph& graph) : graph_(graph) {
    died_ = graph.changes().died;
    born_ = graph.changes().born;
    const auto rank = [&](OpId id) { return graph_.rank(id); };
    std::ranges::sort(died_, {}, rank);
    std::ranges::sort(born_, {}, rank);
    for (const OpId id : died_) partners_.emplace(id, OpId{kNoId});
    for (const OpId id : born_) partners_.emplace(id, OpId{kNoId});
  }

  std::vector<std::pair<OpId, OpId>> match(OpId old_root) {
    by_identity();
    from_the_roots(old_root);
    // Alike and reading something alike; of one kind and reading the same; alike, in order.
    by_content(true, [](std::size_t shared, std::size_t sources) { return shared > 0 || sources == 0; });
    by_content(false, [](std::size_t shared, std::size_t sources) { return shared == sources && sources > 0; });
    by_content(true, [](std::size_t, std::size_t) { return true; });
    std::vector<std::pair<OpId, OpId>> pairs;
    for (const OpId id : born_) {
      if (is_paired(id)) pairs.emplace_back(partners_.at(id), id);
    }
    if (old_root != graph_.root()) pairs.emplace_back(old_root, graph_.root());
    return pairs;
  }

 private:
  std::uint64_t identity(OpId id) const { return op_identity(graph_.ops().values(), graph_.ops().op(id).arg); }
  bool is_free(OpId id) const {
    const auto found = partners_.find(id);
    return found != partners_.end() && found->second == OpId{kNoId};
  }
  bool is_paired(OpId id) const { return partners_.at(id) != OpId{kNoId}; }
  void pair(OpId died, OpId born) {
    partners_[died] = born;
    partners_[born] = died;
  }

  void by_identity() {
    std::unordered_map<std::uint64_t, OpId> died;
    for (const OpId id : died_) {
      if (const std::uint64_t known = identity(id); known != 0) died[known] = id;
    }
    if (died.empty()) return;
    for (const OpId id : born_) {
      const auto found = died.find(identity(id));
      if (found != died.end() && is_free(found->second)) pair(found->second, id);
    }
  }

  // Side by side from the roots, as far as kinds and arities agree. Ops that their compiler tells apart stay apart.
  void from_the_roots(OpId old_root) {
    std::vector<std::pair<OpId, OpId>> stack{{old_root, graph_.root()}};
    while (!stack.empty()) {
      const auto [from, to] = stack.back();
      stack.pop_back();
      if (from == to || !partners_.contains(from) || !partners_.contains(to)) continue;
      if (graph_.ops().kind(from) != graph_.ops().kind(to)) continue;
      const bool are_apart = identity(from) != 0 || identity(to) != 0;
      if (is_free(from) && is_free(to) && !are_apart) {
        pair(from, to);
      } else if (partners_.at(from) != to) {
        continue;
      }
      const auto before = graph_.ops().src(from), after = graph_.ops().src(to);
      if (before.size() != after.size() || !walked_.emplace(from, to).second) continue;
      for (std::size_t port = 0; port < before.size(); ++port) stack.emplace_back(before[port], after[port]);
    }
  }

  std::uint32_t signature(const Op& op, bool whole) const {
    std::uint32_t hash = mix_hash(static_cast<std::uint32_t>(op.src.size()), op.kind);
    if (!whole) return hash;
    for (const ValueId value : {op.dtype, op.arg, op.tag}) hash = mix_hash(hash, static_cast<std::uint32_t>(value));
    return hash;
  }

  // How many sources at the same port are the same, or are paired.
  std::size_t shared_sources(const Op& died, const Op& born) const {
    std::size_t shared = 0;
    for (std::size_t port = 0; port < std::min(died.src.size(), born.src.size()); ++port) {
      const auto partner = partners_.find(born.src[port]);
      const OpId was = partner == partners_.end() ? born.src[port] : partner->second;
      shared += died.src[port] == was ? 1 : 0;
    }
    return shared;
  }

  template <typename IsEnough>
  void by_content(bool whole, IsEnough&& is_enough) {
    std::unordered_map<std::uint32_t, std::vector<OpId>> by_signature;
    for (const OpId id : died_) {
      if (is_free(id)) by_signature[signature(graph_.ops().op(id), whole)].push_back(id);
    }
    for (const OpId id : born_) {
      const Op born = graph_.ops().op(id);
      const auto found = by_signature.find(signature(born, whole));
      if (!is_free(id) || found == by_signature.end()) continue;
      std::vector<OpId>& candidates = found->second;
      std::size_t best = candidates.size(), most_shared = 0;
      for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates); ++i) {
        const Op died = graph_.ops().op(candidates[i]);
        if (died.kind != born.kind || identity(candidates[i]) != identity(id)) continue;
        const std::size_t shared = shared_sources(died, born);
        if (!is_enough(shared, born.src.size()) || (best < candidates.size() && shared <= most_shared)) continue;
        best = i;
        most_shared = shared;
      }
      if (best == candidates.size()) continue;
      pair(candidates[best], id);
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(best));
    }
  }

  const LiveGraph& graph_;
  std::vector<OpId> died_, born_;
  std::unordered_map<OpId, OpId> partners_;  // of each op that died or was born; none as yet
  std::unordered_map<OpId, OpId> walked_;
};

}  // namespace

std::vector<std::pair<OpId, OpId>> match_graphs(const LiveGraph& graph, OpId old_root) {
  return Matching(graph).match(old_root);
}

}  // namespace vizd
