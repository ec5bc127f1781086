#include "formats/tinygrad/v2026_08/dtype_rules.h"

#include <array>

#include "support/catch.h"

namespace vizd::tinygrad_2026_08::dtype_rules_test {
namespace {

using Kind = DerivedDType::Kind;

// "float", or "raises", or "kept".
std::string_view derived(Ops op, std::initializer_list<Scalar> sources, DTypeSources of = {}) {
  constexpr std::array<bool, 4> kValid{};
  of.sources = std::span(sources.begin(), sources.size());
  if (of.is_invalid.empty()) of.is_invalid = std::span(kValid).first(sources.size());
  const DerivedDType found = derive_dtype(op, of);
  if (found.kind == Kind::kRaises) return "raises";
  return found.kind == Kind::kKept ? "kept" : scalar_info(found.scalar).name;
}

}  // namespace

TEST_CASE("operands of 2026-08 are brought to one dtype") {
  CHECK(derived(Ops::kAdd, {Scalar::kFloat32, Scalar::kFloat32}) == "float");
  CHECK(derived(Ops::kAdd, {Scalar::kInt8, Scalar::kUint8}) == "short");
  CHECK(derived(Ops::kMulacc, {Scalar::kFloat16, Scalar::kFloat16, Scalar::kFloat32}) == "float");
  CHECK(derived(Ops::kAdd, {Scalar::kVoid, Scalar::kInt32}) == "raises");
  CHECK(derived(Ops::kAdd, {}) == "raises");
  CHECK(derived(Ops::kStack, {Scalar::kWeakint, Scalar::kInt32}) == "int");
  CHECK(derived(Ops::kStack, {}) == "void");
}

TEST_CASE("comparisons of 2026-08 give a bool, and choices want one") {
  CHECK(derived(Ops::kCmplt, {Scalar::kFloat32, Scalar::kFloat32}) == "bool");
  CHECK(derived(Ops::kWhere, {Scalar::kBool, Scalar::kFloat16, Scalar::kFloat32}) == "float");
  CHECK(derived(Ops::kWhere, {Scalar::kInt32, Scalar::kFloat32, Scalar::kFloat32}) == "raises");
}

TEST_CASE("functions of floats make a float of 2026-08, or a bool of Invalid") {
  constexpr std::array<bool, 1> kInvalid{true};
  CHECK(derived(Ops::kSin, {Scalar::kInt32}) == "float");
  CHECK(derived(Ops::kSqrt, {Scalar::kFloat16}) == "half");
  CHECK(derived(Ops::kReciprocal, {Scalar::kWeakint}) == "weakfloat");
  CHECK(derived(Ops::kExp2, {Scalar::kBool}, {.is_invalid = kInvalid}) == "bool");
  CHECK(derived(Ops::kNeg, {Scalar::kInt8}) == "char");
}

TEST_CASE("bits of 2026-08 are moved in integers alone") {
  constexpr std::array<bool, 2> kFirstInvalid{true, false};
  CHECK(derived(Ops::kShl, {Scalar::kUint32, Scalar::kInt32}) == "uint");
  CHECK(derived(Ops::kShr, {Scalar::kFloat32, Scalar::kInt32}) == "raises");
  CHECK(derived(Ops::kShr, {Scalar::kBool, Scalar::kInt32}, {.is_invalid = kFirstInvalid}) == "bool");
}

TEST_CASE("what an op of 2026-08 says of its dtype holds") {
  CHECK(derived(Ops::kCast, {Scalar::kInt32}, {.argument = Scalar::kFloat16}) == "half");
  CHECK(derived(Ops::kParam, {Scalar::kWeakint}, {.argument = Scalar::kFloat32}) == "float");
  CHECK(derived(Ops::kConst, {}) == "raises");
  CHECK(derived(Ops::kGettuple, {Scalar::kVoid}, {.element = Scalar::kInt64}) == "long");
  CHECK(derived(Ops::kGettuple, {Scalar::kVoid}) == "raises");
  CHECK(derived(Ops::kCustom, {Scalar::kFloat32}) == "kept");
}

TEST_CASE("an op of 2026-08 that passes its first source on has that dtype") {
  CHECK(derived(Ops::kReshape, {Scalar::kFloat16, Scalar::kWeakint}) == "half");
  CHECK(derived(Ops::kLoad, {Scalar::kInt8}) == "char");
  CHECK(derived(Ops::kIndex, {Scalar::kFloat16, Scalar::kWeakint}) == "half");
  CHECK(derived(Ops::kIndex, {Scalar::kFloat16, Scalar::kWeakint}, {.reads_image = true}) == "float");
  CHECK(derived(Ops::kWmma, {Scalar::kFloat16, Scalar::kFloat16, Scalar::kFloat32}) == "float");
  CHECK(derived(Ops::kWmma, {Scalar::kFloat16}) == "raises");
  CHECK(derived(Ops::kCall, {Scalar::kVoid}) == "void");
  CHECK(derived(Ops::kCall, {Scalar::kFloat32}) == "kept");
  CHECK(derived(Ops::kSink, {Scalar::kVoid}) == "void");
  CHECK(derived(Ops::kBinary, {}) == "uchar");
  CHECK(derived(Ops::kGetaddr, {Scalar::kFloat32}) == "ulong");
}

}  // namespace vizd::tinygrad_2026_08::dtype_rules_test
