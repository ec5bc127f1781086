// Asks a capture's files for the values that its program logged as it ran, anew each time: the values may be large, and
// are asked for seldom. Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "reference/programs.h"
#include "session/loaded_capture.h"

namespace vizd {

// Whether its format can tell of values.
bool tells_values(const LoadedCapture& loaded);

struct ValueAnswer {
  std::string json;

  std::size_t memory_bytes() const { return json.capacity(); }
};

// The answer as JSON (http/API.md, /api/v1/values), with how far the values are from those of another capture where one
// is given. Errors: a file that cannot be read now; no such value; captures of two formats.
Result<ValueAnswer> value_answer(const LoadedCapture& loaded, ValueQuestion question,
                                 const LoadedCapture* against = nullptr);

}  // namespace vizd
