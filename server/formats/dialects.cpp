#include "formats/dialects.h"

#include "base/assert.h"
#include "formats/tinygrad/version.h"

namespace vizd {

bool is_known_dialect(std::string_view format) {
  const tinygrad::Version* version = tinygrad::version_by_format(format);
  return version != nullptr && version->make_dialect != nullptr;
}

std::unique_ptr<Dialect> make_known_dialect(Capture& capture) {
  VIZD_ASSERT(is_known_dialect(capture.format));
  return tinygrad::version_by_format(capture.format)->make_dialect(capture);
}

}  // namespace vizd
