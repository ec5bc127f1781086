#include "formats/tinygrad/v2026_08/dtype_rules.h"

#include <algorithm>

namespace vizd::tinygrad_2026_08 {
namespace {

DerivedDType derived(Scalar scalar) { return {DerivedDType::Kind::kDerived, scalar}; }
constexpr DerivedDType kRaises{DerivedDType::Kind::kRaises, Scalar::kVoid};

// ops.py promo_dtype
DerivedDType promoted_type(std::span<const Scalar> sources) {
  if (sources.empty()) return kRaises;
  if (std::ranges::all_of(sources, [&](Scalar s) { return s == sources[0]; })) return derived(sources[0]);
  Scalar upper = sources[0];
  for (const Scalar source : sources) {
    const auto next = least_upper(upper, source);
    if (!next) return kRaises;
    upper = *next;
  }
  return derived(upper);
}

}  // namespace

DerivedDType derive_dtype(Ops op, const DTypeSources& of) {
  const auto first = of.sources.empty() ? kRaises : derived(of.sources[0]);
  switch (op) {
    case Ops::kStore:
    case Ops::kLinear:
    case Ops::kSink:
    case Ops::kProgram:
    case Ops::kSource:
    case Ops::kEnd:
    case Ops::kBarrier:
    case Ops::kGroup:
    case Ops::kIf:
    case Ops::kEndif:
    case Ops::kTuple:
    case Ops::kFunction:
    case Ops::kCustomFunction:
    case Ops::kRewriteError:
      return derived(Scalar::kVoid);
    case Ops::kCall:
      return first.scalar == Scalar::kVoid ? first : DerivedDType{};
    case Ops::kCustom:
    case Ops::kCustomi:
    case Ops::kPyliteral:
    case Ops::kIns:
    case Ops::kNoop:
      return {};
    case Ops::kIndex:
      return of.reads_image ? derived(Scalar::kFloat32) : first;
    case Ops::kLoad:
    case Ops::kUnshard:
    case Ops::kReduce:
    case Ops::kAfter:
    case Ops::kRange:
    case Ops::kContiguous:
    case Ops::kContiguousBackward:
    case Ops::kCopy:
    case Ops::kStage:
    case Ops::kDetach:
    case Ops::kMstack:
    case Ops::kMselect:
    case Ops::kAllreduce:
    case Ops::kSpecial:
      return first;
    case Ops::kCmplt:
    case Ops::kCmpne:
    case Ops::kCmpeq:
      return derived(Scalar::kBool);
    case Ops::kSin:
    case Ops::kLog2:
    case Ops::kExp2:
    case Ops::kSqrt:
    case Ops::kReciprocal: {
      if (of.sources.empty()) return kRaises;
      if (of.is_invalid[0]) return derived(Scalar::kBool);
      const auto upper = least_upper_float(of.sources[0]);
      return upper ? derived(*upper) : kRaises;
    }
    case Ops::kWhere:
      return of.sources.empty() || of.sources[0] != Scalar::kBool ? kRaises : promoted_type(of.sources.subspan(1));
    case Ops::kStack:
      return of.sources.empty() ? derived(Scalar::kVoid) : promoted_type(of.sources);
    case Ops::kWmma:
      return of.sources.size() > 2 ? derived(of.sources[2]) : kRaises;
    case Ops::kGettuple:
      return of.element ? derived(*of.element) : kRaises;
    case Ops::kGetaddr:
      return derived(Scalar::kUint64);
    case Ops::kShl:
    case Ops::kShr:
      for (std::size_t i = 0; i < of.sources.size(); ++i) {
        if (!is_int(of.sources[i]) && !of.is_invalid[i]) return kRaises;
      }
      return first;
    case Ops::kBinary:
      return derived(Scalar::kUint8);
    case Ops::kBuffer:
    case Ops::kParam:
    case Ops::kCast:
    case Ops::kBitcast:
    case Ops::kConst:
      return of.argument ? derived(*of.argument) : kRaises;
    default:
      if (is_unary(op) || is_movement(op)) return first;
      return is_broadcastable(op) ? promoted_type(of.sources) : kRaises;
  }
}

}  // namespace vizd::tinygrad_2026_08
