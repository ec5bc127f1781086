// Events of profile.pkl that vizd does not read: which, and how many. One thread.
#pragma once

#include "formats/pickle/tree.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// Adds a note for each class of events that is left unread, in order of first appearance.
void note_unread_events(const pickle::Tree& tree, Capture& capture);

}  // namespace vizd::tinygrad
