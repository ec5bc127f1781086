// tinygrad's simplifier on expressions of indices, held against what tinygrad itself made of them: a line each of
// tests/data, "EXPRESSION <tab> what x.simplify().render(simplify=False) prints", or FAIL where it raises.
// VIZD_EXPRESSIONS names another file of such lines, for as many as one likes.
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "formats/tinygrad/v2026_08/expr_text.h"
#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/release.h"
#include "support/catch.h"
#include "support/test_data.h"
#include "support/tinygrad_expressions.h"

namespace vizd::tinygrad_2026_08::simplifier_test {
namespace {

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
  ExpressionReader reader(values);
  OpGraph ops(values);
  const ValueText value_text(ops);
  std::istringstream lines(expressions());
  std::size_t checked = 0;
  for (std::string line; std::getline(lines, line); ++checked) {
    const std::string text = line.substr(0, line.find('\t')), expected = line.substr(line.find('\t') + 1);
    ExprGraph graph(values, kLanguage);
    Simplifier simplifier(graph);
    ExprText texts(simplifier, value_text);
    const ExprId expr = reader.read(graph, text);
    const std::string got = graph.failed() ? "" : texts.rendered(expr);
    CAPTURE(text);
    CHECK((graph.failed() ? "FAIL" : one_line(got)) == expected);
  }
  CHECK(checked > 100);
}

TEST_CASE("an expression of 2026-08 whose text doubles at every step has none, each time it is asked for") {
  StringTable strings;
  ValueTable values(strings);
  ExpressionReader reader(values);
  OpGraph ops(values);
  const ValueText value_text(ops);
  ExprGraph graph(values, kLanguage);
  Simplifier simplifier(graph);
  ExprText texts(simplifier, value_text);
  const ExprId one = graph.constant(Scalar::kWeakint, Number::of(1));
  ExprId few = one, many = one;
  for (int i = 0; i < 10; ++i) few = graph.node(Ops::kMax, Scalar::kWeakint, std::array{few, few});
  for (int i = 0; i < 60; ++i) many = graph.node(Ops::kMax, Scalar::kWeakint, std::array{many, many});
  for (int again = 0; again < 2; ++again) {
    CHECK(texts.plain(many).empty());
    CHECK(graph.take_failure());
    CHECK(texts.plain(few).size() == 1024 + 1023 * std::string_view("max(, )").size());
    CHECK_FALSE(graph.take_failure());
  }
}

TEST_CASE("a vector that 0.12.0 divides keeps its dtype, and so the factors that stand beside it") {
  StringTable strings;
  ValueTable values(strings);
  ExpressionReader reader(values);
  OpGraph ops(values);
  const ValueText value_text(ops);
  ExprGraph graph(values, language_of(Release::k12));
  Simplifier simplifier(graph);
  ExprText texts(simplifier, value_text, Release::k12);
  const auto whole = [&](int number) { return graph.constant(Scalar::kIndex, Number::of(number)); };
  const ExprId end[] = {whole(16)};
  const ValueId items[] = {values.integer(2), values.member("tinygrad.uop.ops.AxisType", "LOOP", 4)};
  const ExprId range = graph.node(Ops::kRange, Scalar::kIndex, end, values.sequence(ValueKind::kTuple, items));
  const ExprId lanes = graph.node(Ops::kStack, Scalar::kIndex, std::array{range, range});
  const ExprId offsets = graph.node(Ops::kStack, Scalar::kIndex, std::array{whole(48), whole(64)});
  CHECK(texts.rendered(graph.binary(Ops::kCmod, graph.add(lanes, offsets), whole(64))) == "(({r2, ...}+(48, 64))%64)");
}

TEST_CASE("a vector of constants is one op of 0.12.0, which stands behind what is cast and prints as one") {
  StringTable strings;
  ValueTable values(strings);
  ExpressionReader reader(values);
  OpGraph ops(values);
  const ValueText value_text(ops);
  ExprGraph graph(values, language_of(Release::k12));
  Simplifier simplifier(graph);
  ExprText texts(simplifier, value_text, Release::k12);
  const auto whole = [&](int number) { return graph.constant(Scalar::kIndex, Number::of(number)); };
  const ExprId offsets = graph.node(Ops::kStack, Scalar::kIndex, std::array{whole(0), whole(6)});
  const ExprId loaded = graph.node(Ops::kLoad, Scalar::kInt32, std::array{offsets});
  const ExprId at = graph.cast(loaded, Scalar::kIndex);
  const std::string load =
      "UOp(Ops.LOAD, dtypes.int, arg=None, src=(\n"
      "  UOp(Ops.VCONST, dtypes.index.vec(2), arg=(0, 6), src=()),))";
  CHECK(texts.rendered(graph.add(offsets, at)) == "((index)(" + load + ")+(0, 6))");
}

}  // namespace
}  // namespace vizd::tinygrad_2026_08::simplifier_test
