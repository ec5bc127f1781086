// Text as Python's json.dumps writes it. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace vizd::python {

// A string with its quotes; what is not ASCII as \uXXXX.
std::string json_string(std::string_view text);

}  // namespace vizd::python
