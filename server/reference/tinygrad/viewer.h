// Which of tinygrad's viewers a capture is answered like: that of the tinygrad that wrote it. Pure, any thread.
#pragma once

#include <cstdint>

#include "model/capture.h"

namespace vizd {

// In the order in which they came.
enum class ReferenceViewer : std::uint8_t {
  k2025_09,  // and 0.11.0
  k0_12,     // steps have kinds, a match its time, events their run; what is told of an event is text
  k0_13,     // that is JSON, and series of numbers are lanes
  k2026,     // 0.14.0 and later: hidden ops are sent
};

ReferenceViewer reference_viewer(const Capture& capture);

}  // namespace vizd
