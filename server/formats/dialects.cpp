#include "formats/dialects.h"

#include "base/assert.h"
#include "formats/registry.h"

namespace vizd {
namespace {

MakeDialect find_dialect(std::string_view capture_format) {
  for (const Format* format : formats()) {
    const MakeDialect found = format->find_dialect != nullptr ? format->find_dialect(capture_format) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

bool is_known_dialect(std::string_view format) { return find_dialect(format) != nullptr; }

std::unique_ptr<Dialect> make_known_dialect(Capture& capture) {
  const MakeDialect make = find_dialect(capture.format);
  VIZD_ASSERT(make != nullptr);
  return make(capture);
}

}  // namespace vizd
