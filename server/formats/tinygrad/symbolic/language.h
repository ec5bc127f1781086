// Language: what sets the expressions of one version of tinygrad apart from those of another, as one row: the numbers
// of its ops, its limits, its dtypes and its table of rules. What all versions share is beside this. Constant data; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/tinygrad/symbolic/ops.h"
#include "formats/tinygrad/symbolic/scalar.h"
#include "formats/tinygrad/symbolic/shape_table.h"

namespace vizd::tinygrad {

class ExprGraph;
class RuleTable;
class ShapedOp;
class Simplifier;

struct Bounds {
  Number least, greatest;
};

// The dtype that follows from an op's sources.
struct DerivedDType {
  enum class Kind { kDerived, kKept, kRaises };
  Kind kind = Kind::kKept;  // kKept: the sources do not say
  Scalar scalar = Scalar::kVoid;
};

// What the rules for dtypes look at besides an op's kind.
struct DTypeSources {
  std::span<const Scalar> sources{};
  // By source: whether it is a view of tinygrad's Invalid.
  std::span<const bool> is_invalid{};
  bool reads_image = false;          // of an INDEX: its source is a PARAM in the shape of an image
  std::optional<Scalar> argument{};  // what the op's argument says: of a CAST, a PARAM, a constant
  std::optional<Scalar> element{};   // of a GETTUPLE: the dtype of the tuple's element
};

// What a rewrite does with an op whose sources are not all done: the reference goes round and comes by again, later or
// never.
enum class Traversal : std::uint8_t {
  kWaits,  // it is tried again after everything else
  kFails,
};

struct Language {
  Scalar index = Scalar::kWeakint;  // the dtype of sizes and indices
  // Expressions deeper than this fail, as Python's limit of recursion makes them fail in tinygrad.
  std::uint32_t max_depth = 400;
  std::size_t max_stack = 250'000;    // of a rewrite: tinygrad's own limit
  std::size_t max_steps = 1'000'000;  // of a rewrite, before it counts as one that never ends
  Traversal traversal = Traversal::kFails;
  // Whether Invalid is a truth value, whatever it stands for.
  bool has_bool_invalid = true;
  // Whether what divides a product without rest stands before what is left of its factors, or behind.
  bool puts_quotient_first = true;
  // The version's number of an op, by which operands are put in order.
  std::uint16_t (*number)(Ops op) = nullptr;
  // The same of a vector of constants that differ, where the version has an op for it; 0 where it has none.
  std::uint16_t constants_number = 0;
  // dtype.const(value): the number as a constant of the dtype.
  Number (*as_const)(const Number& value, Scalar scalar) = nullptr;
  DerivedDType (*derive_dtype)(Ops op, const DTypeSources& of) = nullptr;
  // The dtype that two operands are brought to, if there is one. Null where they stay as they are, and a number becomes
  // a constant of the dtype that it stands beside.
  std::optional<Scalar> (*common_dtype)(Scalar a, Scalar b) = nullptr;
  // The bounds of what this version bounds in its own way; nothing for all else.
  std::optional<Bounds> (*own_bounds)(ExprGraph& graph, ExprId id) = nullptr;
  const RuleTable& (*rules)() = nullptr;
  // The shape that follows from an op's sources; null where expressions are numbers.
  ShapeId (*find_shape)(ShapedOp& op, Simplifier& simplifier) = nullptr;
};

}  // namespace vizd::tinygrad
