#include "model/op_graph.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace vizd {
std::uint32_t OpGraph::hash(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg,
                            ValueId tag) const {
  std::uint32_t result = mix_hash(0x2545F491u, kind);
  for (const ValueId value : {dtype, arg, tag}) {
    result = mix_hash(result, static_cast<std::uint32_t>(values_.equality(value)));
  }
  for (const OpId id : src) result = mix_hash(result, static_cast<std::uint32_t>(id));
  return result;
}

OpId OpGraph::find_hashed(std::uint32_t hash, std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg,
                          ValueId tag) const {
  if (base_ != nullptr) {
    if (const OpId found = base_->find_hashed(hash, kind, dtype, src, arg, tag); found != OpId{kNoId}) return found;
  }
  const auto same = [&](ValueId a, ValueId b) { return values_.equality(a) == values_.equality(b); };
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t i) {
    const Record& r = records_[i];
    return r.kind == kind && same(r.dtype, dtype) && same(r.arg, arg) && same(r.tag, tag) &&
           std::ranges::equal(std::span(src_).subspan(r.src_begin, r.src_count), src);
  });
  return found == HashIndex::kNone ? OpId{kNoId} : to_id<OpId>(base_size_ + found);
}

OpId OpGraph::find(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg, ValueId tag) const {
  return find_hashed(hash(kind, dtype, src, arg, tag), kind, dtype, src, arg, tag);
}

OpId OpGraph::add(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg, ValueId tag) {
  const std::uint32_t hashed = hash(kind, dtype, src, arg, tag);
  if (const OpId found = find_hashed(hashed, kind, dtype, src, arg, tag); found != OpId{kNoId}) return found;
  for (const OpId id : src) VIZD_ASSERT(index(id) < size());
  const OpId id = put({kind, dtype, arg, tag, src});
  index_.add(hashed, static_cast<std::uint32_t>(records_.size() - 1));
  return id;
}

OpId OpGraph::put(const Op& op) {
  const OpId id = to_id<OpId>(size());
  const std::span<const OpId> src = op.src;
  const auto begin = static_cast<std::uint32_t>(src_.size());
  if (!src.empty() && src.data() >= src_.data() && src.data() < src_.data() + src_.size()) {
    const std::vector<OpId> copy(src.begin(), src.end());  // src may be a view of our own, about to move
    src_.insert(src_.end(), copy.begin(), copy.end());
  } else {
    src_.insert(src_.end(), src.begin(), src.end());
  }
  records_.push_back({op.kind, 0, op.dtype, op.arg, op.tag, begin, static_cast<std::uint32_t>(src.size())});
  return id;
}

void OpGraph::assign(OpId id, const Op& op) {
  Record& record = records_[index(id) - base_size_];
  VIZD_ASSERT(record.src_count == op.src.size());
  record = {op.kind, 0, op.dtype, op.arg, op.tag, record.src_begin, record.src_count};
  std::ranges::copy(op.src, src_.begin() + record.src_begin);
}

void OpGraph::set_src(OpId id, std::size_t port, OpId source) {
  src_[records_[index(id) - base_size_].src_begin + port] = source;
}

void OpGraph::reserve(std::size_t count) {
  records_.reserve(count);
  index_.reserve(count);
}

void OpGraph::begin_restore(std::size_t op_count, std::size_t source_count) {
  VIZD_ASSERT(size() == 0);
  records_.reserve(op_count);
  src_.reserve(source_count);
}

void OpGraph::restore(const Op& op) {
  records_.push_back({op.kind, 0, op.dtype, op.arg, op.tag, static_cast<std::uint32_t>(src_.size()),
                      static_cast<std::uint32_t>(op.src.size())});
  for (const OpId id : op.src) src_.push_back(id);
}

void OpGraph::drop_restored() {
  records_.clear();
  src_.clear();
  index_ = {};
}

bool OpGraph::finish_restore() {
  index_.reserve(records_.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Op op = this->op(to_id<OpId>(i));
    const std::uint32_t hashed = hash(op);
    if (find_hashed(hashed, op.kind, op.dtype, op.src, op.arg, op.tag) != OpId{kNoId}) return false;
    index_.add(hashed, static_cast<std::uint32_t>(i));
  }
  return true;
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
