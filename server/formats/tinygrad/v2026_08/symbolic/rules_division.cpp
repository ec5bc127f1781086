// // and % (divandmod.py).
#include <algorithm>

#include "formats/tinygrad/python/set_order.h"
#include "formats/tinygrad/symbolic/expr_terms.h"
#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2026_08/release.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;
using python::floor_mod;
using python::wide_mul;

constexpr std::size_t kMaxChoices = 4096;  // of remainders' signs: the reference tries 2^n of them
constexpr int kMaxDivisions = 12;          // of divisions by factors in one another

class Division {
 public:
  Division(S& simplifier, ExprId id, Release release, int depth = 0)
      : s_(simplifier),
        g_(simplifier.graph()),
        id_(id),
        x_(g_.src(id, 0)),
        y_(g_.src(id, 1)),
        release_(release),
        depth_(depth) {}

  Rewritten fold() {
    if (!g_.spend_work() || depth_ > kMaxDivisions) {
      g_.fail();
      return std::nullopt;
    }
    const Bounds y = g_.bounds(y_);
    if (equal(y.least, Number::of(0)) && equal(y.greatest, Number::of(0))) {
      g_.fail();
      return std::nullopt;
    }
    const ExprId quotient = g_.floor_divide(x_, y_);
    const Bounds of_quotient = g_.bounds(quotient);
    if (equal(of_quotient.least, of_quotient.greatest)) {
      const Wide k = of_quotient.least.integer;
      return is_mod() ? g_.subtract(x_, g_.multiply(number(k), y_)) : s_.like(quotient, k);
    }
    if (release_ == Release::k14 && g_.op(x_) == Ops::kParam && g_.is_const(y_)) {
      if (Rewritten result; of_multiple(result) || g_.failed()) return result;
    }
    std::tie(peeled_, const_) = pop_const(g_, x_);
    terms_whole_ = split(g_, peeled_, Ops::kAdd);
    if (g_.is_const(y_) && g_.number(y_).integer > 0) {
      c_ = g_.number(y_).integer;
      if (const Rewritten result = by_constant(); result || g_.failed()) return result;
    }
    return by_anything();
  }

 private:
  bool is_mod() const { return g_.op(id_) == Ops::kFloormod; }
  ExprId number(Wide value) { return g_.number_expr(Number::of(value)); }

  // Whether it is a variable known to be a multiple of the constant; then what it becomes.
  bool of_multiple(Rewritten& result) {
    const ValueTable& values = g_.values();
    const ValueId multiple = values.field(g_.arg(x_), "multiple_of");
    const Wide divisor = g_.number(y_).integer;
    if (values.kind(multiple) != ValueKind::kInt || divisor == 0) {
      g_.fail();
      return true;
    }
    if (floor_mod(values.as_int(multiple), divisor) != 0) return false;
    if (is_mod()) result = s_.like(id_, 0);
    return true;
  }

  Rewritten by_constant() {
    for (auto rule : {&Division::nested_division, &Division::nested_remainder}) {
      if (const Rewritten result = (this->*rule)(); result || g_.failed()) return result;
    }
    for (const ExprId term : terms_whole_) {
      factors_.push_back(const_factor(g_, term));
      const auto rest = divided_by(g_, term, factors_.back());
      if (!rest) g_.fail();
      if (g_.failed()) return std::nullopt;
      terms_.push_back(*rest);
    }
    if (release_ == Release::k13) {
      if (const Rewritten result = two_values(); result || g_.failed()) return result;
    }
    for (auto rule : {&Division::congruence, &Division::common_divisor, &Division::nest_by_factor}) {
      if (const Rewritten result = (this->*rule)(); result || g_.failed()) return result;
    }
    return std::nullopt;
  }

  // (x%(k*c))//c -> (x//c)%k
  Rewritten nested_division() {
    if (is_mod() || g_.op(x_) != Ops::kFloormod) return std::nullopt;
    const auto k = divided_by(g_, g_.src(x_, 1), c_);
    if (!k) return std::nullopt;
    const auto is_positive = s_.truth(g_.binary(Ops::kCmplt, Number::of(0), *k));
    if (!is_positive) g_.fail();
    if (!is_positive.value_or(false)) return std::nullopt;
    return g_.remainder(g_.floor_divide(g_.src(x_, 0), y_), *k);
  }

  // (a%4 + b)%2 -> (a+b)%2
  Rewritten nested_remainder() {
    if (!is_mod()) return std::nullopt;
    bool changed = false;
    std::vector<ExprId> terms;
    for (const ExprId term : terms_whole_) {
      const bool goes = g_.op(term) == Ops::kFloormod && divided_by(g_, g_.src(term, 1), c_).has_value();
      terms.push_back(goes ? g_.src(term, 0) : term);
      changed = changed || goes;
    }
    if (!changed) return std::nullopt;
    return g_.remainder(g_.add(sum_of(g_, terms), const_), y_);
  }

  // A numerator of one term that can take two values only, of 0.13.0.
  Rewritten two_values() {
    if (terms_.size() != 1) return std::nullopt;
    const Bounds v = g_.bounds(terms_[0]);
    if (!v.least.is_integer() || !v.greatest.is_integer() || v.greatest.integer - v.least.integer != 1) {
      return std::nullopt;
    }
    const auto at = [&](Wide value) {
      const Wide numerator = python::wide_add(wide_mul(factors_[0], value), const_);
      return is_mod() ? floor_mod(numerator, c_) : python::floor_div(numerator, c_);
    };
    const Wide y1 = at(v.least.integer), y2 = at(v.greatest.integer);
    return g_.add(g_.multiply(number(y2 - y1), g_.subtract(terms_[0], number(v.least.integer))), y1);
  }

  // Folds where the numerator is congruent to something that stays within one period.
  Rewritten congruence() {
    std::vector<std::vector<Wide>> choices;
    std::size_t count = 1;
    for (const Wide factor : factors_) {
      const Wide r = floor_mod(factor, c_);
      if (r * 2 == c_ || (terms_.size() == 1 && release_ == Release::k14)) {
        choices.push_back({r, r - c_});
      } else {
        choices.push_back({r <= c_ - r ? r : r - c_});
      }
      count *= choices.back().size();
    }
    if (count > kMaxChoices) {
      g_.fail();
      return std::nullopt;
    }
    for (std::size_t choice = 0; choice < count; ++choice) {
      std::vector<Wide> rems;
      for (std::size_t i = 0, rest = choice, below = count; i < choices.size(); ++i) {
        below /= choices[i].size();
        rems.push_back(choices[i][rest / below]);
        rest %= below;
      }
      if (const Rewritten result = congruent(rems)) return result;
    }
    return std::nullopt;
  }

  Rewritten congruent(std::span<const Wide> rems) {
    std::vector<ExprId> products;
    for (std::size_t i = 0; i < rems.size(); ++i) products.push_back(g_.multiply(number(rems[i]), terms_[i]));
    const ExprId rem = g_.add(python_sum(g_, products), floor_mod(const_, c_));
    const Bounds bounds = g_.bounds(rem);
    if (!bounds.least.is_integer() || !bounds.greatest.is_integer()) return std::nullopt;
    const Wide period = python::floor_div(bounds.least.integer, c_);
    if (period != python::floor_div(bounds.greatest.integer, c_)) return std::nullopt;
    if (is_mod()) return g_.subtract(rem, number(wide_mul(period, c_)));
    products.clear();
    for (std::size_t i = 0; i < rems.size(); ++i) {
      products.push_back(g_.multiply(number(python::floor_div(factors_[i] - rems[i], c_)), terms_[i]));
    }
    return g_.add(g_.add(python_sum(g_, products), python::floor_div(const_, c_)), period);
  }

  Rewritten common_divisor() {
    Wide divisor = c_;
    for (const Wide factor : factors_) divisor = python::wide_gcd(divisor, factor);
    if (divisor <= 1) return std::nullopt;
    const auto peeled = divided_by(g_, peeled_, divisor);
    if (!peeled) g_.fail();
    if (g_.failed()) return std::nullopt;
    const Wide period = c_ / divisor;
    const ExprId x = g_.add(s_.simplify(*peeled), floor_mod(python::floor_div(const_, divisor), period));
    if (less(g_.least(x), Number::of(0))) return std::nullopt;
    if (is_mod()) return g_.add(g_.multiply(g_.remainder(x, period), divisor), floor_mod(const_, divisor));
    return g_.add(g_.floor_divide(x, period), python::floor_div(const_, c_));
  }

  // x//c -> (x//f)//(c//f), x%c -> (x//f%(c//f))*f + x%f: the shortest of what the terms' factors make.
  Rewritten nest_by_factor() {
    std::vector<Wide> divisors;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const Wide size = factors_[i] < 0 ? -factors_[i] : factors_[i];
      if (!g_.is_const(terms_whole_[i]) && size > 1 && size < c_ && c_ % size == 0) divisors.push_back(size);
    }
    Rewritten best;
    std::size_t best_size = 0;
    const auto take = [&](std::size_t size, ExprId result) {
      if (best && size >= best_size) return;
      best = result;
      best_size = size;
    };
    for (const Wide divisor : python::in_set_order(divisors)) {
      const Rewritten inner = Division(s_, g_.floor_divide(x_, divisor), release_, depth_ + 1).fold();
      if (g_.failed()) return std::nullopt;
      if (!inner) continue;
      if (!is_mod()) {
        take(g_.parts(*inner).size(), g_.floor_divide(*inner, c_ / divisor));
      } else if (const Rewritten result = with_remainder(divisor, *inner)) {
        take(g_.parts(*result).size(), *result);
      }
    }
    return best;
  }

  Rewritten with_remainder(Wide divisor, ExprId inner) {
    const Number zero = Number::of(0);
    if (less(g_.least(x_), zero) || less(g_.least(inner), zero)) return std::nullopt;
    std::vector<ExprId> parts;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (const Wide rest = floor_mod(factors_[i], divisor); rest != 0) {
        parts.push_back(g_.multiply(number(rest), terms_[i]));
      }
    }
    if (const Wide rest = floor_mod(const_, divisor); rest != 0) parts.push_back(s_.like(x_, rest));
    const ExprId b = parts.empty() ? s_.like(x_, 0) : sum_of(g_, parts);
    if (less(g_.least(b), zero) || !less(g_.greatest(b), Number::of(divisor))) return std::nullopt;
    return g_.add(g_.multiply(g_.remainder(inner, c_ / divisor), divisor), b);
  }

  // Rules that hold for any denominator.
  Rewritten by_anything() {
    if (const Rewritten result = divide_by_gcd(s_, id_); result || g_.failed()) return result;
    const Number zero = Number::of(0);
    if (less(g_.least(y_), zero) || less(g_.least(x_), zero)) return std::nullopt;
    return take_out_multiples(split(g_, x_, Ops::kAdd));
  }

  // (d*x + y)//d -> x + y//d
  Rewritten take_out_multiples(std::span<const ExprId> all) {
    std::vector<ExprId> quotients, rest;
    for (const ExprId term : all) {
      if (const auto quotient = divided_by(s_, term, y_)) {
        quotients.push_back(*quotient);
        continue;
      }
      const Wide y = g_.is_const(y_) ? g_.number(y_).integer : 0;
      const Wide factor = y != 0 ? const_factor(g_, term) : 0;
      if (y == 0 || floor_mod(factor, y) == factor) {
        rest.push_back(term);
        continue;
      }
      const auto part = divided_by(g_, term, factor);
      if (!part) g_.fail();
      if (g_.failed()) return std::nullopt;
      rest.push_back(g_.multiply(*part, floor_mod(factor, y)));
      quotients.push_back(is_mod() ? s_.like(term, 0) : g_.multiply(*part, python::floor_div(factor, y)));
    }
    if (quotients.empty()) return std::nullopt;
    const ExprId x = rest.empty() ? g_.binary(Ops::kAdd, Number::of(0), s_.like(x_, 0))
                                  : g_.add(python_sum(g_, rest), s_.like(x_, 0));
    if (less(g_.least(x), Number::of(0))) return std::nullopt;
    return is_mod() ? g_.remainder(x, y_) : g_.add(g_.floor_divide(x, y_), python_sum(g_, quotients));
  }

  S& s_;
  ExprGraph& g_;
  ExprId id_, x_, y_;
  Release release_;
  int depth_;
  ExprId peeled_{};
  Wide const_ = 0, c_ = 0;
  std::vector<ExprId> terms_whole_, terms_;
  std::vector<Wide> factors_;
};

Rewritten split_constant(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = g.number(n['c']).integer, d = g.number(n['d']).integer;
  if (d == 0 || floor_mod(c, d) == c) return std::nullopt;
  const ExprId x = g.add(n['x'], floor_mod(c, d));
  if (g.op(n['n']) == Ops::kFloormod) return g.remainder(x, n['d']);
  return g.add(g.floor_divide(x, n['d']), python::floor_div(c, d));
}

Rewrite division_of(Release release) {
  return [release](S& s, N& n) -> Rewritten { return Division(s, n['d'], release).fold(); };
}

bool divisor_is_positive(S& s, N& n) { return less(Number::of(0), s.graph().least(n['d'])); }

}  // namespace

std::vector<Rule> division_rules() {
  const OpSet both{Ops::kFloordiv, Ops::kFloormod};
  const auto x = var('x'), a = cvar('a'), c = cvar('c'), d = cvar('d');
  return {
      {"(x//c + a)//d -> (x + a*c)//(c*d)", floor_div(floor_div(x, c) + a, d),
       becomes(floor_div(x + a * c, c * d), divisor_is_positive)},
      {"(x+c)//d -> (x + c%d)//d + c//d", op(both, {var('x', kIndices) + c, d}, 'n'), split_constant},
      {"// and %", Pattern{.ops = both, .scalars = kIndices, .name = 'd'}, division_of(Release::k14)},
  };
}

std::vector<Rule> division_rules_of_13() {
  const auto x = var('x'), a = cvar('a'), c = cvar('c'), d = cvar('d');
  const auto are_positive = [](S& s, N& n) {
    return divisor_is_positive(s, n) && less(Number::of(0), s.graph().least(n['c']));
  };
  return {
      {"(x//c + a)//d -> (x + a*c)//(c*d)", floor_div(floor_div(x, c) + a, d),
       becomes(floor_div(x + a * c, c * d), are_positive)},
      {"(x+c)//d -> (x + c%d)//d + c//d", op({Ops::kFloordiv}, {var('x', kIndices) + c, d}, 'n'),
       [](S& s, N& n) { return divisor_is_positive(s, n) ? split_constant(s, n) : std::nullopt; }},
      {"// and %", Pattern{.ops = {Ops::kFloordiv, Ops::kFloormod}, .scalars = kIndices, .name = 'd'},
       division_of(Release::k13)},
  };
}

}  // namespace vizd::tinygrad_2026_08
