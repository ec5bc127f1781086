// Files of tests/data.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "support/catch.h"
#include "support/places.h"

namespace vizd {

// The bytes of a file that is there and not empty.
inline std::string read_test_data(const std::string& name) {
  std::ifstream file(test_data(name), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(bytes.empty());
  return bytes;
}

}  // namespace vizd
