// Pattern: what a rule of tinygrad's looks for, as its UPat says it, with UPat's own operators, so that a rule here
// reads as it does there. match() tries the orders of commutative operands as UPat.match does, and calls back for each
// way in which the pattern fits. Constant once made; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "formats/tinygrad/symbolic/expr_graph.h"

namespace vizd::tinygrad {

// What the names of a pattern stand for. Names are single letters.
class Bindings {
 public:
  ExprId operator[](char name) const { return bound_[static_cast<std::size_t>(name - 'A')]; }
  // False where the name stands for something else already.
  bool bind(char name, ExprId id);
  void unbind(char name) { bound_[static_cast<std::size_t>(name - 'A')] = kNoExpr; }
  bool is_bound(char name) const { return (*this)[name] != kNoExpr; }
  Bindings() { bound_.fill(kNoExpr); }

 private:
  std::array<ExprId, 'z' - 'A' + 1> bound_;
};

// A set of dtypes; empty: any.
class ScalarSet {
 public:
  ScalarSet() = default;
  ScalarSet(std::initializer_list<Scalar> scalars) {
    for (const Scalar scalar : scalars) bits_ |= 1u << static_cast<int>(scalar);
  }
  bool admits(Scalar scalar) const { return bits_ == 0 || (bits_ >> static_cast<int>(scalar) & 1) != 0; }
  ScalarSet with(const ScalarSet& other) const {
    ScalarSet set = *this;
    set.bits_ |= other.bits_;
    return set;
  }
  bool operator==(const ScalarSet&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

inline const ScalarSet kInts{Scalar::kInt8,  Scalar::kUint8,  Scalar::kInt16, Scalar::kUint16,
                             Scalar::kInt32, Scalar::kUint32, Scalar::kInt64, Scalar::kUint64};
// The dtypes of sizes and indices; of a version, one of them.
inline const ScalarSet kIndices{Scalar::kWeakint, Scalar::kIndex};
inline const ScalarSet kIntsOrIndices = kInts.with(kIndices);
inline const ScalarSet kIntsOrBool = kIntsOrIndices.with({Scalar::kBool});
inline const ScalarSet kSignedInts{Scalar::kInt8, Scalar::kInt16, Scalar::kInt32, Scalar::kInt64};

inline const ScalarSet kBools{Scalar::kBool};

// All ops for which this holds.
OpSet ops_that(bool (*holds)(Ops));

struct Pattern {
  enum class Sources { kAny, kInOrder, kInAnyOrder, kAllAlike };

  OpSet ops{};  // empty: any
  ScalarSet scalars{};
  std::optional<Number> number{};  // of a constant
  char name = 0;
  Sources sources = Sources::kAny;
  std::vector<Pattern> src{};
  bool more_sources = false;            // beside those of src
  std::vector<Pattern> alternatives{};  // UPat.any: one of these, and nothing else of this is looked at

  Pattern named(char as) const {
    Pattern copy = *this;
    copy.name = as;
    return copy;
  }
};

// UPat.var, UPat.cvar, UPat.const, UPat(op, src=…)
Pattern var(char name = 0, ScalarSet scalars = {});
Pattern cvar(char name, ScalarSet scalars = {});
Pattern number(Wide value, char name = 0);
Pattern truth(bool value);
Pattern invalid(char name);
Pattern op(OpSet ops, std::vector<Pattern> src, char name = 0, ScalarSet scalars = {});
Pattern op_in_any_order(OpSet ops, std::vector<Pattern> src, char name = 0);
Pattern alu(Ops op, std::vector<Pattern> src);
Pattern cast(Pattern source, ScalarSet to = {}, char name = 0);
Pattern where(Pattern condition, Pattern yes, Pattern no);
Pattern not_equal(Pattern a, Pattern b);
Pattern logical_not(Pattern a);

inline Pattern operator+(Pattern a, Pattern b) { return alu(Ops::kAdd, {std::move(a), std::move(b)}); }
inline Pattern operator*(Pattern a, Pattern b) { return alu(Ops::kMul, {std::move(a), std::move(b)}); }
inline Pattern operator%(Pattern a, Pattern b) { return alu(Ops::kFloormod, {std::move(a), std::move(b)}); }
inline Pattern operator<(Pattern a, Pattern b) { return alu(Ops::kCmplt, {std::move(a), std::move(b)}); }
inline Pattern operator&(Pattern a, Pattern b) { return alu(Ops::kAnd, {std::move(a), std::move(b)}); }
inline Pattern operator|(Pattern a, Pattern b) { return alu(Ops::kOr, {std::move(a), std::move(b)}); }
inline Pattern operator^(Pattern a, Pattern b) { return alu(Ops::kXor, {std::move(a), std::move(b)}); }
inline Pattern operator<<(Pattern a, Pattern b) { return alu(Ops::kShl, {std::move(a), std::move(b)}); }
inline Pattern operator>>(Pattern a, Pattern b) { return alu(Ops::kShr, {std::move(a), std::move(b)}); }
inline Pattern floor_div(Pattern a, Pattern b) { return alu(Ops::kFloordiv, {std::move(a), std::move(b)}); }
inline Pattern c_div(Pattern a, Pattern b) { return alu(Ops::kCdiv, {std::move(a), std::move(b)}); }
inline Pattern c_mod(Pattern a, Pattern b) { return alu(Ops::kCmod, {std::move(a), std::move(b)}); }
inline Pattern divide(Pattern a, Pattern b) {
  return alu(Ops::kMul, {std::move(a), alu(Ops::kReciprocal, {std::move(b)})});
}

// The expression that a pattern of names, numbers and operators stands for, beside an expression that has matched:
// "x*(c+1)". Numbers become constants as Python's operators make them.
ExprId build(ExprGraph& graph, const Pattern& pattern, const Bindings& names);

// Calls use(bindings) for each way in which the pattern fits, until it returns true; whether it did.
bool match(const ExprGraph& graph, const Pattern& pattern, ExprId id, Bindings& bindings,
           const std::function<bool()>& use);

}  // namespace vizd::tinygrad
