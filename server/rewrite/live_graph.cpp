#include "rewrite/live_graph.h"

#include <algorithm>
#include <functional>

#include "base/assert.h"

namespace vizd {
namespace {

// How far above its sources an op's rank lies: far for imported ops, so that ops put between them seldom push the ones
// above; less for new ones, and least for ops that are pushed.
constexpr std::uint64_t kImportedRankGap = std::uint64_t{1} << 32;
constexpr std::uint64_t kNewRankGap = 1 << 16;
constexpr std::uint64_t kPushedRankGap = 1 << 8;

bool equal_values(const ValueTable& values, const Op& a, const Op& b) {
  const auto same = [&](ValueId x, ValueId y) { return x == y || values.equality(x) == values.equality(y); };
  return a.kind == b.kind && same(a.dtype, b.dtype) && same(a.arg, b.arg) && same(a.tag, b.tag);
}

}  // namespace

LiveGraph::LiveGraph(const OpGraph& capture_ops) : ops_(&capture_ops), first_id_(capture_ops.size()) {}

OpId LiveGraph::find(OpId capture_op) const {
  const std::uint32_t found =
      by_capture_op_.find(hash_of_id(capture_op), [&](std::uint32_t i) { return slots_[i].capture_op == capture_op; });
  return found == HashIndex::kNone ? OpId{kNoId} : to_id<OpId>(first_id_ + found);
}

OpId LiveGraph::find_equal(const Op& op) const { return find_hashed(ops_.hash(op), op); }

OpId LiveGraph::find_hashed(std::uint32_t hash, const Op& op) const {
  const std::uint32_t found = by_content_.find(hash, [&](std::uint32_t i) {
    const Op other = ops_.op(to_id<OpId>(first_id_ + i));
    return equal_values(ops_.values(), op, other) && std::ranges::equal(op.src, other.src);
  });
  return found == HashIndex::kNone ? OpId{kNoId} : to_id<OpId>(first_id_ + found);
}

OpId LiveGraph::equal_capture_op(const Op& op) const {
  constexpr std::size_t kFew = 8;
  OpId few[kFew];
  std::vector<OpId> many(op.src.size() > kFew ? op.src.size() : 0);
  const std::span<OpId> src = many.empty() ? std::span(few, op.src.size()) : std::span(many);
  for (std::size_t port = 0; port < src.size(); ++port) {
    src[port] = capture_op(op.src[port]);
    if (src[port] == OpId{kNoId}) return OpId{kNoId};
  }
  return ops_.find(op.kind, op.dtype, src, op.arg, op.tag);
}

void LiveGraph::begin_state() {
  for (const OpId id : changes_.born) slot(id).was_linked = slot(id).linked;
  for (const OpId id : changes_.died) slot(id).was_linked = slot(id).linked;
  for (const OpId id : changes_.rewired) slot(id).rewired = false;
  for (const OpId id : changes_.users_changed) slot(id).users_changed = false;
  for (const OpId id : released_) free_ids_[ops_.src(id).size()].push_back(id);
  released_.clear();
  changes_.born.clear();
  changes_.died.clear();
  changes_.rewired.clear();
  changes_.users_changed.clear();
  changes_.identified.clear();
  changes_.replaced.clear();
}

void LiveGraph::end_state() {
  while (!loose_.empty()) {
    const OpId id = loose_.back();
    loose_.pop_back();
    if (is_held(id)) continue;
    if (slot(id).linked) unlink(id);
    if (slot(id).pins == 0) release(id);
  }
  const auto gone = [&](OpId id) { return !slot(id).linked; };
  std::erase_if(changes_.born, gone);
  for (const OpId id : changes_.rewired) slot(id).rewired = slot(id).linked;
  std::erase_if(changes_.rewired, gone);
  for (const OpId id : changes_.users_changed) slot(id).users_changed = slot(id).linked;
  std::erase_if(changes_.users_changed, gone);
}

void LiveGraph::import(OpId capture_root) {
  // Depth first with the graph itself as the set of what is done, so that a small graph in a large capture is cheap.
  std::vector<OpId> src;
  std::vector<std::pair<OpId, std::size_t>> stack{{capture_root, 0}};
  while (!stack.empty()) {
    auto& [id, port] = stack.back();
    const Op op = ops_.op(id);
    while (port < op.src.size() && find(op.src[port]) != OpId{kNoId}) ++port;
    if (port < op.src.size()) {
      stack.emplace_back(op.src[port], 0);
      continue;
    }
    src.clear();
    for (const OpId source : op.src) src.push_back(find(source));
    const OpId made = intern({op.kind, op.dtype, op.arg, op.tag, src});
    set_capture_op(made, id);
    slot(made).rank = rank_above(src, kImportedRankGap);
    stack.pop_back();
  }
  set_root(find(capture_root));
}

void LiveGraph::set_root(OpId id) {
  if (id == root_) return;
  if (root_ != OpId{kNoId}) {
    loose_.push_back(root_);
    log_users(root_);
    changes_.replaced.emplace_back(root_, id);
  }
  root_ = id;
  link(id);
  log_users(id);
}

OpId LiveGraph::intern(const Op& op) {
  const std::uint32_t hash = ops_.hash(op);
  if (const OpId found = find_hashed(hash, op); found != OpId{kNoId}) return found;
  const OpId id = make(op);
  add_to_index(id, hash);
  loose_.push_back(id);
  return id;
}

OpId LiveGraph::make(const Op& op) {
  auto& free = free_ids_[op.src.size()];
  OpId id{};
  if (free.empty()) {
    id = ops_.put(op);
    slots_.emplace_back().first_port = uses_.add_reader(static_cast<std::uint32_t>(id), op.src.size());
  } else {
    id = free.back();
    free.pop_back();
    ops_.assign(id, op);
    slot(id) = {.first_port = slot(id).first_port};
  }
  slot(id).rank = rank_above(op.src, kNewRankGap);
  return id;
}

void LiveGraph::unpin(OpId id) {
  if (--slot(id).pins == 0) loose_.push_back(id);
}

void LiveGraph::replace(OpId from, OpId to) {
  VIZD_ASSERT(from != to);
  changes_.replaced.emplace_back(from, to);
  link(to);
  while (slot(from).first_use != kNoId) {
    const std::uint32_t port = slot(from).first_use;
    const OpId user{uses_.reader(port)};
    unindex(user);
    remove_use(from, port);
    ops_.set_src(user, port - slot(user).first_port, to);
    add_use(to, port);
    log_rewired(user);
    if (slot(user).rank <= slot(to).rank) raise_rank(user);
  }
  if (root_ == from) root_ = to;
  log_users(to);
  unindex(from);
  set_capture_op(from, OpId{kNoId});
  loose_.push_back(from);
}

void LiveGraph::index_op(OpId id) { add_to_index(id, ops_.hash(ops_.op(id))); }

void LiveGraph::add_to_index(OpId id, std::uint32_t hash) {
  Slot& s = slot(id);
  VIZD_ASSERT(!s.indexed);
  s.hash = hash;
  s.indexed = true;
  by_content_.add(s.hash, static_cast<std::uint32_t>(slot_index(id)));
}

void LiveGraph::unindex(OpId id) {
  Slot& s = slot(id);
  if (!s.indexed) return;
  s.indexed = false;
  by_content_.erase(s.hash, static_cast<std::uint32_t>(slot_index(id)));
}

void LiveGraph::set_sources(OpId id, std::span<const OpId> src) {
  unindex(id);
  for (std::size_t port = 0; port < src.size(); ++port) {
    const OpId old = ops_.src(id)[port];
    if (old == src[port]) continue;
    ops_.set_src(id, port, src[port]);
    if (!slot(id).linked) continue;
    const std::uint32_t use = slot(id).first_port + static_cast<std::uint32_t>(port);
    remove_use(old, use);
    if (!is_held(old)) loose_.push_back(old);
    link(src[port]);
    add_use(src[port], use);
    log_rewired(id);
  }
  raise_rank(id);
  index_op(id);
}

bool LiveGraph::set_capture_op(OpId id, OpId capture_op) {
  Slot& s = slot(id);
  if (s.capture_op == capture_op) return false;
  const auto i = static_cast<std::uint32_t>(slot_index(id));
  if (s.capture_op != OpId{kNoId}) by_capture_op_.erase(hash_of_id(s.capture_op), i);
  s.capture_op = capture_op;
  changes_.identified.push_back(id);
  if (capture_op != OpId{kNoId}) by_capture_op_.add(hash_of_id(capture_op), i);
  return true;
}

void LiveGraph::link(OpId id) {
  if (slot(id).linked) return;
  linking_.assign(1, id);
  slot(id).linked = true;
  while (!linking_.empty()) {
    const OpId user = linking_.back();
    linking_.pop_back();
    const std::span<const OpId> src = ops_.src(user);
    ++linked_ops_;
    linked_edges_ += src.size();
    if (!slot(user).was_linked) changes_.born.push_back(user);
    for (std::size_t port = 0; port < src.size(); ++port) {
      if (!slot(src[port]).linked) {
        slot(src[port]).linked = true;
        linking_.push_back(src[port]);
      }
      add_use(src[port], slot(user).first_port + static_cast<std::uint32_t>(port));
    }
    raise_rank(user);  // its sources may have risen while it was not in their lists
  }
}

void LiveGraph::unlink(OpId id) {
  slot(id).linked = false;
  const std::span<const OpId> src = ops_.src(id);
  --linked_ops_;
  linked_edges_ -= src.size();
  if (slot(id).was_linked) changes_.died.push_back(id);
  for (std::size_t port = 0; port < src.size(); ++port) {
    remove_use(src[port], slot(id).first_port + static_cast<std::uint32_t>(port));
    if (!is_held(src[port])) loose_.push_back(src[port]);
  }
}

void LiveGraph::add_use(OpId source, std::uint32_t port) {
  uses_.add(slot(source).first_use, port);
  log_users(source);
}

void LiveGraph::remove_use(OpId source, std::uint32_t port) {
  uses_.remove(slot(source).first_use, port);
  log_users(source);
}

void LiveGraph::log_rewired(OpId id) {
  if (!slot(id).was_linked || slot(id).rewired) return;
  slot(id).rewired = true;
  changes_.rewired.push_back(id);
}

void LiveGraph::log_users(OpId id) {
  if (slot(id).users_changed) return;
  slot(id).users_changed = true;
  changes_.users_changed.push_back(id);
}

std::uint64_t LiveGraph::rank_above(std::span<const OpId> src, std::uint64_t gap) const {
  std::uint64_t rank = 0;
  for (const OpId source : src) rank = std::max(rank, slot(source).rank + gap);
  return rank;
}

// By the old ranks, which still order all but what is pushed, so that each op is pushed once.
void LiveGraph::raise_rank(OpId id) {
  rising_.assign(1, {slot(id).rank, id});
  while (!rising_.empty()) {
    std::ranges::pop_heap(rising_, std::greater<>());
    const OpId pushed = rising_.back().second;
    rising_.pop_back();
    if (slot(pushed).rank >= rank_above(ops_.src(pushed), 1)) continue;
    slot(pushed).rank = rank_above(ops_.src(pushed), kPushedRankGap);
    for_each_user(pushed, [&](OpId user) {
      if (slot(user).rank > slot(pushed).rank) return;
      rising_.emplace_back(slot(user).rank, user);
      std::ranges::push_heap(rising_, std::greater<>());
    });
  }
}

void LiveGraph::release(OpId id) {
  unindex(id);
  set_capture_op(id, OpId{kNoId});
  slot(id).pins = kNoId;  // so that it is released once
  released_.push_back(id);
}

}  // namespace vizd
