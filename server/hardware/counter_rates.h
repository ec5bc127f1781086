// Rates that follow from a run's counters, each with the formula that it comes from. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/counter_table.h"

namespace vizd::hardware {

struct DerivedRate {
  std::string_view name;  // "L2 hit rate"
  double percent = 0;
  std::string_view formula;  // in the counters' own names
};

// Returns the rates whose counters were recorded; a counter whose name differs between AMD's families has either name.
std::vector<DerivedRate> derived_rates(const CounterTable& table);

}  // namespace vizd::hardware
