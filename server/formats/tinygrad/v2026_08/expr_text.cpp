#include "formats/tinygrad/v2026_08/expr_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "formats/tinygrad/printing/graph_text.h"
#include "formats/tinygrad/python/text.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxKeptBytes = std::size_t{64} << 20;

// How tightly Python binds; comparisons are not among them, since Python chains them.
int precedence(Ops op) {
  switch (op) {
    case Ops::kMul:
    case Ops::kFloordiv:
    case Ops::kFloormod:
    case Ops::kCdiv:  // an operator in 0.12.0 alone
    case Ops::kCmod:
      return 1;
    case Ops::kAdd:
    case Ops::kSub:
      return 2;
    case Ops::kShl:
    case Ops::kShr:
      return 3;
    case Ops::kAnd:
      return 4;
    case Ops::kXor:
      return 5;
    case Ops::kOr:
      return 6;
    default:
      return 99;
  }
}

bool is_balanced(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (depth < 0) return false;
  }
  return depth == 0;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::string_view without_parentheses(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')') || text.size() < 2) return text;
  const std::string_view inside = text.substr(1, text.size() - 2);
  return is_balanced(inside) ? inside : text;
}

std::optional<std::string> range_name(const ValueTable& values, ValueId arg) {
  const auto items = values.items(arg);
  if (items.empty()) return std::nullopt;
  std::string text;
  for (const ValueId& item : items.first(items.size() - 1)) {
    if (values.kind(item) != ValueKind::kInt) return std::nullopt;
    if (&item != items.data()) text += '_';
    const std::int64_t number = values.as_int(item);
    text += number >= 0 ? fmt::format("{}", number) : fmt::format("m{}", -number);
  }
  return text;
}

std::string strip_binary_parentheses(Ops op, Ops left_op, Ops right_op, std::string_view left, std::string_view right,
                                     std::string_view symbol) {
  const int own = precedence(op);
  if (own != 99 && precedence(left_op) <= own) left = without_parentheses(left);
  if (own != 99 && precedence(right_op) < own) right = without_parentheses(right);
  return fmt::format("({}{}{})", left, symbol, right);
}

const std::string& ExprText::plain(ExprId id) {
  if (g_.failed()) return nothing_;
  if (const auto found = texts_.find(id); found != texts_.end()) return found->second;
  if (kept_bytes_ > kMaxKeptBytes && nested_ == 0) {
    texts_.clear();
    kept_bytes_ = 0;
  }
  ++nested_;
  for (const ExprId part : g_.parts(id)) {
    if (texts_.contains(part)) continue;
    std::string text = too_long_.contains(part) ? std::string() : find(part);
    // What is shared is written at each of its places, so that a text may be twice its source's at every step.
    if (text.size() > kMaxBytes) too_long_.insert(part);
    if (too_long_.contains(part)) g_.fail();
    if (g_.failed()) break;  // not kept, for it is to fail again
    kept_bytes_ += text.size();
    texts_.emplace(part, std::move(text));
  }
  --nested_;
  return g_.failed() ? nothing_ : texts_.at(id);
}

std::string ExprText::shape(ShapeId shape) {
  std::string text;
  for (const ExprId size : s_.shapes().get(shape)) {
    text += text.empty() ? "" : ",";
    text += g_.is_const(size) ? number_text(g_.number(size)) : rendered(size);
  }
  return "(" + text + ")";
}

// The text of an expression whose sources have their texts.
std::string ExprText::find(ExprId id) {
  const auto text = [&](std::size_t i) -> const std::string& { return texts_.at(g_.src(id, i)); };
  const ValueTable& values = g_.values();
  const std::size_t count = g_.src(id).size();
  const auto named = [&](char letter) {
    const ValueId name = values.field(g_.arg(id), "name");
    if (values.kind(name) == ValueKind::kString) return std::string(values.text(name));
    return letter + value_text_.str(values.field(g_.arg(id), "slot"));
  };
  const Ops op = g_.op(id);
  switch (op) {
    case Ops::kParam:
    case Ops::kBuffer:
      if (release_ != Release::k14) {  // a variable has its name last
        const bool is_named = count == 5 && g_.op(g_.src(id, 4)) == Ops::kNoop;
        return is_named ? value_text_.str(g_.arg(g_.src(id, 4))) : printed(id);
      }
      return named(op == Ops::kParam ? 'p' : 'b');
    case Ops::kDefineVar: {
      const auto items = values.items(g_.arg(id));
      return items.empty() ? printed(id) : value_text_.str(items[0]);
    }
    case Ops::kSpecial:
      return value_text_.str(g_.arg(id));
    case Ops::kRange: {
      if (g_.scalar(id) == Scalar::kVoid) {
        const auto items = values.items(g_.arg(id));
        return "loop" + (items.empty() ? std::string() : value_text_.str(items[0]));
      }
      const auto name = range_name(values, g_.arg(id));
      if (!name) g_.fail();
      return "r" + name.value_or("");
    }
    case Ops::kConst:
      return number_text(g_.number(id));
    case Ops::kUnroll:  // whose rule raises in 0.12.0 and 0.13.0
      g_.fail();
      return "";
    default:
      break;
  }
  if (count == 1) {
    switch (op) {
      case Ops::kAfter:
        return text(0);
      case Ops::kCast: {
        const Scalar of = g_.scalar(g_.src(id, 0));
        // Before 0.14.0 the cast of a number is the number.
        const bool is_told = release_ == Release::k14 ? is_weak(of) || of == Scalar::kBool : is_int(g_.scalar(id));
        const bool is_value = g_.is_const(g_.src(id, 0)) && is_told;
        return is_value ? text(0) : fmt::format("({})({})", dtype_text(id).substr(7), text(0));
      }
      case Ops::kNeg:
        return fmt::format("(-{})", text(0));
      case Ops::kReciprocal:
        return fmt::format("(1/{})", text(0));
      default:
        break;
    }
  }
  const bool is_first = op == Ops::kAfter || op == Ops::kBind;
  if (is_first && count > 0) return text(0);
  if (op == Ops::kMax) return fmt::format("max({}, {})", text(0), text(1));
  if (op == Ops::kMulacc) return fmt::format("({}*{}+{})", text(0), text(1), text(2));
  if (op == Ops::kWhere) return fmt::format("({} if {} else {})", text(1), text(0), text(2));
  if (op == Ops::kCdiv && release_ != Release::k12) return fmt::format("cdiv({}, {})", text(0), text(1));
  if (op == Ops::kCmod && release_ != Release::k12) return fmt::format("cmod({}, {})", text(0), text(1));
  if (is_movement(op)) return fmt::format("{}.{}({})", text(0), lower(op_name(op)), movement_argument(id));
  if (const auto sign = symbol(op); !sign.empty() && count == 2) {
    return strip_binary_parentheses(op, g_.op(g_.src(id, 0)), g_.op(g_.src(id, 1)), text(0), text(1), sign);
  }
  if (op == Ops::kIndex || op == Ops::kStage) {
    std::string out;
    for (std::size_t i = 1; i < count; ++i) out += fmt::format("[{}]", without_parentheses(text(i)));
    return out;
  }
  if (op == Ops::kStack) {
    const bool all_same = release_ != Release::k14 && count > 0 &&
                          std::ranges::all_of(g_.src(id), [&](ExprId source) { return source == g_.src(id, 0); });
    if (all_same) return "{" + text(0) + ", ...}";
    if (g_.are_one_constant(g_.src(id))) return numbers_text(id);
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + text(i);
    return "{" + out + "}";
  }
  return printed(id);
}

// "//" and "%" are those of C in 0.12.0.
std::string_view ExprText::symbol(Ops op) const {
  if (release_ == Release::k12 && op == Ops::kCdiv) return "//";
  if (release_ == Release::k12 && op == Ops::kCmod) return "%";
  return symbol_of(op);
}

// render.py render_marg
std::string ExprText::movement_argument(ExprId id) {
  const ValueTable& values = g_.values();
  if (g_.op(id) == Ops::kPermute) return value_text_.str(g_.arg(id));
  std::vector<std::string> pieces;
  if (g_.op(id) == Ops::kFlip) {
    const auto flips = values.items(g_.arg(id));
    for (std::size_t i = 0; i < flips.size(); ++i) {
      if (values.kind(flips[i]) == ValueKind::kBool && values.as_bool(flips[i])) pieces.push_back(fmt::format("{}", i));
    }
    return pieces.size() == 1 ? fmt::format("({},)", pieces[0]) : fmt::format("({})", fmt::join(pieces, ", "));
  }
  const auto sizes = [&](std::size_t i) {
    std::vector<std::string> texts;
    if (i >= g_.src(id).size()) return texts;
    const ShapeId shape = s_.as_shape(g_.src(id, i));
    if (!is_shape(shape)) return texts;
    for (const ExprId size : s_.shapes().get(shape)) {
      texts.push_back(g_.is_const(size) ? number_text(g_.number(size)) : rendered(size));
    }
    return texts;
  };
  pieces = sizes(1);
  if (g_.op(id) == Ops::kPad || g_.op(id) == Ops::kShrink) {
    const auto second = sizes(2);
    pieces.resize(std::min(pieces.size(), second.size()));
    for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] = fmt::format("({}, {})", pieces[i], second[i]);
  }
  return pieces.size() == 1 ? fmt::format("({},)", pieces[0]) : fmt::format("({})", fmt::join(pieces, ","));
}

// str(x.dtype): "dtypes.int.ptr(3)"
std::string ExprText::dtype_text(ExprId id) {
  if (g_.dtype(id) != kNoneValue) return value_text_.str(g_.dtype(id));
  std::string text = scalar_text(g_.scalar(id));
  const std::size_t count = release_ != Release::k14 && g_.op(id) == Ops::kStack ? g_.src(id).size() : 1;
  return count > 1 ? fmt::format("{}.vec({})", text, count) : text;
}

// "(0, 2, 4)": the argument of a vector of constants that is one op.
std::string ExprText::numbers_text(ExprId id) const {
  std::string text;
  for (const ExprId item : g_.src(id)) text += (text.empty() ? "" : ", ") + number_text(g_.number(item));
  return "(" + text + ")";
}

std::string_view ExprText::name_of(ExprId id) const {
  const Ops op = g_.op(id);
  if (release_ == Release::k14) return op_name(op);
  if (op == Ops::kStack && g_.are_one_constant(g_.src(id))) return earlier_op_name(Ops::kVconst);
  return earlier_op_name(own_op(op, release_));
}

namespace {

// As the release has them: a vector of constants that is one op has no sources.
struct PrintedSources {
  const ExprGraph& graph;
  std::span<const ExprId> src(ExprId id) const {
    const auto all = graph.src(id);
    return graph.op(id) == Ops::kStack && graph.are_one_constant(all) ? std::span<const ExprId>() : all;
  }
};

}  // namespace

// str(x)
std::string ExprText::printed(ExprId id) {
  std::string out;
  tinygrad::append_graph_text(
      out, PrintedSources{g_}, id, "",
      [&](std::string& text, ExprId part) {
        const Ops op = g_.op(part);
        const std::string dtype = dtype_text(part);
        const bool is_cast = op == Ops::kCast || op == Ops::kBitcast;
        std::string argument;
        if (op == Ops::kConst) {
          const Number& number = g_.number(part);
          argument = number_text(number);
          const bool is_class = number.kind == Number::Kind::kFloat && release_ != Release::k12;
          if (is_class) argument = fmt::format("ConstFloat({})", argument);
        } else if (op == Ops::kStack && g_.are_one_constant(g_.src(part))) {
          argument = numbers_text(part);
        } else {
          argument = is_cast && release_ == Release::k14 ? dtype : value_text_.argument(op, g_.arg(part));
        }
        text += ValueText::op_head(name_of(part), dtype, argument,
                                   g_.tag(part) == kNoneValue ? std::string() : value_text_.str(g_.tag(part)));
      },
      kMaxBytes);
  return out;
}

}  // namespace vizd::tinygrad_2026_08
