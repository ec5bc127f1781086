#include "formats/tinygrad/symbolic/ops.h"

namespace vizd::tinygrad {

bool is_unary(Ops op) { return op >= Ops::kExp2 && op <= Ops::kTrunc; }

bool is_binary(Ops op) { return op >= Ops::kAdd && op <= Ops::kFloormod; }

bool is_broadcastable(Ops op) { return is_binary(op) || op == Ops::kWhere || op == Ops::kMulacc; }

bool is_alu(Ops op) { return is_unary(op) || is_broadcastable(op); }

bool is_movement(Ops op) { return op == Ops::kShrink || (op >= Ops::kReshape && op <= Ops::kFlip); }

bool is_comparison(Ops op) { return op >= Ops::kCmplt && op <= Ops::kCmpeq; }

bool is_commutative(Ops op) {
  switch (op) {
    case Ops::kAdd:
    case Ops::kMul:
    case Ops::kMax:
    case Ops::kCmpne:
    case Ops::kCmpeq:
    case Ops::kXor:
    case Ops::kAnd:
    case Ops::kOr:
      return true;
    default:
      return false;
  }
}

bool is_irreducible(Ops op) {
  return op == Ops::kConst || op == Ops::kSpecial || op == Ops::kRange || op == Ops::kParam || op == Ops::kGetaddr ||
         op == Ops::kDefineVar;
}

std::string_view symbol_of(Ops op) {
  switch (op) {
    case Ops::kAdd:
      return "+";
    case Ops::kSub:
      return "-";
    case Ops::kFloordiv:
      return "//";
    case Ops::kFloormod:
      return "%";
    case Ops::kShl:
      return "<<";
    case Ops::kShr:
      return ">>";
    case Ops::kMul:
      return "*";
    case Ops::kCmplt:
      return "<";
    case Ops::kCmpne:
      return "!=";
    case Ops::kAnd:
      return "&";
    case Ops::kOr:
      return "|";
    case Ops::kXor:
      return "^";
    default:
      return "";
  }
}

}  // namespace vizd::tinygrad
