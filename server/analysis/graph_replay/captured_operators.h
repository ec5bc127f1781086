// What captures say of replayed work as tables of kernels want it: the operator that launched it, its module, shapes,
// arithmetic and bytes. Times, devices and calls stay as they are. Pure.
#pragma once

#include <memory>

#include "analysis/graph_replay/named_replays.h"

namespace vizd {

// The analysis that the replays are of with the operators of captures; itself where no capture tells one. Figures are
// of the captured shapes, once a replay, shared by the kernels of one call by their time.
std::shared_ptr<const DeviceAnalysis> with_captured_operators(const NamedReplays& replays);

}  // namespace vizd
