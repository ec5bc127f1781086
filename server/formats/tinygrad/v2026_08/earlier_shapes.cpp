#include "formats/tinygrad/v2026_08/earlier_shapes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/tinygrad/v2026_08/earlier_dtype.h"
#include "formats/tinygrad/v2026_08/size_arithmetic.h"

namespace vizd::tinygrad_2026_08 {
namespace {

class EarlierShapes : private SizeArithmetic {
 public:
  EarlierShapes(OpFacts& facts, const OpGraph& graph, const Op& op)
      : SizeArithmetic(facts.simplifier()),
        facts_(facts),
        s_(facts.simplifier()),
        g_(s_.graph()),
        shapes_(s_.shapes()),
        graph_(graph),
        values_(graph.values()),
        op_(op) {}

  ShapeId find(Release release) {
    for (const OpId source : op_.src) {
      if (facts_.get(source).shape == ShapeId::kRaises) return ShapeId::kRaises;
    }
    const ShapeId found = release == Release::k12 ? in_12() : in_13();
    return g_.take_failure() ? ShapeId::kRaises : found;
  }

 private:
  Ops kind() const { return static_cast<Ops>(op_.kind); }
  Ops kind(OpId id) const { return static_cast<Ops>(graph_.kind(id)); }
  EarlierDType dtype() const { return read_earlier_dtype(values_, op_.dtype); }
  EarlierDType dtype(OpId id) const { return read_earlier_dtype(values_, graph_.op(id).dtype); }
  ShapeId scalar() const { return ShapeTable::kScalar; }
  ShapeId of_source(std::size_t i) const {
    return i < op_.src.size() ? facts_.get(op_.src[i]).shape : ShapeId::kRaises;
  }
  ShapeId only(Wide length) {
    const ExprId one[] = {size(length)};
    return shapes_.add(one);
  }
  // The shape of a vector's lanes; () for a single one.
  ShapeId lanes() {
    const std::int64_t count = dtype().count;
    return count > 1 ? only(count) : scalar();
  }

  ShapeId in_12() {
    switch (kind()) {
      case Ops::kUnique:
      case Ops::kLunique:
      case Ops::kDevice:
      case Ops::kRange:
      case Ops::kLoad:
      case Ops::kIf:
      case Ops::kBarrier:
      case Ops::kCustom:
      case Ops::kCustomi:
      case Ops::kVectorize:
      case Ops::kVconst:
      case Ops::kGep:
      case Ops::kSpecial:
      case Ops::kUnroll:
      case Ops::kContract:
      case Ops::kCustomKernel:
      case Ops::kLinear:
      case Ops::kProgram:
      case Ops::kSource:
      case Ops::kBinary:
        return ShapeId::kNone;
      case Ops::kIndex: {
        if (!dtype().is_pointer || !is_shape(of_source(0))) return ShapeId::kNone;
        const Sizes sizes = shapes_.get(of_source(0));
        if (op_.src.size() - 1 >= sizes.size()) return op_.src.size() - 1 == sizes.size() ? ShapeId::kNone : scalar();
        return shapes_.add(std::span(sizes).subspan(op_.src.size() - 1));
      }
      case Ops::kConst:
      case Ops::kDefineVar:
      case Ops::kBind:
        return facts_.device(op_).is_there() ? scalar() : ShapeId::kNone;
      case Ops::kBuffer:
        return of_value(op_.arg);
      case Ops::kBufferView:
        return of_first_item();
      case Ops::kEncdec: {
        const auto items = values_.items(op_.arg);
        return items.empty() ? ShapeId::kRaises : of_tuple(items[0]);
      }
      case Ops::kBufferize:
        return shapes_.add(greatest_of_loops());
      case Ops::kDefineGlobal:
      case Ops::kDefineLocal:
      case Ops::kDefineReg:
        return dtype().is_pointer ? only(dtype().elements) : ShapeId::kRaises;
      case Ops::kReduce:
      case Ops::kMstack:
      case Ops::kMselect:
      case Ops::kDetach:
      case Ops::kContiguous:
      case Ops::kContiguousBackward:
      case Ops::kAfter:
      case Ops::kEnd:
        return of_source(0);
      case Ops::kKernel: {
        const ValueId ast = values_.field(op_.arg, "ast");
        return values_.kind(ast) == ValueKind::kOp ? facts_.get(values_.as_op(ast)).shape : ShapeId::kRaises;
      }
      case Ops::kBitcast:
        return of_bitcast(false);
      case Ops::kReshape:
        if (of_source(0) == ShapeId::kNone) return of_sizes(1);
        break;
      case Ops::kWmma:
        if (of_source(0) == ShapeId::kNone) return ShapeId::kNone;
        return reduced(7);
      case Ops::kReduceAxis:
        return reduced(1);
      case Ops::kMulti:
        return of_multi();
      default:
        break;
    }
    if (is_movement(kind())) return moved();
    const bool joins = is_alu(kind()) || kind() == Ops::kIdiv || kind() == Ops::kMod || kind() == Ops::kCast ||
                       kind() == Ops::kCopy || kind() == Ops::kAssign || kind() == Ops::kNoop ||
                       kind() == Ops::kGroup || kind() == Ops::kSink || kind() == Ops::kAllreduce ||
                       kind() == Ops::kStore;
    return joins ? same_of_all(kind() == Ops::kAssign ? 2 : op_.src.size()) : ShapeId::kRaises;
  }

  ShapeId in_13() {
    const std::size_t count = op_.src.size();
    switch (kind()) {
      case Ops::kUnique:
      case Ops::kLunique:
      case Ops::kDevice:
      case Ops::kIf:
      case Ops::kBarrier:
      case Ops::kCustom:
      case Ops::kCustomi:
      case Ops::kSink:
      case Ops::kEnd:
      case Ops::kRewriteError:
      case Ops::kPtrcat:
      case Ops::kEndif:
      case Ops::kLinear:
      case Ops::kProgram:
      case Ops::kSource:
      case Ops::kIns:
      case Ops::kTuple:
      case Ops::kCall:
      case Ops::kFunction:
      case Ops::kCustomFunction:
        return ShapeId::kNone;
      case Ops::kReshape:
        if (count > 0 && kind(op_.src[0]) == Ops::kNoop) return of_sizes(1);
        break;
      case Ops::kNoop:
        return count == 0 ? ShapeId::kNone : of_source(0);
      case Ops::kGettuple:
        return of_element();
      case Ops::kCast:
        if (dtype().count > 1) return only(dtype().count);
        if (count == 1 && dtype(op_.src[0]).is_pointer && !dtype(op_.src[0]).is_image && !dtype().is_pointer) {
          return scalar();
        }
        return count == 1 ? of_source(0) : ShapeId::kRaises;
      case Ops::kIndex:
        return of_index();
      case Ops::kGep: {
        const auto lanes = static_cast<Wide>(values_.items(op_.arg).size());
        return lanes > 1 ? only(lanes) : scalar();
      }
      case Ops::kStack: {
        if (count == 0) return scalar();
        if (!is_shape(of_source(0))) return ShapeId::kRaises;
        if (dtype().is_pointer) return of_source(0);
        Sizes sizes = shapes_.get(of_source(0));
        sizes.insert(sizes.begin(), size(static_cast<Wide>(count)));
        return shapes_.add(sizes);
      }
      case Ops::kConst:
      case Ops::kDefineVar:
      case Ops::kContract:
      case Ops::kUnroll:
      case Ops::kVcat:
        return lanes();
      case Ops::kGetaddr:
      case Ops::kBind:
      case Ops::kRange:
      case Ops::kSpecial:
        return scalar();
      case Ops::kBinary:
        return values_.kind(op_.arg) == ValueKind::kBytes ? only(static_cast<Wide>(values_.text(op_.arg).size()))
                                                          : ShapeId::kRaises;
      case Ops::kBuffer:
        return of_value(op_.arg);
      case Ops::kBufferView:
        return count > 0 && kind(op_.src[0]) == Ops::kIndex ? scalar() : of_first_item();
      case Ops::kStage: {
        if (!is_shape(of_source(0))) return ShapeId::kRaises;
        Sizes sizes = greatest_of_loops();
        const Sizes rest = shapes_.get(of_source(0));
        sizes.insert(sizes.end(), rest.begin(), rest.end());
        return shapes_.add(sizes);
      }
      case Ops::kDefineLocal:
      case Ops::kDefineReg: {
        if (!dtype().is_pointer) return lanes();
        Sizes sizes{size(dtype().elements)};
        if (dtype().count > 1) sizes.push_back(size(dtype().count));
        return shapes_.add(sizes);
      }
      case Ops::kParam:
        if (dtype().is_image) return of_tuple(values_.field(op_.dtype, "shape"));
        if (dtype().is_pointer) return only(dtype().elements);
        return count > 0 ? of_sizes(0) : ShapeId::kNone;
      case Ops::kWmma:
      case Ops::kShapedWmma:
        return of_source(2);
      case Ops::kMstack:
      case Ops::kMselect:
      case Ops::kDetach:
      case Ops::kContiguous:
      case Ops::kContiguousBackward:
      case Ops::kAfter:
      case Ops::kLoad:
      case Ops::kCopy:
      case Ops::kAllreduce:
        return of_source(0);
      case Ops::kReduce: {
        const auto items = values_.items(op_.arg);
        if (items.size() < 2) return ShapeId::kRaises;
        return values_.items(items[1]).empty() ? lanes() : reduced(1);
      }
      case Ops::kBitcast:
        return of_bitcast(true);
      case Ops::kMulti:
        return count == 0 ? ShapeId::kNone : of_multi();
      default:
        break;
    }
    if (is_movement(kind())) return moved();
    if (is_unary(kind())) return count == 1 ? of_source(0) : ShapeId::kRaises;
    if (!is_broadcastable(kind()) && kind() != Ops::kGroup && kind() != Ops::kStore) return ShapeId::kRaises;
    // Shapes that only broadcasting makes one are refused (DISALLOW_BROADCAST).
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_shape(of_source(i)) || of_source(i) != of_source(0)) return ShapeId::kRaises;
    }
    return count == 0 ? ShapeId::kRaises : of_source(0);
  }

  ShapeId same_of_all(std::size_t count) {
    ShapeId common = ShapeId::kNone;
    for (std::size_t i = 0; i < std::min(count, op_.src.size()); ++i) {
      if (of_source(i) == ShapeId::kNone) continue;
      if (common != ShapeId::kNone && common != of_source(i)) return ShapeId::kRaises;
      common = of_source(i);
    }
    return common;
  }

  ShapeId of_index() {
    Sizes sizes;
    for (std::size_t i = 1; i < op_.src.size(); ++i) {
      if (!is_shape(of_source(i))) return ShapeId::kRaises;
      const Sizes more = shapes_.get(of_source(i));
      sizes.insert(sizes.end(), more.begin(), more.end());
    }
    if (!is_shape(of_source(0))) return ShapeId::kRaises;
    const Sizes whole = shapes_.get(of_source(0));
    const std::size_t indexed = std::min(op_.src.size() - 1, whole.size());
    sizes.insert(sizes.end(), whole.begin() + static_cast<std::ptrdiff_t>(indexed), whole.end());
    return shapes_.add(sizes);
  }

  ShapeId of_element() {
    if (op_.src.empty() || values_.kind(op_.arg) != ValueKind::kInt) return ShapeId::kRaises;
    OpId tuple = op_.src[0];
    if (kind(tuple) == Ops::kFunction && !graph_.src(tuple).empty()) tuple = graph_.src(tuple)[0];
    const auto i = static_cast<std::size_t>(values_.as_int(op_.arg));
    const bool is_there = kind(tuple) == Ops::kTuple && i < graph_.src(tuple).size();
    return is_there ? facts_.get(graph_.src(tuple)[i]).shape : ShapeId::kRaises;
  }

  // int(r.vmax + 1) of the loops that an op ends
  Sizes greatest_of_loops() {
    Sizes sizes;
    for (std::size_t i = 1; i < op_.src.size(); ++i) {
      const ExprId expr = facts_.expression(op_.src[i]);
      const Number most = expr == kNoExpr ? Number::of(0) : g_.greatest(expr);
      if (expr == kNoExpr) g_.fail();
      sizes.push_back(size(python::wide_add(most.is_integer() ? most.integer : python::truncated(most.real), 1)));
    }
    return sizes;
  }

  ShapeId of_bitcast(bool allows_none) {
    if (!is_shape(of_source(0))) return of_source(0);
    Sizes sizes = shapes_.get(of_source(0));
    const std::int64_t to = dtype().bytes(), from = dtype(op_.src[0]).bytes();
    if (to == from || (sizes.empty() && allows_none)) return of_source(0);
    if (to == 0 || sizes.empty()) return ShapeId::kRaises;
    ExprId& last = sizes.back();
    last = is_number(last) ? size(python::floor_div(number(last) * from, to))
                           : s_.size(g_.floor_divide(g_.multiply(last, from), to));
    return shapes_.add(sizes);
  }

  // The axes of a reduction are 1 long after it; place: where its argument has them.
  ShapeId reduced(std::size_t place) {
    if (!is_shape(of_source(0))) return ShapeId::kRaises;
    const auto items = values_.items(op_.arg);
    if (place >= items.size() || values_.kind(items[place]) != ValueKind::kTuple) return ShapeId::kRaises;
    Sizes sizes = shapes_.get(of_source(0));
    for (const ValueId axis : values_.items(items[place])) {
      const std::int64_t i = values_.kind(axis) == ValueKind::kInt ? values_.as_int(axis) : -1;
      if (i < 0 || i >= static_cast<std::int64_t>(sizes.size())) return ShapeId::kRaises;
      sizes[static_cast<std::size_t>(i)] = size(1);
    }
    return shapes_.add(sizes);
  }

  ShapeId of_multi() {
    if (!is_shape(of_source(0))) return ShapeId::kRaises;
    Sizes sizes = shapes_.get(of_source(0));
    const EarlierDevice device = facts_.device(op_);
    if (!device.is_there()) return ShapeId::kRaises;
    const auto items = values_.items(device.value);
    const bool is_name = values_.kind(device.value) == ValueKind::kString;
    const std::size_t count = device.stacked != 0 ? device.stacked
                              : is_name           ? values_.text(device.value).size()
                                                  : items.size();
    const std::int64_t axis = values_.kind(op_.arg) == ValueKind::kInt ? values_.as_int(op_.arg) : -1;
    if (axis >= 0 && axis < static_cast<std::int64_t>(sizes.size())) {
      ExprId& whole = sizes[static_cast<std::size_t>(axis)];
      whole = times(whole, size(static_cast<Wide>(count)));
    }
    return shapes_.add(sizes);
  }

  ShapeId moved() {
    if (!is_shape(of_source(0))) return ShapeId::kRaises;
    const Sizes sizes = shapes_.get(of_source(0));
    switch (kind()) {
      case Ops::kReshape:
        return reshaped(sizes);
      case Ops::kExpand:
        return expanded(sizes);
      case Ops::kPermute:
        return permuted(sizes);
      case Ops::kFlip:
        return values_.items(op_.arg).size() == sizes.size() ? of_source(0) : ShapeId::kRaises;
      default:
        return windowed(sizes);
    }
  }

  ShapeId reshaped(const Sizes& sizes) {
    const ShapeId to = of_sizes(1);
    if (!is_shape(to)) return ShapeId::kRaises;
    const Sizes wanted = shapes_.get(to);
    for (const ExprId each : wanted) {
      if (!not_below(each, 0).value_or(false)) return ShapeId::kRaises;
    }
    return differ(product(sizes), product(wanted)).value_or(true) ? ShapeId::kRaises : to;
  }

  ShapeId expanded(const Sizes& sizes) {
    const ShapeId to = of_sizes(1);
    if (!is_shape(to)) return ShapeId::kRaises;
    const Sizes wanted = shapes_.get(to);
    if (wanted.size() != sizes.size()) return ShapeId::kRaises;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool grows = g_.is_const(sizes[i], 1) && not_below(wanted[i], 0).value_or(false);
      if (sizes[i] != wanted[i] && !grows) return ShapeId::kRaises;
    }
    return to;
  }

  ShapeId permuted(const Sizes& sizes) {
    const auto order = values_.items(op_.arg);
    Sizes out;
    std::vector<bool> taken(sizes.size());
    for (const ValueId axis : order) {
      const std::int64_t i = values_.kind(axis) == ValueKind::kInt ? values_.as_int(axis) : -1;
      const bool fits = i >= 0 && i < static_cast<std::int64_t>(sizes.size()) && !taken[static_cast<std::size_t>(i)];
      if (!fits) return ShapeId::kRaises;
      taken[static_cast<std::size_t>(i)] = true;
      out.push_back(sizes[static_cast<std::size_t>(i)]);
    }
    return out.size() == sizes.size() ? shapes_.add(out) : ShapeId::kRaises;
  }

  // PAD: how much before and behind; SHRINK: from where to where.
  ShapeId windowed(const Sizes& sizes) {
    const ShapeId first = of_sizes(1), second = of_sizes(2);
    if (!is_shape(first) || !is_shape(second)) return ShapeId::kRaises;
    const Sizes begins = shapes_.get(first), ends = shapes_.get(second);
    if (begins.size() != sizes.size() || ends.size() != sizes.size()) return ShapeId::kRaises;
    Sizes out;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (kind() == Ops::kPad) {
        if (!not_below(begins[i], 0).value_or(true) || !not_below(ends[i], 0).value_or(true)) return ShapeId::kRaises;
        out.push_back(s_.size(plus(plus(sizes[i], begins[i]), ends[i])));
        continue;
      }
      const bool fits = not_below(begins[i], 0).value_or(true) && at_most(begins[i], ends[i]).value_or(true) &&
                        at_most(ends[i], sizes[i]).value_or(true);
      if (!fits) return ShapeId::kRaises;
      out.push_back(s_.size(minus(ends[i], begins[i])));
    }
    return shapes_.add(out);
  }

  ShapeId of_first_item() {
    const auto items = values_.items(op_.arg);
    return items.empty() ? ShapeId::kRaises : of_value(items[0]);
  }
  ShapeId of_value(ValueId value) {
    return values_.kind(value) == ValueKind::kInt ? only(values_.as_int(value)) : ShapeId::kRaises;
  }
  ShapeId of_tuple(ValueId tuple) {
    Sizes sizes;
    for (const ValueId item : values_.items(tuple)) {
      if (values_.kind(item) != ValueKind::kInt) return ShapeId::kRaises;
      sizes.push_back(size(values_.as_int(item)));
    }
    return shapes_.add(sizes);
  }

  // UOp.sgep of each lane of a source: the sizes that a view is told.
  ShapeId of_sizes(std::size_t i) {
    if (i >= op_.src.size()) return ShapeId::kRaises;
    const Op vector = graph_.op(op_.src[i]);
    const std::int64_t count = read_earlier_dtype(values_, vector.dtype).count;
    Sizes sizes;
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const auto at = static_cast<std::size_t>(lane);
      switch (static_cast<Ops>(vector.kind)) {
        case Ops::kConst:
          if (values_.kind(vector.arg) != ValueKind::kInt) return ShapeId::kRaises;
          sizes.push_back(size(values_.as_int(vector.arg)));
          break;
        case Ops::kVconst: {
          const auto items = values_.items(vector.arg);
          if (at >= items.size() || values_.kind(items[at]) != ValueKind::kInt) return ShapeId::kRaises;
          sizes.push_back(size(values_.as_int(items[at])));
          break;
        }
        case Ops::kVectorize:
        case Ops::kStack: {
          const ExprId expr = at < vector.src.size() ? facts_.expression(vector.src[at]) : kNoExpr;
          if (expr == kNoExpr) return ShapeId::kRaises;
          sizes.push_back(g_.is_const(expr) ? size(number(expr)) : expr);
          break;
        }
        default:
          return ShapeId::kRaises;
      }
    }
    return shapes_.add(sizes);
  }

  OpFacts& facts_;
  Simplifier& s_;
  ExprGraph& g_;
  ShapeTable& shapes_;
  const OpGraph& graph_;
  const ValueTable& values_;
  const Op op_;
};

}  // namespace

ShapeId find_earlier_shape(OpFacts& facts, const OpGraph& graph, const Op& op, Release release) {
  return EarlierShapes(facts, graph, op).find(release);
}

}  // namespace vizd::tinygrad_2026_08
