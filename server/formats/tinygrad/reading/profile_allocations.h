// The buffers of a device, as profile.pkl tells them: when each was allocated and freed, and which launches read and
// wrote it. The rules are those of tinygrad's viz/serve.py. One thread.
#pragma once

#include <vector>

#include "formats/pickle/tree.h"
#include "formats/pickle/visit_budget.h"
#include "formats/tinygrad/reading/profile_events.h"
#include "formats/tinygrad/reading/value_reader.h"
#include "formats/tinygrad/version.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// Adds the allocations and launches among the items, which are in the order of their microseconds, to the track. What
// cannot be read is left out and counted in capture.skipped; visits is the budget of all devices.
void read_allocations(const std::vector<DeviceItem>& items, const pickle::Tree& tree, const ProfileRules& rules,
                      ValueReader& values, pickle::VisitBudget& visits, Capture& capture, Track& track);

}  // namespace vizd::tinygrad
