// Each format's own small captures (Format::examples), for the tests that hold for every format: cut, flipped, hostile,
// without memory. A new format's are among them without a word here.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/registry.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd {

struct Example {
  const Format* format;
  std::vector<std::string> paths;  // of the capture's files, in order
};

inline std::vector<Example> all_examples() {
  namespace fs = std::filesystem;
  std::vector<Example> examples;
  for (const Format* format : formats()) {
    for (const std::string_view beginning : format->examples) {
      Example example{format, {}};
      const std::string path = test_data("../" + std::string(beginning));
      for (const auto& entry : fs::directory_iterator(fs::path(path).parent_path())) {
        if (entry.path().string().starts_with(path)) example.paths.push_back(entry.path().string());
      }
      std::ranges::sort(example.paths);
      INFO(format->name << " names a missing example: " << beginning);
      REQUIRE_FALSE(example.paths.empty());
      examples.push_back(std::move(example));
    }
  }
  return examples;
}

}  // namespace vizd
