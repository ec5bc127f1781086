#include "hardware/counter_table.h"

#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::hardware::counter_table_test {
namespace {

std::string numbers(std::initializer_list<std::uint64_t> values) {
  std::string bytes;
  for (const std::uint64_t value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

TEST_CASE("counters: numbers lie by XCC, instance, engine and array, a WGP after another", "[hardware]") {
  const std::string values = numbers({1, 2, 3, 4, 5, 6, 7, 8, 400});
  CounterRun run;
  run.samples = {{"SQ_INSTS_VALU", 1, 1, 2, 2, 2}, {"GRBM_GUI_ACTIVE", 1, 1, 1, 1, 1}};
  run.values = bytes_of(values);
  const auto table = counter_table(run);
  CHECK(table.problem.empty());
  const CounterTotal& issued = table.totals.at(0);
  CHECK(issued.sum == 36);
  CHECK(issued.most == 8);
  CHECK(issued.count == 8);
  REQUIRE(issued.rows.size() == 4);
  CHECK(issued.rows[3].engine == 1);
  CHECK(issued.rows[3].array == 1);
  CHECK(issued.rows[3].groups == std::vector<std::uint64_t>{7, 8});
  REQUIRE(table.rates.size() == 1);  // of the other's counters one is missing
  CHECK(table.rates[0].name == "VALU utilization");
  CHECK(table.rates[0].percent == 100 * 4.5 / 1600);
}

TEST_CASE("counters: those that were cut off are told of, those before them are there, and a rate by nothing is none",
          "[hardware]") {
  const std::string values = numbers({1, 0});
  CounterRun run;
  run.samples = {{"SQ_INSTS_VALU", 1, 1, 1, 1, 1}, {"GRBM_GUI_ACTIVE", 1, 1, 1, 1, 1}};
  run.values = bytes_of(values);
  CHECK(counter_table(run).rates.empty());
  run.samples.push_back({"TCC_HIT", 1u << 20, 1u << 20, 1u << 20, 1, 1});
  CHECK(counter_table(run).problem == "the counters end within TCC_HIT: the recording was cut off");
  CHECK(counter_table(run).totals.size() == 2);
  run.samples.back() = {"TCC_HIT", 8, 16, 0, 1, 1};
  CHECK(counter_table(run).totals.at(2).count == 0);
}

}  // namespace
}  // namespace vizd::hardware::counter_table_test
