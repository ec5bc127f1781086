// What the contexts of a capture and their passes are known by from one recording to the next: the content of the
// graphs that they began with, whatever they are called and wherever they stand. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/capture.h"

namespace vizd {

// Numbers that equal graphs have alike, in any capture of the same version; 0 for a context without a pass. Of what
// made no program, numbers of buffers, which change with every recording, count by where they come first.
struct ContentKeys {
  std::vector<std::uint32_t> contexts;  // by context
  std::vector<std::uint16_t> passes;    // by pass of the capture: enough to tell those of one name in one context apart
};

// Costs one pass over the capture's ops.
ContentKeys content_keys(const Capture& capture);

}  // namespace vizd
