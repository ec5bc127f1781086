#include "model/launch_calls.h"

#include "support/catch.h"

namespace vizd::launch_calls_test {

TEST_CASE("a call and the calls within it are one launch, which has work if one of them has") {
  std::vector<LaunchCall> calls{
      {.track = 1, .start_ns = 12, .end_ns = 14, .call = 1, .has_work = true},  // the driver's, in the runtime's
      {.track = 1, .start_ns = 10, .end_ns = 15, .call = 0, .has_work = false},
      {.track = 1, .start_ns = 15, .end_ns = 16, .call = 2, .has_work = false},  // next to it
      {.track = 2, .start_ns = 12, .end_ns = 14, .call = 3, .has_work = false},  // of another thread
  };
  merge_nested(calls);
  REQUIRE(calls.size() == 3);
  CHECK((calls[0].call == 0 && calls[0].has_work));
  CHECK((calls[1].call == 2 && !calls[1].has_work));
  CHECK((calls[2].call == 3 && !calls[2].has_work));
}

}  // namespace vizd::launch_calls_test
