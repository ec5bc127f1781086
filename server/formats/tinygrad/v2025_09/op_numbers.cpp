#include "formats/tinygrad/v2025_09/op_numbers.h"

#include <algorithm>

#include "formats/tinygrad/v2025_09/ops.h"

namespace vizd::tinygrad_2025_09 {
namespace {

using Expr = tinygrad::Ops;

struct Row {
  Ops op;
  Expr expr;
};

constexpr Row kRows[] = {
    {Ops::kDefineVar, Expr::kDefineVar},
    {Ops::kBind, Expr::kBind},
    {Ops::kSpecial, Expr::kSpecial},
    {Ops::kCast, Expr::kCast},
    {Ops::kNeg, Expr::kNeg},
    {Ops::kAdd, Expr::kAdd},
    {Ops::kMul, Expr::kMul},
    {Ops::kShl, Expr::kShl},
    {Ops::kShr, Expr::kShr},
    {Ops::kIdiv, Expr::kCdiv},
    {Ops::kMax, Expr::kMax},
    {Ops::kMod, Expr::kCmod},
    {Ops::kCmplt, Expr::kCmplt},
    {Ops::kCmpne, Expr::kCmpne},
    {Ops::kCmpeq, Expr::kCmpeq},
    {Ops::kXor, Expr::kXor},
    {Ops::kOr, Expr::kOr},
    {Ops::kAnd, Expr::kAnd},
    {Ops::kSub, Expr::kSub},
    {Ops::kWhere, Expr::kWhere},
    {Ops::kMulacc, Expr::kMulacc},
    {Ops::kRange, Expr::kRange},
    {Ops::kConst, Expr::kConst},
};

}  // namespace

Expr expression_op(std::uint16_t number) {
  const auto found = std::ranges::find(kRows, static_cast<Ops>(number), &Row::op);
  return found == std::end(kRows) ? Expr::kOpaque : found->expr;
}

std::uint16_t number_of(Expr op) {
  const auto found = std::ranges::find(kRows, op, &Row::expr);
  return found == std::end(kRows) ? 0 : static_cast<std::uint16_t>(found->op);
}

}  // namespace vizd::tinygrad_2025_09
