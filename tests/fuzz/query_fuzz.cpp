// Any text as a query: it is understood, or refused at a place within it.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "rewrite/query.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t place = 0;
  const auto query = vizd::Query::parse(text, &place);
  if (!query) {
    VIZD_ASSERT(place <= size && !query.error().message.empty());
    return 0;
  }
  VIZD_ASSERT(!query->terms().empty());
  for (const auto& term : query->terms()) {
    for (const std::uint32_t child : term.children) VIZD_ASSERT(child < query->terms().size());
  }
  return 0;
}
