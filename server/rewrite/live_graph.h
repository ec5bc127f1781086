// LiveGraph: the graph of the state at hand in a replay. Its ops are hash-consed and change in place: where a source is
// replaced, the users keep their ids and read the new source, so that a match costs what it touches and not all the
// ancestors that the reference creates again. What changed in a state is logged, so that the next one up need not
// look for it.
//
// An op is *linked* while the root reaches it: it then stands in its sources' lists of uses. An op may also be held
// unlinked (pinned), to be linked again later. An op knows which op of the capture it equals, if any; the capture's
// ops keep their own ids. Belongs to one thread; the capture's graph must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash_index.h"
#include "model/op_graph.h"
#include "rewrite/use_lists.h"

namespace vizd {

// The changes between begin_state() and end_state(). Ids that died keep their contents until the next begin_state().
struct LiveChanges {
  std::vector<OpId> born;                       // linked now, not before
  std::vector<OpId> died;                       // linked before, not now
  std::vector<OpId> rewired;                    // linked before and now, with another source at some port
  std::vector<OpId> users_changed;              // linked now, with other users than before
  std::vector<OpId> identified;                 // equal another op of the capture, or none any more; linked or not
  std::vector<std::pair<OpId, OpId>> replaced;  // the users of the first read the second instead
};

class LiveGraph {
 public:
  explicit LiveGraph(const OpGraph& capture_ops);

  // For looking at ops: every op here under its id, and the capture's ops, which the arguments of ops may name.
  const OpGraph& ops() const { return ops_; }
  OpId root() const { return root_; }
  bool is_linked(OpId id) const { return slot(id).linked; }
  // Sources have smaller ranks than their users.
  std::uint64_t rank(OpId id) const { return slot(id).rank; }
  // An array of this size has room for every id so far, at slot_index(id).
  std::size_t slot_count() const { return slots_.size(); }
  std::size_t slot_index(OpId id) const { return index(id) - first_id_; }
  std::size_t linked_ops() const { return linked_ops_; }
  std::size_t linked_edges() const { return linked_edges_; }
  const LiveChanges& changes() const { return changes_; }

  // The capture's op that this one equals, or none.
  OpId capture_op(OpId id) const { return slot(id).capture_op; }
  // The op here, linked or pinned, that equals the capture's op, or none.
  OpId find(OpId capture_op) const;
  // As find(), for an op of this graph's own.
  OpId find_equal(const Op& op) const;
  // The capture's op that this op, whose sources are ours, would equal, or none.
  OpId equal_capture_op(const Op& op) const;

  // Calls visit(user) for each edge from a linked user; a user that reads the op twice is visited twice.
  template <typename Visit>
  void for_each_user(OpId id, Visit&& visit) const {
    uses_.for_each_reader(slot(id).first_use, [&](std::uint32_t user) { visit(OpId{user}); });
  }

  // The same, until visit returns false.
  template <typename Visit>
  void for_each_user_while(OpId id, Visit&& visit) const {
    uses_.for_each_reader_while(slot(id).first_use, [&](std::uint32_t user) { return visit(OpId{user}); });
  }

  void begin_state();
  // Drops what neither the root nor a pin holds.
  void end_state();

  // Copies a graph of the capture and makes it the root.
  void import(OpId capture_root);
  void set_root(OpId id);
  // The op here that equals this one, made where there is none. set_capture_op() is the caller's to call.
  OpId intern(const Op& op);
  // Held even where no use does. Counts.
  void pin(OpId id) { ++slot(id).pins; }
  void unpin(OpId id);
  bool is_pinned_once(OpId id) const { return slot(id).pins == 1; }

  // Makes the users of one op, and the root if it is that, read another one. The users are then not found by
  // find_equal() until they are put back with index(), since two may have become equal; the first is never found again.
  void replace(OpId from, OpId to);
  bool is_indexed(OpId id) const { return slot(id).indexed; }
  void index_op(OpId id);
  // Gives an op other sources. No op here may equal the result.
  void set_sources(OpId id, std::span<const OpId> src);
  // For the log: what used to read the first reads the second now.
  void log_replaced(OpId from, OpId to) { changes_.replaced.emplace_back(from, to); }
  // Instead of what was logged in this state.
  void set_replaced(std::vector<std::pair<OpId, OpId>> pairs) { changes_.replaced = std::move(pairs); }
  // Returns whether it was another before.
  bool set_capture_op(OpId id, OpId capture_op);

 private:
  struct Slot {
    std::uint64_t rank = 0;
    OpId capture_op{kNoId};
    std::uint32_t hash = 0;
    std::uint32_t first_port = 0;  // in uses_
    std::uint32_t first_use = kNoId;
    std::uint32_t pins = 0;
    bool indexed = false;
    bool linked = false;
    bool was_linked = false;  // when the state began
    bool rewired = false;     // logged
    bool users_changed = false;
  };

  Slot& slot(OpId id) { return slots_[index(id) - first_id_]; }
  const Slot& slot(OpId id) const { return slots_[index(id) - first_id_]; }
  bool is_held(OpId id) const { return slot(id).first_use != kNoId || id == root_; }
  OpId make(const Op& op);
  OpId find_hashed(std::uint32_t hash, const Op& op) const;
  void add_to_index(OpId id, std::uint32_t hash);
  void unindex(OpId id);
  void link(OpId id);
  void unlink(OpId id);
  void add_use(OpId source, std::uint32_t port);
  void remove_use(OpId source, std::uint32_t port);
  void log_rewired(OpId id);
  void log_users(OpId id);
  std::uint64_t rank_above(std::span<const OpId> src, std::uint64_t gap) const;
  void raise_rank(OpId id);
  void release(OpId id);

  OpGraph ops_;
  std::size_t first_id_;  // ids below are the capture's
  OpId root_{kNoId};
  std::vector<Slot> slots_;  // by id - first_id_
  UseLists uses_;            // readers are linked ops, by id
  HashIndex by_content_;     // of slots_
  HashIndex by_capture_op_;  // of slots_
  std::size_t linked_ops_ = 0;
  std::size_t linked_edges_ = 0;
  LiveChanges changes_;
  std::vector<OpId> loose_;                                      // perhaps held by nothing any more
  std::vector<OpId> released_;                                   // in this state; free from the next on
  std::unordered_map<std::size_t, std::vector<OpId>> free_ids_;  // by number of sources
  std::vector<OpId> linking_;                                    // a stack and a heap, kept for their memory
  std::vector<std::pair<std::uint64_t, OpId>> rising_;
};

}  // namespace vizd
