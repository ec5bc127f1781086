// A capture as one HTML file: the page, and the answers that it needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "http/report/report_page.h"
#include "model/capture.h"
#include "session/session.h"

namespace vizd {

// Reads the set as a server does, and asks that for what the page asks. Errors: it cannot be read, or has no room.
Result<PageFile> export_page(const InputSet& set, std::uint64_t most_bytes);

}  // namespace vizd
