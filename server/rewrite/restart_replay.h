// RestartReplay: the states of a bottom-up pass, in which each state is the pass's input graph with all matches so far
// substituted (tinygrad serve.py get_details, bottom_up true).
//
// Keeps, for each op of the capture that the substitution comes by, a *cell*: what the op becomes, and which cells that
// came from. A match makes the cells that looked at its op dirty, and those above them; only these are worked out
// again, depth first as the reference does. Costs the ancestors of what is matched, a few pointers each. Belongs to one
// thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/dialect.h"
#include "rewrite/live_graph.h"
#include "rewrite/replacements.h"
#include "rewrite/use_lists.h"

namespace vizd {

class RestartReplay {
 public:
  // The arguments must outlive this.
  RestartReplay(LiveGraph& graph, const Replacements& replacements, const Dialect& dialect, OpId sink)
      : graph_(graph), replacements_(replacements), dialect_(dialect), sink_(sink) {}

  // To be called before the first match is in the replacements; the graph holds the sink's.
  void begin() { apply(OpId{kNoId}); }
  // Substitutes after a match of this op, which is in the replacements already; between the graph's begin_state() and
  // end_state(). False where replacements run into a loop: everything is forgotten then, the graph wants another root,
  // and the next call starts anew.
  bool apply(OpId before);

  // How many ops wait on the reference's stack at most, while it substitutes. To be asked after an apply() that was
  // true; costs nothing.
  std::size_t stack_height() const { return cells_[find_cell(sink_)].height; }

 private:
  enum class CellState : std::uint8_t { kDirty, kBusy, kClean };
  struct Cell {
    OpId op{};
    OpId value{kNoId};              // what op becomes, in the graph
    std::uint32_t forward = kNoId;  // the cell whose value is this one's too: of an op that replaces this one's
    std::uint32_t first_port = 0;   // in reads_: the sources, forward, and the value where this cell owns it
    std::uint32_t readers = kNoId;  // head of the cells that this one's value went into
    std::size_t height = 0;         // of the stack above where this op is begun, until it is done
    CellState state = CellState::kDirty;
    bool reads_sources = false;
    bool owns_value = false;
  };
  struct Frame {
    std::uint32_t cell;
    std::uint32_t source = 0;  // the next to look at
  };
  enum class Pass : std::uint8_t { kDone, kWaits, kLoops };  // kWaits: the cell waited for is on the stack now

  std::uint32_t find_cell(OpId op) const;
  std::uint32_t cell_of(OpId op);
  void mark_dirty(std::uint32_t cell);
  bool evaluate(std::uint32_t cell);
  Pass pass(Frame& frame);
  Pass read(std::uint32_t cell);
  Pass forward_to(std::uint32_t cell, OpId op);
  void make_value(std::uint32_t cell, ValueId dtype, OpId capture_op);
  void set_value(std::uint32_t cell, OpId value, bool owned);
  void disown(std::uint32_t cell);
  void read_sources(std::uint32_t cell);
  void forget_sources(std::uint32_t cell);
  void set_forward(std::uint32_t cell, std::uint32_t to);
  void add_read(std::uint32_t port, std::uint32_t cell);
  void remove_read(std::uint32_t port);
  void measure(std::uint32_t cell);
  void collect();
  void forget_all();

  std::size_t source_count(std::uint32_t cell) const { return graph_.ops().src(cells_[cell].op).size(); }
  std::uint32_t forward_port(std::uint32_t cell) const;
  std::uint32_t value_port(std::uint32_t cell) const { return forward_port(cell) + 1; }

  LiveGraph& graph_;
  const Replacements& replacements_;
  const Dialect& dialect_;
  OpId sink_;
  std::vector<Cell> cells_;
  HashIndex cell_index_;                  // by op
  UseLists reads_;                        // readers are cells
  std::vector<std::uint32_t> read_cell_;  // by port of reads_
  std::vector<std::uint32_t> owners_;     // by slot index: head of the cells that own the op there
  std::vector<std::uint32_t> loose_;      // cells that perhaps nothing reads any more
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> free_cells_;  // by number of sources
  std::vector<Frame> stack_;
  std::vector<std::uint32_t> dirtying_;
  std::vector<OpId> src_;
};

}  // namespace vizd
