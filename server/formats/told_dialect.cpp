#include "formats/told_dialect.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <utility>

#include "formats/line_recorder.h"
#include "formats/told_graph_text.h"
#include "model/op_values.h"
#include "model/printed_lines.h"

namespace vizd::told {
namespace {

constexpr std::string_view kPlainColour = "#c5cbd6";  // of a kind without one, or with what is none
constexpr std::size_t kMaxGraphBytes = std::size_t{64} << 20;
constexpr std::array<std::string_view, 2> kErrors = {"infinite loop in fixed_point_rewrite",
                                                     "infinite loop in graph_rewrite (stack too big)"};
constexpr std::string_view kOtherError = "the rewrite raised an error";

// "#rrggbb": what a page, a picture or a graph's text takes for a colour, and cannot take for more.
bool is_colour(std::string_view text) {
  constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of(kHexDigits, 1) == std::string_view::npos;
}

class ToldDialect;

// Texts of ops follow from the op alone, but for the lines of sources that have no box of their own.
class ToldAnalysis final : public OpAnalysis, public PrintsLines {
 public:
  ToldAnalysis(const OpGraph& graph, const ToldDialect& dialect) : graph_(graph), dialect_(dialect) {}

  LabelId label(OpId id) override;
  std::string_view label_text(LabelId id) const override { return labels_.get(to_id<StringId>(index(id))); }
  bool is_inlined(OpId id) override;
  std::optional<ContextId> ref(OpId id) override;
  std::optional<std::string> tag(OpId id) override;
  std::string print(OpId root) override;
  std::vector<PrintedLine> print_lines(OpId root) override;
  void forget(OpId id) override { label_by_op_.erase(id); }
  bool refresh(OpId id) override {
    forget(id);
    return is_inlined(id);
  }

 private:
  std::string compose(const Op& op);
  void append_op(std::string& out, OpId id);

  const OpGraph& graph_;
  const ToldDialect& dialect_;
  StringTable labels_;
  std::unordered_map<OpId, LabelId> label_by_op_;
};

class ToldDialect final : public Dialect {
 public:
  ToldDialect(Capture& capture, std::vector<OpKind> kinds) : capture_(capture), kinds_(std::move(kinds)) {
    for (const std::string_view message : kErrors) messages_.push_back(capture.values.string(message));
    messages_.push_back(capture.values.string(kOtherError));
  }

  std::string_view kind_name(std::uint16_t kind) const override {
    return kind < kinds_.size() ? capture_.strings.get(kinds_[kind].name) : "ERROR";
  }
  std::string_view kind_colour(std::uint16_t kind) const override {
    const std::string_view colour = kind < kinds_.size() ? capture_.strings.get(kinds_[kind].colour) : "";
    return is_colour(colour) ? colour : kPlainColour;
  }
  const std::vector<OpKind>& kinds() const { return kinds_; }
  bool is_inlined(std::uint16_t kind) const { return kind < kinds_.size() && kinds_[kind].inlined; }
  std::unique_ptr<OpAnalysis> analyse(const OpGraph& graph) const override {
    return std::make_unique<ToldAnalysis>(graph, *this);
  }
  std::vector<std::string_view> constant_ops() const override {
    std::vector<std::string_view> names;
    for (const OpKind& kind : kinds_) {
      if (kind.inlined) names.push_back(capture_.strings.get(kind.name));
    }
    return names;
  }
  std::string value_text(ValueId value) const override { return std::string(text(value)); }
  OpId error_op(OpGraph& graph, std::string_view message) const override {
    ValueId arg = messages_.back();
    for (std::size_t i = 0; i < kErrors.size(); ++i) {
      if (message == kErrors[i]) arg = messages_[i];
    }
    return graph.add(static_cast<std::uint16_t>(kinds_.size()), kNoneValue, {}, arg, kNoneValue);
  }

  std::string_view text(ValueId value) const {
    return capture_.values.kind(value) == ValueKind::kString ? capture_.values.text(value) : "";
  }
  std::string_view field_text(const Op& op, OpField field) const {
    return text(op_field(capture_.values, op.arg, field));
  }
  ValueId field(const Op& op, OpField field) const { return op_field(capture_.values, op.arg, field); }
  std::size_t context_count() const { return capture_.rewrites.contexts.size(); }
  const ValueTable& values() const { return capture_.values; }

 private:
  const Capture& capture_;
  const std::vector<OpKind> kinds_;
  std::vector<ValueId> messages_;  // of kErrors, then kOtherError
};

LabelId ToldAnalysis::label(OpId id) {
  if (const auto found = label_by_op_.find(id); found != label_by_op_.end()) return found->second;
  const auto label = to_id<LabelId>(index(labels_.add(compose(graph_.op(id)))));
  label_by_op_.emplace(id, label);
  return label;
}

std::string ToldAnalysis::compose(const Op& op) {
  std::string text(dialect_.field_text(op, OpField::kLabel));
  const bool is_given = !text.empty();
  const auto add_line = [&](std::string_view line) {
    if (!line.empty()) text.append("\n").append(line);
  };
  if (!is_given) {
    text = dialect_.kind_name(op.kind);
    add_line(dialect_.field_text(op, OpField::kArgument));
    add_line(dialect_.text(op.dtype));
  }
  for (std::size_t port = 0; port < op.src.size(); ++port) {
    if (!is_inlined(op.src[port])) continue;
    const Op source = graph_.op(op.src[port]);
    const std::string_view label = dialect_.field_text(source, OpField::kLabel);
    const std::string_view argument = dialect_.field_text(source, OpField::kArgument);
    add_line(fmt::format("{}{} {}", dialect_.kind_name(source.kind), port, argument.empty() ? label : argument));
  }
  if (!is_given) add_line(dialect_.field_text(op, OpField::kShape));
  return text;
}

bool ToldAnalysis::is_inlined(OpId id) {
  const Op op = graph_.op(id);
  return dialect_.is_inlined(op.kind) || dialect_.field(op, OpField::kInlined) != kNoneValue;
}

std::optional<ContextId> ToldAnalysis::ref(OpId id) {
  const ValueId context = dialect_.field(graph_.op(id), OpField::kContext);
  if (dialect_.values().kind(context) != ValueKind::kInt) return std::nullopt;
  const auto number = static_cast<std::uint64_t>(dialect_.values().as_int(context));
  return number < dialect_.context_count() ? std::optional(to_id<ContextId>(number)) : std::nullopt;
}

std::optional<std::string> ToldAnalysis::tag(OpId id) {
  const ValueId tag = graph_.op(id).tag;
  return tag == kNoneValue ? std::nullopt : std::optional(std::string(dialect_.text(tag)));
}

// An op's own text, without its sources.
void ToldAnalysis::append_op(std::string& out, OpId id) {
  const Op op = graph_.op(id);
  if (const std::string_view text = dialect_.field_text(op, OpField::kText); !text.empty()) {
    out += text;
    return;
  }
  out += dialect_.kind_name(op.kind);
  const auto add = [&](std::string_view before, std::string_view text) {
    if (!text.empty()) out.append(before).append(text);
  };
  add(" ", dialect_.field_text(op, OpField::kArgument));
  add(" : ", dialect_.text(op.dtype));
  add(" ", dialect_.field_text(op, OpField::kShape));
  add(" #", dialect_.text(op.tag));
}

std::string ToldAnalysis::print(OpId root) {
  std::string out;
  append_graph_text(
      out, graph_, root, [this](std::string& text, OpId id) { append_op(text, id); }, kMaxGraphBytes);
  return out;
}

std::vector<PrintedLine> ToldAnalysis::print_lines(OpId root) {
  std::string out;
  LineRecorder lines;
  append_graph_text(
      out, graph_, root, [this](std::string& text, OpId id) { append_op(text, id); }, kMaxGraphBytes,
      [&lines](std::size_t at, OpId op, bool is_again) { lines.begin(at, op, is_again); });
  return lines.lines_of(out, [this](OpId id) {
    std::string meaning;
    append_op(meaning, id);
    return meaning;
  });
}

}  // namespace

std::unique_ptr<Dialect> make_dialect(Capture& capture, std::vector<OpKind> kinds) {
  return std::make_unique<ToldDialect>(capture, std::move(kinds));
}

const std::vector<OpKind>* kinds_of(const Dialect& dialect) {
  const auto* told = dynamic_cast<const ToldDialect*>(&dialect);
  return told == nullptr ? nullptr : &told->kinds();
}

}  // namespace vizd::told
