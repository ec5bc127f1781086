// The ops that expressions are made of, and their groups: those of the newest tinygrad under its own numbers, then what
// only older ones have. A version whose numbers are others says which are which (Language::order). Pure functions, any
// thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace vizd::tinygrad {

enum class Ops : std::uint16_t {
  kSpecial = 1,
  kBuffer,
  kNoop,
  kRewriteError,
  kParam,
  kFunction,
  kCall,
  kProgram,
  kLinear,
  kSource,
  kBinary,
  kSink,
  kAfter,
  kGroup,
  kStack,
  kTuple,
  kGettuple,
  kGetaddr,
  kIndex,
  kShrink,
  kLoad,
  kStore,
  kWmma,
  kCast,
  kBitcast,
  kExp2,
  kLog2,
  kSin,
  kSqrt,
  kReciprocal,
  kNeg,
  kTrunc,
  kAdd,
  kMul,
  kShl,
  kShr,
  kCdiv,
  kMax,
  kCmod,
  kCmplt,
  kCmpne,
  kCmpeq,
  kXor,
  kOr,
  kAnd,
  kThreefry,
  kSub,
  kFdiv,
  kPow,
  kFloordiv,
  kFloormod,
  kWhere,
  kMulacc,
  kBarrier,
  kRange,
  kIf,
  kEnd,
  kEndif,
  kWait,
  kConst,
  kCustom,
  kCustomi,
  kIns,
  kContiguous,
  kContiguousBackward,
  kDetach,
  kStage,
  kCopy,
  kMselect,
  kMstack,
  kCustomFunction,
  kReshape,
  kPermute,
  kExpand,
  kPad,
  kFlip,
  kUnshard,
  kReduce,
  kAllreduce,
  kPyliteral,
  // Only in older versions.
  kDefineVar,
  kBind,
  kOpaque,  // no arithmetic: equal to itself only
  // Only in the releases of early 2026, under numbers of vizd's own; they are no arithmetic except kIdiv and kMod,
  // which expressions have as kCdiv and kCmod.
  kDefineGlobal,
  kDefineLocal,
  kDefineReg,
  kGep,
  kVectorize,
  kIdiv,
  kMod,
  kVconst,
  kUnique,
  kLunique,
  kDevice,
  kKernel,
  kAssign,
  kCustomKernel,
  kBufferize,
  kBufferView,
  kEncdec,
  kMulti,
  kReduceAxis,
  kUnroll,
  kContract,
  kCat,
  kPtrcat,
  kShapedWmma,
  kVcat,
};

inline constexpr std::uint16_t kExprOpsCount = static_cast<std::uint16_t>(Ops::kOpaque) + 1;

// A set of ops, as tinygrad's GroupOp has them.
class OpSet {
 public:
  OpSet() = default;
  OpSet(std::initializer_list<Ops> ops) {
    for (const Ops op : ops) bits_.set(static_cast<std::size_t>(op));
  }
  bool contains(Ops op) const {
    return static_cast<std::size_t>(op) < kExprOpsCount && bits_[static_cast<std::size_t>(op)];
  }
  bool empty() const { return bits_.none(); }
  // The one with the smallest number; of a set that is not empty.
  Ops first() const {
    std::size_t op = 0;
    while (!bits_[op]) ++op;
    return static_cast<Ops>(op);
  }
  std::size_t size() const { return bits_.count(); }
  OpSet without(const OpSet& other) const {
    OpSet set = *this;
    set.bits_ &= ~other.bits_;
    return set;
  }
  OpSet with(const OpSet& other) const {
    OpSet set = *this;
    set.bits_ |= other.bits_;
    return set;
  }

 private:
  std::bitset<kExprOpsCount> bits_;
};

bool is_unary(Ops op);
bool is_binary(Ops op);
bool is_broadcastable(Ops op);  // binary or ternary
bool is_alu(Ops op);            // unary, binary or ternary
bool is_movement(Ops op);
bool is_comparison(Ops op);
bool is_commutative(Ops op);
bool is_irreducible(Ops op);

// "+", "//", …; empty for ops that are not written between their operands.
std::string_view symbol_of(Ops op);

}  // namespace vizd::tinygrad
