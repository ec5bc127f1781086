// Closes what a pickle that is cut leaves open: lists and dicts take in what is read of them. For showing the beginning
// of a pickle of which the rest is not read yet. Stateless.
#pragma once

#include "formats/pickle/sink.h"
#include "formats/pickle/stack.h"

namespace vizd::pickle {

// Returns the first value, which what is on the stack was to become a part of; None where there is none. The stack is
// used up.
Node close_what_is_open(Stack& stack, Sink& sink);

}  // namespace vizd::pickle
