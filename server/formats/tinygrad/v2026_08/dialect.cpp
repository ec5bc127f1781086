#include "formats/tinygrad/v2026_08/dialect.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <vector>

#include "formats/tinygrad/printing/graph_printer.h"
#include "formats/tinygrad/printing/op_metadata.h"
#include "formats/tinygrad/v2026_08/dtype_rules.h"
#include "formats/tinygrad/v2026_08/earlier_dtype.h"
#include "formats/tinygrad/v2026_08/earlier_python_text.h"
#include "formats/tinygrad/v2026_08/earlier_shapes.h"
#include "formats/tinygrad/v2026_08/labels.h"
#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/programs.h"
#include "formats/tinygrad/v2026_08/python_text.h"
#include "formats/tinygrad/v2026_08/value_text.h"
#include "model/op_memory.h"
#include "model/recorded_ops.h"

namespace vizd::tinygrad_2026_08 {
namespace {

// What substitute() raises (ops.py RewriteContext).
constexpr std::array<std::string_view, 2> kErrors = {"infinite loop in fixed_point_rewrite",
                                                     "infinite loop in graph_rewrite (stack too big)"};
constexpr std::string_view kOtherError = "the rewrite raised an error";

// serve.py addrspace_colors, by Memory, from the first that is one.
constexpr std::array<OpMemory, 4> kMemories = {
    {{"GLOBAL", "#75bd7b"}, {"LOCAL", "#e7c86a"}, {"REG", "#e68181"}, {"ALU", "#AAAAAA"}}};

// The colours of tinygrad's viewers of 0.12.0 and 0.13.0 where they are not those of 2026-08.
std::optional<std::string_view> earlier_colour(Ops op, Release release) {
  switch (op) {
    case Ops::kIndex:
      return "#cef263";
    case Ops::kRewriteError:
      return "#ff2e2e";
    case Ops::kAssign:
      return "#909090";
    case Ops::kBufferize:
      return "#FF991C";
    case Ops::kBufferView:
      return "#E5EAFF";
    case Ops::kCustomKernel:
      return "#3ebf55";
    case Ops::kDefineReg:
    case Ops::kDefineLocal:
      return "#f2cb91";
    case Ops::kDefineGlobal:
      return "#cb9037";
    case Ops::kEncdec:
      return "#bf71b6";
    case Ops::kIdiv:
    case Ops::kMod:
      return "#ffffc0";
    case Ops::kKernel:
      return "#3e7f55";
    case Ops::kMulti:
      return "#f6ccff";
    case Ops::kReduceAxis:
      return "#FF6B6B";
    case Ops::kShapedWmma:
      return "#FF5B5B";
    case Ops::kVconst:
      return "#e0e0e0";
    case Ops::kStack:
      return "#ffffff";
    case Ops::kLinear:
    case Ops::kSource:
    case Ops::kBinary:
      if (release == Release::k12) return "#ffffff";
      break;
    default:
      break;
  }
  return std::nullopt;
}

class TinygradAnalysis final : public OpAnalysis, public PrintsLines, public TellsMemory, public ShowsRecordedOps {
 public:
  TinygradAnalysis(const OpGraph& graph, const Capture& capture, const OpNames& names, Release release,
                   std::function<const ContextByKey&()> contexts, const tinygrad::OpMetadata& metadata)
      : graph_(graph),
        release_(release),
        facts_(graph, release, release == Release::k14 ? nullptr : find_earlier_shape),
        metadata_(metadata),
        labels_(graph, capture, facts_, names, release, std::move(contexts), metadata),
        text_(graph, &names),
        printer_(graph, text_) {}

  LabelId label(OpId id) override { return labels_.label(id); }
  std::string_view label_text(LabelId id) const override { return labels_.text(id); }
  bool is_inlined(OpId id) override { return kind(id) == Ops::kConst; }
  std::optional<ContextId> ref(OpId id) override { return labels_.ref(id); }
  std::optional<std::string> tag(OpId id) override {
    const ValueId tag = graph_.op(id).tag;
    return tag == kNoneValue ? std::nullopt : std::optional(text_.repr(tag));
  }
  std::optional<std::string_view> memory_colour(OpId id) override {
    const auto memory = memory_of(id);
    return memory ? std::optional(kMemories[*memory].colour) : std::nullopt;
  }
  std::span<const OpMemory> memories() const override {
    return is_earlier() ? std::span<const OpMemory>() : std::span<const OpMemory>(kMemories);
  }
  std::optional<std::size_t> memory_of(OpId id) override {
    if (is_earlier()) return std::nullopt;
    const Memory memory = facts_.get(id).memory;
    if (memory == Memory::kNone || memory == Memory::kRaises) return std::nullopt;
    return static_cast<std::size_t>(memory) - 1;
  }
  bool labels_show_hidden() const override { return true; }
  bool shows_recorded_ops() const override { return !metadata_.empty(); }
  void set_recorded(OpId id, OpId capture_op) override { labels_.set_recorded(id, capture_op); }
  // serve.py uop_to_json: constants, what only spreads one, and the sizes of views and parameters.
  bool find_hidden(OpId id, const Surroundings& around) override {
    const bool hidden = is_hidden(id, around);
    facts_.set_hidden(id, hidden);
    return hidden;
  }
  void forget(OpId id) override {
    facts_.forget(id);
    labels_.forget(id);
  }
  bool refresh(OpId id) override {
    const bool is_in_key = labels_.forget(id);
    return facts_.refresh(id) || is_in_key;
  }

  // pyrender, or where that raises the plain form (serve.py pystr).
  std::string print(OpId root) override {
    auto text = is_earlier() ? earlier_python_text(graph_, facts_, text_, root, release_)
                             : python_text(graph_, facts_, text_, root);
    if (text) return *std::move(text);
    return printer_.print(root);
  }
  std::vector<PrintedLine> print_lines(OpId root) override {
    auto lines = is_earlier() ? earlier_python_lines(graph_, facts_, text_, root, release_)
                              : python_lines(graph_, facts_, text_, root);
    if (lines) return *std::move(lines);
    return printer_.print_lines(root);
  }

 private:
  Ops kind(OpId id) const { return static_cast<Ops>(graph_.kind(id)); }
  bool is_earlier() const { return release_ != Release::k14; }

  // Views and parameters, whose vectors of constants are sizes.
  bool hides_vectors(OpId id) const { return is_movement(kind(id)) || kind(id) == Ops::kParam; }

  // Whether the viewers of 0.12.0 and 0.13.0 leave it out; a vector without sources as a root, too.
  bool is_left_out_earlier(OpId id, bool is_root) const {
    const auto src = graph_.src(id);
    switch (kind(id)) {
      case Ops::kStack:
      case Ops::kVectorize:
        return src.empty();
      case Ops::kVconst:
        return !is_root && earlier_scalar(graph_.values(), graph_.op(id).dtype) == Scalar::kIndex;
      case Ops::kConst:
        if (release_ == Release::k13 && !src.empty()) {
          return !is_root && kind(src[0]) != Ops::kUnique && kind(src[0]) != Ops::kLunique;
        }
        return !is_root;
      case Ops::kDevice:
      case Ops::kUnique:
      case Ops::kLunique:
        return !is_root;
      default:
        return false;
    }
  }

  bool is_hidden(OpId id, const Surroundings& around) {
    const auto src = graph_.src(id);
    if (is_earlier()) return is_left_out_earlier(id, around.is_root(id));
    switch (kind(id)) {
      case Ops::kConst:
        return !around.is_root(id);
      case Ops::kReshape:
      case Ops::kExpand: {
        if (src.empty() || around.is_root(id) || !facts_.is_hidden(src[0])) return false;
        if (kind(src[0]) != Ops::kStack || graph_.src(src[0]).empty()) return true;
        // A vector that is data here is hidden for what another op does with it: the reference looks at ops in order,
        // and what comes first finds it not hidden yet.
        const std::size_t here = around.place(id);
        return around.any_user(src[0], [&](OpId user) { return hides_vectors(user) && around.place(user) < here; });
      }
      case Ops::kStack:
        if (!std::ranges::all_of(src, [&](OpId source) { return kind(source) == Ops::kConst; })) return false;
        return src.empty() || around.any_user(id, [&](OpId user) { return hides_vectors(user); });
      default:
        return false;
    }
  }

  const OpGraph& graph_;
  Release release_;
  OpFacts facts_;
  const tinygrad::OpMetadata& metadata_;
  Labels labels_;
  ValueText text_;
  tinygrad::GraphPrinter printer_;
};

class TinygradDialect final : public Dialect {
 public:
  TinygradDialect(Capture& capture, Release release)
      : capture_(capture), release_(release), names_(capture.values), text_(capture.ops, &names_) {
    for (int i = 0; i < kDTypeCount; ++i) dtypes_.push_back(add_dtype(capture.values, static_cast<Scalar>(i)));
    for (const std::string_view message : kErrors) messages_.push_back(capture.values.string(message));
    messages_.push_back(capture.values.string(kOtherError));
  }

  std::string_view kind_name(std::uint16_t kind) const override { return names_(static_cast<Ops>(kind)); }
  std::string_view kind_colour(std::uint16_t kind) const override {
    const auto op = static_cast<Ops>(kind);
    if (const auto colour = is_earlier() ? earlier_colour(op, release_) : std::nullopt) return *colour;
    return kind < kOpsCount ? op_colour(op) : "#ffffff";
  }
  std::unique_ptr<OpAnalysis> analyse(const OpGraph& graph) const override {
    return std::make_unique<TinygradAnalysis>(
        graph, capture_, names_, release_, [this]() -> const ContextByKey& { return contexts(); }, metadata());
  }
  std::vector<std::string_view> constant_ops() const override { return {"CONST"}; }
  std::vector<std::string_view> index_ops() const override { return {"INDEX", "SHRINK"}; }
  std::uint32_t body_sources(std::uint16_t kind) const override {
    switch (static_cast<Ops>(kind)) {
      case Ops::kCall:
      case Ops::kFunction:
        return 1;
      case Ops::kProgram:
        return 2;  // the kernel's ops and their order; its source and binary stay
      default:
        return 0;
    }
  }
  std::string value_text(ValueId value) const override { return text_.str(value); }
  OpId error_op(OpGraph& graph, std::string_view message) const override {
    ValueId arg = messages_.back();
    for (std::size_t i = 0; i < kErrors.size(); ++i) {
      if (message == kErrors[i]) arg = messages_[i];
    }
    const Ops kind = is_earlier() ? Ops::kNoop : Ops::kRewriteError;
    return graph.add(static_cast<std::uint16_t>(kind), dtype(Scalar::kVoid), {}, arg, kNoneValue);
  }
  ValueId rebuilt_dtype(const OpGraph& graph, const Op& op) const override;
  // A FUNCTION's body, and that of a CALL which is no address (ops.py unified_rewrite).
  bool keeps_first_source(const OpGraph& graph, const Op& op) const override {
    const auto kind = static_cast<Ops>(op.kind);
    if (op.src.empty() || (kind != Ops::kFunction && kind != Ops::kCall)) return false;
    if (is_earlier()) return true;
    switch (static_cast<Ops>(graph.kind(op.src[0]))) {
      case Ops::kSink:
      case Ops::kProgram:
      case Ops::kLinear:
      case Ops::kCopy:
      case Ops::kCustomFunction:
        return true;
      default:
        return kind == Ops::kFunction;
    }
  }
  bool sends_hidden_ops() const override { return !is_earlier(); }
  bool makes_program(const Pass& pass) const override {
    return capture_.strings.get(pass.name) == (release_ == Release::k13 ? "View Program" : "linearize/render");
  }
  std::optional<StageResult> program_stage(const Pass& pass, ProgramStage stage) const override {
    return find_stage(capture_, pass, stage);
  }

 private:
  bool is_earlier() const { return release_ != Release::k14; }
  ValueId dtype(Scalar scalar) const { return dtypes_[static_cast<std::size_t>(scalar)]; }

  const ContextByKey& contexts() const {
    std::call_once(contexts_once_, [this] {
      OpKeys keys(capture_.ops, &names_);
      for (const auto& [op, context] : capture_.rewrites.context_by_op) {
        const auto [entry, is_new] = contexts_.emplace(keys.canonical_key(op), context);
        if (!is_new) entry->second = std::max(entry->second, context);  // later keys win
      }
    });
    return contexts_;
  }

  const tinygrad::OpMetadata& metadata() const {
    std::call_once(metadata_once_, [this] { metadata_.emplace(capture_.values); });
    return *metadata_;
  }

  const Capture& capture_;
  Release release_;
  OpNames names_;
  ValueText text_;
  std::vector<ValueId> dtypes_;    // by Scalar
  std::vector<ValueId> messages_;  // of kErrors, then kOtherError
  mutable std::once_flag contexts_once_;
  mutable ContextByKey contexts_;
  mutable std::once_flag metadata_once_;
  mutable std::optional<tinygrad::OpMetadata> metadata_;
};

ValueId TinygradDialect::rebuilt_dtype(const OpGraph& graph, const Op& op) const {
  if (is_earlier()) return op.dtype;
  const ValueTable& values = graph.values();
  const auto kind = static_cast<Ops>(op.kind);
  std::vector<Scalar> scalars;
  std::vector<char> invalid;
  for (const OpId source : op.src) {
    OpId base = source;
    while ((is_movement(static_cast<Ops>(graph.kind(base))) || static_cast<Ops>(graph.kind(base)) == Ops::kDetach) &&
           !graph.src(base).empty()) {
      base = graph.src(base)[0];
    }
    const bool is_const = static_cast<Ops>(graph.kind(base)) == Ops::kConst;
    scalars.push_back(read_scalar(values, graph.op(source).dtype));
    invalid.push_back(is_const && values.kind(graph.op(base).arg) == ValueKind::kObject &&
                      !is_real(values, graph.op(base).arg));
  }
  // Words of an argument stay as they are.
  const bool is_said =
      kind == Ops::kCast || kind == Ops::kBitcast || kind == Ops::kParam || kind == Ops::kBuffer || kind == Ops::kConst;
  if (is_said) return op.dtype;
  std::optional<Scalar> element;
  if (kind == Ops::kGettuple && !op.src.empty() && values.kind(op.arg) == ValueKind::kInt) {
    OpId tuple = op.src[0];
    if (static_cast<Ops>(graph.kind(tuple)) == Ops::kFunction && !graph.src(tuple).empty()) tuple = graph.src(tuple)[0];
    const auto i = static_cast<std::size_t>(values.as_int(op.arg));
    if (i < graph.src(tuple).size()) element = read_scalar(values, graph.op(graph.src(tuple)[i]).dtype);
  }
  // An INDEX keeps what an image gave it: a PARAM's shape does not change with its dtype.
  const bool reads_image = kind == Ops::kIndex && !op.src.empty() && !scalars.empty() &&
                           static_cast<Ops>(graph.kind(op.src[0])) == Ops::kParam &&
                           read_scalar(values, op.dtype) == Scalar::kFloat32 && scalars[0] == Scalar::kFloat16;
  const DerivedDType derived =
      derive_dtype(kind, {.sources = scalars,
                          .is_invalid = {reinterpret_cast<const bool*>(invalid.data()), invalid.size()},
                          .reads_image = reads_image,
                          .element = element});
  return derived.kind == DerivedDType::Kind::kDerived ? dtype(derived.scalar) : op.dtype;
}

}  // namespace

std::unique_ptr<Dialect> make_dialect(Capture& capture) {
  return std::make_unique<TinygradDialect>(capture, Release::k14);
}
std::unique_ptr<Dialect> make_dialect_12(Capture& capture) {
  return std::make_unique<TinygradDialect>(capture, Release::k12);
}
std::unique_ptr<Dialect> make_dialect_13(Capture& capture) {
  return std::make_unique<TinygradDialect>(capture, Release::k13);
}

}  // namespace vizd::tinygrad_2026_08
