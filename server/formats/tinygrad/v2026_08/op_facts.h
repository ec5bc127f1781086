// OpFacts: what the boxes of a graph's ops show besides the ops themselves, found bottom up once and kept: shapes,
// loops, the memory a value lies in, small expressions, which ops are hidden. An op whose ancestors raise in tinygrad
// raises too, as there. Belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/tinygrad/fact_pages.h"
#include "formats/tinygrad/printing/range_sets.h"
#include "formats/tinygrad/symbolic/simplifier.h"
#include "formats/tinygrad/v2026_08/ops.h"
#include "formats/tinygrad/v2026_08/release.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"
#include "model/op_graph.h"

namespace vizd::tinygrad_2026_08 {

using tinygrad::RangeSets;
using tinygrad::RangesId;

// tinygrad.dtype.AddrSpace, by number.
enum class Memory : std::uint8_t { kNone, kGlobal, kLocal, kRegisters, kAlu, kRaises };

// UOp._device: a name or a tuple of names, as a value; an MSTACK's is told by how many it has. Nothing for none.
struct EarlierDevice {
  ValueId value = kNoneValue;
  std::uint32_t stacked = 0;
  bool is_there() const { return value != kNoneValue || stacked != 0; }
  bool operator==(const EarlierDevice&) const = default;
};

struct Facts {
  ShapeId shape = ShapeId::kNone;
  RangesId ranges = RangesId::kEmpty;  // the loops that the op stands in
  RangesId ended = RangesId::kEmpty;   // those that end with it
  ExprId expr = kNoExpr;               // the op as an expression, where it is made of few ops
  ValueId dtype{};
  Ops op{};
  Scalar scalar{};
  Memory memory = Memory::kNone;
  EarlierDevice device;  // of 0.12.0 and 0.13.0
  bool known = false;

  std::uint32_t label = kNoId;  // kept here by Labels
};

class OpFacts {
 public:
  // The shape that follows from an op's sources, whose facts are known, by another release's rules.
  using FindShape = ShapeId (*)(OpFacts& facts, const OpGraph& graph, const Op& op, Release release);

  // find_shape: of a release other than k14.
  explicit OpFacts(const OpGraph& graph, Release release = Release::k14, FindShape find_shape = nullptr)
      : graph_(graph),
        release_(release),
        find_shape_(find_shape),
        exprs_(graph.values(), language_of(release)),
        simplifier_(exprs_) {}

  // Valid until facts of another op are asked for.
  Facts& get(OpId id);
  void forget(OpId id) {
    at(id) = Facts();
    set_hidden(id, false);
    set_watched(id, false);
  }
  // Finds the facts again after the op has changed; whether any that its users' labels may depend on differs.
  bool refresh(OpId id);

  bool is_hidden(OpId id) const { return index(id) < hidden_.size() && hidden_[index(id)]; }
  void set_hidden(OpId id, bool hidden) { set(hidden_, id, hidden); }

  // The op as an expression, however many ops that takes; kNoExpr for more than kMaxOps. What is made of many ops has
  // none among its facts: whoever asked is told by refresh() of each of them that it may differ.
  ExprId expression(OpId id);
  Scalar scalar(ValueId dtype);
  // The device of an op of 0.12.0 or 0.13.0 whose sources' facts are known.
  EarlierDevice device(const Op& op);
  Simplifier& simplifier() { return simplifier_; }
  RangeSets& ranges() { return ranges_; }

 private:
  friend class ShapedGraphOp;
  static constexpr std::size_t kMaxOps = 4096;

  Facts& at(OpId id) { return facts_[id]; }
  static void set(std::vector<bool>& bits, OpId id, bool value);
  void set_watched(OpId id, bool watched) { set(watched_, id, watched); }
  void find(OpId id);
  RangesId ended_by(const Op& op);
  std::optional<std::size_t> first_ended(Ops op) const;
  RangesId contracted(const Op& op);
  Memory find_memory(const Op& op);
  ExprId convert(const Op& op, std::span<const ExprId> src);
  ExprId convert_earlier(const Op& op, std::span<const ExprId> src, Ops kind, Scalar scalar);
  ExprId items_of(ExprId vector, ValueId at, ValueId dtype, bool of_operands);
  Number number_of(ValueId arg) const;
  ExprId find_expr(const Op& op);

  const OpGraph& graph_;
  Release release_;
  FindShape find_shape_;
  ExprGraph exprs_;
  Simplifier simplifier_;
  RangeSets ranges_;
  tinygrad::FactPages<Facts> facts_;
  std::vector<bool> hidden_;
  std::vector<bool> watched_;    // large ops that expression() came by
  std::vector<Scalar> scalars_;  // by dtype
};

}  // namespace vizd::tinygrad_2026_08
