// What the control flow of a program made of its runs: passes of a loop, and branches that are told by another run.
#include "formats/etdump/control_flow.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"

namespace vizd::etdump::control_flow_test {
namespace {

BlockEvent event(const std::string& name, std::int32_t instruction, std::uint32_t occurrence = 0) {
  BlockEvent made;
  made.name = name;
  made.instruction = instruction;
  made.occurrence = occurrence;
  made.is_timed = true;
  return made;
}

Block block_of(std::vector<BlockEvent> events) {
  Block block;
  block.name = "Execute";
  block.events = std::move(events);
  return block;
}

TEST_CASE("a branch is what one run did after a jump and another that came there did not", "[etdump]") {
  const std::vector<Block> blocks = {block_of({event("gt", 1), event("JF_CALL", 2), event("sin", 3), event("mul", 4),
                                               event("JF_CALL", 7), event("add", 12), event("Method::execute", 0)}),
                                     block_of({event("gt", 1), event("JF_CALL", 2), event("abs", 8), event("exp", 9),
                                               event("add", 12), event("Method::execute", 0)})};
  const auto taken = branches_of(blocks, 0), other = branches_of(blocks, 1);
  REQUIRE(taken.size() == 1);
  CHECK((taken[0].jump == 2 && taken[0].events == std::vector<std::size_t>{2, 3, 4}));
  REQUIRE(other.size() == 1);
  CHECK((other[0].jump == 2 && other[0].events == std::vector<std::size_t>{2, 3}));
  CHECK(branches_of(std::span(blocks).first(1), 0).empty());  // nothing to tell it by
}

TEST_CASE("runs that differ for another reason than a jump have no branches", "[etdump]") {
  const std::vector<Block> blocks = {block_of({event("a", 1), event("b", 2)}), block_of({event("a", 1)})};
  CHECK(branches_of(blocks, 0).empty());
}

TEST_CASE("what ran several times in a run is a loop's", "[etdump]") {
  const Block block = block_of({event("a", 1), event("sin", 2), event("JF_CALL", 3), event("sin", 2, 1)});
  CHECK(repeated_events(block) == std::vector<bool>{false, true, false, true});
}

}  // namespace
}  // namespace vizd::etdump::control_flow_test
