// Keeps what GPUs' own recorders left in profile.pkl (VIZ=2) among the capture's values, as it stands there:
// formats/tinygrad/hardware_records.h finds it again. One thread.
#pragma once

#include "formats/pickle/tree.h"
#include "formats/tinygrad/version.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// Keeps nothing where the profile has no such records. Those that make no sense are left out and counted.
void keep_hardware_events(const pickle::Tree& tree, const Version& version, Capture& capture);

}  // namespace vizd::tinygrad
