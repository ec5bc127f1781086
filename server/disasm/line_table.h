// The line tables that compilers leave in an object (DWARF's .debug_line, versions 2 to 5): which line of the source an
// instruction comes from. Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "disasm/object_file.h"

namespace vizd {

// The address that stands at an offset into the section, where the object is not linked yet: `stored` with the
// relocation of that place applied.
using Relocate = std::function<std::uint64_t(std::uint64_t offset, std::uint64_t stored)>;

// Lines of the file that was compiled; code from a header has line 0. A table that does not hold together ends where it
// breaks. At most a million rows.
std::vector<CodeLine> read_line_table(std::span<const std::byte> debug_line, const Relocate& relocate);

}  // namespace vizd
