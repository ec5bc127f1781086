// Where rewrites raised, as the capture itself says: a match whose replacement is an op of the kind REWRITE_ERROR, with
// the error's text as its argument. That is how tinygrad records it, and how any compiler may (include/vizd/FORMAT.md).
// Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/capture.h"

namespace vizd {

inline constexpr std::string_view kErrorKind = "REWRITE_ERROR";

struct RecordedError {
  std::uint32_t pass = 0;   // in the context
  std::uint32_t state = 0;  // to which the match leads, from 1
  std::string message;
};

// The errors of a context's passes, in order. Looks at each match once.
std::vector<RecordedError> recorded_errors(const Capture& capture, const Context& context);

}  // namespace vizd
