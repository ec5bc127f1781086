// What the work of a device was launched in: the call of the host, and all that was around that call on its thread, the
// innermost first. A backward operator is followed by its forward one, and what was around that.
#pragma once

#include <vector>

#include "model/capture.h"
#include "timeline/event_nesting.h"

namespace vizd {

struct LaunchFrame {
  EventPlace place;
  bool is_forward = false;  // around the forward operator, whose backward one launched the work
};

// Empty where the event was not launched from another lane, or the capture does not tell.
std::vector<LaunchFrame> launch_chain(const Capture& capture, const Timeline& timeline, const EventPlace& launched);

}  // namespace vizd
