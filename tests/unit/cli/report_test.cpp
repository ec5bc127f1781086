// What changed from one profile to another, as one page.
#include "cli/command_line/report.h"

#include "cli/devices/compare_report.h"
#include "support/catch.h"

namespace vizd::report_test {
namespace {

ComparedKernel compared(const std::string& name, std::int64_t a_ns, std::int64_t b_ns) {
  ComparedKernel row;
  row.work = EventRole::kKernel;
  row.name = name;
  row.a = {.launches = a_ns > 0, .total_ns = a_ns, .median_ns = static_cast<double>(a_ns)};
  row.b = {.launches = b_ns > 0, .total_ns = b_ns, .median_ns = static_cast<double>(b_ns)};
  return row;
}

Report made() {
  DeviceBreakdown breakdown;
  breakdown.end_ns = 2'000'000;
  breakdown.busy_ns = breakdown.compute_ns = 1'500'000;
  breakdown.idle_host_ns = 500'000;
  const ComparedSide a{"before", {breakdown}}, b{"after", {breakdown}};
  return compare_report(
      a, b,
      {compared("gemm<|`a`|>", 1'000'000, 1'200'000), compared("<b>new</b>", 0, 50'000), compared("gone", 40'000, 0)},
      ComparisonVerdict{.a = {.dur_ns = 2e6, .count = 1, .classes_ns = {1e6}},
                        .b = {.dur_ns = 2.2e6, .count = 1, .classes_ns = {1.2e6}},
                        .range_ns = {},
                        .causes = {}},
      {{"gemm", {{"devectorize", "rules.py", 12, 3, 5}}}}, 3);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("a report says what changed first, then where") {
  const std::string text = made().markdown();
  INFO(text);
  CHECK(has(text,
            "## before → after\n\n**Slower by 10.0 %: 2.00 ms before, 2.20 ms after (from the device's first work to "
            "the end of its last)**"));
  CHECK(has(text, "All device work 1.04 ms → 1.25 ms (+210 us, +20.2 %)"));
  CHECK(has(text, "Beyond the limit of +3.0 %"));
  CHECK(has(text, "1 kernels in both, 1 added, 1 removed"));
  CHECK(has(text, "### Slower"));
  CHECK_FALSE(has(text, "### Faster"));
  CHECK(has(text, "Of an average device: compute +200 us"));
  // No ratio against nothing.
  CHECK(has(text, "| `gone` | 1 → 0 | 40.0 us |  | -40.0 us | removed |"));
  CHECK(has(text, "| **+200 us** |"));
  CHECK(has(text, "<summary>Rewrites that differ for gemm</summary>"));
  CHECK(has(text, "| `devectorize` | `rules.py:12` | 3 | 5 | +2 |"));
}

TEST_CASE("names of kernels are nothing but text in a report") {
  const Report report = made();
  CHECK(has(report.markdown(), "| `` gemm<\\|`a`\\|> `` |"));
  const std::string html = report.html();
  CHECK(has(html, "&lt;b&gt;new&lt;/b&gt;"));
  CHECK_FALSE(has(html, "<b>new</b>"));
  CHECK_FALSE(has(html, "<script"));
  CHECK_FALSE(has(html, "http"));  // it needs nothing else
}

}  // namespace
}  // namespace vizd::report_test
