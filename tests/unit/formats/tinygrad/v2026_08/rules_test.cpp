// Each rule of 2026-08 by itself: an expression that it fits, and what it makes of that, as its name says. That rules
// give what tinygrad's give, together and in order, is simplifier_test.
#include <map>
#include <set>
#include <string_view>

#include "formats/tinygrad/v2026_08/expr_text.h"
#include "formats/tinygrad/v2026_08/release.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"
#include "support/catch.h"
#include "support/tinygrad_expressions.h"

namespace vizd::tinygrad_2026_08::rules_test {
namespace {

struct Row {
  std::string_view rule, expression, answer;
};

constexpr Row kRows[] = {
    {"a vector of Invalid is Invalid", "(stack Invalid Invalid)", "Invalid"},
    {"f(Invalid) -> Invalid", "(cast int Invalid)", "Invalid"},
    {"f(gated x) -> gated f(x)", "(cast int (where (< i 3) j Invalid))", "((int)(j) if (i<3) else Invalid)"},
    {"(gated x) op y -> gated (x op y)", "(+ (where (< i 3) j Invalid) k)", "((j+k) if (i<3) else Invalid)"},
    {"y op (gated x) -> gated (y op x)", "(+ k (where (< i 3) j Invalid))", "((k+j) if (i<3) else Invalid)"},
    {"Invalid op y -> Invalid", "(+ k Invalid)", "Invalid"},
    {"Invalid as a condition -> Invalid", "(where Invalid i j)", "Invalid"},
    {"a gated condition -> gated", "(where (where (< i 3) (< j 2) Invalid) k z)",
     "((k if (j<2) else z) if (i<3) else Invalid)"},
    {"c ? Invalid : v -> !c ? v : Invalid", "(where (< i 3) Invalid k)", "(k if ((i<3)!=True) else Invalid)"},
    {"a ? (gated x) : y -> gated (a ? x : y)", "(where (< i 3) (where (< j 2) k Invalid) z)",
     "((k if (i<3) else z) if (((i<3)!=True)|(j<2)) else Invalid)"},
    {"a ? b : (gated x) -> gated (a ? b : x)", "(where (< i 3) z (where (< j 2) k Invalid))",
     "((z if (i<3) else k) if ((i<3)|(j<2)) else Invalid)"},
    {"a store to nowhere is none", "(store (index i Invalid) k)", "UOp(Ops.NOOP, dtypes.void, arg=None, src=())"},
    {"a load from nowhere is its other value", "(load (index i Invalid) k)", "k"},

    {"x+0, x^0, x|0 -> x", "(+ 0 i)", "i"},
    {"x<<0, x>>0 -> x", "(<< i 0)", "i"},
    {"x*1 -> x", "(* 1 i)", "i"},
    {"x//x -> 1", "(// i i)", "1"},
    {"x//1 -> x", "(// i 1)", "i"},
    {"x//-1 -> -x", "(// i -1)", "(i*-1)"},
    {"(x^y)^y -> x", "(^ (^ i j) j)", "i"},
    {"(x%y)%y -> x%y", "(% (% i j) j)", "(i%j)"},
    {"x%c + (x//c)*c -> x", "(+ (* (// i 3) 3) (% i 3))", "(i*1)"},
    {"x & True -> x", "(& (< i 3) True)", "(i<3)"},
    {"x & False -> False", "(& (< i 3) False)", "False"},
    {"x | True -> True", "(| (< i 3) True)", "True"},
    {"x | False -> x", "(| (< i 3) False)", "(i<3)"},
    {"x != False -> x", "(!= (< i 3) False)", "(i<3)"},
    {"x&x, x|x, max(x,x) -> x", "(max i i)", "i"},
    {"!!x -> x", "(!= (!= (< i 3) True) True)", "(i<3)"},
    {"x ? True : False -> x", "(where (< i 3) True False)", "(i<3)"},
    {"x ? False : True -> !x", "(where (< i 3) False True)", "((i<3)!=True)"},
    {"int(x) != constant", "(!= (cast int (< i 3)) 1)", "((i<3)!=True)"},
    {"trunc of an integer", "(trunc i)", "i"},
    {"x<x -> False", "(< i i)", "False"},
    {"x%x -> 0", "(% i i)", "0"},
    {"x^x -> 0", "(^ i i)", "0"},
    {"x&0 -> 0", "(& i 0)", "0"},
    {"(x&mask)>>k -> x>>k", "(>> (& i -4) 2)", "(i>>2)"},
    {"(x&mask)//c -> x//c", "(// (& i -4) 4)", "(i//4)"},
    {"x!=x -> False", "(!= i i)", "False"},
    {"a constant cast", "(cast int 7)", "7"},
    {"f(constant)", "(sin 0.0)", "0.0"},
    {"constant op constant", "(// 7 2)", "3"},
    {"constant ? constant : constant", "(where True 3 4)", "3"},
    {"bool*bool -> &", "(* (< i 3) (< j 3))", "((i<3)&(j<3))"},
    {"bool+bool -> |", "(+ (< i 3) (< j 3))", "((i<3)|(j<3))"},
    {"max(bool, bool) -> |", "(max (< i 3) (< j 3))", "((i<3)|(j<3))"},
    {"0/0 -> nan", "(* 0.0 (1/ 0.0))", "nan"},
    {"(x*0)/0 -> nan", "(* (* 1.5 0) (1/ 0))", "nan"},
    {"x/x -> 1", "(* i (1/ i))", "1"},
    {"(x*y)/y -> x", "(* (* i j) (1/ j))", "i"},
    {"x*0 -> 0", "(* i 0)", "0"},
    {"a cast to what it is", "(cast weakint i)", "i"},
    {"a constant's bits", "(bitcast int (const float 1.0))", "1065353216"},
    {"a cast there and back", "(cast int (cast long (cast int i)))", "(int)(i)"},
    {"bits of bits", "(bitcast int (bitcast float (const int 7)))", "7"},
    {"bool(x) -> x != 0", "(cast bool i)", "(i!=0)"},
    {"the low half of two", "(cast uint (| (<< (cast ulong (cast uint i)) 32) (cast ulong (cast uint j))))",
     "(uint)(j)"},
    {"the high half of two", "(>> (| (<< (cast ulong (cast uint i)) 32) (cast ulong (cast uint j))) 32)",
     "(ulong)((uint)(i))"},
    {"c ? v : v -> v", "(where (< i 3) j j)", "j"},
    {"constant ? a : b", "(where False i j)", "j"},
    {"a ? (b ? c : d) : d -> a&b ? c : d", "(where (< i 3) (where (< j 3) k z) z)", "(k if ((i<3)&(j<3)) else z)"},
    {"a ? c : (b ? c : d) -> a|b ? c : d", "(where (< i 3) k (where (< j 3) k z))", "(k if ((i<3)|(j<3)) else z)"},

    {"reshape of a reshape", "(reshape (reshape (stack i j) 2 1) 1 2)", "{i,j}.reshape((1,2))"},
    {"reshape to what it is", "(reshape (stack i j) 2)", "{i,j}"},
    {"permutation that is none", "(permute 01 (stack (stack i j) (stack k z)))", "{{i,j},{k,z}}"},
    {"all items of a vector", "(stack (index (stack i j) 0) (index (stack i j) 1))", "{i,j}"},
    {"an item of a vector", "(index (stack i j) 1)", "j"},
    {"index of an index", "(index (index (stack (stack i j) (stack k z)) n) b)", "[n][b]"},
    {"index of an index of many", "(index (index (stack i j) (stack 1 0)) b)", "[[b]]"},
    {"operands in order", "(+ 1 i)", "(i+1)"},

    {"x|!x -> True", "(| (< i 3) (!= (< i 3) True))", "True"},
    {"x*c + x*d -> x*(c+d)", "(+ (* i 2) (* i 3))", "(i*(2+3))"},
    {"(y + x*c) + x*d -> y + x*(c+d)", "(+ (+ j (* i 2)) (* i 3))", "(j+i*(2+3))"},
    {"x + x*c -> x*(c+1)", "(+ i (* i 3))", "(i*(3+1))"},
    {"(y+x) + x*c -> y + x*(c+1)", "(+ (+ j i) (* i 3))", "(j+i*(3+1))"},
    {"(y + x*c) + x -> y + x*(c+1)", "(+ (+ j (* i 3)) i)", "(j+i*(3+1))"},
    {"x+x -> x*2", "(+ i i)", "(i*2)"},
    {"(y+x)+x -> y + x*2", "(+ (+ j i) i)", "(j+i*2)"},
    {"-(x+c) -> -x + -c", "(* -1 (+ i 3))", "(i*-1+3*-1)"},
    {"(x/y)/z -> x/(y*z)", "(* (* 1.5 (1/ (cast float i))) (1/ (cast float j)))", "(1.5*(1/((float)(i)*(float)(j))))"},
    {"y*(x+c) -> y*x + y*c", "(* 2 (+ i 3))", "(2*i+2*3)"},
    {"!c ? t : f -> c ? f : t", "(where (!= (< i 3) True) j k)", "(k if (i<3) else j)"},
    {"c within c ? t : f", "(where (< i 3) (where (< i 3) j k) z)", "((j if True else k) if (i<3) else z)"},
    {"(c ? t : f) op (c ? u : g) -> c ? t op u : f op g", "(* (where (< i 3) 2 j) (where (< i 3) 3 k))",
     "((2*3) if (i<3) else (j*k))"},
    {"(y + (c ? t : f)) + (c ? u : g)", "(+ (+ z (where (< i 3) 2 j)) (where (< i 3) 3 k))",
     "(z+((2+3) if (i<3) else (j+k)))"},
    {"(c ? t : 0) + (c ? 0 : f) -> c ? t : f", "(+ (where (< i 3) j 0) (where (< i 3) 0 k))", "(j if (i<3) else k)"},

    {"what has one value", "(< i 20)", "True"},
    {"a loop of one turn", "(range 0 1)", "0"},
    {"c<x ? x : c -> max", "(where (< 3 i) i 3)", "max(3, i)"},
    {"x<c ? c : x -> max", "(where (< i 3) 3 i)", "max(i, 3)"},
    {"max of what is always larger", "(max j 12)", "12"},
    {"(x op c) op d -> x op (c op d)", "(+ (+ i 2) 3)", "(i+(2+3))"},
    {"(x//c)//d -> x//(c*d)", "(// (// i 2) 3)", "(i//(2*3))"},
    {"d+x<c -> x<c-d", "(< (+ 2 i) 5)", "(i<(5+2*-1))"},
    {"d*x<c -> x<c/d", "(< (* 2 i) 5)", "(i<3)"},
    {"x//d<c -> x<c*d", "(< (// i 2) 5)", "(i<10)"},
    {"(x+c)+y -> (x+y)+c", "(+ (+ i 2) j)", "(i+j+2)"},
    {"(x*c)*y -> (x*y)*c", "(* (* i 2) j)", "(i*j*2)"},
    {"x<c without small terms", "(< (+ (* i 4) b) 8)", "((i*1)<2)"},
    {"-x < -y -> y<x", "(< (* i -1) (* j -1))", "(j<i)"},
    {"a*x + b*y > 0 -> x+y > 0", "(!= (< (+ (* i 2) (* j 3)) 1) True)", "(((i+j)<1)!=True)"},
    {"r % its end -> r", "(% (range 0 i) i)", "r0"},
    {"r // its end -> 0", "(// (range 0 i) i)", "0"},
    {"two casts, the first without loss", "(cast long (cast int (cast short i)))", "(long)((short)(i))"},
    {"two casts, the first of what fits", "(cast long (cast short i))", "(long)(i)"},
    {"64 bits that fit 32", "(+ (cast long i) (cast long j))", "(long)(((int)((long)(i))+(int)((long)(j))))"},
    {"cast of x+c", "(cast int (+ i 3))", "((int)(i)+3)"},
    {"after what has no effect", "(after i (+ j k))", "i"},
    {"after nothing", "(after i)", "i"},

    {"(x//c + a)//d -> (x + a*c)//(c*d)", "(// (+ (// i 2) 1) 3)", "((i+1*2)//(2*3))"},
    {"(x+c)//d -> (x + c%d)//d + c//d", "(// (+ i 5) 3)", "((i+2)//3+1)"},
    {"// and %", "(% (+ (* i 6) j) 3)", "((0+j+0)%3)"},
};

// What 0.13.0 makes of an expression where it is not what 2026-08 makes of it, as Python printed it.
constexpr Row kSimplifiedBy13[] = {
    {"a constant is cast before operands are put in order",
     "(* (cast weakint (const int 4)) (range 0 (const weakint 9)))", "(r0*4)"},
    {"c within c ? t : f stays", "(where (< i 3) (where (< i 3) j k) z)", "((j if (i<3) else k) if (i<3) else z)"},
    {"one term of two values", "(% (* b 3) 2)", "b"},
    {"c<x ? x : c stays", "(where (< 3 i) i 3)", "(i if (3<i) else 3)"},
    {"a vector of one constant", "(+ i (stack 2 2))", "(i+2)"},
};

TEST_CASE("0.13.0 simplifies by rules of its own") {
  StringTable strings;
  ValueTable values(strings);
  ExpressionReader reader(values);
  OpGraph ops(values);
  const ValueText value_text(ops);
  const Language& language = language_of(Release::k13);
  for (const Row& row : kSimplifiedBy13) {
    ExprGraph graph(values, language);
    Simplifier simplifier(graph);
    ExprText texts(simplifier, value_text);
    CAPTURE(row.rule, row.expression);
    CHECK(texts.rendered(reader.read(graph, std::string(row.expression))) == row.answer);
    CHECK_FALSE(graph.failed());
  }
}

TEST_CASE("each rule of 2026-08 makes what its name says") {
  StringTable strings;
  ValueTable values(strings);
  ExpressionReader reader(values);
  OpGraph ops(values);
  const ValueText value_text(ops);
  std::map<std::string_view, std::vector<const Rule*>> rules;
  for (const Rule& rule : kLanguage.rules().all()) rules[rule.name].push_back(&rule);
  std::set<std::string_view> checked;
  for (const Row& row : kRows) {
    ExprGraph graph(values, kLanguage);
    Simplifier simplifier(graph);
    ExprText texts(simplifier, value_text);
    CAPTURE(row.rule, row.expression);
    REQUIRE(rules.contains(row.rule));
    const ExprId expr = reader.read(graph, std::string(row.expression));
    Rewritten made;
    for (const Rule* rule : rules.at(row.rule)) {
      if (!made && rule->pattern.ops.contains(graph.op(expr))) made = apply(*rule, simplifier, expr);
    }
    CHECK((made ? texts.plain(*made) : "nothing") == row.answer);
    CHECK_FALSE(graph.failed());
    checked.insert(row.rule);
  }
  for (const auto& [name, of_name] : rules) {
    CAPTURE(name);
    CHECK(checked.contains(name));
  }
}

}  // namespace
}  // namespace vizd::tinygrad_2026_08::rules_test
