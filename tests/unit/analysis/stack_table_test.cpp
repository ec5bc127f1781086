// Which stacks samples stood at, in a range and on some tracks.
#include "analysis/figures/stack_table.h"

#include "support/catch.h"

namespace vizd::stack_table_test {
namespace {

TEST_CASE("stacks come by weight, of the range and the tracks that are asked for") {
  Capture capture;
  capture.stacks.resize(3);
  capture.profile.tracks.resize(2);
  StackSamples& samples = capture.profile.tracks[0].samples;
  for (std::int64_t at = 0; at < 10; ++at) samples.push_back(at, StackId{at < 7 ? 0U : 1U});
  samples.push_back(10, StackId{2}, 100);
  samples.push_back(3, StackId{77});  // a stack that is not there
  capture.profile.tracks[1].samples.push_back(5, StackId{1}, 0.5);

  const StackTable all = stack_table(capture, {0, 1}, 0, 100, 2);
  CHECK(all.samples == 12);
  CHECK(all.weight == 110.5);
  CHECK(all.stack_count == 3);
  REQUIRE(all.stacks.size() == 2);
  CHECK(all.stacks[0].stack == StackId{2});
  CHECK(all.stacks[1].stack == StackId{0});
  CHECK(all.stacks[1].samples == 7);

  const StackTable part = stack_table(capture, {0}, 5, 9, 10);
  REQUIRE(part.stacks.size() == 2);
  CHECK(part.stacks[0].stack == StackId{1});
  CHECK(part.stacks[0].weight == 3);
  CHECK(stack_table(capture, {1}, 6, 9, 10).stacks.empty());
}

}  // namespace
}  // namespace vizd::stack_table_test
