// Where the tests find files. The paths are compiled into places.cpp alone, so that a compiler cache serves every
// checkout, wherever it lies.
#pragma once

#include <string>
#include <string_view>

namespace vizd {

// The folder tests/data, and with a path that of a file below it: test_data("tinygrad-2025-09/ramp.rewrites.pkl").
std::string test_data(std::string_view path = {});
// The project's shared samples, which need not be there, and with a path that of a file below them.
std::string shared_data(std::string_view path = {});
// The program under test.
std::string vizd_binary();

}  // namespace vizd
