// Events of profile.pkl that vizd does not read: which, and how many. One thread.
#pragma once

#include "formats/pickle/tree.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// Counts those of classes that vizd does not know: nobody can say that nothing is lost with them.
void tell_unread_events(const pickle::Tree& tree, Capture& capture);

}  // namespace vizd::tinygrad
