// Every rule of the simplifier, by an expression whose answer would differ without it (but for x//1 and x//-1, which
// others mend). The answers are those of UOp.simplify().render() of tinygrad at 461e9becec.
#include <charconv>
#include <map>
#include <string>

#include "formats/tinygrad/v2025_09/ops.h"
#include "formats/tinygrad/v2025_09/sizes.h"
#include "model/capture.h"
#include "support/catch.h"

namespace vizd::tinygrad_2025_09::simplifier_test {
namespace {

struct Variable {
  int least, greatest;
};

const std::map<std::string_view, Variable> kVariables = {
    {"b", {0, 1}},  {"i", {1, 10}}, {"j", {1, 10}},  {"k", {2, 7}}, {"m", {-9, -1}},
    {"n", {-5, 5}}, {"o", {4, 4}},  {"w", {0, 100}}, {"z", {0, 8}},
};

const std::map<std::string_view, Ops> kOperators = {
    {"+", Ops::kAdd},   {"*", Ops::kMul},   {"//", Ops::kIdiv},  {"%", Ops::kMod},
    {"max", Ops::kMax}, {"<", Ops::kCmplt}, {"!=", Ops::kCmpne},
};

// Reads expressions with the operator first: "(// (+ (* i 12) 5) 3)". "(range x)" is a loop that ends at x.
class Expression {
 public:
  explicit Expression(std::string_view text) : rest_(text) { root_ = read(); }

  // What tinygrad's viewer prints of it: the simplified form, or nothing where tinygrad raises.
  std::optional<std::string> simplified() {
    Sizes sizes(capture_.ops);
    const auto size = sizes.from_value(capture_.values.op(root_));
    const auto text = sizes.text(*size);
    return sizes.take_failure() ? std::nullopt : text;
  }

 private:
  ValueId dtype(std::string_view name) {
    auto& v = capture_.values;
    const ValueId fields[] = {v.string("itemsize"), v.integer(name == "bool" ? 1 : 100),
                              v.string("name"),     v.string(name),
                              v.string("count"),    v.integer(1)};
    return v.object("tinygrad.dtype.DType", fields);
  }
  OpId op(Ops kind, std::string_view type, const std::vector<OpId>& sources, ValueId arg = kNoneValue) {
    return capture_.ops.add(static_cast<std::uint16_t>(kind), dtype(type), sources, arg, kNoneValue);
  }
  std::string_view word() {
    const auto word = rest_.substr(0, rest_.find_first_of(" )"));
    rest_.remove_prefix(word.size());
    return word;
  }
  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  OpId read() {
    if (!rest_.starts_with('(')) return read_leaf(word());
    rest_.remove_prefix(1);
    const auto name = word();
    std::vector<OpId> operands;
    for (skip_spaces(); !rest_.starts_with(')'); skip_spaces()) operands.push_back(read());
    rest_.remove_prefix(1);
    if (name == "range") {
      auto& v = capture_.values;
      const ValueId arg[] = {v.integer(0), v.member("tinygrad.uop.ops.AxisType", "LOOP", 4)};
      return op(Ops::kRange, "index", operands, v.sequence(ValueKind::kTuple, arg));
    }
    const Ops kind = kOperators.at(name);
    return op(kind, kind == Ops::kCmplt || kind == Ops::kCmpne ? "bool" : "index", operands);
  }
  OpId read_leaf(std::string_view name) {
    auto& v = capture_.values;
    if (name == "True") return op(Ops::kConst, "bool", {}, v.boolean(true));
    if (const auto found = kVariables.find(name); found != kVariables.end()) {
      const ValueId arg[] = {v.string(name), v.integer(found->second.least), v.integer(found->second.greatest)};
      return op(Ops::kDefineVar, "index", {}, v.sequence(ValueKind::kTuple, arg));
    }
    std::int64_t number = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), number).ptr;
    REQUIRE(end == name.data() + name.size());
    return op(Ops::kConst, "index", {}, v.integer(number));
  }

  Capture capture_;
  std::string_view rest_;
  OpId root_{};
};

struct Row {
  std::string_view rule, expression, answer;
};

constexpr Row kRules[] = {
    {"sums, add_zero", "(% b 2)", "b"},
    {"sums, join_divided<false>", "(+ (% i 2) (* (// i 2) 2))", "i"},
    {"sums, join_divided<true>", "(+ (% m 5) (* (// m 5) 5))", "m"},
    {"sums, join_divided_in_sum<false, false>", "(+ (+ i (* (// i 2) 2)) (% i 2))", "(i*2)"},
    {"sums, join_divided_in_sum<false, true>", "(+ (+ i (% i 5)) (* (// i 5) 5))", "(i*2)"},
    {"sums, join_divided_in_sum<true, false>", "(+ (+ i (* (// k 4) 8)) (* (% k 4) 2))", "(i+(k*2))"},
    {"sums, join_divided_in_sum<true, true>", "(+ (+ i (* (% k 3) 3)) (* (// k 3) 9))", "(i+(k*3))"},
    {"sums, order_operands", "(+ 1 b)", "(b+1)"},
    {"sums, add_multiples", "(+ (* i 2) (* i 4))", "(i*6)"},
    {"sums, add_multiples_in_sum", "(+ (+ i (* j 3)) (* j 8))", "(i+(j*11))"},
    {"sums, add_to_multiple", "(+ (* o j) j)", "(j*5)"},
    {"sums, add_to_multiple_in_sum<false>", "(+ (+ i k) (* k 6))", "(i+(k*7))"},
    {"sums, add_to_multiple_in_sum<true>", "(+ (+ (+ j z) z) z)", "(j+(z*3))"},
    {"sums, double_term", "(+ b b)", "(b*2)"},
    {"sums, double_term_in_sum", "(+ (+ i j) i)", "(j+(i*2))"},
    {"sums, fold_single_value", "(+ 1 2)", "3"},
    {"sums, join_constants", "(% (+ 10 b) 5)", "b"},
    {"sums, move_constant_out", "(+ (+ b 8) n)", "((b+n)+8)"},
    {"products, multiply_by_one", "(* b 1)", "b"},
    {"products, order_operands", "(* 2 n)", "(n*2)"},
    {"products, negate_sum", "(* (+ 6 z) -1)", "((z*-1)+-6)"},
    {"products, fold_single_value", "(% b 2)", "b"},
    {"products, join_constants", "(// -4 m)", "(4//(m*-1))"},
    {"products, move_constant_out", "(* i (* o i))", "((i*i)*4)"},
    {"quotients, divide_by_itself<1>", "(// (* 0 j) 0)", "1"},
    {"quotients, divide_by_one", "(// (+ i j) 1)", "(i+j)"},
    {"quotients, divide_by_minus_one", "(// (% i j) -1)", "((i%j)*-1)"},
    {"quotients, fold_constants", "(// (// 5 0) 4)", "0"},
    {"quotients, divide_twice", "(// (// i 2) 3)", "(i//6)"},
    {"quotients, divide_sum_with_quotient", "(// (+ (// i 2) 5) 3)", "(((i+4)//6)+1)"},
    {"quotients, divide_range_by_end", "(// (range i) i)", "0"},
    {"quotients, fold_single_quotient", "(// n 6)", "0"},
    {"quotients, negate_denominator", "(// 8 m)", "((8//(m*-1))*-1)"},
    {"quotients, fold_binary_numerator", "(// (+ 3 b) 2)", "(b+1)"},
    {"quotients, fold_congruence", "(// (+ m -3) 12)", "-1"},
    {"quotients, divide_by_gcd", "(// (* b i) b)", "i"},
    {"quotients, divide_by_gcd_with_rest", "(// (+ (* i 6) 7) 9)", "(((i*2)+2)//3)"},
    {"quotients, divide_by_smallest_factor", "(// (+ (+ i w) (+ 6 i)) 4)", "((((i+(w//2))+1)//2)+1)"},
    {"quotients, factor_out_divisor", "(// (+ j b) j)", "((b//j)+1)"},
    {"quotients, negate_numerator", "(// m 2)", "(((m*-1)//2)*-1)"},
    {"quotients, reduce_constant_term<false>", "(// (+ k 5) 4)", "(((k+1)//4)+1)"},
    {"quotients, reduce_constant_term<true>", "(// (+ 16 m) 8)", "(((((m*-1)+7)//8)*-1)+2)"},
    {"remainders, same_remainder_twice", "(% (% 5 j) j)", "(5%j)"},
    {"remainders, divide_by_itself<0>", "(% (+ j m) (+ j m))", "0"},
    {"remainders, fold_constants", "(% 2 (% -2 1))", "2"},
    {"remainders, fold_single_value", "(% (range -1) -1)", "0"},
    {"remainders, divide_range_by_end", "(% (range i) i)", "ridx0"},
    {"remainders, fold_single_quotient", "(% n 6)", "n"},
    {"remainders, fold_binary_numerator", "(% (max 8 (range j)) 3)", "(((max(ridx0, 8)+-8)*-2)+2)"},
    {"remainders, fold_congruence", "(% (+ (* z 4) -3) 4)", "1"},
    {"remainders, divide_by_gcd", "(% (* i b) b)", "0"},
    {"remainders, divide_by_gcd_with_rest", "(% (+ (* i 2) 1) 6)", "(((i%3)*2)+1)"},
    {"remainders, remove_inner_remainder", "(% (% j 6) 3)", "(j%3)"},
    {"remainders, factor_out_divisor", "(% (* k 5) 3)", "((k*2)%3)"},
    {"remainders, negate_numerator", "(% m 2)", "(((m*-1)%2)*-1)"},
    {"remainders, negate_denominator", "(% b m)", "(b%(m*-1))"},
    {"maxima, max_of_same", "(max i i)", "i"},
    {"maxima, order_operands", "(max 1 w)", "max(w, 1)"},
    {"maxima, fold_max", "(max 0 3)", "3"},
    {"maxima, join_constants", "(max (max i 3) 8)", "max(i, 8)"},
    {"less than, compare_with_itself", "(< i i)", "False"},
    {"less than, fold_single_value", "(< 0 k)", "True"},
    {"less than, move_term_over", "(< (+ 4 j) 6)", "(j<2)"},
    {"less than, divide_both_sides<true>", "(< (* 2 j) 5)", "(j<3)"},
    {"less than, divide_both_sides<false>", "(< (* -2 i) -4)", "((i*-1)<-2)"},
    {"less than, multiply_both_sides", "(< (// i 2) 1)", "(i<2)"},
    {"less than, drop_small_terms", "(< (* -2 m) 4)", "((m*-1)<2)"},
    {"less than, less_than_negated", "(< (* i -1) (* j -1))", "(j<i)"},
    {"not equal, compare_with_itself", "(!= i i)", "False"},
    {"not equal, fold_single_value", "(!= 0 1)", "True"},
    {"not equal, drop_positive_factors", "(!= (< (+ b (* z 2)) 1) True)", "(((b+z)<1)!=True)"},
    {"leaves, fold_single_value", "o", "4"},
};

}  // namespace

TEST_CASE("every rule of the simplifier gives what tinygrad's gives") {
  for (const Row& row : kRules) {
    CAPTURE(row.rule, row.expression);
    CHECK(Expression(row.expression).simplified() == row.answer);
  }
}

TEST_CASE("rules work on what other rules made, to the end") {
  constexpr Row kLong[] = {
      {"a cache's length and one", "(* 2 (+ (+ z 1) (* -1 1)))", "(z*2)"},
      {"reshaped", "(// (* (* i 12) j) 4)", "((i*j)*3)"},
      {"padded", "(+ (+ i (+ 2 1)) (* (* 1 3) i))", "((i*4)+3)"},
      {"an offset", "(% (+ (* i 12) (+ (* j 3) 5)) 6)", "((((j+1)%2)*3)+2)"},
      {"a bound", "(!= (< (+ (* i 3) (* j 6)) 1) True)", "True"},
      {"a mask's end", "(* (max (* (+ i -4) -1) (* z -1)) -1)", "(max(((i*-1)+4), (z*-1))*-1)"},
      {"three dimensions", "(+ (% (// (+ w (* i 24)) 2) 12) (* (// (// (+ w (* i 24)) 2) 12) 12))",
       "(((i+(w//24))*12)+((w//2)%12))"},
  };
  for (const Row& row : kLong) {
    CAPTURE(row.rule, row.expression);
    CHECK(Expression(row.expression).simplified() == row.answer);
  }
}

TEST_CASE("what tinygrad raises for has no text") { CHECK_FALSE(Expression("(% (+ (* i 2) 3) 0)").simplified()); }

}  // namespace vizd::tinygrad_2025_09::simplifier_test
