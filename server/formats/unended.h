// The warning of a file that its writer has not ended: all that is there is whole, and whether more was recorded nobody
// knows. Any other warning tells of damage.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace vizd {

inline constexpr std::string_view kUnended = ": ends here without an end mark (";

// offset: where the end is missing.
inline std::string unended_warning(std::string_view file, std::uint64_t offset) {
  return fmt::format("{}:{}{}still being written, or cut off between two records); anything after that is missing",
                     file, offset, kUnended);
}

inline bool is_unended_warning(std::string_view warning) { return warning.find(kUnended) != std::string_view::npos; }

}  // namespace vizd
