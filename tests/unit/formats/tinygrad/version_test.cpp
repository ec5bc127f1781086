#include "formats/tinygrad/version.h"

#include <set>

#include "formats/tinygrad/v2025_09/version.h"
#include "formats/tinygrad/v2026_08/version.h"
#include "support/catch.h"

namespace vizd::tinygrad::version_test {
namespace {

const Version& kOld = tinygrad_2025_09::kVersion;
const Version& kNew = tinygrad_2026_08::kVersion;

const EnumTable& table(const Version& version, std::string_view type_name) {
  for (const EnumTable& candidate : version.enums) {
    if (candidate.type_name == type_name) return candidate;
  }
  FAIL("no such enumeration");
  return version.enums[0];
}

TEST_CASE("members have the numbers that tinygrad gives them") {
  const EnumTable& old_ops = table(kOld, "tinygrad.uop.Ops");
  CHECK(old_ops.names.size() == 90);
  CHECK(old_ops.number("NOOP") == 1);
  CHECK(old_ops.number("ADD") == 63);
  CHECK(old_ops.name(90) == "CUSTOMI");
  const EnumTable& new_ops = table(kNew, "tinygrad.uop.Ops");
  CHECK(new_ops.names.size() == 80);
  CHECK(new_ops.number("ADD") == 33);
  CHECK(new_ops.name(80) == "PYLITERAL");
  CHECK(table(kOld, "tinygrad.uop.ops.AxisType").number("THREAD") == 9);
  CHECK(table(kNew, "tinygrad.uop.ops.AxisType").number("LOOP") == 12);
  CHECK(table(kOld, "tinygrad.dtype.AddrSpace").number("REG") == 3);
  CHECK(table(kNew, "tinygrad.dtype.AddrSpace").number("ALU") == 4);
  CHECK(table(kOld, "tinygrad.codegen.opt.OptOps").number("SWAP") == 10);
}

TEST_CASE("members of a FastEnum are numbered behind those of Ops") {
  const EnumTable& x86 = table(tinygrad_2026_08::kRelease, "tinygrad.renderer.isa.x86.X86Ops");
  CHECK(x86.number("FRAME_INDEX") == 80);
  CHECK(x86.name(233) == "RET");
  CHECK_FALSE(x86.name(79).has_value());
  CHECK_FALSE(x86.name(234).has_value());
  CHECK(table(kNew, "tinygrad.renderer.isa.x86.X86Ops").number("FRAME_INDEX") == 81);
}

TEST_CASE("numbers and names beyond an enumeration are nothing") {
  const EnumTable& ops = table(kOld, "tinygrad.uop.Ops");
  CHECK_FALSE(ops.name(0).has_value());
  CHECK_FALSE(ops.name(91).has_value());
  CHECK_FALSE(ops.name(-1).has_value());
  CHECK_FALSE(ops.number("CALL").has_value());
}

TEST_CASE("each version has a row of its own, the oldest first") {
  std::set<std::string_view> formats;
  std::string_view last;
  for (const Version* version : versions()) {
    CHECK(version->month > last);
    last = version->month;
    CHECK(formats.insert(version->format).second);
    CHECK(version_by_format(version->format) == version);
    CHECK(version->enums[0].type_name == "tinygrad.uop.Ops");  // whose numbers are the ops' kinds
  }
  CHECK(version_by_format("tinygrad") == nullptr);
}

}  // namespace
}  // namespace vizd::tinygrad::version_test
