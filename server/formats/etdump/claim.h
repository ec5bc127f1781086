// Which files one ETDump is made of: itself, the ETRecord of its program, and the debug buffer that it was written
// with.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "formats/input_set.h"

namespace vizd::etdump {

// The roles of a set's files.
inline constexpr std::string_view kDump = "etdump";
inline constexpr std::string_view kRecord = "etrecord";
inline constexpr std::string_view kDebugBuffer = "debug buffer";
inline constexpr std::string_view kProgram = "program";

// Each ETDump with what lies beside it in the listing: ETRecords are known by their content, debug buffers, which hold
// nothing but values, by their names. What options name goes to every ETDump. An ETRecord or a program (.pte)
// without one is a set too.
// own: the format that the sets are of.
std::vector<InputSet> claim(const Format& own, std::span<const ListedFile> listing);

}  // namespace vizd::etdump
