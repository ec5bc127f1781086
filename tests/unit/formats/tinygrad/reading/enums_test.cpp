#include "formats/tinygrad/reading/enums.h"

#include "formats/tinygrad/v2025_09/ops.h"
#include "support/catch.h"

namespace vizd::tinygrad {
namespace {

const EnumTable& table(Version version, std::string_view type_name) {
  for (const EnumTable& candidate : enum_tables(version)) {
    if (candidate.type_name == type_name) return candidate;
  }
  FAIL("no such enumeration");
  return enum_tables(version)[0];
}

TEST_CASE("members have the numbers that tinygrad gives them") {
  const EnumTable& old_ops = table(Version::k2025_09, "tinygrad.uop.Ops");
  CHECK(old_ops.names.size() == 90);
  CHECK(old_ops.number("NOOP") == 1);
  CHECK(old_ops.number("ADD") == 63);
  CHECK(old_ops.name(90) == "CUSTOMI");
  const EnumTable& new_ops = table(Version::k2026_08, "tinygrad.uop.Ops");
  CHECK(new_ops.names.size() == 80);
  CHECK(new_ops.number("ADD") == 33);
  CHECK(new_ops.name(80) == "PYLITERAL");
  CHECK(table(Version::k2025_09, "tinygrad.uop.ops.AxisType").number("THREAD") == 9);
  CHECK(table(Version::k2026_08, "tinygrad.uop.ops.AxisType").number("LOOP") == 12);
  CHECK(table(Version::k2025_09, "tinygrad.dtype.AddrSpace").number("REG") == 3);
  CHECK(table(Version::k2026_08, "tinygrad.dtype.AddrSpace").number("ALU") == 4);
  CHECK(table(Version::k2025_09, "tinygrad.codegen.opt.OptOps").number("SWAP") == 10);
}

TEST_CASE("numbers and names beyond an enumeration are nothing") {
  const EnumTable& ops = table(Version::k2025_09, "tinygrad.uop.Ops");
  CHECK_FALSE(ops.name(0).has_value());
  CHECK_FALSE(ops.name(91).has_value());
  CHECK_FALSE(ops.name(-1).has_value());
  CHECK_FALSE(ops.number("CALL").has_value());
}

TEST_CASE("the reader and the dialect number ops alike") {
  const auto names = op_names(Version::k2025_09);
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(tinygrad_2025_09::op_name(static_cast<tinygrad_2025_09::Ops>(i + 1)) == names[i]);
  }
}

}  // namespace
}  // namespace vizd::tinygrad
