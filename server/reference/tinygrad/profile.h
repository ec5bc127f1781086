// The body of the reference's /get_profile (tinygrad serve.py get_profile; docs/formats/tinygrad.md has the layout): a
// header, a JSON index, then lanes of events and, after each that owns memory, its allocations and frees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/capture.h"

namespace vizd {

// The body, or an error of kind kTooLarge where the layout cannot say it: times beyond 2^32 microseconds (71.6 minutes)
// or buffer numbers beyond 2^32. A lane's name is cut at 255 bytes. Any thread; the capture is only read.
Result<std::string> reference_profile(const Capture& capture);
// The same for who reads the body here: buffers have numbers of their own in it, which are places in `keys`, so that no
// key of a buffer is too large: a trace's are addresses.
Result<std::string> reference_profile(const Capture& capture, std::vector<std::uint64_t>& keys);

}  // namespace vizd
