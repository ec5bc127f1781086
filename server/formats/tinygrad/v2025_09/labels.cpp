#include "formats/tinygrad/v2025_09/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/tinygrad/python/text.h"
#include "formats/tinygrad/python/word_wrap.h"
#include "formats/tinygrad/v2025_09/dtype.h"
#include "formats/tinygrad/v2025_09/ranges_text.h"

namespace vizd::tinygrad_2025_09 {
namespace {

constexpr std::uint32_t kNoPart = 0;  // the empty text
constexpr std::string_view kIssue = "\n<ISSUE GETTING LABEL>";

// Ops whose box shows no shape, but their loops.
bool shows_no_shape(Ops op) {
  switch (op) {
    case Ops::kView:
    case Ops::kBuffer:
    case Ops::kKernel:
    case Ops::kAssign:
    case Ops::kCopy:
    case Ops::kSink:
    case Ops::kLoad:
    case Ops::kStore:
    case Ops::kValid:
    case Ops::kConst:
    case Ops::kDefineVar:
      return true;
    default:
      return false;
  }
}

std::string without_colons(std::string text) {
  std::erase(text, ':');
  return text;
}

}  // namespace

LabelId Labels::label(OpId id) {
  const Facts& facts = facts_.get(id);
  if (facts.label != kNoId) return to_id<LabelId>(facts.label);
  const Op op = graph_.op(id);
  const auto context = static_cast<std::uint32_t>(index(ref(op).value_or(ContextId{kNoId})));
  const std::uint32_t own = own_part(op), last = last_line(op, facts);
  key_.assign({own, last, context, metadata_part(id, facts.op)});
  for (std::uint32_t i = 0; i < op.src.size(); ++i) {
    const Ops source = static_cast<Ops>(graph_.kind(op.src[i]));
    if (!is_always_inlined(source) && facts.op != Ops::kConst) continue;
    key_.push_back(i);
    key_.push_back(inlined_part(op.src[i]));
  }
  const std::uint32_t key = label_keys_.add(key_);
  if (key >= label_by_key_.size()) label_by_key_.resize(key + 1, LabelId{kNoId});
  if (label_by_key_[key] == LabelId{kNoId}) {
    label_by_key_[key] = to_id<LabelId>(index(labels_.add(compose(op, label_keys_.get(key)))));
  }
  facts_.get(id).label = static_cast<std::uint32_t>(index(label_by_key_[key]));
  return label_by_key_[key];
}

// key: own part, last line, context, metadata, then place and part of each inlined source.
std::string Labels::compose(const Op& op, std::span<const std::uint32_t> key) const {
  const auto part = [&](std::uint32_t id) { return parts_.get(to_id<StringId>(id)); };
  std::string label(part(key[0]));
  for (std::size_t i = 4; i + 1 < key.size(); i += 2) {
    const auto source = static_cast<Ops>(graph_.kind(op.src[key[i]]));
    label += fmt::format("\n{}{} {}", op_name(source), key[i], part(key[i + 1]));
  }
  label += part(key[1]);
  if (key[2] != kNoId)
    label += fmt::format("\ncodegen@{}", capture_.strings.get(capture_.rewrites.contexts[key[2]].name));
  label += part(key[3]);
  return label;
}

// Not of a KERNEL, whose argument holds it.
std::uint32_t Labels::metadata_part(OpId id, Ops kind) {
  const ValueId told = metadata_.empty() || kind == Ops::kKernel ? kNoneValue : metadata_.of(id);
  return told == kNoneValue ? kNoPart : static_cast<std::uint32_t>(index(parts_.add("\n" + text_.repr(told))));
}

std::optional<ContextId> Labels::ref(const Op& op) const {
  if (static_cast<Ops>(op.kind) != Ops::kKernel) return std::nullopt;
  const ValueId ast = graph_.values().field(op.arg, "ast");
  if (graph_.values().kind(ast) != ValueKind::kOp) return std::nullopt;
  const auto found = capture_.rewrites.context_by_op.find(graph_.values().as_op(ast));
  return found == capture_.rewrites.context_by_op.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t Labels::own_part(const Op& op) {
  const std::uint32_t key[] = {op.kind, static_cast<std::uint32_t>(op.dtype), static_cast<std::uint32_t>(op.arg)};
  const std::uint32_t own_key = own_keys_.add(key);
  if (own_key >= own_parts_.size()) own_parts_.resize(own_key + 1, kNoPart);
  if (own_parts_[own_key] == kNoPart) {
    std::string text(op_name(static_cast<Ops>(op.kind)));
    if (op.arg != kNoneValue) text += "\n" + python::word_wrap(without_colons(argument_text(op)));
    if (!read_dtype(graph_.values(), op.dtype).is_void()) text += "\n" + text_.str(op.dtype);
    own_parts_[own_key] = static_cast<std::uint32_t>(index(parts_.add(text)));
  }
  return own_parts_[own_key];
}

// Where the reference could not send the graph at all (an escape in the argument that Python refuses, an expression
// that it cannot simplify), the argument as it is.
std::string Labels::argument_text(const Op& op) {
  const auto kind = static_cast<Ops>(op.kind);
  if (kind == Ops::kView) return views_text(op.arg);
  if (kind == Ops::kPad || kind == Ops::kShrink) return pairs_text(op.arg);
  if (is_movement(kind)) return sizes_text(op.arg);
  const std::string plain = text_.str(op.arg);
  return python::decode_unicode_escape(plain).value_or(plain);
}

std::string Labels::views_text(ValueId tracker) {
  const ValueTable& values = graph_.values();
  std::string text;
  for (const ValueId view : values.items(values.field(tracker, "views"))) {
    const ValueId offset = values.field(view, "offset"), mask = values.field(view, "mask");
    if (!text.empty()) text += "\n";
    text += sizes_text(values.field(view, "shape")) + " / " + sizes_text(values.field(view, "strides"));
    if (values.kind(offset) != ValueKind::kInt || values.as_int(offset) != 0) text += " / " + size_text(offset);
    if (mask != kNoneValue) text += "\nMASK " + pairs_text(mask);
  }
  return text;
}

// serve.py shape_to_str
std::string Labels::sizes_text(ValueId tuple) {
  std::string text;
  for (const ValueId size : graph_.values().items(tuple)) text += (text.empty() ? "" : ",") + size_text(size);
  return "(" + text + ")";
}

// serve.py mask_to_str
std::string Labels::pairs_text(ValueId tuple) {
  std::string text;
  for (const ValueId pair : graph_.values().items(tuple)) text += (text.empty() ? "" : ",") + sizes_text(pair);
  return "(" + text + ")";
}

std::string Labels::size_text(ValueId size) {
  if (graph_.values().kind(size) != ValueKind::kOp) return text_.str(size);
  Sizes& sizes = facts_.shapes().sizes();
  const auto expression = sizes.from_value(size);
  const auto text = expression ? sizes.text(*expression) : std::nullopt;
  const bool raised = sizes.take_failure();
  return text && !raised ? *text : text_.str(size);
}

std::uint32_t Labels::inlined_part(OpId source) {
  Facts& facts = facts_.get(source);
  if (facts.inlined_text != kNoId) return facts.inlined_text;
  const ValueTable& values = graph_.values();
  const Op op = graph_.op(source);
  const bool is_number = values.kind(op.arg) == ValueKind::kFloat || values.kind(op.arg) == ValueKind::kInt ||
                         values.kind(op.arg) == ValueKind::kBool;
  const bool is_real = facts.op == Ops::kConst && is_number && read_dtype(values, op.dtype).is_float();
  std::string text = is_real ? python::float_general(values.as_real(op.arg)) : text_.str(op.arg);
  if (!op.src.empty()) text += fmt::format(" Ops.{}", op_name(static_cast<Ops>(graph_.kind(op.src[0]))));
  facts.inlined_text = static_cast<std::uint32_t>(index(parts_.add(text)));
  return facts.inlined_text;
}

std::uint32_t Labels::last_line(const Op& op, const Facts& facts) {
  const auto kind = static_cast<Ops>(op.kind);
  const bool shows_shape = !shows_no_shape(kind) && facts.shape != ShapeId::kNone;
  if (!shows_shape && facts.ranges == RangesId::kEmpty) return kNoPart;
  auto& lines = shows_shape ? shape_lines_ : range_lines_;
  const auto id = shows_shape ? static_cast<std::uint32_t>(facts.shape) : static_cast<std::uint32_t>(facts.ranges);
  if (id >= lines.size()) lines.resize(id + 1, kNoPart);
  if (lines[id] == kNoPart) {
    const auto text = shows_shape ? facts_.shapes().text(facts.shape)
                                  : ranges_text(graph_.values(), facts_.ranges().get(facts.ranges));
    lines[id] = static_cast<std::uint32_t>(index(parts_.add(text ? "\n" + *text : std::string(kIssue))));
  }
  return lines[id];
}

}  // namespace vizd::tinygrad_2025_09
