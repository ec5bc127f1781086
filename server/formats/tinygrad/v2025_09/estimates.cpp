#include "formats/tinygrad/v2025_09/estimates.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formats/tinygrad/v2025_09/dtype.h"
#include "formats/tinygrad/v2025_09/ops.h"
#include "formats/tinygrad/v2025_09/value_text.h"

namespace vizd::tinygrad_2025_09 {
namespace {

constexpr int kMaxExpressionDepth = 200;
constexpr int kMostShift = 100;

bool is_arithmetic(Ops op) {  // GroupOp.ALU
  return (op >= Ops::kExp2 && op <= Ops::kTrunc) || (op >= Ops::kAdd && op <= Ops::kMulacc);
}

// One walk over a kernel's code, as Estimates.from_uops makes it.
class Estimator {
 public:
  Estimator(const Capture& capture, ValueId var_vals) : graph_(capture.ops), values_(capture.values), vars_(var_vals) {}

  std::optional<Estimates> walk(std::span<const ValueId> code) {
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
  DType dtype(OpId id) const { return read_dtype(values_, graph_.op(id).dtype); }

  bool moves_memory(OpId id) const {
    if ((op(id) != Ops::kLoad && op(id) != Ops::kStore) || graph_.src(id).empty()) return false;
    const DType from = dtype(graph_.src(id)[0]);
    return !from.is_pointer() || !from.in_registers;
  }

  // Finding an address or a condition is no work of the kernel.
  void mark_indexing(OpId id) {
    const auto src = graph_.src(id);
    if (moves_memory(id)) {
      mark_all(src[0]);
      if (src.size() > 2) mark_all(src[2]);
    } else if (op(id) == Ops::kIf && !src.empty()) {
      mark_all(src[0]);
    }
  }

  void mark_all(OpId root) {
    std::vector<OpId> stack{root};
    while (!stack.empty()) {
      const OpId id = stack.back();
      stack.pop_back();
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
    } else if (op(id) == Ops::kEndrange) {
      failed_ |= outer_repeats_.empty();
      if (failed_) return;
      repeats_ = outer_repeats_.back();
      outer_repeats_.pop_back();
    } else if (op(id) == Ops::kSpecial) {
      repeats_ = times(value_of_first(o));
    } else if (moves_memory(id)) {
      failed_ |= op(id) == Ops::kStore && o.src.size() < 2;
      if (failed_) return;
      const DType moved = dtype(op(id) == Ops::kLoad ? id : o.src[1]);
      result_.load_store_bytes = python::wide_add(result_.load_store_bytes, times(moved.item_size_bytes));
    } else if (is_arithmetic(op(id)) && !indexing_.contains(id)) {
      result_.operations =
          python::wide_add(result_.operations, times((op(id) == Ops::kMulacc ? 2 : 1) * dtype(id).count));
    } else if (op(id) == Ops::kWmma && !indexing_.contains(id)) {
      result_.operations = python::wide_add(result_.operations, times(tensor_core_operations(o.arg)));
    }
  }

  // All of a buffer counts as touched, once for its loads and once for its stores.
  void touch_buffer(OpId id) {
    OpId buffer = id;
    while (!graph_.src(buffer).empty()) buffer = graph_.src(buffer)[0];
    if (op(buffer) != Ops::kDefineGlobal) return;
    const DType type = dtype(buffer);
    touched_[{buffer, op(id)}] = python::wide_mul(type.pointer_elements, type.item_size_bytes);
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
  Estimates result_;
  bool failed_ = false;
};

}  // namespace

std::optional<Estimates> estimate(const Capture& capture, ValueId uops, ValueId var_vals) {
  if (capture.values.kind(uops) != ValueKind::kList) return Estimates{};
  return Estimator(capture, var_vals).walk(capture.values.items(uops));
}

std::optional<tinygrad::ExecutionWork> WorkOfExecutions::operator()(const Capture& capture,
                                                                    const tinygrad::KernelExecution& execution) {
  const ValueId uops = capture.values.field(execution.program.origin, "uops");
  std::optional<Estimates> estimates;
  if (capture.values.items(execution.var_vals).empty()) {
    const auto [found, added] = fixed_.try_emplace(execution.program.origin);
    if (added) found->second = estimate(capture, uops, execution.var_vals);
    estimates = found->second;
  } else {
    estimates = estimate(capture, uops, execution.var_vals);
  }
  if (!estimates) return std::nullopt;
  const auto number = [](Wide amount) -> ArgumentValue {
    const auto narrow = static_cast<std::int64_t>(amount);
    if (narrow == amount) return narrow;
    return static_cast<double>(amount);
  };
  return tinygrad::ExecutionWork{number(estimates->operations), number(estimates->memory_bytes),
                                 number(estimates->load_store_bytes), ValueText(capture.ops).str(execution.metadata)};
}

}  // namespace vizd::tinygrad_2025_09
