// speedscope's own file format (https://www.speedscope.app/file-format-schema.json), JSON, which many profilers write.
#pragma once

#include <cstddef>
#include <span>

#include "formats/registry.h"

namespace vizd::speedscope {

extern const Format kFormat;

// Whether bytes begin like such a file, in whichever order its members stand.
bool sniff(const FileBeginning& beginning);

// Adds each profile of the file to the capture as a track: an evented one's frames as spans; a sampled one's samples
// with their stacks, and as spans the frames that samples one after another share. Times are the profile's values in
// its unit; where that is no unit of time, one stands for a nanosecond, and a note says so. Left out and counted are
// records that the format does not allow. Errors: the JSON is cut or damaged, with the place; it is some other
// document.
Result<void> read(const FormatInput& input, Capture& capture);

}  // namespace vizd::speedscope
