#include "formats/tinygrad/v2025_09/dialect.h"

#include <array>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "formats/tinygrad/printing/graph_printer.h"
#include "formats/tinygrad/v2025_09/labels.h"
#include "formats/tinygrad/v2025_09/op_facts.h"
#include "formats/tinygrad/v2025_09/value_text.h"
#include "model/recorded_ops.h"

namespace vizd::tinygrad_2025_09 {
namespace {

// What substitute() raises (ops.py RewriteContext).
constexpr std::array<std::string_view, 2> kErrors = {"infinite loop in fixed_point_rewrite",
                                                     "infinite loop in graph_rewrite (stack too big)"};
constexpr std::string_view kOtherError = "the rewrite raised an error";

class TinygradAnalysis final : public OpAnalysis, public PrintsLines, public ShowsRecordedOps {
 public:
  TinygradAnalysis(const OpGraph& graph, const Capture& capture, const tinygrad::OpMetadata& metadata)
      : graph_(graph),
        facts_(graph),
        metadata_(metadata),
        labels_(graph, capture, facts_, metadata),
        text_(graph),
        printer_(graph, text_) {}

  LabelId label(OpId id) override { return labels_.label(id); }
  std::string_view label_text(LabelId id) const override { return labels_.text(id); }
  bool is_inlined(OpId id) override { return is_always_inlined(static_cast<Ops>(graph_.kind(id))); }
  std::optional<ContextId> ref(OpId id) override { return labels_.ref(graph_.op(id)); }
  std::optional<std::string> tag(OpId id) override {
    const ValueId tag = graph_.op(id).tag;
    return tag == kNoneValue ? std::nullopt : std::optional(text_.repr(tag));
  }
  // A constant's view goes with it, unless something else in the graph uses the view (serve.py uop_to_json).
  bool inlines_sources(OpId id) override { return static_cast<Ops>(graph_.kind(id)) == Ops::kConst; }
  bool shows_recorded_ops() const override { return !metadata_.empty(); }
  void set_recorded(OpId id, OpId capture_op) override { labels_.set_recorded(id, capture_op); }
  void forget(OpId id) override { facts_.forget(id); }
  bool refresh(OpId id) override {
    const bool differs = facts_.refresh(id);
    const auto kind = static_cast<Ops>(graph_.kind(id));
    // In a user's label these show more than their facts: a constant's view shows its own source.
    return differs || is_always_inlined(kind) || kind == Ops::kView;
  }

  std::string print(OpId root) override { return printer_.print(root); }
  std::vector<PrintedLine> print_lines(OpId root) override { return printer_.print_lines(root); }

 private:
  const OpGraph& graph_;
  OpFacts facts_;
  const tinygrad::OpMetadata& metadata_;
  Labels labels_;
  ValueText text_;
  tinygrad::GraphPrinter printer_;
};

class TinygradDialect final : public Dialect {
 public:
  explicit TinygradDialect(Capture& capture) : capture_(capture), text_(capture.ops) {
    ValueTable& values = capture.values;
    std::vector<ValueId> fields;
    const std::pair<std::string_view, ValueId> void_fields[] = {
        {"priority", values.integer(-1)}, {"itemsize", values.integer(0)},
        {"name", values.string("void")},  {"fmt", kNoneValue},
        {"count", values.integer(1)},     {"_scalar", kNoneValue}};
    for (const auto& [name, value] : void_fields) {
      fields.push_back(values.string(name));
      fields.push_back(value);
    }
    void_dtype_ = values.object("tinygrad.dtype.DType", fields);
    for (const std::string_view message : kErrors) messages_.push_back(values.string(message));
    messages_.push_back(values.string(kOtherError));
  }

  std::string_view kind_name(std::uint16_t kind) const override { return op_name(static_cast<Ops>(kind)); }
  std::string_view kind_colour(std::uint16_t kind) const override { return op_colour(static_cast<Ops>(kind)); }
  std::unique_ptr<OpAnalysis> analyse(const OpGraph& graph) const override {
    return std::make_unique<TinygradAnalysis>(graph, capture_, metadata());
  }
  std::vector<std::string_view> constant_ops() const override { return {op_name(Ops::kConst), op_name(Ops::kVconst)}; }
  std::vector<std::string_view> index_ops() const override { return {op_name(Ops::kIndex)}; }
  std::string value_text(ValueId value) const override { return text_.str(value); }
  OpId error_op(OpGraph& graph, std::string_view message) const override {
    ValueId arg = messages_.back();
    for (std::size_t i = 0; i < kErrors.size(); ++i) {
      if (message == kErrors[i]) arg = messages_[i];
    }
    return graph.add(static_cast<std::uint16_t>(Ops::kNoop), void_dtype_, {}, arg, kNoneValue);
  }

 private:
  const tinygrad::OpMetadata& metadata() const {
    std::call_once(metadata_once_, [this] { metadata_.emplace(capture_.values); });
    return *metadata_;
  }

  const Capture& capture_;
  ValueText text_;
  mutable std::once_flag metadata_once_;
  mutable std::optional<tinygrad::OpMetadata> metadata_;
  ValueId void_dtype_{};
  std::vector<ValueId> messages_;  // of kErrors, then kOtherError
};

}  // namespace

std::unique_ptr<Dialect> make_dialect(Capture& capture) { return std::make_unique<TinygradDialect>(capture); }

}  // namespace vizd::tinygrad_2025_09
