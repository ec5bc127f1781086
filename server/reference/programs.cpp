#include "reference/programs.h"

#include <algorithm>
#include <iterator>

#define VIZD_PROGRAMS(PROGRAM) PROGRAM(bigtpu) PROGRAM(inspector)

#define DECLARE(folder)                   \
  namespace vizd::reference::folder {     \
  extern const ReferenceProgram kProgram; \
  }
VIZD_PROGRAMS(DECLARE)
#undef DECLARE

namespace vizd {
namespace {

#define ADDRESS(folder) &reference::folder::kProgram,
constexpr const ReferenceProgram* kPrograms[] = {VIZD_PROGRAMS(ADDRESS)};
#undef ADDRESS

constexpr ReferenceProgram kNone{};

}  // namespace

std::span<const ReferenceProgram* const> reference_programs() { return kPrograms; }

const ReferenceProgram& reference_program(const Format* format) {
  if (format == nullptr) return kNone;
  const auto found = std::ranges::find(kPrograms, format->name, &ReferenceProgram::format);
  return found == std::end(kPrograms) ? kNone : **found;
}

}  // namespace vizd
