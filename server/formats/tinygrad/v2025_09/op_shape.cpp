// The shape of an op: tinygrad's UOp.st (uop/ops.py), of which only the shape is needed, rule by rule in its order.
#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "formats/tinygrad/v2025_09/dtype.h"
#include "formats/tinygrad/v2025_09/op_facts.h"

namespace vizd::tinygrad_2025_09 {
namespace {

bool is_define(Ops op) { return op == Ops::kDefineGlobal || op == Ops::kDefineLocal || op == Ops::kDefineReg; }

// Sources of an INDEX that leave it without a shape.
bool is_indexed_memory(Ops op) {
  return is_define(op) || op == Ops::kBuffer || op == Ops::kBufferize || op == Ops::kVectorize || op == Ops::kStore;
}

// int(value + 1)
Wide one_more(const Number& value) {
  if (value.is_integer()) return python::wide_add(value.integer, 1);
  return python::truncated(value.real + 1);
}

}  // namespace

ShapeId OpFacts::shape(OpId id) {
  const Facts& facts = get(id);
  return facts.op == Ops::kKernel ? kernel_shape(id) : facts.shape;
}

ShapeId OpFacts::find_shape(const Op& op) {
  const ValueTable& values = graph_.values();
  const auto kind = static_cast<Ops>(op.kind);
  const auto source_op = [&](std::size_t i) { return i < op.src.size() ? at(op.src[i]).op : Ops{}; };
  const auto source_shape = [&](std::size_t i) { return i < op.src.size() ? shape(op.src[i]) : ShapeId::kRaises; };
  const auto one_size = [&](const std::optional<Size>& size) {
    return size && !size->is_symbolic ? shapes_.from_shape({&*size, 1}) : ShapeId::kRaises;
  };
  const auto of_dtype = [&]() { return read_dtype(values, op.dtype); };
  if (is_movement(kind)) {
    const ShapeId of_source = source_shape(0);
    if (kind == Ops::kReshape && of_source == ShapeId::kNone) return shapes_.from_tuple(op.arg);
    return shapes_.moved(kind, of_source, op.arg);
  }
  switch (kind) {
    case Ops::kIndex:
      if (op.src.empty()) return ShapeId::kRaises;
      return is_indexed_memory(source_op(0)) ? ShapeId::kNone : shape_from_sources(op);
    case Ops::kBarrier:
    case Ops::kBlock:
    case Ops::kBlockend:
    case Ops::kBlockstart:
    case Ops::kKernel:  // see shape()
      return ShapeId::kNone;
    case Ops::kView:
      return shapes_.of_tracker(op.arg);
    case Ops::kBufferize:
      return op.src.empty() ? shapes_.from_shape(std::span<const Size>()) : shape_up_to(op.src.subspan(1), {});
    case Ops::kStore: {
      const DType dtype = of_dtype();
      if (dtype.is_pointer()) return one_size(Size::of(dtype.pointer_elements));
      if (dtype.is_void()) return source_shape(0);
      const bool is_there = !op.src.empty() && !graph_.src(op.src[0]).empty();
      return is_there ? shape(graph_.src(op.src[0])[0]) : ShapeId::kRaises;
    }
    case Ops::kAssign:
    case Ops::kLoad:
      return source_shape(0);
    case Ops::kConst:
      if (source_op(0) == Ops::kDevice) return shapes_.from_shape(std::span<const Size>());
      [[fallthrough]];
    case Ops::kValid:
    case Ops::kDefineVar: {
      const auto view = std::ranges::find(op.src, Ops::kView, [&](OpId source) { return at(source).op; });
      return view == op.src.end() ? ShapeId::kNone : at(*view).shape;
    }
    case Ops::kBuffer:
      return one_size(shapes_.sizes().from_value(op.arg));
    case Ops::kBufferView:
      return values.items(op.arg).empty() ? ShapeId::kRaises
                                          : one_size(shapes_.sizes().from_value(values.items(op.arg)[0]));
    case Ops::kDefineGlobal:
    case Ops::kDefineLocal:
    case Ops::kDefineReg: {
      const DType dtype = of_dtype();
      if (!dtype.is_pointer()) return ShapeId::kRaises;
      return dtype.pointer_elements > 0 ? one_size(Size::of(dtype.pointer_elements)) : ShapeId::kNone;
    }
    case Ops::kContiguous: {
      const bool only_ranges = std::ranges::all_of(op.src.subspan(std::min<std::size_t>(1, op.src.size())),
                                                   [&](OpId source) { return at(source).op == Ops::kRange; });
      if (op.src.size() < 2 || !only_ranges) return shape_from_sources(op);
      if (!is_shape(source_shape(0))) return ShapeId::kRaises;
      return shape_up_to(op.src.subspan(1), shapes_.get(source_shape(0)));
    }
    case Ops::kCast:
      if (op.src.empty()) return ShapeId::kRaises;
      return source_op(0) == Ops::kDefineGlobal ? ShapeId::kNone : shape_from_sources(op);
    default:
      return shape_from_sources(op);
  }
}

// The one shape that all sources with a shape have, as the op changes it.
ShapeId OpFacts::shape_from_sources(const Op& op) {
  ShapeId common = ShapeId::kNone;
  bool differs = false;
  for (const OpId source : op.src) {
    const ShapeId of_source = shape(source);
    if (of_source == ShapeId::kRaises) return ShapeId::kRaises;
    if (of_source == ShapeId::kNone) continue;
    differs = differs || (common != ShapeId::kNone && common != of_source);
    if (common == ShapeId::kNone) common = of_source;
  }
  if (common == ShapeId::kNone || differs) return differs ? ShapeId::kRaises : ShapeId::kNone;
  switch (static_cast<Ops>(op.kind)) {
    case Ops::kMulti:
      return shape_of_multi(op);
    case Ops::kBitcast:
      return shape_of_bitcast(op, common);
    case Ops::kReduceAxis:
    case Ops::kWmma:
      return shape_of_reduction(op, common);
    default:
      return shapes_.from_shape(common);
  }
}

// The axis that is split over devices is as long as all of them together.
ShapeId OpFacts::shape_of_multi(const Op& op) {
  const ValueTable& values = graph_.values();
  const ShapeId of_source = shape(op.src[0]);
  if (!is_shape(of_source)) return ShapeId::kRaises;
  std::vector<Size> sizes = shapes_.get(of_source);
  const std::int64_t axis = values.kind(op.arg) == ValueKind::kInt ? values.as_int(op.arg) : -1;
  if (axis < 0 || static_cast<std::size_t>(axis) >= sizes.size()) return shapes_.from_shape(sizes);
  const DeviceFact device = at(op.src[0]).device;
  Wide device_count = device.id;
  if (device.kind == DeviceFact::Kind::kValue) {  // len(), of a name too
    const ValueId value = to_id<ValueId>(device.id);
    device_count = static_cast<Wide>(values.items(value).size());
    if (values.kind(value) == ValueKind::kString) {
      std::size_t at_byte = 0;
      for (device_count = 0; at_byte < values.text(value).size(); ++device_count) {
        next_code_point(values.text(value), at_byte);
      }
    }
  } else if (device.kind != DeviceFact::Kind::kStack) {
    return ShapeId::kRaises;
  }
  Size& size = sizes[static_cast<std::size_t>(axis)];
  size = shapes_.sizes().multiply(size, Size::of(device_count));
  return shapes_.sizes().take_failure() ? ShapeId::kRaises : shapes_.from_shape(sizes);
}

// The last axis holds the same bytes as other items.
ShapeId OpFacts::shape_of_bitcast(const Op& op, ShapeId common) {
  const ValueTable& values = graph_.values();
  const std::int64_t bytes_before = read_dtype(values, at(op.src[0]).dtype).item_size_bytes;
  const std::int64_t bytes_after = read_dtype(values, op.dtype).item_size_bytes;
  if (bytes_before == bytes_after) return shapes_.from_shape(common);
  std::vector<Size> sizes = shapes_.get(common);
  if (sizes.empty()) return ShapeId::kRaises;
  Sizes& arithmetic = shapes_.sizes();
  sizes.back() = arithmetic.floor_divide(arithmetic.multiply(sizes.back(), Size::of(bytes_before)), bytes_after);
  return arithmetic.take_failure() ? ShapeId::kRaises : shapes_.from_shape(sizes);
}

// The axes of a reduction are 1 long after it.
ShapeId OpFacts::shape_of_reduction(const Op& op, ShapeId common) {
  const ValueTable& values = graph_.values();
  const std::size_t place = static_cast<Ops>(op.kind) == Ops::kReduceAxis ? 1 : 7;
  const auto arg = values.items(op.arg);
  if (place >= arg.size() || values.kind(arg[place]) != ValueKind::kTuple) return ShapeId::kRaises;
  std::vector<Size> sizes = shapes_.get(common);
  for (const ValueId axis : values.items(arg[place])) {
    if (values.kind(axis) != ValueKind::kInt) return ShapeId::kRaises;
    const std::int64_t i = values.as_int(axis);
    if (i >= 0 && static_cast<std::size_t>(i) < sizes.size()) sizes[static_cast<std::size_t>(i)] = Size::of(1);
  }
  return shapes_.from_shape(sizes);
}

// (int(r.vmax + 1) for r in ranges) + rest
ShapeId OpFacts::shape_up_to(std::span<const OpId> ranges, std::span<const Size> rest) {
  std::vector<Size> sizes;
  std::vector<OpId> looked_at;
  for (const OpId range : ranges) {
    looked_at.clear();
    sizes.push_back(Size::of(one_more(shapes_.sizes().greatest(range, looked_at))));
    for (const OpId op : looked_at) at(op).is_bound = true;
  }
  sizes.insert(sizes.end(), rest.begin(), rest.end());
  return shapes_.sizes().take_failure() ? ShapeId::kRaises : shapes_.from_shape(sizes);
}

// A KERNEL is one-dimensional, as long as its syntax tree's result.
ShapeId OpFacts::kernel_shape(OpId kernel) {
  const ValueTable& values = graph_.values();
  const ValueId ast = values.field(graph_.op(kernel).arg, "ast");
  if (values.kind(ast) != ValueKind::kOp || kernel_depth_ == kMaxKernelDepth) return ShapeId::kRaises;
  ++kernel_depth_;
  const auto count = element_count(values.as_op(ast));
  --kernel_depth_;
  const Size size = Size::of(count.value_or(-1));
  return shapes_.from_shape({&size, 1});
}

// UOp.size
std::optional<Wide> OpFacts::element_count(OpId id) {
  const Op op = graph_.op(id);
  const auto number = [&](ValueId value) -> std::optional<Wide> {
    if (graph_.values().kind(value) != ValueKind::kInt) return std::nullopt;
    return graph_.values().as_int(value);
  };
  if (static_cast<Ops>(op.kind) == Ops::kBuffer) return number(op.arg);
  if (static_cast<Ops>(op.kind) == Ops::kBufferView && !graph_.values().items(op.arg).empty()) {
    return number(graph_.values().items(op.arg)[0]);
  }
  return shapes_.element_count(shape(id));
}

}  // namespace vizd::tinygrad_2025_09
