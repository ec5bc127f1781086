// Which registers are parts of one another, by name. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "disasm/architecture.h"

namespace vizd {

// The widest register that this one is a part of: "rax" of "ah", "zmm3" of "xmm3", "x1" of "w1", "v0" of "s0"; the name
// itself where there is none wider, "" for flags, segments and the instruction pointer.
std::string register_family(Architecture architecture, std::string_view name);

}  // namespace vizd
