// What the kernels of a capture are known by from one recording to the next: the content of the graph that the compiler
// began with, whatever its name and wherever it stands. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/capture.h"

namespace vizd {

// By context: a number that equal kernels have alike, in any capture of the same version. 0 for contexts that made no
// program: what they began with tells of buffers by numbers that change with every recording.
std::vector<std::uint32_t> context_keys(const Capture& capture);

}  // namespace vizd
