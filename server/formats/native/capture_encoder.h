// Writes a capture, of whatever format it was read from, as a native one that opens to the same: strings, values and
// ops keep their ids, so that the capture's own dialect goes on to serve it. Any thread; the capture is only read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/capture.h"

namespace vizd::native {

struct EncodeOptions {
  // The source line at a location, to be brought along; may be empty.
  std::function<std::optional<std::string>(const Location&)> source_line;
  int level = 9;  // of zstd
};

// Calls write with the file's parts in order.
void encode_capture(const Capture& capture, const EncodeOptions& options,
                    const std::function<void(std::string_view part)>& write);

}  // namespace vizd::native
