// Checks a capture that was taken from the cache: checksums tell damage, and nothing of somebody who makes right ones.
// Whatever in it is an id, a place or a count is asked whether it lies within what it leads to, since no reader asks
// again. Pure; any thread.
#pragma once

#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

// Whether nothing of the two leads outside of them. Costs a look at every number.
bool is_sound(const Capture& capture, const Timeline& timeline);

}  // namespace vizd
