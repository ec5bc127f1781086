#include "formats/chrome_trace/format.h"

namespace vizd::chrome_trace {
namespace {

constexpr Writer kWriter{.about = "a Chrome trace", .needs_profile = true, .takes_part = true, .write = write};

}  // namespace

constinit const Format kFormat{.name = "chrome", .writer = &kWriter};

}  // namespace vizd::chrome_trace
