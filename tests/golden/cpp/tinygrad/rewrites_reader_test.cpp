// What is in the sample captures, as Python's own unpickler counts it (with stub classes).
#include <filesystem>
#include <string>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::rewrites_reader_test {
namespace {

struct Expected {
  const char* file;
  std::size_t contexts, passes, matches, programs, names, ops_with_context;
};

// Reads a sample, or says that it is not here.
bool read_sample(const std::string& path, Capture& capture) {
  if (!std::filesystem::exists(path)) {
    WARN("skipped, not here: " << path);
    return false;
  }
  const auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  const auto result = read_capture({path, file->bytes()}, capture);
  if (!result) FAIL(result.error().text());
  return true;
}

TEST_CASE("rewrites of 2025-09 have what Python counts in them") {
  const Expected expected =
      GENERATE(Expected{"ramp", 11, 205, 369, 4, 11, 4}, Expected{"rewrite_error", 4, 69, 132, 2, 4, 2},
               Expected{"multi", 78, 2052, 13725, 62, 78, 62}, Expected{"gpt", 120, 3343, 21084, 96, 120, 96});
  Capture capture;
  const std::string path = shared_data("samples/tinygrad-2025-09/") + expected.file + ".rewrites.pkl";
  if (!read_sample(path, capture)) return;
  CHECK(capture.format == "tinygrad-2025-09");
  CHECK(capture.has_rewrites);
  CHECK(capture.skipped.empty());
  CHECK(capture.rewrites.contexts.size() == expected.contexts);
  CHECK(capture.rewrites.passes.size() == expected.passes);
  CHECK(capture.rewrites.matches.size() == expected.matches);
  CHECK(capture.rewrites.programs.size() == expected.programs);
  CHECK(capture.rewrites.context_by_name.size() == expected.names);
  CHECK(capture.rewrites.context_by_op.size() == expected.ops_with_context);
}

}  // namespace
}  // namespace vizd::rewrites_reader_test
