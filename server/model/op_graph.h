// OpGraph: hash-consed ops. Adding an op that is already there returns the one there, so that equal ids are equal
// graphs. Ops never change; an op's sources have smaller ids in a graph without a base.
// A graph may stand on a base: it sees the base's ops under their ids and adds its own after them, so that a replay
// makes ops without touching the capture, which other threads read. The base must outlive it and not grow meanwhile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash_index.h"
#include "base/huge_pages.h"
#include "base/ids.h"
#include "model/value.h"

namespace vizd {

struct Op {
  std::uint16_t kind = 0;  // the dialect's number of ADD, LOAD, …
  ValueId dtype{};
  ValueId arg{};
  ValueId tag{};
  std::span<const OpId> src;  // valid until the next add() to the graph that holds it
};

class OpGraph {
 public:
  explicit OpGraph(const ValueTable& values) : values_(values) {}
  explicit OpGraph(const OpGraph* base) : values_(base->values_), base_(base), base_size_(base->size()) {}
  OpGraph(const OpGraph&) = delete;
  OpGraph& operator=(const OpGraph&) = delete;

  // Every source must be an op of this graph or of its base.
  OpId add(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg, ValueId tag);
  // The op add() would return, or kNoId as an id where there is none; adds nothing.
  OpId find(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg, ValueId tag) const;
  // Makes room for so many ops.
  void reserve(std::size_t count);
  // For a graph without a base that was written as a whole and comes back: makes room for so many ops and sources,
  // then takes each op, of sources before it. add() and find() know them after finish_restore(), which returns whether
  // no two are equal, as it must be; drop_restored() takes all of them back.
  void begin_restore(std::size_t op_count, std::size_t source_count);
  void restore(const Op& op);
  bool finish_restore();
  void drop_restored();
  // Equal ops have equal hashes in graphs of one value table.
  std::uint32_t hash(const Op& op) const { return hash(op.kind, op.dtype, op.src, op.arg, op.tag); }

  // For a graph whose ops change in place (rewrite/live_graph.h): an op put() is apart from all others, equal or not;
  // add() and find() do not know it, and whoever put it may change it.
  OpId put(const Op& op);
  // Makes an op put here another one with as many sources.
  void assign(OpId id, const Op& op);
  void set_src(OpId id, std::size_t port, OpId source);

  Op op(OpId id) const;
  std::span<const OpId> src(OpId id) const;
  std::uint16_t kind(OpId id) const { return record(id).kind; }
  std::size_t size() const { return base_size_ + records_.size(); }
  const ValueTable& values() const { return values_; }

 private:
  struct Record {
    std::uint16_t kind;
    std::uint16_t unused;
    ValueId dtype, arg, tag;
    std::uint32_t src_begin, src_count;
  };

  const Record& record(OpId id) const {
    return index(id) < base_size_ ? base_->record(id) : records_[index(id) - base_size_];
  }
  std::uint32_t hash(std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg, ValueId tag) const;
  OpId find_hashed(std::uint32_t hash, std::uint16_t kind, ValueId dtype, std::span<const OpId> src, ValueId arg,
                   ValueId tag) const;

  const ValueTable& values_;
  const OpGraph* base_ = nullptr;
  std::size_t base_size_ = 0;
  LargeVector<Record> records_;
  LargeVector<OpId> src_;
  HashIndex index_;  // of records_, but for those that were put()
};

// The ops reachable from root, every op after its sources; sources in order, as tinygrad's UOp.toposort visits them.
std::vector<OpId> toposort(const OpGraph& graph, OpId root);

}  // namespace vizd
