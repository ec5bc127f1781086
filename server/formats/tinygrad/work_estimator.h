// What a kernel has to do by its linear code, as Estimates.from_uops(ignore_indexing) of tinygrad's renderer reckons
// it: operations, bytes it touches, bytes its loads and stores move. Rules say what a release calls its ops and dtypes,
// and what of finding an address it leaves out:
//   Ops; kLoopEnd; is_arithmetic(Ops); dtype(values, id); kStopsAtLoops: a loop that an address depends on is no part
//   of it; kKeepsIndexed: neither is what an index leads to; marks_all_of(Ops): loads and stores of registers too.
// Belongs to one thread.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formats/tinygrad/python/number.h"
#include "model/capture.h"

namespace vizd::tinygrad {

using python::Wide;

struct WorkEstimate {
  Wide operations = 0;
  Wide memory_bytes = 0;
  Wide load_store_bytes = 0;
};

// The part of a dtype that counts here.
struct MovedType {
  bool in_registers = false;         // of a pointer
  std::int64_t item_size_bytes = 0;  // of a vector: all of it
  std::int64_t lanes = 1;
  std::int64_t elements = 0;  // what a pointer leads to
};

inline constexpr int kMaxExpressionDepth = 200;
inline constexpr int kMostShift = 100;

// As arguments of events have it.
inline ArgumentValue work_amount(Wide amount) {
  const auto narrow = static_cast<std::int64_t>(amount);
  if (narrow == amount) return narrow;
  return static_cast<double>(amount);
}

// One walk over a kernel's code, as Estimates.from_uops makes it.
template <typename Rules>
class WorkEstimator {
  using Ops = typename Rules::Ops;

 public:
  // Both outlive it. var_vals: a dict of name to integer.
  WorkEstimator(const Capture& capture, ValueId var_vals)
      : graph_(capture.ops), values_(capture.values), vars_(var_vals) {}

  std::optional<WorkEstimate> walk(std::span<const ValueId> code) {
    for (const ValueId item : code) {
      if (values_.kind(item) != ValueKind::kOp) return std::nullopt;
      mark_indexing(values_.as_op(item));
    }
    for (const ValueId item : code) count(values_.as_op(item));
    if (failed_) return std::nullopt;
    for (const auto& [buffer, bytes] : touched_) result_.memory_bytes = python::wide_add(result_.memory_bytes, bytes);
    return result_;
  }

 private:
  Ops op(OpId id) const { return static_cast<Ops>(graph_.kind(id)); }
  MovedType dtype(OpId id) const { return Rules::dtype(values_, graph_.op(id).dtype); }

  bool moves_memory(OpId id) const {
    if ((op(id) != Ops::kLoad && op(id) != Ops::kStore) || graph_.src(id).empty()) return false;
    return !dtype(graph_.src(id)[0]).in_registers;
  }

  // Finding an address or a condition is no work of the kernel.
  void mark_indexing(OpId id) {
    const auto src = graph_.src(id);
    if (Rules::marks_all_of(op(id)) ? !src.empty() : moves_memory(id)) {
      mark_address(src[0]);
      if (src.size() > 2) mark_all(src[2]);
    } else if (op(id) == Ops::kIf && !src.empty()) {
      mark_all(src[0]);
    }
  }

  // Where an index leads to may be the work of another store.
  void mark_address(OpId id) {
    if (!Rules::kKeepsIndexed || op(id) != Ops::kIndex) return mark_all(id);
    for (const OpId part : graph_.src(id).subspan(graph_.src(id).empty() ? 0 : 1)) mark_all(part);
  }

  void mark_all(OpId root) {
    std::vector<OpId> stack{root};
    while (!stack.empty()) {
      const OpId id = stack.back();
      stack.pop_back();
      if (Rules::kStopsAtLoops && op(id) == Ops::kRange) continue;
      if (!indexing_.insert(id).second) continue;
      const auto src = graph_.src(id);
      stack.insert(stack.end(), src.begin(), src.end());
    }
  }

  void count(OpId id) {
    const Op o = graph_.op(id);
    const auto times = [&](Wide n) { return python::wide_mul(n, repeats_); };
    if (op(id) == Ops::kLoad || op(id) == Ops::kStore) touch_buffer(id);
    if (op(id) == Ops::kRange) {
      outer_repeats_.push_back(repeats_);
      repeats_ = times(value_of_first(o));
    } else if (op(id) == Rules::kLoopEnd) {
      failed_ |= outer_repeats_.empty();
      if (failed_) return;
      repeats_ = outer_repeats_.back();
      outer_repeats_.pop_back();
    } else if (op(id) == Ops::kSpecial) {
      repeats_ = times(value_of_first(o));
    } else if (moves_memory(id)) {
      failed_ |= op(id) == Ops::kStore && o.src.size() < 2;
      if (failed_) return;
      const MovedType moved = dtype(op(id) == Ops::kLoad ? id : o.src[1]);
      result_.load_store_bytes = python::wide_add(result_.load_store_bytes, times(moved.item_size_bytes));
    } else if (Rules::is_arithmetic(op(id)) && !indexing_.contains(id)) {
      result_.operations =
          python::wide_add(result_.operations, times((op(id) == Ops::kMulacc ? 2 : 1) * dtype(id).lanes));
    } else if (op(id) == Ops::kWmma && !indexing_.contains(id)) {
      result_.operations = python::wide_add(result_.operations, times(tensor_core_operations(o.arg)));
    }
  }

  // All of a buffer counts as touched, once for its loads and once for its stores.
  void touch_buffer(OpId id) {
    OpId buffer = id;
    while (!graph_.src(buffer).empty()) buffer = graph_.src(buffer)[0];
    if (op(buffer) != Ops::kDefineGlobal) return;
    const MovedType type = dtype(buffer);
    touched_[{buffer, op(id)}] = python::wide_mul(type.elements, type.item_size_bytes);
  }

  // 2 * prod(arg[1]) // arg[5]
  Wide tensor_core_operations(ValueId arg) {
    const auto items = values_.items(arg);
    failed_ |= items.size() < 6 || values_.kind(items[5]) != ValueKind::kInt || values_.as_int(items[5]) == 0;
    if (failed_) return 0;
    Wide product = 2;
    for (const ValueId size : values_.items(items[1])) product = python::wide_mul(product, values_.as_int(size));
    return python::floor_div(product, values_.as_int(items[5]));
  }

  Wide value_of_first(const Op& o) {
    const auto value = o.src.empty() ? std::nullopt : evaluate(o.src[0], 0);
    failed_ |= !value.has_value();
    return value.value_or(0);
  }

  // A size for this execution: tinygrad's sym_infer. The depth of the recursion is limited.
  std::optional<Wide> evaluate(OpId id, int depth) {
    const Op o = graph_.op(id);
    if (depth > kMaxExpressionDepth) return std::nullopt;
    switch (op(id)) {
      case Ops::kConst:
        return integer(o.arg);
      case Ops::kDefineVar:
        return variable(o.arg);
      case Ops::kSpecial:
        return 0;  // counted by itself already
      case Ops::kBind:
      case Ops::kCast:
        return o.src.empty() ? std::nullopt : evaluate(o.src[0], depth + 1);
      default:
        break;
    }
    std::vector<Wide> x;
    for (const OpId source : o.src) {
      const auto value = evaluate(source, depth + 1);
      if (!value) return std::nullopt;
      x.push_back(*value);
    }
    return apply(op(id), x);
  }

  static std::optional<Wide> apply(Ops op, std::span<const Wide> x) {
    if (x.size() == 1 && op == Ops::kNeg) return -x[0];
    if (x.size() == 3 && op == Ops::kWhere) return x[0] != 0 ? x[1] : x[2];
    if (x.size() == 3 && op == Ops::kMulacc) return python::wide_add(python::wide_mul(x[0], x[1]), x[2]);
    if (x.size() != 2) return std::nullopt;
    switch (op) {
      case Ops::kAdd:
        return python::wide_add(x[0], x[1]);
      case Ops::kSub:
        return python::wide_add(x[0], -x[1]);
      case Ops::kMul:
        return python::wide_mul(x[0], x[1]);
      case Ops::kIdiv:
        return python::c_div(x[0], x[1]);
      case Ops::kMod:
        return python::c_mod(x[0], x[1]);
      case Ops::kMax:
        return std::max(x[0], x[1]);
      case Ops::kCmplt:
        return x[0] < x[1] ? 1 : 0;
      case Ops::kCmpne:
        return x[0] != x[1] ? 1 : 0;
      case Ops::kAnd:
        return x[0] & x[1];
      case Ops::kOr:
        return x[0] | x[1];
      case Ops::kXor:
        return x[0] ^ x[1];
      case Ops::kShl:  // what the compiler makes of a symbolic size times a power of two
      case Ops::kShr:
        if (x[1] < 0 || x[1] > kMostShift) return std::nullopt;
        return op == Ops::kShl ? python::wide_mul(x[0], Wide{1} << x[1]) : python::floor_div(x[0], Wide{1} << x[1]);
      default:
        return std::nullopt;
    }
  }

  std::optional<Wide> integer(ValueId value) const {
    const ValueKind kind = values_.kind(value);
    if (kind != ValueKind::kInt && kind != ValueKind::kBool) return std::nullopt;
    return values_.as_int(value);
  }

  std::optional<Wide> variable(ValueId arg) const {
    const auto parts = values_.items(arg);  // (name, least, greatest)
    if (parts.empty()) return std::nullopt;
    const auto pairs = values_.items(vars_);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (pairs[i] == parts[0]) return integer(pairs[i + 1]);
    }
    return std::nullopt;
  }

  const OpGraph& graph_;
  const ValueTable& values_;
  ValueId vars_;
  std::unordered_set<OpId> indexing_;
  std::map<std::pair<OpId, Ops>, Wide> touched_;
  std::vector<Wide> outer_repeats_;
  Wide repeats_ = 1;
  WorkEstimate result_;
  bool failed_ = false;
};

}  // namespace vizd::tinygrad
