// Arguments of events as older writers have them: a JSON object an event. One thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/native/argument_places.h"
#include "model/capture.h"

namespace vizd::native {

// Adds the object's members to the track's arguments: numbers as numbers, all else as text. False where the text is no
// JSON object, or has more members than a track's arguments may be.
bool add_old_arguments(std::string_view json, std::uint32_t event, Track& track, ArgumentPlaces& places,
                       StringTable& strings);

}  // namespace vizd::native
