#include "model/op_graph.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace vizd {
namespace {

std::uint32_t mix(std::uint32_t hash, std::uint32_t word) {
  hash = (hash ^ word) * 0x9E3779B1u;
  return hash ^ (hash >> 15);
}

}  // namespace

std::uint32_t OpGraph::hash(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg,
                            ValueId tag) const {
  std::uint32_t result = mix(0x2545F491u, kind);
  for (const ValueId value : {dtype, arg, tag}) {
    result = mix(result, static_cast<std::uint32_t>(values_.equality(value)));
  }
  for (const OpId id : src) result = mix(result, static_cast<std::uint32_t>(id));
  return result;
}

OpId OpGraph::find_hashed(std::uint32_t hash, std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg,
                          ValueId tag) const {
  if (base_ != nullptr) {
    if (const OpId found = base_->find_hashed(hash, kind, dtype, src, arg, tag); found != OpId{kNoId}) return found;
  }
  if (slots_.empty()) return OpId{kNoId};
  const auto same = [&](ValueId a, ValueId b) { return values_.equality(a) == values_.equality(b); };
  for (std::size_t slot = hash & (slots_.size() - 1); slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Record& r = records_[slots_[slot] - 1];
    if (r.hash != hash || r.kind != kind || !same(r.dtype, dtype) || !same(r.arg, arg) || !same(r.tag, tag)) continue;
    if (std::ranges::equal(std::span(src_).subspan(r.src_begin, r.src_count), src)) {
      return to_id<OpId>(base_size_ + slots_[slot] - 1);
    }
  }
  return OpId{kNoId};
}

OpId OpGraph::find(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg, ValueId tag) const {
  return find_hashed(hash(kind, dtype, src, arg, tag), kind, dtype, src, arg, tag);
}

OpId OpGraph::add(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg, ValueId tag) {
  const std::uint32_t hashed = hash(kind, dtype, src, arg, tag);
  if (const OpId found = find_hashed(hashed, kind, dtype, src, arg, tag); found != OpId{kNoId}) return found;
  for (const OpId id : src) VIZD_ASSERT(index(id) < size());
  if ((records_.size() + 1) * 2 > slots_.size()) grow_slots();
  const OpId id = to_id<OpId>(size());
  const auto begin = static_cast<std::uint32_t>(src_.size());
  if (!src.empty() && src.data() >= src_.data() && src.data() < src_.data() + src_.size()) {
    const std::vector<OpId> copy(src.begin(), src.end());  // src may be a view of our own, about to move
    src_.insert(src_.end(), copy.begin(), copy.end());
  } else {
    src_.insert(src_.end(), src.begin(), src.end());
  }
  records_.push_back({kind, 0, dtype, arg, tag, begin, static_cast<std::uint32_t>(src.size()), hashed});
  std::size_t slot = hashed & (slots_.size() - 1);
  while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = static_cast<std::uint32_t>(records_.size());
  return id;
}

void OpGraph::grow_slots() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    std::size_t slot = records_[i].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

std::span<const OpId> OpGraph::src(OpId id) const {
  if (index(id) < base_size_) return base_->src(id);
  const Record& r = record(id);
  return std::span(src_).subspan(r.src_begin, r.src_count);
}

Op OpGraph::op(OpId id) const {
  const Record& r = record(id);
  return {r.kind, r.dtype, r.arg, r.tag, src(id)};
}

std::vector<OpId> toposort(const OpGraph& graph, OpId root) {
  std::vector<OpId> order;
  std::vector<bool> done(graph.size());
  std::vector<std::pair<OpId, bool>> stack{{root, false}};
  while (!stack.empty()) {
    const auto [id, visited] = stack.back();
    stack.pop_back();
    if (done[index(id)]) continue;
    if (visited) {
      done[index(id)] = true;
      order.push_back(id);
      continue;
    }
    stack.emplace_back(id, true);
    const auto src = graph.src(id);
    for (auto it = src.rbegin(); it != src.rend(); ++it) stack.emplace_back(*it, false);
  }
  return order;
}

}  // namespace vizd
