// WorkScope: the part of the devices' work that an answer is about: a range of time, a step, a rank, a device, a
// kernel. docs/figures.md defines each. Answers do not know scopes: they are made of the analysis of the work in the
// scope. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "analysis/devices/device_breakdown.h"

namespace vizd {

struct WorkScope {
  std::optional<std::int64_t> from_ns = {}, to_ns = {};  // after the profile's start
  std::optional<std::int64_t> step = {};                 // its number
  std::optional<std::string> rank = {}, device = {};     // as the rows of answers tell them
  std::optional<std::string> kernel = {};                // its whole name; copies and sets have names too

  bool operator==(const WorkScope&) const = default;
  bool is_all() const { return *this == WorkScope{}; }

  // A row's share is of all the work of its device: a table chooses the kernel itself.
  WorkScope without_kernel() const;
  // Whether a device is idle depends on all that runs on it, and on what runs around the range or the step: a breakdown
  // takes these themselves (breakdown_options), and is of all kernels.
  WorkScope of_breakdowns() const;
  BreakdownOptions breakdown_options(const Profile& profile) const;
  // The range, in the profile's times and within the profile; none where the scope has none.
  std::optional<WorkRange> range_in(const Profile& profile) const;
  // Different for different scopes.
  std::string key() const;
};

// By DeviceWork::items: whether any of it is in the scope.
std::vector<bool> items_in_scope(const Capture& capture, const DeviceWork& work, const WorkScope& scope);

// The work in the scope: what reaches beyond the range is cut to it, and its arithmetic and bytes count in proportion.
// Devices and streams stay those of the whole, at their places.
DeviceAnalysis in_scope(const Capture& capture, const DeviceAnalysis& whole, const WorkScope& scope);

}  // namespace vizd
