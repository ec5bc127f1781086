// The ops of tinygrad at 461e9becec (2025-09): their numbers, which are also the kinds of a capture's ops, their names,
// and the colours of tinygrad's own viewer. Pure functions, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd::tinygrad_2025_09 {

// Numbered as tinygrad's uop/__init__.py numbers them: captures written by Python 3.12 and later hold the number.
enum class Ops : std::uint16_t {
  kNoop = 1,
  kSink,
  kUnique,
  kDevice,
  kKernel,
  kPrecast,
  kRewriteError,
  kChild,
  kChildren,
  kCopy,
  kBuffer,
  kBufferView,
  kMselect,
  kMstack,
  kBufferize,
  kContiguous,
  kContiguousBackward,
  kDetach,
  kFuse,
  kRealize,
  kBlock,
  kBlockstart,
  kBlockend,
  kBlockfinal,
  kReshape,
  kPermute,
  kExpand,
  kPad,
  kShrink,
  kFlip,
  kMulti,
  kView,
  kValid,
  kDefineGlobal,
  kDefineLocal,
  kDefineReg,
  kDefineVar,
  kBind,
  kSpecial,
  kReduceAxis,
  kReduce,
  kAllreduce,
  kUnroll,
  kContract,
  kGep,
  kVectorize,
  kCat,
  kPtrcat,
  kCast,
  kBitcast,
  kExp2,
  kLog2,
  kSin,
  kSqrt,
  kRecip,
  kNeg,
  kTrunc,
  kLoad,
  kStore,
  kAssign,
  kWmma,
  kIndex,
  kAdd,
  kMul,
  kShl,
  kShr,
  kIdiv,
  kMax,
  kMod,
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
  kWhere,
  kMulacc,
  kBarrier,
  kRange,
  kIf,
  kEndrange,
  kEndif,
  kVconst,
  kConst,
  kCustom,
  kCustomi,
};

inline constexpr std::uint16_t kOpsCount = 91;  // one past the last

// By number, from 1.
extern const std::array<std::string_view, kOpsCount - 1> kOpNames;

// "ADD"; "UNKNOWN" where no op has this number.
std::string_view op_name(Ops op);
// "#rrggbb" (tinygrad's viz/serve.py uops_colors).
std::string_view op_colour(Ops op);
std::optional<Ops> op_by_name(std::string_view name);
// RESHAPE to FLIP: ops that only say where elements lie.
constexpr bool is_movement(Ops op) { return op >= Ops::kReshape && op <= Ops::kFlip; }

}  // namespace vizd::tinygrad_2025_09
