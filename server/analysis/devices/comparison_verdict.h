// ComparisonVerdict: whether one profile is slower than another, and by how much; in which class of work the time went,
// and which rows of the comparison it went to. docs/figures.md has the definitions. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_comparison.h"

namespace vizd {

// The classes that a device's time is divided into completely.
inline constexpr std::array<std::string_view, 5> kTimeClasses = {"compute", "communication", "memory", "idle",
                                                                 "not recorded"};

struct ComparisonVerdict {
  struct Side {
    double dur_ns = 0;
    std::int64_t count = 0;  // of steps, or of devices
    // They add up to the duration: of the median step, of its average device; else of an average device.
    std::array<double, kTimeClasses.size()> classes_ns{};
  } a, b;
  // Whether a side is its median step; else the time from first work to last of an average device.
  bool is_of_steps = false;
  // For steps, if both sides have enough of them: the 95 % confidence interval of the change.
  std::optional<std::pair<double, double>> range_ns;
  // The rows that changed most in the verdict's direction, the first the most: place among the rows, and by how much;
  // of steps, by how much in each.
  struct Cause {
    std::size_t row = 0;
    double change_ns = 0;
  };
  std::vector<Cause> causes;

  double change_ns() const { return b.dur_ns - a.dur_ns; }
  double change_percent() const { return 100 * change_ns() / a.dur_ns; }
  // "slower", "faster", or "same" where the change may as well be none.
  std::string_view word() const;
  // The place in kTimeClasses of the class that changed most in the verdict's direction.
  std::size_t main_class() const;
};

struct JudgedSide {
  const Capture& capture;
  const DeviceWork& work;  // what breakdowns are made of
  BreakdownOptions options = {};
};

// None where a side's devices did no work. rows: those of the same two. Of a range of time it is never of steps.
std::optional<ComparisonVerdict> judge_comparison(const JudgedSide& a, const JudgedSide& b,
                                                  const std::vector<ComparedKernel>& rows);

}  // namespace vizd
