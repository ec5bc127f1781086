#include "formats/tinygrad/v2026_08/op_facts.h"

#include <algorithm>
#include <unordered_map>

#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/earlier_dtype.h"
#include "formats/tinygrad/v2026_08/shape_rules.h"
#include "formats/tinygrad/v2026_08/value_text.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr std::uint8_t kUnknownScalar = 0xFF;

}  // namespace

// From which source on the loops of an op end with it (ops.py range_start); none for other ops.
std::optional<std::size_t> OpFacts::first_ended(Ops op) const {
  switch (op) {
    case Ops::kReduce:
    case Ops::kEnd:
      return 1;
    case Ops::kWmma:
      return 3;
    case Ops::kBufferize:
      return release_ == Release::k12 ? std::optional<std::size_t>(1) : std::nullopt;
    case Ops::kStage:
    case Ops::kCall:
    case Ops::kFunction:
      return release_ != Release::k12 ? std::optional<std::size_t>(1) : std::nullopt;
    case Ops::kStore:
      return release_ == Release::k12 ? std::optional<std::size_t>(2) : std::nullopt;
    case Ops::kCopy:
      return release_ == Release::k13 ? std::optional<std::size_t>(2) : std::nullopt;
    case Ops::kBufferView:
      return release_ == Release::k13 ? std::optional<std::size_t>(1) : std::nullopt;
    case Ops::kUnshard:
      return release_ == Release::k14 ? std::optional<std::size_t>(1) : std::nullopt;
    case Ops::kLinear:
      return release_ != Release::k12 ? std::optional<std::size_t>(0) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// An op of the graph as the rules of shapes ask it.
class ShapedGraphOp final : public ShapedOp {
 public:
  ShapedGraphOp(OpFacts& facts, const Op& op) : facts_(facts), graph_(facts.graph_), content_(op) {}

  Ops op() const override { return static_cast<Ops>(content_.kind); }
  Scalar scalar() const override { return facts_.scalar(content_.dtype); }
  ValueId arg() const override { return content_.arg; }
  std::size_t source_count() const override { return content_.src.size(); }
  Ops source_op(std::size_t i) const override { return static_cast<Ops>(graph_.kind(content_.src[i])); }
  Scalar source_scalar(std::size_t i) const override { return facts_.at(content_.src[i]).scalar; }
  ShapeId source_shape(std::size_t i) const override { return facts_.at(content_.src[i]).shape; }
  ShapeId source_as_shape(std::size_t i) override {
    const ExprId expr = facts_.expression(content_.src[i]);
    return expr == kNoExpr ? ShapeId::kRaises : facts_.simplifier().as_shape(expr);
  }
  Number source_greatest(std::size_t i) override {
    const ExprId expr = facts_.expression(content_.src[i]);
    return expr == kNoExpr ? Number::of(0) : facts_.simplifier().graph().greatest(expr);
  }
  ShapeId element_shape() override {
    if (content_.src.empty() || graph_.values().kind(content_.arg) != ValueKind::kInt) return ShapeId::kRaises;
    OpId tuple = content_.src[0];
    if (static_cast<Ops>(graph_.kind(tuple)) == Ops::kFunction && !graph_.src(tuple).empty()) {
      tuple = graph_.src(tuple)[0];
    }
    const auto i = static_cast<std::size_t>(graph_.values().as_int(content_.arg));
    if (static_cast<Ops>(graph_.kind(tuple)) != Ops::kTuple || i >= graph_.src(tuple).size()) return ShapeId::kRaises;
    return with_arguments(facts_.get(graph_.src(tuple)[i]).shape);
  }

 private:
  // A shape inside a function's body, as the call has it: its parameters are what the call gives.
  ShapeId with_arguments(ShapeId shape) {
    if (!is_shape(shape) || static_cast<Ops>(graph_.kind(content_.src[0])) != Ops::kFunction) return shape;
    Simplifier& s = facts_.simplifier();
    ExprGraph& g = s.graph();
    auto sizes = s.shapes().get(shape);
    const std::vector<OpId> call(graph_.src(content_.src[0]).begin(), graph_.src(content_.src[0]).end());
    for (ExprId& size : sizes) {
      if (g.is_const(size)) continue;
      for (const ExprId part : g.parts(size)) {
        if (g.op(part) != Ops::kParam) continue;
        const ValueId slot = g.values().field(g.arg(part), "slot");
        const auto at = g.values().kind(slot) == ValueKind::kInt ? g.values().as_int(slot) + 1 : 0;
        if (at < 1 || at >= static_cast<std::int64_t>(call.size())) return ShapeId::kRaises;
        const ExprId given = facts_.expression(call[static_cast<std::size_t>(at)]);
        if (given == kNoExpr) return ShapeId::kRaises;
        size = substituted(g, size, part, given);
      }
    }
    return s.shapes().add(sizes);
  }

  OpFacts& facts_;
  const OpGraph& graph_;
  const Op content_;
};

Facts& OpFacts::get(OpId id) {
  return facts_.found(graph_, id, [this](OpId op) { find(op); });
}

bool OpFacts::refresh(OpId id) {
  const Facts old = at(id);
  at(id) = Facts();
  const Facts& now = get(id);
  const bool is_watched = index(id) < watched_.size() && watched_[index(id)];
  const bool is_large = (is_hidden(id) || is_watched) && now.expr == kNoExpr;
  return !old.known || is_large || old.op != now.op || old.dtype != now.dtype || old.shape != now.shape ||
         old.ranges != now.ranges || old.ended != now.ended || old.memory != now.memory || old.expr != now.expr ||
         old.device != now.device;
}

void OpFacts::set(std::vector<bool>& bits, OpId id, bool value) {
  if (index(id) >= bits.size()) {
    if (!value) return;
    bits.resize(index(id) + 1);
  }
  bits[index(id)] = value;
}

Scalar OpFacts::scalar(ValueId dtype) {
  if (index(dtype) >= scalars_.size()) scalars_.resize(index(dtype) + 1, static_cast<Scalar>(kUnknownScalar));
  Scalar& scalar = scalars_[index(dtype)];
  if (scalar == static_cast<Scalar>(kUnknownScalar)) {
    scalar = release_ == Release::k14 ? read_scalar(graph_.values(), dtype) : earlier_scalar(graph_.values(), dtype);
  }
  return scalar;
}

void OpFacts::find(OpId id) {
  const Op op = graph_.op(id);
  Facts facts;
  facts.op = static_cast<Ops>(op.kind);
  facts.dtype = op.dtype;
  facts.scalar = scalar(op.dtype);
  for (const OpId source : op.src) facts.ranges = ranges_.merged(facts.ranges, at(source).ranges);
  facts.ended = ended_by(op);
  facts.ranges = ranges_.without(facts.ranges, facts.ended);
  if (facts.op == Ops::kRange) facts.ranges = ranges_.merged(ranges_.only(id, op.arg), facts.ranges);
  if (release_ == Release::k14) {
    facts.memory = find_memory(op);
  } else {
    facts.device = device(op);
  }
  facts.expr = find_expr(op);
  facts.known = true;
  at(id) = facts;
  ShapedGraphOp shaped(*this, op);
  const bool is_own = find_shape_ != nullptr;
  const ShapeId shape = is_own ? find_shape_(*this, graph_, op, release_) : find_shape(shaped, simplifier_);
  at(id).shape = shape;
}

// UOp.ended_ranges: a RANGE ends itself; another op all that it stands in.
RangesId OpFacts::ended_by(const Op& op) {
  const auto kind = static_cast<Ops>(op.kind);
  RangesId ended = RangesId::kEmpty;
  if (kind == Ops::kAfter) {
    for (std::size_t i = 1; i < op.src.size(); ++i) ended = ranges_.merged(ended, at(op.src[i]).ended);
  } else if (kind == Ops::kContract && release_ == Release::k13) {
    ended = contracted(op);
  } else if (const auto first = first_ended(kind)) {
    for (std::size_t i = *first; i < op.src.size(); ++i) {
      const OpId source = op.src[i];
      const bool is_range = at(source).op == Ops::kRange;
      ended = ranges_.merged(ended, is_range ? ranges_.only(source, graph_.op(source).arg) : at(source).ranges);
    }
  }
  return ended;
}

// For a CONTRACT: the loops whose numbers are in its argument.
RangesId OpFacts::contracted(const Op& op) {
  const ValueTable& values = graph_.values();
  RangesId ended = RangesId::kEmpty;
  if (op.src.empty()) return ended;
  for (const auto& range : ranges_.get(at(op.src[0]).ranges)) {
    const auto loop = values.items(range.arg);
    for (const ValueId pair : values.items(op.arg)) {
      const auto said = values.items(pair);
      const bool is_said = !said.empty() && !loop.empty() && values.equality(said[0]) == values.equality(loop[0]);
      if (is_said) ended = ranges_.merged(ended, ranges_.only(range.op, range.arg));
    }
  }
  return ended;
}

// UOp._device
EarlierDevice OpFacts::device(const Op& op) {
  const ValueTable& values = graph_.values();
  const auto of_source = [&](std::size_t i) { return i < op.src.size() ? at(op.src[i]).device : EarlierDevice(); };
  switch (static_cast<Ops>(op.kind)) {
    case Ops::kDevice:
      return {.value = op.arg};
    case Ops::kBufferize:
    case Ops::kStage:
      return {.value = values.kind(op.arg) == ValueKind::kObject ? values.field(op.arg, "device") : kNoneValue};
    case Ops::kAfter:
      return of_source(0);
    case Ops::kMselect: {
      const auto devices = values.items(of_source(0).value);
      const std::int64_t i = values.kind(op.arg) == ValueKind::kInt ? values.as_int(op.arg) : -1;
      if (i < 0 || i >= static_cast<std::int64_t>(devices.size())) return {};
      return {.value = devices[static_cast<std::size_t>(i)]};
    }
    case Ops::kMstack:
      return {.stacked = static_cast<std::uint32_t>(op.src.size())};
    case Ops::kCopy:
    case Ops::kBuffer:
    case Ops::kAllreduce:
      return of_source(1);
    default:
      for (const OpId source : op.src) {
        if (at(source).device.is_there()) return at(source).device;
      }
      return {};
  }
}

// UOp.addrspace
Memory OpFacts::find_memory(const Op& op) {
  const auto kind = static_cast<Ops>(op.kind);
  for (const OpId source : op.src) {
    if (at(source).memory == Memory::kRaises) return Memory::kRaises;
  }
  const auto first = [&] { return op.src.empty() ? Memory::kRaises : at(op.src[0]).memory; };
  switch (kind) {
    case Ops::kParam:
    case Ops::kBuffer: {
      const ValueTable& values = graph_.values();
      if (values.kind(op.arg) != ValueKind::kObject) return Memory::kRaises;
      const ValueId space = values.field(op.arg, "addrspace");
      if (values.kind(space) != ValueKind::kEnum) return Memory::kNone;
      const std::int64_t number = values.as_int(space);
      return number >= 0 && number <= 4 ? static_cast<Memory>(number) : Memory::kNone;
    }
    case Ops::kSpecial:
    case Ops::kRange:
    case Ops::kLoad:
      return Memory::kAlu;
    case Ops::kIndex:
    case Ops::kCast:
    case Ops::kAfter:
    case Ops::kReduce:
    case Ops::kStore:
    case Ops::kMstack:
    case Ops::kMselect:
    case Ops::kEnd:
    case Ops::kUnshard:
      return first();
    default:
      break;
  }
  if (is_movement(kind)) return first();
  const bool joins =
      kind == Ops::kStack || kind == Ops::kWmma || kind == Ops::kGroup || kind == Ops::kBitcast || is_alu(kind);
  if (!joins) return Memory::kNone;
  Memory joined = Memory::kNone;
  for (const OpId source : op.src) {
    const Memory memory = at(source).memory;
    if (memory == Memory::kNone) continue;
    if (joined != Memory::kNone && joined != memory) return Memory::kNone;
    joined = memory;
  }
  return joined;
}

ExprId OpFacts::convert(const Op& op, std::span<const ExprId> src) {
  auto kind = static_cast<Ops>(op.kind);
  if (kind == Ops::kIdiv) kind = Ops::kCdiv;
  if (kind == Ops::kMod) kind = Ops::kCmod;
  const Scalar scalar = this->scalar(op.dtype);
  if (release_ != Release::k14 && kind != Ops::kConst) return convert_earlier(op, src, kind, scalar);
  if (kind != Ops::kConst) return exprs_.node(kind, scalar, src, op.arg, op.tag);
  return exprs_.captured_constant(scalar, number_of(op.arg), op.tag);
}

// Converts an op of 0.12.0 or 0.13.0: a pointer's dtype says more than its scalar; vectors have two more ops, and one
// for their items.
ExprId OpFacts::convert_earlier(const Op& op, std::span<const ExprId> src, Ops kind, Scalar scalar) {
  const ValueTable& values = graph_.values();
  if (kind == Ops::kVectorize) kind = Ops::kStack;
  if (kind == Ops::kVconst) {
    std::vector<ExprId> items;
    for (const ValueId item : values.items(op.arg)) {
      items.push_back(exprs_.captured_constant(scalar, number_of(item), kNoneValue));
    }
    return exprs_.node(Ops::kStack, scalar, items);
  }
  const EarlierDType dtype = read_earlier_dtype(values, op.dtype);
  const bool says_more = (dtype.is_pointer || (dtype.count > 1 && kind != Ops::kStack)) && !is_alu(kind);
  const ValueId told = says_more ? op.dtype : kNoneValue;
  if (kind == Ops::kGep && src.size() == 1 && !dtype.is_pointer) {
    const auto items = values.items(op.arg);
    const EarlierDType of = read_earlier_dtype(values, graph_.op(op.src[0]).dtype);
    bool in_order = !of.is_pointer && static_cast<std::int64_t>(items.size()) == of.count;
    for (std::size_t i = 0; i < items.size() && in_order; ++i) {
      in_order = values.kind(items[i]) == ValueKind::kInt && values.as_int(items[i]) == static_cast<std::int64_t>(i);
    }
    return in_order ? src[0] : items_of(src[0], op.arg, told, release_ == Release::k12 || scalar == Scalar::kWeakint);
  }
  const bool joins = (kind == Ops::kVcat || kind == Ops::kCat) && !dtype.is_pointer;
  if (joins && src.size() == 1) return src[0];
  if (joins && std::ranges::all_of(src, [&](ExprId id) { return exprs_.op(id) == Ops::kStack; })) {
    std::vector<ExprId> items;
    for (const ExprId id : src) items.insert(items.end(), exprs_.src(id).begin(), exprs_.src(id).end());
    return exprs_.node(Ops::kStack, scalar, items);
  }
  return exprs_.node(kind, scalar, src, op.arg, op.tag, told);
}

// The items of a vector that `at` names, taken of each operand where the vector is an operation.
ExprId OpFacts::items_of(ExprId vector, ValueId at, ValueId dtype, bool of_operands) {
  const ValueTable& values = graph_.values();
  const Ops kind = exprs_.op(vector);
  if (kind == Ops::kConst) return vector;
  const std::vector<ExprId> src(exprs_.src(vector).begin(), exprs_.src(vector).end());
  std::vector<ExprId> made;
  if (kind == Ops::kStack) {
    for (const ValueId item : values.items(at)) {
      const std::int64_t i = values.kind(item) == ValueKind::kInt ? values.as_int(item) : -1;
      if (i < 0 || i >= static_cast<std::int64_t>(src.size())) break;
      made.push_back(src[static_cast<std::size_t>(i)]);
    }
    if (made.size() == 1) return made[0];
    if (!made.empty()) return exprs_.node(Ops::kStack, exprs_.scalar(vector), made);
  } else if (of_operands && (is_alu(kind) || kind == Ops::kCast || kind == Ops::kBitcast)) {
    for (const ExprId source : src) made.push_back(items_of(source, at, kNoneValue, of_operands));
    return exprs_.node(kind, exprs_.scalar(vector), made);
  }
  const ExprId whole[] = {vector};
  return exprs_.node(Ops::kGep, exprs_.scalar(vector), whole, at, kNoneValue, dtype);
}

// What a constant's argument says.
Number OpFacts::number_of(ValueId arg) const {
  const ValueTable& values = graph_.values();
  Number number = Number::invalid();
  if (values.kind(arg) == ValueKind::kInt) number = Number::of(values.as_int(arg));
  if (values.kind(arg) == ValueKind::kBool) number = Number::of_bool(values.as_bool(arg));
  if (is_real(values, arg)) number = Number::of_real(real_of(values, arg));
  if (values.kind(arg) == ValueKind::kBigInt) {
    Wide wide = 0;
    const std::string_view text = values.text(arg);
    for (const char c : text) {
      if (c != '-') wide = python::wide_add(python::wide_mul(wide, 10), c - '0');
    }
    number = Number::of(text.starts_with('-') ? -wide : wide);
  }
  return number;
}

ExprId OpFacts::find_expr(const Op& op) {
  std::vector<ExprId> src;
  for (const OpId source : op.src) {
    src.push_back(at(source).expr);
    if (src.back() == kNoExpr || exprs_.size_of(src.back()) >= ExprGraph::kMaxSize) return kNoExpr;
  }
  const ExprId expr = convert(op, src);
  const bool fits = !exprs_.take_failure() && exprs_.size_of(expr) < ExprGraph::kMaxSize;
  return fits ? expr : kNoExpr;
}

ExprId OpFacts::expression(OpId id) {
  if (const ExprId expr = get(id).expr; expr != kNoExpr) return expr;
  std::unordered_map<OpId, ExprId> made;
  std::vector<std::pair<OpId, std::size_t>> stack{{id, 0}};
  std::vector<ExprId> src;
  while (!stack.empty()) {
    auto& [op_id, port] = stack.back();
    const Op op = graph_.op(op_id);
    const auto known = [&](OpId source) {
      if (const auto found = made.find(source); found != made.end()) return found->second;
      return at(source).expr;
    };
    while (port < op.src.size() && known(op.src[port]) != kNoExpr) ++port;
    if (port < op.src.size()) {
      if (stack.size() + made.size() > kMaxOps) return kNoExpr;
      stack.emplace_back(op.src[port], 0);
      continue;
    }
    src.clear();
    for (const OpId source : op.src) src.push_back(known(source));
    made[op_id] = convert(op, src);
    set_watched(op_id, true);
    stack.pop_back();
  }
  return exprs_.take_failure() ? kNoExpr : made.at(id);
}

}  // namespace vizd::tinygrad_2026_08
