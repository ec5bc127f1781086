// The body of GET /api/v1/profile (server/http/API.md): everything the timeline draws, as columns.
#pragma once

#include <cstdint>
#include <string>

#include "model/capture.h"

namespace vizd {

// Any thread; the capture is only read. About 30 bytes an event, 60 an allocation.
std::string profile_json(const Capture& capture, std::uint64_t revision);

}  // namespace vizd
