#include "formats/tinygrad/v2026_08/shape_rules.h"

#include <algorithm>
#include <vector>

#include "formats/tinygrad/v2026_08/size_arithmetic.h"

namespace vizd::tinygrad_2026_08 {
namespace {

class ShapeRules : private SizeArithmetic {
 public:
  ShapeRules(ShapedOp& op, Simplifier& simplifier)
      : SizeArithmetic(simplifier),
        op_(op),
        s_(simplifier),
        g_(simplifier.graph()),
        shapes_(simplifier.shapes()),
        values_(g_.values()) {}

  ShapeId find() {
    for (std::size_t i = 0; i < op_.source_count(); ++i) {
      if (op_.source_shape(i) == ShapeId::kRaises) return ShapeId::kRaises;
    }
    const ShapeId found = of_kind();
    return g_.take_failure() ? ShapeId::kRaises : found;
  }

 private:
  ShapeId scalar() const { return ShapeTable::kScalar; }

  ShapeId of_source(std::size_t i) const { return i < op_.source_count() ? op_.source_shape(i) : ShapeId::kRaises; }

  ShapeId of_kind() {
    const std::size_t count = op_.source_count();
    switch (op_.op()) {
      case Ops::kIf:
      case Ops::kBarrier:
      case Ops::kSink:
      case Ops::kRewriteError:
      case Ops::kEndif:
      case Ops::kGroup:
      case Ops::kLinear:
      case Ops::kProgram:
      case Ops::kSource:
      case Ops::kTuple:
      case Ops::kFunction:
      case Ops::kCustomFunction:
      case Ops::kPyliteral:
        return ShapeId::kNone;
      case Ops::kCall:
      case Ops::kIns:
        return op_.scalar() == Scalar::kVoid ? ShapeId::kNone : scalar();
      case Ops::kNoop:
        return count == 0 ? ShapeId::kNone : of_source(0);
      case Ops::kGettuple:
        return op_.element_shape();
      case Ops::kIndex:
        return of_index();
      case Ops::kStack: {
        if (count == 0) return scalar();
        if (!is_shape(of_source(0))) return ShapeId::kRaises;
        Sizes sizes = shapes_.get(of_source(0));
        sizes.insert(sizes.begin(), size(static_cast<Wide>(count)));
        return shapes_.add(sizes);
      }
      case Ops::kConst:
      case Ops::kGetaddr:
      case Ops::kRange:
      case Ops::kSpecial:
        return scalar();
      case Ops::kBinary: {
        const Sizes sizes{size(static_cast<Wide>(values_.text(op_.arg()).size()))};
        return values_.kind(op_.arg()) == ValueKind::kBytes ? shapes_.add(sizes) : ShapeId::kRaises;
      }
      case Ops::kBuffer:
        return count == 0 ? scalar() : op_.source_as_shape(0);
      case Ops::kParam:
        return count == 0 ? ShapeId::kRaises : op_.source_as_shape(0);
      case Ops::kCustom:
      case Ops::kCustomi:
        return of_custom();
      case Ops::kStage:
        return of_stage();
      case Ops::kWmma:
        return of_wmma();
      case Ops::kMstack:
      case Ops::kMselect:
      case Ops::kDetach:
      case Ops::kContiguous:
      case Ops::kContiguousBackward:
      case Ops::kAfter:
      case Ops::kLoad:
      case Ops::kCopy:
      case Ops::kAllreduce:
      case Ops::kStore:
      case Ops::kEnd:
        return of_source(0);
      case Ops::kBitcast:
        return of_bitcast();
      case Ops::kUnshard:
      case Ops::kReduce:
        if (count == 0 && op_.op() == Ops::kUnshard) return ShapeId::kNone;
        if (!is_shape(of_source(0))) return ShapeId::kRaises;
        return op_.op() == Ops::kReduce ? of_reduce() : of_unshard();
      case Ops::kCast:
        return count == 1 ? of_source(0) : ShapeId::kRaises;
      default:
        if (is_movement(op_.op())) return of_movement();
        if (is_unary(op_.op())) return count == 1 ? of_source(0) : ShapeId::kRaises;
        if (is_broadcastable(op_.op())) return of_broadcast();
        // An op that vizd does not know: nothing is said of its shape.
        return static_cast<std::size_t>(op_.op()) < kOpsCount ? ShapeId::kRaises : ShapeId::kNone;
    }
  }

  ShapeId of_index() {
    Sizes sizes;
    for (std::size_t i = 1; i < op_.source_count(); ++i) {
      if (!is_shape(of_source(i))) return ShapeId::kRaises;
      const Sizes more = shapes_.get(of_source(i));
      sizes.insert(sizes.end(), more.begin(), more.end());
    }
    if (!is_shape(of_source(0))) return ShapeId::kRaises;
    const Sizes whole = shapes_.get(of_source(0));
    const std::size_t indexed = std::min(op_.source_count() - 1, whole.size());
    sizes.insert(sizes.end(), whole.begin() + static_cast<std::ptrdiff_t>(indexed), whole.end());
    return shapes_.add(sizes);
  }

  ShapeId of_custom() {
    if (op_.scalar() == Scalar::kVoid) return ShapeId::kNone;
    std::vector<Sizes> inputs;
    for (std::size_t i = 0; i < op_.source_count(); ++i) {
      if (is_shape(of_source(i))) inputs.push_back(shapes_.get(of_source(i)));
    }
    return inputs.empty() ? ShapeId::kNone : broadcast(inputs);
  }

  ShapeId of_stage() {
    Sizes sizes;
    for (std::size_t i = 1; i < op_.source_count(); ++i) {
      const Number most = op_.source_greatest(i);
      sizes.push_back(size(python::wide_add(most.is_integer() ? most.integer : python::truncated(most.real), 1)));
    }
    if (!is_shape(of_source(0))) return ShapeId::kRaises;
    const Sizes rest = shapes_.get(of_source(0));
    sizes.insert(sizes.end(), rest.begin(), rest.end());
    return shapes_.add(sizes);
  }

  ShapeId of_wmma() {
    std::vector<Sizes> inputs;
    Sizes last;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!is_shape(of_source(i))) return ShapeId::kRaises;
      last = shapes_.get(of_source(i));
      if (last.empty() && i == 2) return ShapeId::kRaises;
      inputs.push_back(last);
      if (!last.empty()) inputs.back().pop_back();
    }
    const ShapeId before = broadcast(inputs);
    if (!is_shape(before)) return before;
    Sizes sizes = shapes_.get(before);
    sizes.push_back(last.back());
    return shapes_.add(sizes);
  }

  ShapeId of_bitcast() {
    if (op_.source_count() == 0 || !is_shape(of_source(0))) return of_source(0);
    Sizes sizes = shapes_.get(of_source(0));
    const std::int64_t to = item_size_bytes(op_.scalar()), from = item_size_bytes(op_.source_scalar(0));
    if (to == from || sizes.empty()) return of_source(0);
    if (to == 0) return ShapeId::kRaises;
    ExprId& last = sizes.back();
    if (is_number(last)) {
      if (python::floor_mod(number(last) * from, to) != 0) return ShapeId::kRaises;
      last = size(python::floor_div(number(last) * from, to));
    } else {
      last = s_.size(g_.floor_divide(g_.multiply(last, from), to));
    }
    return shapes_.add(sizes);
  }

  ShapeId of_reduce() {
    const Sizes sizes = shapes_.get(of_source(0));
    const auto items = values_.items(op_.arg());
    if (items.size() < 2 || values_.kind(items[1]) != ValueKind::kInt) return ShapeId::kRaises;
    const std::int64_t axes = values_.as_int(items[1]);
    if (axes < 0 || axes > static_cast<std::int64_t>(sizes.size())) return ShapeId::kRaises;
    return shapes_.add(std::span(sizes).subspan(static_cast<std::size_t>(axes)));
  }

  ShapeId of_unshard() {
    Sizes sizes = shapes_.get(of_source(0));
    const auto axes = values_.items(op_.arg());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (values_.kind(axes[i]) != ValueKind::kInt || i + 1 >= op_.source_count()) return ShapeId::kRaises;
      const std::int64_t axis = values_.as_int(axes[i]);
      if (axis < 0 || axis >= static_cast<std::int64_t>(sizes.size())) continue;
      ExprId& whole = sizes[static_cast<std::size_t>(axis)];
      const Wide count = op_.source_greatest(i + 1).integer + 1;
      whole = is_number(whole) ? size(python::wide_mul(number(whole), count)) : g_.multiply(whole, count);
    }
    return shapes_.add(sizes);
  }

  ShapeId of_movement() {
    const Ops op = op_.op();
    if (op == Ops::kReshape && op_.source_count() > 0 && op_.source_op(0) == Ops::kNoop) return argument_shape(1);
    if (!is_shape(of_source(0))) return ShapeId::kRaises;
    const Sizes sizes = shapes_.get(of_source(0));
    switch (op) {
      case Ops::kReshape:
        return reshaped(sizes);
      case Ops::kExpand: {
        if (!is_shape(argument_shape(1))) return ShapeId::kRaises;
        Sizes all = shapes_.get(argument_shape(1));
        all.insert(all.end(), sizes.begin(), sizes.end());
        return shapes_.add(all);
      }
      case Ops::kPermute:
        return permuted(sizes);
      case Ops::kFlip: {
        const auto flips = values_.items(op_.arg());
        const bool fits = flips.size() == sizes.size() && std::ranges::all_of(flips, [&](ValueId flip) {
                            return values_.kind(flip) == ValueKind::kBool;
                          });
        return fits ? of_source(0) : ShapeId::kRaises;
      }
      default:
        return windowed(sizes, op == Ops::kPad);
    }
  }

  ShapeId argument_shape(std::size_t i) { return i < op_.source_count() ? op_.source_as_shape(i) : ShapeId::kRaises; }

  ShapeId reshaped(const Sizes& sizes) {
    const ShapeId to = argument_shape(1);
    if (!is_shape(to)) return ShapeId::kRaises;
    const Sizes wanted = shapes_.get(to);
    for (const ExprId each : wanted) {
      if (!not_below(each, 0).value_or(false)) return ShapeId::kRaises;
    }
    return differ(product(sizes), product(wanted)).value_or(true) ? ShapeId::kRaises : to;
  }

  ShapeId permuted(const Sizes& sizes) {
    const auto order = values_.items(op_.arg());
    Sizes out;
    std::vector<bool> taken(sizes.size());
    for (const ValueId axis : order) {
      const std::int64_t i = values_.kind(axis) == ValueKind::kInt ? values_.as_int(axis) : -1;
      if (i < 0 || i >= static_cast<std::int64_t>(sizes.size()) || taken[static_cast<std::size_t>(i)]) {
        return ShapeId::kRaises;
      }
      taken[static_cast<std::size_t>(i)] = true;
      out.push_back(sizes[static_cast<std::size_t>(i)]);
    }
    return out.size() == sizes.size() ? shapes_.add(out) : ShapeId::kRaises;
  }

  // PAD and SHRINK: where the old lies in the new, or the new in the old.
  ShapeId windowed(const Sizes& sizes, bool is_pad) {
    const ShapeId offsets_shape = argument_shape(1), window_shape = argument_shape(2);
    if (!is_shape(offsets_shape) || !is_shape(window_shape)) return ShapeId::kRaises;
    const Sizes offsets = shapes_.get(offsets_shape), window = shapes_.get(window_shape);
    const std::size_t count = std::min(offsets.size(), window.size());
    if (count != sizes.size()) return ShapeId::kRaises;
    Sizes out;
    for (std::size_t i = 0; i < count; ++i) {
      const ExprId inner = is_pad ? sizes[i] : window[i], outer = is_pad ? window[i] : sizes[i];
      const bool fits = not_below(window[i], 0).value_or(true) && not_below(offsets[i], 0).value_or(true) &&
                        at_most(plus(offsets[i], inner), outer).value_or(true);
      if (!fits) return ShapeId::kRaises;
      out.push_back(s_.size(window[i]));
    }
    return shapes_.add(out);
  }

  ShapeId of_broadcast() {
    std::vector<Sizes> inputs;
    for (std::size_t i = 0; i < op_.source_count(); ++i) {
      if (!is_shape(of_source(i))) return ShapeId::kRaises;
      inputs.push_back(shapes_.get(of_source(i)));
    }
    return inputs.empty() ? ShapeId::kRaises : broadcast(inputs);
  }

  // ops.py _broadcast_shape
  ShapeId broadcast(const std::vector<Sizes>& inputs) {
    std::size_t most = 0;
    for (const Sizes& input : inputs) most = std::max(most, input.size());
    const bool all_same = std::ranges::all_of(inputs, [&](const Sizes& input) { return input == inputs[0]; });
    if (all_same) return shapes_.add(inputs[0]);
    Sizes out;
    for (std::size_t at = 0; at < most; ++at) {
      std::optional<ExprId> found;
      for (const Sizes& input : inputs) {
        const std::size_t missing = most - input.size();
        if (at < missing) continue;
        const ExprId one = input[at - missing];
        if (g_.is_const(one, 1) || found == one) continue;
        if (found) return ShapeId::kRaises;
        found = one;
      }
      out.push_back(found.value_or(size(1)));
    }
    return shapes_.add(out);
  }

  ShapedOp& op_;
  Simplifier& s_;
  ExprGraph& g_;
  ShapeTable& shapes_;
  const ValueTable& values_;
};

}  // namespace

ShapeId find_shape(ShapedOp& op, Simplifier& simplifier) { return ShapeRules(op, simplifier).find(); }

}  // namespace vizd::tinygrad_2026_08
