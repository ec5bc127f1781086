// Where contexts were called from, as the page asks for it.
#include "support/served_capture.h"

namespace vizd::stack_routes_test {
using nlohmann::json;

TEST_CASE("a context tells where it was called from, line by line, as its capture has it") {
  ServedCapture served(test_data("tinygrad-2026-08/ramp.rewrites.pkl"));
  const Capture& capture = served.loaded()->capture;
  bool any = false;
  for (std::size_t i = 0; i < capture.rewrites.contexts.size(); ++i) {
    const json answer = served.json("/api/v1/called-from/" + std::to_string(i));
    CHECK(answer.size() == 1);
    const StackId stack = capture.rewrites.contexts[i].stack;
    const auto frames = index(stack) == kNoId ? std::vector<Frame>() : frames_of(capture.stacks, stack);
    REQUIRE(answer["frames"].size() == frames.size());
    for (std::size_t f = 0; f < frames.size(); ++f) {
      any = true;
      const json& told = answer["frames"][f];
      CHECK(told["file"] == capture.strings.get(frames[f].file));
      CHECK(told["line"] == frames[f].line);
      CHECK(told["name"] == capture.strings.get(frames[f].function));
      CHECK(told["code"] == capture.strings.get(frames[f].code));
    }
  }
  CHECK(any);
  // The innermost first: the compiler's own wrapper; the program that was run last.
  const json frames = served.json("/api/v1/called-from/0")["frames"];
  REQUIRE(frames.size() > 1);
  CHECK(frames[0]["name"] == "__wrapper");
  CHECK(frames.back()["name"] == "<module>");
}

TEST_CASE("a capture without stacks has no frames, and a context that is not there is none") {
  ServedCapture served;
  CHECK(served.json("/api/v1/called-from/0") == json{{"frames", json::array()}});
  const auto count = std::to_string(served.loaded()->capture.rewrites.contexts.size());
  CHECK(served.json("/api/v1/called-from/" + count, 404)["error"]["kind"] == "not_found");
  CHECK(served.status("/api/v1/called-from/first") == 400);
}

}  // namespace vizd::stack_routes_test
