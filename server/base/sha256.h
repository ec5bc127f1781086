// SHA-256 (FIPS 180-4). Pure, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace vizd {

using Digest256 = std::array<std::uint8_t, 32>;

Digest256 sha256(std::string_view data);

}  // namespace vizd
