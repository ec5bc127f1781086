#include "formats/tinygrad/v2026_08/earlier_python_text.h"

#include <algorithm>
#include <limits>

#include "formats/tinygrad/v2026_08/earlier_dtype.h"
#include "formats/tinygrad/v2026_08/python_writer.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr int kMaxKernelDepth = 20;  // of kernels in syntax trees of kernels

bool is_earlier_method(Ops op, Release release) {
  switch (op) {
    case Ops::kSink:
    case Ops::kEnd:
    case Ops::kStore:
    case Ops::kLoad:
    case Ops::kUnique:
    case Ops::kSqrt:
    case Ops::kIndex:
    case Ops::kReduce:
    case Ops::kAfter:
    case Ops::kThreefry:
    case Ops::kWhere:
    case Ops::kReciprocal:
    case Ops::kExp2:
    case Ops::kLog2:
    case Ops::kSin:
    case Ops::kContiguous:
    case Ops::kBarrier:
    case Ops::kDetach:
      return true;
    case Ops::kAssign:
      return release == Release::k12;
    default:
      return false;
  }
}

bool always_has_line(Ops op, Release release) {
  switch (op) {
    case Ops::kLoad:
    case Ops::kSpecial:
    case Ops::kRange:
    case Ops::kContiguous:
    case Ops::kBuffer:
    case Ops::kCopy:
    case Ops::kWhere:
    case Ops::kEnd:
      return true;
    case Ops::kDefineGlobal:
    case Ops::kVectorize:
    case Ops::kKernel:
    case Ops::kAssign:
      return release == Release::k12;
    case Ops::kParam:
    case Ops::kStack:
      return release == Release::k13;
    default:
      return false;
  }
}

// The op that binds as tightly: 0.12.0's // and % are those of C.
Ops binding(Ops op) { return op == Ops::kIdiv ? Ops::kFloordiv : op == Ops::kMod ? Ops::kFloormod : op; }

class EarlierWriter final : public PythonWriter {
 public:
  EarlierWriter(const OpGraph& graph, OpFacts& facts, const ValueText& values, OpId root, Release release, int depth)
      : PythonWriter(graph, facts, values, root), release_(release), depth_(depth) {}

  // The functions that kernels are, once the rest is written.
  const std::string& functions() const { return functions_; }

 private:
  bool choose_lines() override {
    has_line_.assign(order_.size(), false);
    has_line_.back() = true;
    std::vector<std::uint32_t> uses(order_.size());
    for (const OpId id : order_) {
      for (const OpId source : graph_.src(id)) ++uses[place_.at(source)];
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Op op = graph_.op(order_[i]);
      const auto op_kind = static_cast<Ops>(op.kind);
      if (op_kind == Ops::kSink) {
        for (const OpId source : op.src) has_line_[place_.at(source)] = true;
      }
      const bool reduces = op_kind == Ops::kReduce || op_kind == Ops::kReduceAxis;
      const std::size_t wanted = op_kind == Ops::kStore ? 2 : reduces ? 1 : 0;
      if (op.src.size() < wanted) return false;
      if (wanted != 0) has_line_[place_.at(op.src[wanted - 1])] = true;
      if (release_ == Release::k13 && (op_kind == Ops::kCall || op_kind == Ops::kFunction)) return false;
      if (op_kind == Ops::kConst || op_kind == Ops::kVconst || op_kind == Ops::kDevice) continue;
      if (uses[i] == 1 && !always_has_line(op_kind, release_)) continue;
      has_line_[i] = true;
    }
    return true;
  }

  int split_depth() const override {
    return release_ == Release::k12 ? std::numeric_limits<int>::max() : PythonWriter::split_depth();
  }

  bool are(const Op& op, std::initializer_list<Ops> kinds) const {
    return std::ranges::equal(op.src, kinds, {}, [&](OpId source) { return kind(source); });
  }
  ValueId arg(OpId id) const { return graph_.op(id).arg; }
  bool is_of_indices(const Op& op) const {
    return text_.str(op.dtype) == (release_ == Release::k12 ? "dtypes.index" : "dtypes.weakint");
  }

  std::optional<std::string> find(const Op& op) override {
    const auto kind = static_cast<Ops>(op.kind);
    const std::size_t count = op.src.size();
    switch (kind) {
      case Ops::kConst:
        if (auto text = constant(op)) return text;
        break;
      case Ops::kDefineVar:
        if (count == 0) return variable(op);
        break;
      case Ops::kCast:
      case Ops::kBitcast:
        if (count == 0) return std::nullopt;
        return fmt::format("{}.{}({})", text(op.src[0]), kind == Ops::kCast ? "cast" : "bitcast", dtype(op));
      case Ops::kSpecial:
        if (are(op, {Ops::kConst})) {
          return fmt::format("UOp.special({}, {}, dtype={})", text_.str(arg(op.src[0])), text_.repr(op.arg), dtype(op));
        }
        break;
      case Ops::kBuffer:
        if (are(op, {Ops::kUnique, Ops::kDevice})) {
          return fmt::format("UOp.new_buffer({}, {}, {}, {})", text_.repr(arg(op.src[1])), text_.str(op.arg), dtype(op),
                             text_.str(arg(op.src[0])));
        }
        break;
      case Ops::kCopy:
        if (count == 2 && this->kind(op.src[1]) == Ops::kDevice) {
          return fmt::format("{}.copy_to_device({})", text(op.src[0]), text_.repr(arg(op.src[1])));
        }
        break;
      case Ops::kRange:
        if (count > 0 && this->kind(op.src[0]) == Ops::kConst) return range(op);
        break;
      case Ops::kIndex:
        if (count >= 2) {
          if (auto text = typed_index(op)) return text;
        }
        break;
      default:
        if (auto text = release_ == Release::k12 ? in_12(op) : in_13(op)) return text;
        if (failed_) return std::nullopt;
        break;
    }
    const std::string_view symbol = symbol_of(binding(kind));
    const bool is_operator = !symbol.empty() && kind != Ops::kSub;
    if (is_operator && count == 2 &&
        !(release_ == Release::k12 && (kind == Ops::kFloordiv || kind == Ops::kFloormod))) {
      return binary(op, symbol);
    }
    if (is_earlier_method(kind, release_)) return method(op);
    std::string whole = fmt::format("UOp(Ops.{}, {}, {}", text_.name_of(kind), dtype(op), sources(op.src));
    if (op.arg != kNoneValue) whole += fmt::format(", {}", text_.repr(op.arg));
    return whole + ")";
  }

  std::optional<std::string> constant(const Op& op) const {
    const std::string value = text_.str(op.arg);
    if (release_ == Release::k12 && are(op, {Ops::kDevice, Ops::kUnique})) {
      return fmt::format("UOp.unique_const({}, {}, device={}, unique={})", dtype(op), value, text_.repr(arg(op.src[0])),
                         text_.str(arg(op.src[1])));
    }
    if (release_ == Release::k13 && are(op, {Ops::kUnique, Ops::kDevice})) {
      return fmt::format("UOp.unique_const({}, dtype={}, device={}, unique={})", value, dtype(op),
                         text_.repr(arg(op.src[1])), text_.str(arg(op.src[0])));
    }
    if (are(op, {Ops::kDevice})) {
      return fmt::format("UOp.const({}, {}, device={})", dtype(op), value, text_.repr(arg(op.src[0])));
    }
    if (!op.src.empty() && release_ != Release::k12) return std::nullopt;
    return fmt::format("UOp.const({}, {})", dtype(op), value);
  }

  std::optional<std::string> variable(const Op& op) const {
    const auto items = graph_.values().items(op.arg);
    if (items.size() < 3) return std::nullopt;
    return fmt::format("UOp.variable(\"{}\", {}, {}{})", text_.str(items[0]), text_.str(items[1]), text_.str(items[2]),
                       is_of_indices(op) ? "" : ", dtype=" + dtype(op));
  }

  std::string range(const Op& op) const {
    std::string out = "UOp.range(" + text_.str(arg(op.src[0]));
    for (const ValueId item : graph_.values().items(op.arg)) out += ", " + text_.repr(item);
    if (op.src.size() > 1) out += ", src=" + sources(op.src.subspan(1));
    if (!is_of_indices(op)) out += ", dtype=" + dtype(op);
    return out + ")";
  }

  // An INDEX that is not what its pointer leads to.
  std::optional<std::string> typed_index(const Op& op) const {
    const ValueId of = graph_.op(op.src[0]).dtype;
    const ValueId base = graph_.values().field(of, "_base");
    if ((base == kNoneValue ? of : base) == op.dtype) return std::nullopt;
    std::string out = fmt::format("{}.index({}, ", text(op.src[0]), text(op.src[1]));
    const std::size_t end = release_ == Release::k12 ? std::min<std::size_t>(op.src.size(), 3) : op.src.size();
    for (std::size_t i = 2; i < end; ++i) out += text(op.src[i]) + ", ";
    return out + (of == op.dtype ? "ptr=True)" : fmt::format("dtype={})", dtype(op)));
  }

  std::optional<std::string> in_12(const Op& op) {
    const auto kind = static_cast<Ops>(op.kind);
    const auto items = graph_.values().items(op.arg);
    if (kind == Ops::kReduceAxis && items.size() >= 2) {
      return fmt::format("{}.r({}, {})", text(op.src[0]), text_.str(items[0]), text_.str(items[1]));
    }
    if (kind == Ops::kEncdec) {
      std::string more;
      for (const OpId source : op.src.subspan(1)) more += text(source) + ", ";
      return fmt::format("{}.encdec({}arg={})", text(op.src[0]), more, text_.repr(op.arg));
    }
    if (kind == Ops::kKernel) return kernel(op);
    if (!is_movement(kind) || op.src.empty()) return std::nullopt;
    std::string name(text_.name_of(kind));
    for (char& c : name) c = static_cast<char>(c - 'A' + 'a');
    if (kind == Ops::kReshape) {
      const ShapeId before = facts_.get(op.src[0]).shape, after = facts_.get(current()).shape;
      if (!is_shape(before) || !is_shape(after)) return fail();
      if (before == after) name = "forced_reshape";
    }
    const auto sizes = movement_argument(op);
    return sizes ? std::optional(fmt::format("{}.{}({})", text(op.src[0]), name, *sizes)) : fail();
  }

  std::optional<std::string> in_13(const Op& op) {
    const auto kind = static_cast<Ops>(op.kind);
    const auto items = graph_.values().items(op.arg);
    if (kind == Ops::kReduce && items.size() >= 2 && !graph_.values().items(items[1]).empty()) {
      return fmt::format("{}._rop({}, {})", text(op.src[0]), text_.str(items[0]), text_.str(items[1]));
    }
    if (kind == Ops::kCustomFunction) {
      return fmt::format("UOp(Ops.CUSTOM_FUNCTION, {}, src={}, arg={})", dtype(op), sources(op.src),
                         text_.repr(op.arg));
    }
    if ((kind == Ops::kCdiv || kind == Ops::kCmod) && op.src.size() == 2) {
      return fmt::format("{}.alu(Ops.{}, {})", text(op.src[0]), text_.name_of(kind), text(op.src[1]));
    }
    return std::nullopt;
  }

  // Kernel(k0(), (…)): each syntax tree is a function before the lines.
  std::optional<std::string> kernel(const Op& op) {
    const ValueTable& values = graph_.values();
    const ValueId ast = values.field(op.arg, "ast");
    if (values.kind(ast) != ValueKind::kOp || depth_ >= kMaxKernelDepth) return fail();
    const auto known = std::ranges::find(kernels_, values.as_op(ast));
    const auto number = known - kernels_.begin();
    if (known == kernels_.end()) {
      EarlierWriter inner(graph_, facts_, text_, values.as_op(ast), release_, depth_ + 1);
      const auto body = inner.written();
      if (!body) return fail();
      kernels_.push_back(values.as_op(ast));
      std::string indented;
      for (const char c : inner.functions() + *body) indented += c == '\n' ? std::string("\n  ") : std::string(1, c);
      functions_ += fmt::format("def k{}():\n  {}\n  return ast\n\n", number, indented);
    }
    return fmt::format("UOp(Ops.KERNEL, src={}, arg=Kernel(k{}(), {}))", sources(op.src), number,
                       text_.str(values.field(op.arg, "metadata")));
  }

  // render_marg
  std::optional<std::string> movement_argument(const Op& op) const {
    const ValueTable& values = graph_.values();
    const auto kind = static_cast<Ops>(op.kind);
    if (kind == Ops::kPermute) return text_.str(op.arg);
    std::vector<std::string> pieces;
    if (kind == Ops::kFlip) {
      const auto flips = values.items(op.arg);
      for (std::size_t i = 0; i < flips.size(); ++i) {
        if (values.kind(flips[i]) == ValueKind::kBool && values.as_bool(flips[i])) pieces.push_back(std::to_string(i));
      }
      return "(" + joined(pieces, ", ") + ")";
    }
    const auto first = lanes(op, 1);
    if (!first) return std::nullopt;
    pieces = *first;
    if (kind == Ops::kPad || kind == Ops::kShrink) {
      const auto second = lanes(op, 2);
      if (!second || second->size() != first->size()) return std::nullopt;
      for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] = fmt::format("({}, {})", pieces[i], (*second)[i]);
    }
    return "(" + joined(pieces, ",") + ")";
  }

  // With a comma behind a single one.
  static std::string joined(const std::vector<std::string>& pieces, std::string_view between) {
    std::string out;
    for (const std::string& piece : pieces) out += (&piece == pieces.data() ? "" : std::string(between)) + piece;
    return pieces.size() == 1 ? out + "," : out;
  }

  // The sizes that a source says: numbers, or the texts of what they are.
  std::optional<std::vector<std::string>> lanes(const Op& op, std::size_t i) const {
    if (i >= op.src.size()) return std::nullopt;
    const Op vector = graph_.op(op.src[i]);
    std::vector<std::string> texts;
    switch (static_cast<Ops>(vector.kind)) {
      case Ops::kConst:  // of a vector: the same in each lane
        for (std::int64_t lane = 0; lane < read_earlier_dtype(graph_.values(), vector.dtype).count; ++lane) {
          texts.push_back(text_.str(vector.arg));
        }
        return texts;
      case Ops::kVconst:
        for (const ValueId item : graph_.values().items(vector.arg)) texts.push_back(text_.str(item));
        return texts;
      case Ops::kVectorize:
        for (const OpId source : vector.src) {
          texts.push_back(kind(source) == Ops::kConst ? text_.str(arg(source)) : text(source));
        }
        return texts;
      default:
        return std::nullopt;
    }
  }

  // An operator; a constant of a device is written as its number.
  std::string binary(const Op& op, std::string_view symbol) const {
    const auto kind = static_cast<Ops>(op.kind);
    const auto is_number = [&](OpId id) { return this->kind(id) == Ops::kConst && are(graph_.op(id), {Ops::kDevice}); };
    std::string left = text(op.src[0]), right = text(op.src[1]);
    if (kind != Ops::kCmpne && is_number(op.src[0])) {
      left = text_.str(arg(op.src[0]));
    } else if (is_number(op.src[1])) {
      right = text_.str(arg(op.src[1]));
    }
    return strip_binary_parentheses(binding(kind), binding(this->kind(op.src[0])), binding(this->kind(op.src[1])), left,
                                    right, symbol);
  }

  std::nullopt_t fail() {
    failed_ = true;
    return std::nullopt;
  }

  Release release_;
  int depth_;
  bool failed_ = false;
  std::vector<OpId> kernels_;
  std::string functions_;
};

}  // namespace

std::optional<std::string> earlier_python_text(const OpGraph& graph, OpFacts& facts, const ValueText& values, OpId root,
                                               Release release) {
  EarlierWriter writer(graph, facts, values, root, release, 0);
  const auto text = writer.written();
  return text ? std::optional(writer.functions() + *text) : std::nullopt;
}

std::optional<std::vector<PrintedLine>> earlier_python_lines(const OpGraph& graph, OpFacts& facts,
                                                             const ValueText& values, OpId root, Release release) {
  EarlierWriter writer(graph, facts, values, root, release, 0);
  auto lines = writer.lines();
  if (!lines) return std::nullopt;
  std::vector<PrintedLine> before;
  const std::string& functions = writer.functions();
  for (std::size_t begin = 0; begin < functions.size();) {
    const std::size_t end = functions.find('\n', begin);
    const std::string line = functions.substr(begin, end - begin);
    before.push_back({OpId{kNoId}, false, line, line, {}});
    begin = end + 1;
  }
  lines->insert(lines->begin(), before.begin(), before.end());
  return lines;
}

}  // namespace vizd::tinygrad_2026_08
