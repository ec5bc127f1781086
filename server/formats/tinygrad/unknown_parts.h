// What a capture holds that vizd does not know: classes, of which it shows the name alone, and members of enumerations,
// which mean nothing to it.
#pragma once

#include "formats/pickle/tree.h"
#include "formats/tinygrad/version.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// Tells it, once the pickle was read: each as a fact, which `vizd ls` lists, and all in notes, which `vizd check` and
// the page show.
void tell_unknown(const pickle::Tree& tree, const Version& version, Capture& capture);

}  // namespace vizd::tinygrad
