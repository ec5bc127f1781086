// The ops of tinygrad at a9069c177a (2026-08, released as 0.14.0): their numbers, which are also the kinds of a
// capture's ops, their names, their groups, and the colours of tinygrad's own viewer. Pure functions, any thread.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace vizd::tinygrad_2026_08 {

// Numbered as tinygrad's uop/__init__.py numbers them: captures written by Python 3.12 and later hold the number.
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
};

inline constexpr std::uint16_t kOpsCount = 81;  // one past the last

// By number, from 1.
// clang-format off
inline constexpr std::array<std::string_view, kOpsCount - 1> kOpNames = {
    "SPECIAL", "BUFFER", "NOOP", "REWRITE_ERROR", "PARAM", "FUNCTION", "CALL", "PROGRAM", "LINEAR", "SOURCE",
    "BINARY", "SINK", "AFTER", "GROUP", "STACK", "TUPLE", "GETTUPLE", "GETADDR", "INDEX", "SHRINK", "LOAD", "STORE",
    "WMMA", "CAST", "BITCAST", "EXP2", "LOG2", "SIN", "SQRT", "RECIPROCAL", "NEG", "TRUNC", "ADD", "MUL", "SHL",
    "SHR", "CDIV", "MAX", "CMOD", "CMPLT", "CMPNE", "CMPEQ", "XOR", "OR", "AND", "THREEFRY", "SUB", "FDIV", "POW",
    "FLOORDIV", "FLOORMOD", "WHERE", "MULACC", "BARRIER", "RANGE", "IF", "END", "ENDIF", "WAIT", "CONST", "CUSTOM",
    "CUSTOMI", "INS", "CONTIGUOUS", "CONTIGUOUS_BACKWARD", "DETACH", "STAGE", "COPY", "MSELECT", "MSTACK",
    "CUSTOM_FUNCTION", "RESHAPE", "PERMUTE", "EXPAND", "PAD", "FLIP", "UNSHARD", "REDUCE", "ALLREDUCE", "PYLITERAL",
};
// clang-format on

// "ADD"; "UNKNOWN" where no op has this number.
std::string_view op_name(Ops op);
// "#rrggbb" (tinygrad's viz/serve.py uops_colors).
std::string_view op_colour(Ops op);

// A set of ops, as tinygrad's GroupOp has them.
class OpSet {
 public:
  OpSet() = default;
  OpSet(std::initializer_list<Ops> ops) {
    for (const Ops op : ops) bits_.set(static_cast<std::size_t>(op));
  }
  bool contains(Ops op) const {
    return static_cast<std::size_t>(op) < kOpsCount && bits_[static_cast<std::size_t>(op)];
  }
  bool empty() const { return bits_.none(); }
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
  std::bitset<kOpsCount> bits_;
};

bool is_unary(Ops op);
bool is_binary(Ops op);
bool is_broadcastable(Ops op);  // binary or ternary
bool is_alu(Ops op);            // unary, binary or ternary
bool is_movement(Ops op);
bool is_comparison(Ops op);
bool is_commutative(Ops op);
bool is_irreducible(Ops op);

}  // namespace vizd::tinygrad_2026_08
