// Text in URLs. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace vizd {

// ASCII letters, digits and what stands in plain as they are; each other byte as '%' and two hexadecimal digits.
std::string percent_encoded(std::string_view text, std::string_view plain);

}  // namespace vizd
