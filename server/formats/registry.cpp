#include "formats/registry.h"

#include <algorithm>

#include "formats/native/format.h"
#include "formats/tinygrad/format.h"
#include "formats/unpack.h"

namespace vizd {
namespace {

constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;

constexpr Format kFormats[] = {
    {"vizd", native::sniff, native::read, native::read_beginning},
    {"tinygrad", tinygrad::sniff, tinygrad::read},
};

const Format* find_format(std::span<const std::byte> bytes) {
  const auto found = std::ranges::find_if(kFormats, [&](const Format& format) { return format.sniff(bytes); });
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace

std::span<const Format> formats() { return kFormats; }

Result<void> read_capture(const FormatInput& input, Capture& capture) {
  const auto unknown = [&] {
    const std::string_view what = input.bytes.empty() ? "is empty" : "is of no format that vizd reads";
    return Error{ErrorKind::kBadInput,
                 std::string(what) + "; give it the rewrites.pkl or profile.pkl that tinygrad leaves under VIZ=1",
                 input.name};
  };
  if (packing_of(input.bytes) == Packing::kNone) {
    const Format* format = find_format(input.bytes);
    return format == nullptr ? unknown() : format->read(input, capture);
  }
  // What is inside shows at its beginning: nothing is unpacked whole that no format would read.
  const Format* format = find_format(unpack_beginning(input.bytes, kSniffedBytes));
  if (format == nullptr) return unknown();
  const auto bytes = unpack(input.bytes, input.name);
  if (!bytes) return bytes.error();
  return format->read({input.name, *bytes}, capture);
}

Result<void> read_beginning(const FormatInput& input, unsigned parts, Capture& capture) {
  const Format* format = packing_of(input.bytes) == Packing::kNone ? find_format(input.bytes) : nullptr;
  if (format == nullptr || format->read_beginning == nullptr)
    return Error{ErrorKind::kNotFound, "has no beginning that could be read by itself", input.name};
  return format->read_beginning(input, parts, capture);
}

}  // namespace vizd
