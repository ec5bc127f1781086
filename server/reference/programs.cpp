#include "reference/programs.h"

#include <algorithm>
#include <iterator>

#define VIZD_PROGRAMS(PROGRAM) \
  PROGRAM(bigtpu) PROGRAM(inspector) PROGRAM(torch_memory) PROGRAM(trace_file) PROGRAM(xprof)

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

const ReferenceProgram& reference_program(const Format* format) {
  if (format == nullptr) return kNone;
  const auto found = std::ranges::find(kPrograms, format->name, &ReferenceProgram::format);
  return found == std::end(kPrograms) ? kNone : **found;
}

const ReferenceProgram& reference_program(const InputSet& set, const Capture& capture) {
  if (const ReferenceProgram& program = reference_program(set.format); !program.format.empty()) return program;
  const auto found = std::ranges::find_if(
      kPrograms, [&](const ReferenceProgram* program) { return program->knows != nullptr && program->knows(capture); });
  return found == std::end(kPrograms) ? kNone : **found;
}

std::vector<std::string> reference_versions() {
  std::vector<std::string> all;
  for (const ReferenceProgram* program : kPrograms)
    all.insert(all.end(), program->versions.begin(), program->versions.end());
  return all;
}

bool add_known_sheets(const Capture& capture, Workbook& book) {
  return std::ranges::any_of(kPrograms, [&](const ReferenceProgram* program) {
    return program->add_sheets != nullptr && program->add_sheets(capture, book);
  });
}

}  // namespace vizd
