// Where a program's code lies in the memory of its GPU. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "hardware/records.h"

namespace vizd::hardware {

// What an address that the GPU tells is more than that of the program's listing; nothing where the capture does not say
// where the program was loaded.
std::optional<std::uint64_t> listing_base(const Program& program);
// Behind the last address that may be the listing's.
std::uint64_t listing_end(const Program& program);

}  // namespace vizd::hardware
