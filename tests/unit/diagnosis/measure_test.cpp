// Assertions: what they say, what is wrong with them, and whether they hold.
#include "diagnosis/measure.h"

#include "support/analysed_trace.h"

namespace vizd::measure_test {
namespace {

TEST_CASE("an assertion is a measure, a relation and a number in the measure's unit") {
  const auto limit = [](std::string_view text) {
    const auto parsed = parse_assertion(text);
    REQUIRE(parsed);
    return parsed->limit;
  };
  CHECK(limit("kernels.total < 12ms") == 12e6);
  CHECK(limit("kernels.total<=1.5 s") == 1.5e9);
  CHECK(limit("devices.busy >= 90%") == 90);
  CHECK(limit("memory.peak < 2 GiB") == 2147483648.0);
  CHECK(limit("kernels.count == 3") == 3);
  const auto named = parse_assertion("kernel.total(void f<a, b>(int)) > 5us");
  REQUIRE(named);
  CHECK(named->argument == "void f<a, b>(int)");
  CHECK(named->relation == Assertion::Relation::kMore);
  for (const std::string_view wrong :
       {"kernels.total", "kernels.nope < 1", "kernels.total < 12", "kernels.total < 12GB", "kernels.count < 3ms",
        "kernels.total < ms", "kernel.total < 1ms", "kernels.total(x) < 1ms", "kernels.total ! 5ms", "< 5", ""})
    CHECK(!parse_assertion(wrong));
}

TEST_CASE("a word is an assertion where it begins with a measure's form, and no file's name is one") {
  CHECK(looks_like_assertion("kernels.total < 12ms"));
  CHECK(looks_like_assertion("kernels.nope<1"));
  for (const std::string_view file : {"trace.json", "a<b", "dir/a.b=c", "run=3.json", "-", ""})
    CHECK(!looks_like_assertion(file));
}

TEST_CASE("what is so holds, and what is not known does not") {
  const Analysed trace(kernel("gemm", 7, 0, 100, "") + kernel("relu", 7, 150, 50, ""));
  const DevicePeaks peaks;
  const Examined examined({trace.capture, trace.analysis, peaks});
  const auto verdict = [&](std::string_view text) {
    const auto parsed = parse_assertion(text);
    REQUIRE(parsed);
    return judge(*parsed, examined);
  };
  CHECK(verdict("kernels.total == 150us").holds);
  CHECK(verdict("kernels.count == 2").holds);
  CHECK(verdict("kernels.longest <= 100us").holds);
  CHECK(verdict("kernel.total(relu) < 51us").holds);
  CHECK(verdict("kernel.count(nope) == 0").holds);
  CHECK(verdict("devices.busy == 75%").holds);
  CHECK(verdict("idle.total != 0ns").holds);
  const Verdict more = verdict("kernels.total > 1ms");
  CHECK(!more.holds);
  CHECK(more.reason == "it is 150 us");
  CHECK(verdict("kernel.mean(nope) < 1s").reason.starts_with("none: no launch of nope"));
  const Verdict unknown = verdict("idle.host < 1s");
  CHECK(!unknown.holds);
  CHECK(unknown.reason.starts_with("not recorded: no host call"));
  CHECK(!verdict("step.median < 1s").holds);
}

}  // namespace
}  // namespace vizd::measure_test
