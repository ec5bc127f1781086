// ComparedArguments, DurationBins: the launches behind a row of a comparison: how long they took on each side, on one
// scale, and the arguments (shapes, launch parameters) that both sides' launches and operators had. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/devices/kernel_comparison.h"

namespace vizd {

struct DurationBins {
  std::vector<double> edges_ns;                       // one more than bins, of equal ratio
  std::array<std::vector<std::int64_t>, 2> launches;  // of A and of B, by bin
};

// Each side's durations, sorted. No bins where there are none.
DurationBins bin_durations(const std::array<std::vector<std::int64_t>, 2>& durs_ns);

struct ComparedArgument {
  std::string name;
  bool is_of_operator = false;  // else of the launch itself
  struct Value {
    std::string text;
    std::int64_t launches = 0;
    bool operator==(const Value&) const = default;
  };
  std::array<std::vector<Value>, 2> sides;  // of A and of B; the most frequent first

  // Whether the sides have other values, however often.
  bool differs() const;
};

struct ComparedArguments {
  std::vector<ComparedArgument> arguments;  // by name, the launches' before the operators'
  std::vector<std::string> left_out;        // the names of those that have another value at nearly every launch
};

// launches: as find_launches() has them, of A and of B. Arguments that only number an event (its correlation, its
// thread) are none.
ComparedArguments compare_arguments(const ComparedProfile& a, const std::vector<std::uint32_t>& a_launches,
                                    const ComparedProfile& b, const std::vector<std::uint32_t>& b_launches);

}  // namespace vizd
