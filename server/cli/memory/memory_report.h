// The answer of `vizd memory SNAPSHOT` alone: what there is to know of a snapshot first, on one screen. One thread.
#pragma once

#include <string>

#include "model/capture.h"

namespace vizd {

std::string memory_report(const Capture& capture, const std::string& name);

}  // namespace vizd
