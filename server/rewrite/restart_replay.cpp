#include "rewrite/restart_replay.h"

#include <algorithm>

namespace vizd {
namespace {

constexpr std::uint32_t kNoCell = kNoId;

}  // namespace

bool RestartReplay::apply(OpId before) {
  if (const std::uint32_t cell = find_cell(before); cell != kNoCell) mark_dirty(cell);
  // An error's op is owned by no cell.
  if (const OpId live = graph_.find(before); live != OpId{kNoId} && graph_.slot_index(live) < owners_.size()) {
    reads_.for_each_reader(owners_[graph_.slot_index(live)], [&](std::uint32_t cell) { mark_dirty(cell); });
  }
  const std::uint32_t root = cell_of(sink_);
  if (cells_[root].state != CellState::kClean && !evaluate(root)) {
    forget_all();
    return false;
  }
  graph_.set_root(cells_[root].value);
  collect();
  return true;
}

std::uint32_t RestartReplay::find_cell(OpId op) const {
  return cell_index_.find(hash_of_id(op), [&](std::uint32_t i) { return cells_[i].op == op; });
}

std::uint32_t RestartReplay::cell_of(OpId op) {
  if (const std::uint32_t found = find_cell(op); found != HashIndex::kNone) return found;
  const std::size_t sources = graph_.ops().src(op).size();
  auto& free = free_cells_[sources];
  auto cell = static_cast<std::uint32_t>(cells_.size());
  if (free.empty()) {
    cells_.emplace_back().first_port = reads_.add_reader(cell, sources + 2);
    read_cell_.resize(cells_[cell].first_port + sources + 2, kNoCell);
  } else {
    cell = free.back();
    free.pop_back();
    cells_[cell] = {.first_port = cells_[cell].first_port};
  }
  cells_[cell].op = op;
  cell_index_.add(hash_of_id(op), cell);
  return cell;
}

std::uint32_t RestartReplay::forward_port(std::uint32_t cell) const {
  return cells_[cell].first_port + static_cast<std::uint32_t>(source_count(cell));
}

void RestartReplay::mark_dirty(std::uint32_t cell) {
  dirtying_.assign(1, cell);
  while (!dirtying_.empty()) {
    Cell& c = cells_[dirtying_.back()];
    dirtying_.pop_back();
    if (c.state != CellState::kClean) continue;
    c.state = CellState::kDirty;
    reads_.for_each_reader(c.readers, [&](std::uint32_t reader) { dirtying_.push_back(reader); });
  }
}

bool RestartReplay::evaluate(std::uint32_t cell) {
  cells_[cell].state = CellState::kBusy;
  stack_.assign(1, Frame{cell});
  while (!stack_.empty()) {
    Frame frame = stack_.back();
    const std::size_t depth = stack_.size();
    const Pass outcome = pass(frame);
    if (outcome == Pass::kLoops) return false;
    if (outcome == Pass::kWaits) {
      stack_[depth - 1] = frame;
      continue;
    }
    cells_[frame.cell].state = CellState::kClean;
    measure(frame.cell);
    stack_.pop_back();
  }
  return true;
}

// As the reference goes: to what replaces the op; else to its sources, then, where these changed, to the op made of
// them, which may be replaced again.
RestartReplay::Pass RestartReplay::pass(Frame& frame) {
  const std::uint32_t cell = frame.cell;
  if (const OpId by = replacements_.get(cells_[cell].op); by != OpId{kNoId}) {
    forget_sources(cell);
    return forward_to(cell, by);
  }
  read_sources(cell);
  const auto count = static_cast<std::uint32_t>(source_count(cell));
  for (; frame.source < count; ++frame.source) {
    if (const Pass outcome = read(read_cell_[cells_[cell].first_port + frame.source]); outcome != Pass::kDone) {
      return outcome;
    }
  }
  src_.clear();
  bool same = true, same_dtypes = true;
  const Op op = graph_.ops().op(cells_[cell].op);
  for (std::uint32_t i = 0; i < count; ++i) {
    src_.push_back(cells_[read_cell_[cells_[cell].first_port + i]].value);
    same = same && graph_.capture_op(src_.back()) == op.src[i];
    same_dtypes = same_dtypes && graph_.ops().op(src_.back()).dtype == graph_.ops().op(op.src[i]).dtype;
  }
  const ValueId dtype =
      same_dtypes ? op.dtype : dialect_.rebuilt_dtype(graph_.ops(), {op.kind, op.dtype, op.arg, op.tag, src_});
  const OpId capture_op = same ? cells_[cell].op : graph_.equal_capture_op({op.kind, dtype, op.arg, op.tag, src_});
  if (capture_op != OpId{kNoId} && replacements_.contains(capture_op)) return forward_to(cell, capture_op);
  set_forward(cell, kNoCell);
  make_value(cell, dtype, capture_op);
  return Pass::kDone;
}

// Makes sure that a cell is clean before its reader goes on.
RestartReplay::Pass RestartReplay::read(std::uint32_t cell) {
  Cell& c = cells_[cell];
  if (c.state == CellState::kClean) return Pass::kDone;
  if (c.state == CellState::kBusy) return Pass::kLoops;
  c.state = CellState::kBusy;
  stack_.push_back(Frame{cell});
  return Pass::kWaits;
}

RestartReplay::Pass RestartReplay::forward_to(std::uint32_t cell, OpId op) {
  set_forward(cell, cell_of(op));
  const std::uint32_t forward = cells_[cell].forward;
  const Pass outcome = read(forward);
  if (outcome == Pass::kDone) set_value(cell, cells_[forward].value, false);
  return outcome;
}

// Makes the value of the op with src_ as its sources.
void RestartReplay::make_value(std::uint32_t cell, ValueId dtype, OpId capture_op) {
  const Op op = graph_.ops().op(cells_[cell].op);
  const Op made{op.kind, dtype, op.arg, op.tag, src_};
  OpId value = cells_[cell].value;
  const bool keeps_dtype = cells_[cell].owns_value && graph_.ops().op(value).dtype == dtype;
  if (keeps_dtype && std::ranges::equal(graph_.ops().src(value), src_)) {
    // The change lies deeper.
  } else if (!keeps_dtype || !graph_.is_pinned_once(value)) {
    value = graph_.intern(made);
  } else if (const OpId equal = graph_.find_equal(made); equal != OpId{kNoId}) {
    value = equal;
  } else {
    graph_.set_sources(value, src_);
  }
  graph_.set_capture_op(value, capture_op);
  set_value(cell, value, true);
}

void RestartReplay::set_value(std::uint32_t cell, OpId value, bool owned) {
  const OpId old = cells_[cell].value;
  if (old == value && cells_[cell].owns_value == owned) return;
  if (owned) graph_.pin(value);
  disown(cell);
  if (old != OpId{kNoId} && old != value) graph_.log_replaced(old, value);
  cells_[cell].value = value;
  cells_[cell].owns_value = owned;
  if (!owned) return;
  owners_.resize(graph_.slot_count(), kNoId);
  reads_.add(owners_[graph_.slot_index(value)], value_port(cell));
}

void RestartReplay::disown(std::uint32_t cell) {
  Cell& c = cells_[cell];
  if (!c.owns_value) return;
  c.owns_value = false;
  reads_.remove(owners_[graph_.slot_index(c.value)], value_port(cell));
  graph_.unpin(c.value);
}

void RestartReplay::read_sources(std::uint32_t cell) {
  if (cells_[cell].reads_sources) return;
  cells_[cell].reads_sources = true;
  const std::size_t count = source_count(cell);
  for (std::uint32_t i = 0; i < count; ++i) {
    add_read(cells_[cell].first_port + i, cell_of(graph_.ops().src(cells_[cell].op)[i]));
  }
}

void RestartReplay::forget_sources(std::uint32_t cell) {
  if (!cells_[cell].reads_sources) return;
  cells_[cell].reads_sources = false;
  const std::size_t count = source_count(cell);
  for (std::uint32_t i = 0; i < count; ++i) remove_read(cells_[cell].first_port + i);
}

void RestartReplay::set_forward(std::uint32_t cell, std::uint32_t to) {
  if (cells_[cell].forward == to) return;
  if (cells_[cell].forward != kNoCell) remove_read(forward_port(cell));
  if (to != kNoCell) add_read(forward_port(cell), to);
  cells_[cell].forward = to;
}

void RestartReplay::add_read(std::uint32_t port, std::uint32_t cell) {
  read_cell_[port] = cell;
  reads_.add(cells_[cell].readers, port);
}

void RestartReplay::remove_read(std::uint32_t port) {
  const std::uint32_t cell = read_cell_[port];
  reads_.remove(cells_[cell].readers, port);
  if (cells_[cell].readers == kNoId) loose_.push_back(cell);
}

// What waits while the op is on its way are itself and its sources, then the op made of them with its own; on top of
// that comes whichever of them goes highest, or what replaces it. All that it reads has been measured.
void RestartReplay::measure(std::uint32_t cell) {
  Cell& c = cells_[cell];
  const std::size_t sources = source_count(cell);
  std::size_t highest = c.forward == kNoCell ? 0 : cells_[c.forward].height;
  for (std::size_t i = 0; c.reads_sources && i < sources; ++i)
    highest = std::max(highest, cells_[read_cell_[c.first_port + i]].height);
  c.height = highest + 2 * (2 + sources);
}

void RestartReplay::collect() {
  while (!loose_.empty()) {
    const std::uint32_t cell = loose_.back();
    loose_.pop_back();
    if (cells_[cell].readers != kNoId || cells_[cell].op == sink_ || cells_[cell].op == OpId{kNoId}) continue;
    disown(cell);
    forget_sources(cell);
    set_forward(cell, kNoCell);
    free_cells_[source_count(cell)].push_back(cell);
    cell_index_.erase(hash_of_id(cells_[cell].op), cell);
    cells_[cell].op = OpId{kNoId};
  }
}

void RestartReplay::forget_all() {
  for (const Cell& cell : cells_) {
    if (cell.owns_value) graph_.unpin(cell.value);
  }
  cells_.clear();
  cell_index_ = HashIndex();
  reads_ = UseLists();
  read_cell_.clear();
  owners_.clear();
  loose_.clear();
  free_cells_.clear();
}

}  // namespace vizd
