// ComparedPair: the two captures that a request compares: B, which it is about, and A, the one before, which ?with=
// names; with what their devices did in the request's scope.
#pragma once

#include <memory>

#include "analysis/devices/comparison_verdict.h"
#include "http/routes/device_answer.h"

namespace vizd {

struct ComparedPair {
  Loaded a, b;

  const Capture& before() const { return a->capture; }
  const Capture& after() const { return b->capture; }
};
Result<ComparedPair> pair_of(const Request& request, const Services& services);

// The work of one of them, which is waited for.
struct ScopedSide {
  Loaded loaded;
  std::shared_ptr<const DeviceAnalysis> work, broken_down;  // of the scope, and what breakdowns in it are made of
  BreakdownOptions options;

  ComparedProfile profile() const { return {loaded->capture, work->work, work->operators}; }
  JudgedSide judged() const { return {loaded->capture, broken_down->work, options}; }
};
struct ComparedDevices {
  ScopedSide a, b;
  KernelJoin join = KernelJoin::kName;
};
// join: as ?by= says.
Result<ComparedDevices> compared_devices_of(const Request& request, const Services& services);

}  // namespace vizd
