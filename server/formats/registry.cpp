#include "formats/registry.h"

#include "formats/tinygrad/format.h"

namespace vizd {
namespace {

constexpr Format kFormats[] = {
    {"tinygrad", tinygrad::sniff, tinygrad::read},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

Result<void> read_capture(const FormatInput& input, Capture& capture) {
  for (const Format& format : kFormats) {
    if (format.sniff(input.bytes)) return format.read(input, capture);
  }
  return Error{ErrorKind::kBadInput,
               "no format that vizd reads begins like this; give it rewrites.pkl or profile.pkl of tinygrad",
               input.name};
}

}  // namespace vizd
