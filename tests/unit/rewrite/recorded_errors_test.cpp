// Rewrites that raised are found where a capture says so, and nowhere else.
#include "rewrite/recorded_errors.h"

#include "session/loaded_capture.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/places.h"

namespace vizd::recorded_errors_test {
namespace {

Reading read(const std::string& folder) {
  const std::string path = test_data("../") + folder;
  return load(named_sets({path + "rewrites.pkl", path + "profile.pkl"}).front());
}

TEST_CASE("the match whose replacement is an error is named with its message", "[rewrite]") {
  const Reading reading = read("golden/tinygrad/rewrite_error/input/rewrite_error.");
  REQUIRE(reading.loaded);
  const Capture& capture = reading.loaded->capture;
  std::size_t errors = 0;
  for (const Context& context : capture.rewrites.contexts) {
    for (const RecordedError& error : recorded_errors(capture, context)) {
      ++errors;
      const Pass& pass = capture.rewrites.passes_of(context)[error.pass];
      CHECK(capture.strings.get(pass.name) == "failing step");
      CHECK(error.state == pass.match_count);
      CHECK(!error.message.empty());
      CHECK(error.message.front() != '\'');
    }
  }
  CHECK(errors == 1);
}

TEST_CASE("a capture in which nothing raised has no errors", "[rewrite]") {
  const std::string ramp = test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  const Reading reading = load(named_sets({ramp}).front());
  REQUIRE(reading.loaded);
  for (const Context& context : reading.loaded->capture.rewrites.contexts)
    CHECK(recorded_errors(reading.loaded->capture, context).empty());
}

}  // namespace
}  // namespace vizd::recorded_errors_test
