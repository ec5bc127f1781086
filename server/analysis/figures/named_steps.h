// Steps that a program names itself, "iteration 7", "train_step_7": ranges of its threads that come again and again,
// with a number. Traces without steps of a profiler have them. One thread.
#pragma once

#include "base/regexp.h"
#include "model/capture.h"

namespace vizd {

// Adds them to the profile's runs where it has no steps yet, and tells in a note which they are. chosen: those whose
// names it matches, numbered or not, in place of any other steps; null: what is found.
void name_steps(Capture& capture, const Regexp* chosen);

}  // namespace vizd
