#include "hardware/counter_rates.h"

#include <algorithm>
#include <optional>

namespace vizd::hardware {
namespace {

std::optional<double> sum_of(const CounterTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.totals, name, &CounterTotal::name);
  return found == table.totals.end() ? std::nullopt : std::optional(static_cast<double>(found->sum));
}

struct Hits {
  std::string_view hits, misses, formula;
};
constexpr Hits kCaches[] = {{"GL2C_HIT", "GL2C_MISS", "100 · GL2C_HIT / (GL2C_HIT + GL2C_MISS)"},
                            {"TCC_HIT", "TCC_MISS", "100 · TCC_HIT / (TCC_HIT + TCC_MISS)"}};

struct Ratio {
  std::string_view name, part, whole, formula;
};
constexpr Ratio kRatios[] = {
    {"LDS bank conflicts", "SQC_LDS_BANK_CONFLICT", "SQC_LDS_IDX_ACTIVE",
     "100 · SQC_LDS_BANK_CONFLICT / SQC_LDS_IDX_ACTIVE: cycles lost, of those in which LDS was indexed"},
    {"LDS bank conflicts", "SQ_LDS_BANK_CONFLICT", "SQ_LDS_IDX_ACTIVE",
     "100 · SQ_LDS_BANK_CONFLICT / SQ_LDS_IDX_ACTIVE: cycles lost, of those in which LDS was indexed"},
};

// The share of the time in which the graphics pipe was active that the shaders' sequencers had work.
std::optional<double> shaders_busy(const CounterTable& table) {
  const auto busy = std::ranges::find(table.totals, "SQ_BUSY_CYCLES", &CounterTotal::name);
  const auto active = std::ranges::find(table.totals, "GRBM_GUI_ACTIVE", &CounterTotal::name);
  if (busy == table.totals.end() || active == table.totals.end() || busy->count == 0 || active->most == 0)
    return std::nullopt;
  return 100 * static_cast<double>(busy->sum) / (static_cast<double>(busy->count) * static_cast<double>(active->most));
}

}  // namespace

std::vector<DerivedRate> derived_rates(const CounterTable& table) {
  constexpr std::string_view kUtilization[] = {
      "100 · (SQ_INSTS_VALU / its numbers) / (4 · the largest GRBM_GUI_ACTIVE): instructions a cycle and SIMD",
      "100 · (SQ_INSTS_SALU / its numbers) / (4 · the largest GRBM_GUI_ACTIVE): instructions a cycle and SIMD"};
  std::vector<DerivedRate> rates;
  for (const CounterRate& rate : table.rates)
    rates.push_back({rate.name, rate.percent, kUtilization[rate.name.starts_with("SALU")]});
  for (const auto& [hits, misses, formula] : kCaches) {
    const auto hit = sum_of(table, hits), missed = sum_of(table, misses);
    if (hit && missed && *hit + *missed > 0) rates.push_back({"L2 hit rate", 100 * *hit / (*hit + *missed), formula});
  }
  for (const auto& [name, part, whole, formula] : kRatios) {
    const auto of = sum_of(table, part), all = sum_of(table, whole);
    if (of && all && *all > 0) rates.push_back({name, 100 * *of / *all, formula});
  }
  if (const auto busy = shaders_busy(table)) {
    rates.push_back(
        {"Shaders busy", *busy,
         "100 · SQ_BUSY_CYCLES / (its numbers · the largest GRBM_GUI_ACTIVE): how long a sequencer had work"});
  }
  return rates;
}

}  // namespace vizd::hardware
