#include "formats/tinygrad/v2025_09/estimates.h"

#include "formats/tinygrad/v2025_09/ops.h"
#include "support/catch.h"

namespace vizd::tinygrad_2025_09::estimates_test {
namespace {

// for i in range(n): out[i] = in[i] * in[i], as a kernel's linear code.
struct Kernel {
  Capture capture;
  std::vector<ValueId> code;

  OpId op(Ops kind, ValueId dtype, const std::vector<OpId>& src, ValueId arg = kNoneValue) {
    const OpId id = capture.ops.add(static_cast<std::uint16_t>(kind), dtype, src, arg, kNoneValue);
    code.push_back(capture.values.op(id));
    return id;
  }
  ValueId plain(const char* name, std::int64_t size_bytes) {
    auto& v = capture.values;
    const ValueId fields[] = {v.string("itemsize"), v.integer(size_bytes), v.string("name"),
                              v.string(name),       v.string("count"),     v.integer(1)};
    return v.object("tinygrad.dtype.DType", fields);
  }
  ValueId pointer(std::int64_t elements) {
    auto& v = capture.values;
    const ValueId space = v.member("tinygrad.dtype.AddrSpace", "GLOBAL", 1);
    const ValueId fields[] = {v.string("itemsize"),  v.integer(4), v.string("name"),  v.string("float"),
                              v.string("count"),     v.integer(1), v.string("_base"), plain("float", 4),
                              v.string("addrspace"), space,        v.string("size"),  v.integer(elements)};
    return v.object("tinygrad.dtype.PtrDType", fields);
  }
  ValueId square_code(bool symbolic) {
    auto& v = capture.values;
    const ValueId number = plain("int", 4), real = plain("float", 4), array = pointer(100);
    const OpId in = op(Ops::kDefineGlobal, array, {}, v.integer(0));
    const OpId out = op(Ops::kDefineGlobal, array, {}, v.integer(1));
    const ValueId variable[] = {v.string("n"), v.integer(1), v.integer(100)};
    const OpId end = symbolic ? op(Ops::kDefineVar, number, {}, v.sequence(ValueKind::kTuple, variable))
                              : op(Ops::kConst, number, {}, v.integer(100));
    const OpId i = op(Ops::kRange, number, {end}, v.integer(0));
    const OpId twice = op(Ops::kMul, number, {i, i});  // finds an address: no work
    const OpId from = op(Ops::kIndex, array, {in, twice});
    const OpId x = op(Ops::kLoad, real, {from});
    const OpId square = op(Ops::kMul, real, {x, x});
    op(Ops::kStore, real, {op(Ops::kIndex, array, {out, i}), square});
    op(Ops::kEndrange, real, {i});
    return v.sequence(ValueKind::kList, code);
  }
};

}  // namespace

TEST_CASE("a kernel's work is what its loops do, without what finds addresses") {
  Kernel kernel;
  const auto found = estimate(kernel.capture, kernel.square_code(false), kNoneValue);
  REQUIRE(found);
  CHECK(found->operations == 100);
  CHECK(found->load_store_bytes == 100 * (4 + 4));
  CHECK(found->memory_bytes == 2 * 100 * 4);
}

TEST_CASE("a kernel's work follows the variables of its execution") {
  Kernel kernel;
  auto& v = kernel.capture.values;
  const ValueId code = kernel.square_code(true);
  const ValueId pairs[] = {v.string("n"), v.integer(7)};
  const auto found = estimate(kernel.capture, code, v.sequence(ValueKind::kDict, pairs));
  REQUIRE(found);
  CHECK(found->operations == 7);
  CHECK_FALSE(estimate(kernel.capture, code, kNoneValue));  // n is not set
}

TEST_CASE("a loop's end may be a shifted variable") {
  Kernel kernel;
  auto& v = kernel.capture.values;
  const ValueId number = kernel.plain("int", 4);
  const ValueId variable[] = {v.string("n"), v.integer(1), v.integer(8)};
  const OpId n = kernel.op(Ops::kDefineVar, number, {}, v.sequence(ValueKind::kTuple, variable));
  const OpId one = kernel.op(Ops::kConst, number, {}, v.integer(1));
  const OpId i = kernel.op(Ops::kRange, number, {kernel.op(Ops::kShl, number, {n, one})}, v.integer(0));
  kernel.op(Ops::kMul, number, {i, i});
  kernel.op(Ops::kEndrange, number, {i});
  const ValueId pairs[] = {v.string("n"), v.integer(4)};
  const auto found =
      estimate(kernel.capture, v.sequence(ValueKind::kList, kernel.code), v.sequence(ValueKind::kDict, pairs));
  REQUIRE(found);
  CHECK(found->operations == 1 + 2 * 4);  // the shift itself, and the product eight times
}

TEST_CASE("code that cannot be counted has no estimate") {
  Kernel kernel;
  const ValueId not_an_op[] = {kernel.capture.values.integer(1)};
  CHECK_FALSE(estimate(kernel.capture, kernel.capture.values.sequence(ValueKind::kList, not_an_op), kNoneValue));
  kernel.op(Ops::kEndrange, kNoneValue, {});  // ends what did not begin
  CHECK_FALSE(estimate(kernel.capture, kernel.capture.values.sequence(ValueKind::kList, kernel.code), kNoneValue));
  const auto nothing = estimate(kernel.capture, kNoneValue, kNoneValue);  // a program without code, as the reference
  REQUIRE(nothing);
  CHECK(nothing->operations == 0);
}

}  // namespace vizd::tinygrad_2025_09::estimates_test
