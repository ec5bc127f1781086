// ComparedKernel: one kernel of two profiles joined: how often and how long it ran in each. Ranks and devices are
// summed. Where rows are of operators, a call is what is compared, with all that it launched. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/devices/device_work.h"
#include "analysis/devices/operators.h"

namespace vizd {

// By the exact name; by family (analysis/devices/kernel_names.h), for builds that differ; by operator, for devices that
// do; by the exact name and the how manieth launch of that name it is in its step on its device (or in the whole
// profile, where there are no steps); by operator and the types, layouts and shapes of its inputs.
enum class KernelJoin : std::uint8_t { kName, kFamily, kOperator, kOccurrence, kShapes };
inline constexpr std::string_view kKernelJoinNames[] = {"name", "family", "operator", "occurrence", "shapes"};
std::optional<KernelJoin> kernel_join(std::string_view word);

// Whether rows are of operators, whatever these launched.
constexpr bool is_of_operators(KernelJoin join) { return join == KernelJoin::kOperator || join == KernelJoin::kShapes; }

struct ComparedKernel {
  EventRole work = EventRole::kNone;  // kNone where rows are of operators
  std::string name;                   // "" for work of no known operator
  std::int64_t occurrence = 0;        // of kOccurrence, from 1
  struct Side {
    std::int64_t launches = 0, total_ns = 0;
    std::int64_t calls = 0;  // of operators, that launched any work
    double median_ns = 0;    // of a launch, or a call
  } a, b;
  // Where both sides have enough of these: between what the change of the median lies with 95 % likelihood.
  std::optional<std::pair<double, double>> median_change_ns;

  std::int64_t delta_launches() const { return b.launches - a.launches; }
  std::int64_t delta_total_ns() const { return b.total_ns - a.total_ns; }
  // None where A has none, or it took no time.
  std::optional<double> total_ratio() const;
  // By how much longer B's median launch, or call, takes than A's; none where either side has none, or A's took no
  // time.
  std::optional<double> slowdown_percent() const;
  // Whether that is more than the limit, and no chance as far as the launches tell.
  bool is_slower_by(double most_percent) const;
  // "added", "removed" or "both".
  std::string_view state() const;
};

struct ComparedProfile {
  const Capture& capture;
  const DeviceWork& work;
  const Operators& operators;
};

// The greatest change comes first.
std::vector<ComparedKernel> compare_kernels(const ComparedProfile& a, const ComparedProfile& b, KernelJoin join);

// The launches of one side that a row stands for, known by its work, name and occurrence: places in DeviceWork::items,
// by time.
std::vector<std::uint32_t> find_launches(const ComparedProfile& profile, KernelJoin join, const ComparedKernel& row);

}  // namespace vizd
