#include "hardware/counter_rates.h"

#include <algorithm>

#include "support/catch.h"

namespace vizd::hardware::counter_rates_test {
namespace {

CounterTotal total(std::string_view name, std::uint64_t sum, std::uint64_t count = 1) {
  CounterTotal made;
  made.name = name;
  made.sum = made.most = sum;
  made.count = count;
  return made;
}

double rate(const CounterTable& table, std::string_view name) {
  const auto rates = derived_rates(table);
  const auto found = std::ranges::find(rates, name, &DerivedRate::name);
  REQUIRE(found != rates.end());
  CHECK_FALSE(found->formula.empty());
  return found->percent;
}

TEST_CASE("counter rates: those whose counters are there, of either family's names") {
  CounterTable table;
  table.totals = {total("GL2C_HIT", 30),           total("GL2C_MISS", 10),          total("SQC_LDS_BANK_CONFLICT", 5),
                  total("SQC_LDS_IDX_ACTIVE", 50), total("SQ_BUSY_CYCLES", 200, 4), total("GRBM_GUI_ACTIVE", 100)};
  CHECK(rate(table, "L2 hit rate") == Approx(75));
  CHECK(rate(table, "LDS bank conflicts") == Approx(10));
  CHECK(rate(table, "Shaders busy") == Approx(50));
  CHECK(derived_rates(table).size() == 3);
  table.totals = {total("TCC_HIT", 1), total("TCC_MISS", 3)};
  CHECK(rate(table, "L2 hit rate") == Approx(25));
}

TEST_CASE("counter rates: nothing is said where nothing happened") {
  CounterTable table;
  table.totals = {total("GL2C_HIT", 0),          total("GL2C_MISS", 0),         total("SQ_LDS_BANK_CONFLICT", 0),
                  total("SQ_LDS_IDX_ACTIVE", 0), total("SQ_BUSY_CYCLES", 1, 0), total("GRBM_GUI_ACTIVE", 0)};
  CHECK(derived_rates(table).empty());
}

}  // namespace
}  // namespace vizd::hardware::counter_rates_test
