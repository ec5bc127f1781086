// From when to when a profile is: found from what is in it, where its format does not say.
#pragma once

#include <cstdint>

#include "model/profile.h"

namespace vizd {

// Moves the profile's begin and end apart to hold what the tracks from the first on have: events, counters, flows'
// ends. A profile with nothing of the kind is from 0 to 0.
void extend_profile(Profile& profile, std::uint32_t first_track = 0);

}  // namespace vizd
