// The formats vizd reads, known by content. A new format is one folder here and one line in registry.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/capture.h"

namespace vizd {

// One input as bytes, already unpacked from gzip or zstd. name is for messages. progress, where there is one, is told
// now and then how many of the bytes are read.
struct FormatInput {
  std::string name;
  std::span<const std::byte> bytes;
  std::function<void(std::uint64_t done_bytes)> progress = {};
};

struct Format {
  std::string_view name;
  // Whether these bytes look like this format; looks at the beginning only.
  bool (*sniff)(std::span<const std::byte> bytes);
  // Adds what the input holds to the capture (rewrites first, then the profile that belongs to them).
  Result<void> (*read)(const FormatInput& input, Capture& capture);
  // Reads what can be shown of a large input before the rest is read: its lanes with about the first 1 / parts of their
  // events. Null where the format has no way to.
  Result<void> (*read_beginning)(const FormatInput& input, unsigned parts, Capture& capture) = nullptr;
};

std::span<const Format> formats();

// Reads one input of whichever format it is into capture. Unpacks gzip and zstd, with a limit on the size unpacked.
// Errors: no format knows the content; what the format's reader found, as FILE:OFFSET.
Result<void> read_capture(const FormatInput& input, Capture& capture);

// The same for what Format::read_beginning reads; kNotFound where the format has no way to, or the input is packed.
Result<void> read_beginning(const FormatInput& input, unsigned parts, Capture& capture);

}  // namespace vizd
