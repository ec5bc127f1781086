// Random bytes that nobody can guess.
#pragma once

#include <cstddef>

namespace vizd {

// False where the system has none. At most 256 bytes at once.
bool fill_with_random(void* bytes, std::size_t size_bytes);

}  // namespace vizd
