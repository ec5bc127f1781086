#include "formats/tinygrad/v2026_08/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "formats/tinygrad/printing/axis_colours.h"
#include "formats/tinygrad/python/text.h"
#include "formats/tinygrad/python/word_wrap.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr std::string_view kIssue = "\n<ISSUE GETTING LABEL>";
constexpr std::size_t kLargeIndex = 30;   // an index of as many ops is not printed
constexpr std::size_t kSourceLines = 40;  // of a SOURCE's label; a longer one is cut
constexpr std::size_t kSourceLinesKept = 30;

std::string without_colons(std::string text) {
  std::erase(text, ':');
  return text;
}

// ops.py axis_colors with helpers.colored. PLACEHOLDER has none, and raises.
constexpr std::array<tinygrad::AxisColour, 12> kAxisColours = {{{"DEVICE", 32},
                                                                {"GLOBAL", 34},
                                                                {"THREAD", 94},
                                                                {"LOCAL", 36},
                                                                {"WARP", 96},
                                                                {"WEAK", 97},
                                                                {"LOOP", 97},
                                                                {"UPCAST", 33},
                                                                {"GROUP_REDUCE", 91},
                                                                {"REDUCE", 31},
                                                                {"UNROLL", 35},
                                                                {"OUTER", 32}}};

// Python's < of two RANGEs' arguments; nothing where it raises, as it does for axes.
std::optional<bool> comes_before(const ValueTable& values, ValueId a, ValueId b) {
  const auto x = values.items(a), y = values.items(b);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (values.equality(x[i]) == values.equality(y[i])) continue;
    if (values.kind(x[i]) != ValueKind::kInt || values.kind(y[i]) != ValueKind::kInt) return std::nullopt;
    return values.as_int(x[i]) < values.as_int(y[i]);
  }
  return x.size() < y.size();
}

}  // namespace

std::optional<std::string> loop_text(const ValueTable& values, ValueId arg) {
  const auto name = range_name(values, arg);
  if (!name) return std::nullopt;
  const auto colour = tinygrad::colour_of_axis(values, values.items(arg).back(), kAxisColours);
  if (!colour) return std::nullopt;
  return fmt::format("\x1b[{}m{}\x1b[0m", *colour, *name);
}

std::optional<std::string> loops_text(const ValueTable& values, std::span<const RangeSets::Range> ranges) {
  std::vector<ValueId> args;
  for (const auto& range : ranges) args.push_back(range.arg);
  bool raises = false;
  std::ranges::stable_sort(args, [&](ValueId a, ValueId b) {
    const auto before = comes_before(values, a, b);
    raises = raises || !before;
    return before.value_or(a < b);
  });
  std::string text;
  for (const ValueId arg : args) {
    const auto one = loop_text(values, arg);
    if (raises || !one) return std::nullopt;
    text += (text.empty() ? "" : ",") + *one;
  }
  return text;
}

LabelId Labels::label(OpId id) {
  Facts& facts = facts_.get(id);
  if (facts.label != kNoId) return to_id<LabelId>(facts.label);
  const Facts known = facts;
  const Op op = graph_.op(id);
  std::string label = own_part(op);
  append_hidden_sources(label, op);
  if (!append_derived(label, id, op, known)) label += kIssue;
  facts_.simplifier().graph().take_failure();
  if (const auto context = ref(id)) {
    label += fmt::format("\ncodegen@{}", capture_.strings.get(capture_.rewrites.contexts[index(*context)].name));
  }
  append_metadata(label, id, known.op);
  if (known.op == Ops::kSource && release_ != Release::k12 &&
      static_cast<std::size_t>(std::ranges::count(label, '\n')) >= kSourceLines) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < kSourceLinesKept; ++line) end = label.find('\n', end) + 1;
    label = label.substr(0, end) + "...";
  }
  const auto text = static_cast<std::uint32_t>(index(labels_.add(label)));
  facts_.get(id).label = text;
  return to_id<LabelId>(text);
}

// Not of ops whose argument holds it.
void Labels::append_metadata(std::string& label, OpId id, Ops kind) const {
  if (metadata_.empty() || kind == Ops::kCall || kind == Ops::kFunction || kind == Ops::kKernel) return;
  if (const ValueId told = metadata_.of(id); told != kNoneValue) label += "\n" + text_.str(told);
}

std::optional<ContextId> Labels::ref(OpId id) {
  const auto kind = static_cast<Ops>(graph_.kind(id));
  if (graph_.kind(id) >= kOpsCount) return ref_of_kernel(id);
  if ((kind != Ops::kCall && kind != Ops::kFunction) || graph_.src(id).empty()) return std::nullopt;
  const ContextByKey& contexts = contexts_();
  if (contexts.empty()) return std::nullopt;
  const auto found = contexts.find(keys_.canonical_key(graph_.src(id)[0]));
  return found == contexts.end() ? std::nullopt : std::optional(found->second);
}

// The context of a KERNEL, as in 0.12.0: its argument holds the syntax tree.
std::optional<ContextId> Labels::ref_of_kernel(OpId id) const {
  const ValueTable& values = graph_.values();
  const ValueId arg = graph_.op(id).arg;
  if (values.kind(arg) != ValueKind::kObject) return std::nullopt;
  const ValueId ast = values.field(arg, "ast");
  if (values.kind(ast) != ValueKind::kOp) return std::nullopt;
  const auto& contexts = capture_.rewrites.context_by_op;
  const auto found = contexts.find(values.as_op(ast));
  return found == contexts.end() ? std::nullopt : std::optional(found->second);
}

// Name, argument and dtype: what an op shows of itself.
const std::string& Labels::own_part(const Op& op) {
  const std::uint32_t key[] = {op.kind, static_cast<std::uint32_t>(op.dtype), static_cast<std::uint32_t>(op.arg)};
  const std::uint32_t own_key = own_keys_.add(key);
  if (own_key >= own_parts_.size()) own_parts_.resize(own_key + 1);
  std::string& text = own_parts_[own_key];
  if (!text.empty()) return text;
  const auto kind = static_cast<Ops>(op.kind);
  text = names_(kind);
  if (op.arg != kNoneValue) {
    text += "\n" + python::word_wrap(without_colons(argument_text(op)),
                                     kind == Ops::kSource && release_ != Release::k12 ? 200 : 80);
  }
  if (facts_.scalar(op.dtype) != Scalar::kVoid) text += "\n" + text_.str(op.dtype);
  return text;
}

// Where the reference could not send the graph at all (an escape in the argument that Python refuses), the argument as
// it is.
std::string Labels::argument_text(const Op& op) {
  const auto kind = static_cast<Ops>(op.kind);
  const ValueTable& values = graph_.values();
  if (kind == Ops::kPermute || kind == Ops::kFlip) {
    if (values.kind(op.arg) == ValueKind::kTuple && !values.items(op.arg).empty()) {
      std::string text;
      for (const ValueId item : values.items(op.arg)) text += (text.empty() ? "" : ",") + text_.str(item);
      return "(" + text + ")";
    }
  }
  if (kind == Ops::kBinary && release_ != Release::k12 && values.kind(op.arg) == ValueKind::kBytes) {
    return fmt::format("<{} bytes>", values.text(op.arg).size());
  }
  if (kind == Ops::kConst && release_ == Release::k14 && is_float(facts_.scalar(op.dtype)) && is_real(values, op.arg)) {
    return python::float_general(real_of(values, op.arg));
  }
  if (kind == Ops::kKernel) return kernel_text(op);
  const std::string plain = text_.str(op.arg);
  return python::decode_unicode_escape(plain).value_or(plain);
}

// "<Kernel 12 SINK(Ops.STORE,) ['relu']>"
std::string Labels::kernel_text(const Op& op) {
  const ValueTable& values = graph_.values();
  const ValueId ast = values.field(op.arg, "ast");
  if (values.kind(ast) != ValueKind::kOp) return text_.str(op.arg);
  const OpId root = values.as_op(ast);
  std::string head = fmt::format("Ops.{}", names_(static_cast<Ops>(graph_.kind(root))));
  if (static_cast<Ops>(graph_.kind(root)) == Ops::kSink) {
    std::string list;
    for (const OpId source : graph_.src(root)) {
      list += fmt::format("{}Ops.{}", list.empty() ? "" : ", ", names_(static_cast<Ops>(graph_.kind(source))));
    }
    head = fmt::format("SINK({}{})", list, graph_.src(root).size() == 1 ? "," : "");
  }
  std::string metadata;
  for (const ValueId item : values.items(values.field(op.arg, "metadata"))) {
    metadata += fmt::format("{}'{}'", metadata.empty() ? "" : ", ", text_.str(item));
  }
  return fmt::format("<Kernel {} {} [{}]>", toposort(graph_, root).size(), head, metadata);
}

void Labels::append_hidden_sources(std::string& label, const Op& op) {
  const auto kind = static_cast<Ops>(op.kind);
  if (kind == Ops::kEnd) return;
  const bool first_only = kind == Ops::kStage || kind == Ops::kIndex || kind == Ops::kBufferize;
  const std::size_t count = first_only ? std::min<std::size_t>(op.src.size(), 1) : op.src.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!facts_.is_hidden(op.src[i])) continue;
    OpId source = op.src[i];
    // Through hidden views, to the constant that they are of.
    while (is_movement(static_cast<Ops>(graph_.kind(source))) && !graph_.src(source).empty() &&
           facts_.is_hidden(graph_.src(source)[0])) {
      source = graph_.src(source)[0];
    }
    const Op shown = graph_.op(source);
    const auto shown_kind = static_cast<Ops>(shown.kind);
    std::string text;
    if (shown_kind == Ops::kConst && is_float(facts_.scalar(shown.dtype)) && is_real(graph_.values(), shown.arg)) {
      text = python::float_general(real_of(graph_.values(), shown.arg));
    } else if (shown_kind == Ops::kStack && release_ == Release::k14) {
      const ExprId expr = facts_.expression(source);
      if (expr != kNoExpr) text = exprs_.rendered(expr);
    } else {
      text = text_.str(shown.arg);
    }
    fmt::format_to(std::back_inserter(label), "\n{}{} {}", names_(shown_kind), i, text);
    if (!shown.src.empty()) {
      fmt::format_to(std::back_inserter(label), " Ops.{}", names_(static_cast<Ops>(graph_.kind(shown.src[0]))));
    }
  }
}

bool Labels::append_derived(std::string& label, OpId id, const Op& op, const Facts& facts) {
  if (facts.ranges != RangesId::kEmpty) {
    const auto ranges = facts_.ranges().get(facts.ranges);
    const auto loops = loops_text(graph_.values(), ranges);
    if (!loops) return false;
    label += "\n(" + *loops + ")";
  }
  if (facts.shape == ShapeId::kRaises) return false;
  if (is_shape(facts.shape)) {
    const std::string shape = exprs_.shape(facts.shape);
    if (facts_.simplifier().graph().failed()) return false;
    label += "\n" + shape;
  }
  if (facts.op == Ops::kCall || facts.op == Ops::kFunction) {
    if (op.src.empty()) return false;
    const Digest256& key = keys_.key(op.src[0]);
    fmt::format_to(std::back_inserter(label), "\n{:02x}{:02x}{:02x}{:02x}", key[0], key[1], key[2], key[3]);
    if (release_ == Release::k14) label += fmt::format("\nOps.{}", names_(static_cast<Ops>(graph_.kind(op.src[0]))));
  }
  const bool is_index = facts.op == Ops::kIndex || facts.op == Ops::kStage || facts.op == Ops::kBufferize;
  if (is_index && !append_index(label, id, op)) return false;
  const bool ends = facts.op == Ops::kEnd || facts.op == Ops::kReduce;
  return !ends || append_ends(label, op);
}

// By the ops that an index is made of; 0.13.0 counts all below it, 0.12.0 prints any.
bool Labels::is_too_large(OpId id, const Op& op) {
  if (release_ == Release::k12) return false;
  if (release_ == Release::k13) return toposort(graph_, id).size() >= kLargeIndex;
  std::size_t size = 0;
  for (std::size_t i = 1; i < op.src.size() && size < kLargeIndex; ++i) {
    const ExprId expr = facts_.get(op.src[i]).expr;
    size += expr == kNoExpr ? kLargeIndex : facts_.simplifier().graph().size_of(expr);
  }
  return size >= kLargeIndex;
}

bool Labels::append_index(std::string& label, OpId id, const Op& op) {
  ExprGraph& g = facts_.simplifier().graph();
  if (is_too_large(id, op)) {
    if (release_ == Release::k14) label += "\nINDEX TOO LARGE";
  } else {
    const auto text = index_text(id, op);
    if (!text || g.failed()) return false;
    label += "\n" + *text;
  }
  std::string loops;
  for (const OpId loop : loops_in(op)) {
    const auto text = turns(loop);
    if (!text) return false;
    loops += (loops.empty() ? "\n" : " ") + *text;
  }
  label += loops;
  return true;
}

// Whether what is indexed comes after an UNROLL, which 0.12.0 cannot print.
bool Labels::holds_unroll(OpId base) const {
  if (static_cast<Ops>(graph_.kind(base)) != Ops::kAfter) return false;
  return std::ranges::any_of(toposort(graph_, base),
                             [&](OpId part) { return static_cast<Ops>(graph_.kind(part)) == Ops::kUnroll; });
}

// u.render() of an INDEX or a STAGE: of what it indexes only where that could change what is printed.
std::optional<std::string> Labels::index_text(OpId id, const Op& op) {
  const auto is_plain = [&] {
    if (release_ == Release::k13) return false;  // of few ops
    if (static_cast<Ops>(op.kind) != Ops::kIndex || release_ == Release::k12) return true;
    OpId base = op.src[0];
    while (true) {
      const auto kind = static_cast<Ops>(graph_.kind(base));
      const bool may_vanish = kind == Ops::kAfter || kind == Ops::kEnd || kind == Ops::kReshape ||
                              kind == Ops::kPermute || kind == Ops::kCast || kind == Ops::kBitcast;
      if (!may_vanish || graph_.src(base).empty()) {
        return kind != Ops::kStack && kind != Ops::kIndex && !is_alu(kind) && kind != Ops::kRange;
      }
      base = graph_.src(base)[0];
    }
  };
  if (op.src.empty()) return std::nullopt;
  if (is_plain()) {
    if (release_ == Release::k12 && holds_unroll(op.src[0])) return std::nullopt;
    std::string text;
    for (std::size_t i = 1; i < op.src.size(); ++i) {
      const ExprId expr = facts_.expression(op.src[i]);
      if (expr == kNoExpr) return std::nullopt;
      const std::string at = exprs_.rendered(expr);
      fmt::format_to(std::back_inserter(text), "[{}]", without_parentheses(at));
    }
    return text;
  }
  const ExprId whole = facts_.expression(id);
  return whole == kNoExpr ? std::nullopt : std::optional(exprs_.rendered(whole));
}

// The RANGEs and SPECIALs among what an index is made of, source by source.
std::vector<OpId> Labels::loops_in(const Op& op) const {
  std::vector<OpId> loops;
  for (std::size_t i = 1; i < op.src.size(); ++i) {
    for (const OpId part : toposort(graph_, op.src[i])) {
      const auto kind = static_cast<Ops>(graph_.kind(part));
      if (kind == Ops::kRange || kind == Ops::kSpecial) loops.push_back(part);
    }
  }
  return loops;
}

// "r0=4"
std::optional<std::string> Labels::turns(OpId range) {
  ExprGraph& g = facts_.simplifier().graph();
  const ExprId expr = facts_.expression(range);
  if (expr == kNoExpr) return std::nullopt;
  const std::string name = exprs_.rendered(expr);
  const std::string count = number_text(add(g.greatest(expr), Number::of(1)));
  return g.failed() ? std::nullopt : std::optional(name + "=" + count);
}

// The loops that end here, with how many turns they take.
bool Labels::append_ends(std::string& label, const Op& op) {
  RangesId ended = RangesId::kEmpty;
  for (std::size_t i = 1; i < op.src.size(); ++i) {
    ended = facts_.ranges().merged(ended, facts_.get(op.src[i]).ranges);
  }
  std::string text;
  for (const auto& range : facts_.ranges().get(ended)) {
    const auto name = loop_text(graph_.values(), range.arg);
    const ExprId expr = facts_.expression(range.op);
    if (!name || expr == kNoExpr) return false;
    const Number most = facts_.simplifier().graph().greatest(expr);
    text += fmt::format("{}{}({})", text.empty() ? "\n" : " ", *name, number_text(add(most, Number::of(1))));
  }
  label += text;
  return !facts_.simplifier().graph().failed();
}

}  // namespace vizd::tinygrad_2026_08
