// tinygrad's simplifier on expressions of indices, held against what tinygrad itself made of them: a line each of
// tests/data, "EXPRESSION <tab> what x.simplify().render(simplify=False) prints", or FAIL where it raises.
// VIZD_EXPRESSIONS names another file of such lines, for as many as one likes.
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "formats/tinygrad/v2026_08/expr_text.h"
#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/symbolic/expr_terms.h"
#include "support/catch.h"
#include "support/test_data.h"

namespace vizd::tinygrad_2026_08 {
namespace {

const std::map<std::string, Ops> kOperators = {
    {"+", Ops::kAdd},   {"*", Ops::kMul},    {"//", Ops::kFloordiv}, {"%", Ops::kFloormod}, {"max", Ops::kMax},
    {"<", Ops::kCmplt}, {"!=", Ops::kCmpne}, {"&", Ops::kAnd},       {"|", Ops::kOr},       {"^", Ops::kXor},
    {"<<", Ops::kShl},  {">>", Ops::kShr},   {"cdiv", Ops::kCdiv},   {"cmod", Ops::kCmod},  {"where", Ops::kWhere}};
const std::map<std::string, std::pair<int, int>> kVariables = {{"i", {1, 10}}, {"j", {1, 10}}, {"k", {2, 7}},
                                                               {"z", {0, 8}},  {"n", {-5, 5}}, {"m", {-9, -1}},
                                                               {"b", {0, 1}},  {"o", {4, 4}},  {"w", {0, 100}}};
const std::map<std::string, Scalar> kDTypes = {
    {"int", Scalar::kInt32}, {"long", Scalar::kInt64}, {"bool", Scalar::kBool}, {"weakint", Scalar::kWeakint}};

// "(+ i (* j 2))" as an expression.
class Parser {
 public:
  explicit Parser(ExprGraph& graph) : g_(graph) {}

  ExprId parse(const std::string& text) {
    std::string spaced;
    for (const char c : text) spaced += c == '(' || c == ')' ? std::string{' ', c, ' '} : std::string{c};
    in_ = std::istringstream(spaced);
    return term(next());
  }

  // Before the graph reads the table, which is not to grow then.
  static std::map<std::string, ValueId> add_variables(ValueTable& values) {
    std::map<std::string, ValueId> arguments;
    for (const auto& [name, range] : kVariables) {
      const ValueId bounds[] = {values.integer(range.first), values.integer(range.second)};
      const ValueId fields[] = {values.string("slot"),        values.integer(-1),
                                values.string("dtype"),       add_dtype(values, Scalar::kWeakint),
                                values.string("vmin_vmax"),   values.sequence(ValueKind::kTuple, bounds),
                                values.string("multiple_of"), values.integer(1),
                                values.string("name"),        values.string(name)};
      arguments[name] = values.object("tinygrad.uop.ops.ParamArg", fields);
    }
    for (int i = 0; i < 2; ++i) {
      const ValueId items[] = {values.integer(i), values.member("tinygrad.uop.ops.AxisType", "LOOP", 12)};
      arguments["range" + std::to_string(i)] = values.sequence(ValueKind::kTuple, items);
    }
    return arguments;
  }
  std::map<std::string, ValueId> arguments;

 private:
  std::string next() {
    std::string token;
    in_ >> token;
    return token;
  }

  ExprId term(const std::string& token) {
    if (token == "(") return operation();
    if (token == "True" || token == "False") return g_.number_expr(Number::of_bool(token == "True"));
    if (token == "Invalid") return g_.number_expr(Number::invalid());
    if (kVariables.contains(token)) {
      const ExprId shape[] = {g_.node(Ops::kStack, Scalar::kVoid, {})};
      return g_.node(Ops::kParam, Scalar::kWeakint, shape, arguments.at(token));
    }
    return g_.number_expr(Number::of(std::stoll(token)));
  }

  ExprId operation() {
    const std::string name = next();
    const std::string detail = name == "cast" || name == "range" ? next() : "";
    std::vector<ExprId> src;
    for (std::string token = next(); token != ")"; token = next()) src.push_back(term(token));
    if (name == "cast") return g_.node(Ops::kCast, kDTypes.at(detail), src);
    if (name == "stack") return g_.make(Ops::kStack, src);
    if (name == "reshape") {  // a vector, and the sizes that it gets
      return g_.make(Ops::kReshape, {src[0], g_.make(Ops::kStack, std::span(src).subspan(1))});
    }
    if (name == "range") return g_.node(Ops::kRange, g_.scalar(src[0]), src, arguments.at("range" + detail));
    return g_.make(kOperators.at(name), src);
  }

  ExprGraph& g_;
  std::istringstream in_;
};

std::string expressions() {
  if (const char* path = std::getenv("VIZD_EXPRESSIONS")) {
    std::ifstream file(path);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }
  return read_test_data("tinygrad_2026_08_simplified.txt");
}

std::string one_line(std::string text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "\\n");
  return text;
}

TEST_CASE("expressions of 2026-08 simplify as tinygrad simplifies them") {
  StringTable strings;
  ValueTable values(strings);
  const auto arguments = Parser::add_variables(values);
  OpGraph ops(values);
  const ValueText value_text(ops);
  std::istringstream lines(expressions());
  std::size_t checked = 0;
  for (std::string line; std::getline(lines, line); ++checked) {
    const std::string text = line.substr(0, line.find('\t')), expected = line.substr(line.find('\t') + 1);
    ExprGraph graph(values);
    Simplifier simplifier(graph);
    ExprText texts(simplifier, value_text);
    Parser parser(graph);
    parser.arguments = arguments;
    const ExprId expr = parser.parse(text);
    const std::string got = graph.failed() ? "" : texts.rendered(expr);
    CAPTURE(text);
    CHECK((graph.failed() ? "FAIL" : one_line(got)) == expected);
  }
  CHECK(checked > 100);
}

TEST_CASE("sets of integers are gone through as Python goes through them") {
  const auto order = [](std::vector<Wide> values) {
    std::vector<int> out;
    for (const Wide value : in_set_order(values)) out.push_back(static_cast<int>(value));
    return out;
  };
  CHECK(order({4, 2, 8, 16}) == std::vector<int>{8, 16, 2, 4});
  CHECK(order({8, 16, 2, 4}) == std::vector<int>{8, 16, 2, 4});
  CHECK(order({32, 16, 8, 4, 2}) == std::vector<int>{32, 2, 4, 8, 16});
}

}  // namespace
}  // namespace vizd::tinygrad_2026_08
