// The version of vizd, as CMakeLists.txt has it: here alone, so that a new one compiles one file anew.
#pragma once

#include <string_view>

namespace vizd {

extern const std::string_view kVersion;  // "1.2.3"

}  // namespace vizd
