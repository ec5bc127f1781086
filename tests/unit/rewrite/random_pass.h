// Random passes for property tests: small graphs with much sharing, and matches of every awkward sort: of ops in the
// state, of ops hidden or not there yet, of ops replaced before, of ops to themselves, of ops to what holds them.
#pragma once

#include <random>
#include <unordered_map>
#include <vector>

#include "unit/rewrite/plain_replay.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::toy {

class RandomPass {
 public:
  RandomPass(Builder& builder, std::uint32_t seed) : b_(builder), random_(seed) {}

  void fill() {
    const std::size_t leaves = 2 + pick(3);
    for (std::size_t i = 0; i < leaves; ++i) {
      pool_.push_back(b_.op(pick(4) == 0 ? kConst : kLeaf, {}, static_cast<std::int64_t>(i)));
    }
    const std::size_t inner = 3 + pick(25);
    for (std::size_t i = 0; i < inner; ++i) pool_.push_back(random_op());
    b_.pass().sink = b_.op(kSink, {pool_.back(), any(), any()});
    b_.pass().restarts_from_sink = pick(2) == 0;
    // A sixth of the passes run into loops often, the others seldom or never.
    wild_ = pick(6) == 0;
    PlainReplay plain(b_.capture, b_.pass().restarts_from_sink, b_.pass().sink);
    const std::size_t matches = 1 + pick(20);
    for (std::size_t i = 0; i < matches; ++i) {
      const OpId before = pick(3) == 0 ? any() : from_state(plain);
      const OpId after = replacement(before);
      b_.match(before, after);
      plain.match(before, after);
    }
  }

 private:
  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  OpId any() { return pool_[pick(pool_.size())]; }

  OpId random_op() {
    const Kind kind = pick(5) == 0 ? kView : pick(2) == 0 ? kAdd : kMul;
    std::vector<OpId> src;
    for (std::size_t n = 1 + pick(3); n > 0; --n) src.push_back(any());
    return b_.op(kind, src, static_cast<std::int64_t>(pick(2)));
  }

  // An op of the state at hand, made known to the capture.
  OpId from_state(const PlainReplay& plain) {
    const std::vector<OpId> state = toposort(plain.ops(), plain.state());
    return learn(plain.ops(), state[pick(state.size())]);
  }

  OpId learn(const OpGraph& from, OpId root) {
    std::unordered_map<OpId, OpId> ids;
    for (const OpId id : toposort(from, root)) {
      const Op op = from.op(id);
      std::vector<OpId> src;
      for (const OpId source : op.src) src.push_back(ids.at(source));
      ids[id] = b_.capture.ops.add(op.kind, op.dtype, src, op.arg, op.tag);
      if (pick(4) == 0) pool_.push_back(ids[id]);
    }
    return ids.at(root);
  }

  OpId replacement(OpId before) {
    if (wild_ && pick(4) == 0) return any();
    if (pick(12) == 0) return before;
    if (wild_ && pick(8) == 0) return b_.op(kMul, {before});
    // Something made of what the op is made of, as most rules do.
    const std::vector<OpId> below = toposort(b_.capture.ops, before);
    const auto pick_below = [&] { return below.size() == 1 ? pool_[0] : below[pick(below.size() - 1)]; };
    if (pick(3) == 0) return pick_below();
    const OpId made =
        b_.op(pick(2) == 0 ? kAdd : kMul, {pick_below(), pick_below()}, static_cast<std::int64_t>(pick(4)));
    pool_.push_back(made);
    return made;
  }

  Builder& b_;
  std::mt19937 random_;
  std::vector<OpId> pool_;
  bool wild_ = false;
};

inline void fill_with_random_pass(Builder& builder, std::uint32_t seed) { RandomPass(builder, seed).fill(); }

}  // namespace vizd::toy
