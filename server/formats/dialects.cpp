#include "formats/dialects.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"
#include "formats/tinygrad/v2025_09/dialect.h"

namespace vizd {
namespace {

struct KnownDialect {
  std::string_view format;
  std::unique_ptr<Dialect> (*make)(Capture& capture);
};

constexpr KnownDialect kDialects[] = {
    {"tinygrad-2025-09", tinygrad_2025_09::make_dialect},
};

const KnownDialect* find(std::string_view format) {
  const auto found = std::ranges::find(kDialects, format, &KnownDialect::format);
  return found == std::end(kDialects) ? nullptr : found;
}

}  // namespace

bool is_known_dialect(std::string_view format) { return find(format) != nullptr; }

std::unique_ptr<Dialect> make_known_dialect(Capture& capture) {
  const KnownDialect* dialect = find(capture.format);
  VIZD_ASSERT(dialect != nullptr);
  return dialect->make(capture);
}

}  // namespace vizd
