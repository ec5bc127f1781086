// Whether a profile has rows of what its writer calls a device although nothing in them is known as work. Pure.
#pragma once

#include <string>

#include "model/capture.h"

namespace vizd {

// The name of the first process, or thread, with events that is called as a device is ("Ascend 3", "/gpu/"); "" where
// none is.
std::string device_like_track(const Capture& capture);

}  // namespace vizd
