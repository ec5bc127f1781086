// DeviceAnalysis: what tables of kernels, breakdowns and comparisons are made of, found once a capture. Refers to it.
// Made once; reading may be done by any thread.
#pragma once

#include "analysis/devices/device_work.h"
#include "analysis/devices/operators.h"
#include "analysis/devices/work_figures.h"

namespace vizd {

struct DeviceAnalysis {
  DeviceWork work;
  Operators operators;
  WorkFigures figures;

  std::size_t memory_bytes() const {
    return sizeof(*this) + work.items.capacity() * sizeof(WorkItem) + operators.of_item.values().owned_bytes() +
           figures.flop.memory_bytes() + figures.bytes.memory_bytes() + figures.bytes_copied.memory_bytes() +
           (work.calls.capacity() + operators.all.capacity()) * sizeof(ProfileEvent);
  }
};

inline DeviceAnalysis analyse_devices(const Capture& capture) {
  DeviceAnalysis analysis{find_work_of_ranks(capture), {}, {}};
  analysis.operators = find_operators(capture, analysis.work);
  analysis.figures = find_work_figures(capture, analysis.work, analysis.operators);
  return analysis;
}

}  // namespace vizd
