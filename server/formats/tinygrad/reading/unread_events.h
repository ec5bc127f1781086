// Events of profile.pkl that vizd does not read: which, and how many. One thread.
#pragma once

#include "formats/pickle/tree.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// Adds a note for each class that vizd knows and leaves unread, in order of first appearance, and counts those of other
// classes, of which nobody can say that nothing is lost with them.
void tell_unread_events(const pickle::Tree& tree, Capture& capture);

}  // namespace vizd::tinygrad
