// Puts the waves of AMD's thread traces on the timeline, below all other lanes: a track for each shader engine with the
// number of its waves over time, in it the compute units, in those the SIMDs with their waves. One thread.
#pragma once

#include "model/capture.h"

namespace vizd::tinygrad {

// From the capture's hardware records. Traces whose clock cannot be joined with the profile's are left out, with a
// note.
void add_wave_tracks(Capture& capture);

}  // namespace vizd::tinygrad
