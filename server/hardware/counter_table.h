// Hardware counters of one run of a program, summed up and instance by instance, and what follows from them. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/records.h"

namespace vizd::hardware {

// The numbers of one place: a shader array, or an instance of a block.
struct CounterRow {
  std::uint32_t xcc = 0, instance = 0, engine = 0, array = 0;
  std::vector<std::uint64_t> groups;  // one for each WGP of it
};

struct CounterTotal {
  std::string_view name;
  std::uint64_t sum = 0, most = 0, count = 0;
  std::uint32_t groups = 0;  // of each row
  std::vector<CounterRow> rows;
};

// A rate that follows from counters: "VALU utilization", in percent.
struct CounterRate {
  std::string_view name;
  double percent = 0;
};

struct CounterTable {
  std::vector<CounterTotal> totals;  // as far as the run has numbers
  std::string problem;               // why there are no more; nothing where it has all that its samples say
  std::vector<CounterRate> rates;    // those whose counters were recorded

  const CounterTotal* find(std::string_view name) const {
    for (const CounterTotal& total : totals) {
      if (total.name == name) return &total;
    }
    return nullptr;
  }
};

CounterTable counter_table(const CounterRun& run);

}  // namespace vizd::hardware
