#include "formats/tinygrad/v2025_09/op_facts.h"

#include <algorithm>

namespace vizd::tinygrad_2025_09 {
namespace {

// How many leading sources an op's loops come from; the loops of the others end there (ops.py range_start).
std::size_t sources_inside(Ops op, std::size_t count) {
  switch (op) {
    case Ops::kBufferize:
    case Ops::kReduce:
      return std::min<std::size_t>(count, 1);
    case Ops::kStore:
      return std::min<std::size_t>(count, 2);
    case Ops::kWmma:
      return std::min<std::size_t>(count, 3);
    default:
      return count;
  }
}

}  // namespace

Facts& OpFacts::get(OpId id) {
  // find() may ask for the facts of a KERNEL's syntax tree.
  return facts_.found(graph_, id, [this](OpId op) { find(op); });
}

bool OpFacts::refresh(OpId id) {
  const Facts old = at(id);
  at(id) = Facts();
  Facts& now = get(id);
  now.is_bound = old.is_bound;
  return !old.known || old.is_bound || old.op != now.op || old.dtype != now.dtype || old.shape != now.shape ||
         old.first_source_shape != now.first_source_shape || old.ranges != now.ranges || old.device != now.device;
}

void OpFacts::find(OpId id) {
  const Op op = graph_.op(id);
  Facts facts;
  facts.op = static_cast<Ops>(op.kind);
  facts.dtype = op.dtype;
  facts.ranges = find_ranges(op, id);
  facts.device = find_device(op);
  facts.shape = find_shape(op);
  if (!op.src.empty()) facts.first_source_shape = at(op.src[0]).shape;
  facts.known = true;
  at(id) = facts;
}

RangesId OpFacts::find_ranges(const Op& op, OpId id) {
  const auto kind = static_cast<Ops>(op.kind);
  if (kind == Ops::kRange) return ranges_.only(id, op.arg);
  const std::size_t inside = sources_inside(kind, op.src.size());
  RangesId result = RangesId::kEmpty, ended = RangesId::kEmpty;
  for (const OpId source : op.src.first(inside)) result = ranges_.merged(result, at(source).ranges);
  for (const OpId source : op.src.subspan(inside)) ended = ranges_.merged(ended, at(source).ranges);
  return ranges_.without(result, ended);
}

// UOp._device
DeviceFact OpFacts::find_device(const Op& op) {
  using Kind = DeviceFact::Kind;
  const ValueTable& values = graph_.values();
  const auto required = [&](std::size_t i) {  // UOp.device, which raises where there is none
    DeviceFact device = i < op.src.size() ? at(op.src[i]).device : DeviceFact{Kind::kRaises};
    if (device.kind == Kind::kNone) device.kind = Kind::kRaises;
    return device;
  };
  switch (static_cast<Ops>(op.kind)) {
    case Ops::kDevice:
      return {Kind::kValue, static_cast<std::uint32_t>(op.arg)};
    case Ops::kCopy:
    case Ops::kBuffer:
    case Ops::kAllreduce:
      return required(1);
    case Ops::kMstack:
      for (std::size_t i = 0; i < op.src.size(); ++i) {
        if (required(i).kind == Kind::kRaises) return {Kind::kRaises};
      }
      return {Kind::kStack, static_cast<std::uint32_t>(op.src.size())};
    case Ops::kMselect: {
      const DeviceFact all = required(0);
      const auto i = static_cast<std::size_t>(values.kind(op.arg) == ValueKind::kInt ? values.as_int(op.arg) : -1);
      if (all.kind == Kind::kStack) {
        const OpId stack = op.src[0];
        const bool is_there = at(stack).op == Ops::kMstack && i < graph_.src(stack).size();
        return is_there ? at(graph_.src(stack)[i]).device : DeviceFact{Kind::kRaises};
      }
      if (all.kind != Kind::kValue || values.kind(to_id<ValueId>(all.id)) != ValueKind::kTuple) return {Kind::kRaises};
      const auto devices = values.items(to_id<ValueId>(all.id));
      if (i >= devices.size()) return {Kind::kRaises};
      return {Kind::kValue, static_cast<std::uint32_t>(devices[i])};
    }
    default:
      for (const OpId source : op.src) {
        if (at(source).device.kind != Kind::kNone) return at(source).device;
      }
      return {};
  }
}

}  // namespace vizd::tinygrad_2025_09
