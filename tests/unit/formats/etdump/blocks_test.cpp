// Blocks of an ETDump: which events are iterations of one another, and which values belong to which of them.
#include "formats/etdump/blocks.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/etdump_writer.h"

namespace vizd::etdump::blocks_test {
namespace {

using Strings = std::vector<std::string>;

struct Formed {
  std::string bytes;
  Result<std::vector<Block>> blocks;

  explicit Formed(std::vector<FlatNode> runs) : bytes(made_etdump(std::move(runs))), blocks(form()) {
    const auto file = EtdumpFile::open(std::as_bytes(std::span(bytes)), "f");
    REQUIRE(file);
    blocks = form_blocks(*file, {});
  }

  // "NAME@INSTRUCTION xITERATIONS +VALUES" of a block's events.
  Strings events(std::size_t block) const {
    Strings texts;
    for (const BlockEvent& event : blocks->at(block).events)
      texts.push_back(fmt::format("{}@{} x{} +{}", event.name, event.instruction.value_or(-1), event.iterations(),
                                  event.logged.size()));
    return texts;
  }

 private:
  static Result<std::vector<Block>> form() { return std::vector<Block>(); }
};

FlatNode kernel(std::int32_t instruction, std::uint64_t start) {
  return made_profile_event({.name = "native_call_sin.out", .instruction = instruction}, start, start + 2);
}
FlatNode around(std::int32_t instruction, std::uint64_t start) {
  return made_profile_event({.name = "OPERATOR_CALL", .instruction = instruction}, start, start + 4);
}
FlatNode logged(std::int32_t instruction, std::int64_t offset, const std::string& name = "") {
  return made_debug_event({.name = name, .instruction = instruction}, {1}, offset);
}

TEST_CASE("runs of the same events are iterations of one block", "[etdump]") {
  const Formed formed(
      {made_run("Default", {made_profile_event({.name = "Method::init"}, 0, 1)}),
       made_run("Execute", {kernel(0, 10), around(0, 9)}), made_run("Execute", {kernel(0, 20), around(0, 19)}),
       made_run("Execute", {kernel(1, 30), around(1, 29)}), made_run("Execute", {kernel(0, 40), around(0, 39)}, 1)});
  REQUIRE(formed.blocks->size() == 4);
  CHECK(formed.events(0) == Strings{"Method::init@-1 x1 +0"});
  CHECK(formed.events(1) == Strings{"native_call_sin.out@0 x2 +0", "OPERATOR_CALL@0 x2 +0"});
  CHECK(formed.events(2) == Strings{"native_call_sin.out@1 x1 +0", "OPERATOR_CALL@1 x1 +0"});
  CHECK((formed.blocks->at(3).bundled_input == 1 && formed.blocks->at(3).runs == std::vector<std::uint32_t>{4}));
}

TEST_CASE("each pass of a loop is an event of its own, with the values logged during it", "[etdump]") {
  const std::vector<FlatNode> run{kernel(2, 10), logged(2, 0),  around(2, 9),
                                  kernel(2, 20), logged(2, 64), around(2, 19)};
  const Formed whole({made_run("Execute", run)});
  CHECK(whole.events(0) == Strings{"native_call_sin.out@2 x1 +1", "OPERATOR_CALL@2 x1 +1",
                                   "native_call_sin.out@2 x1 +1", "OPERATOR_CALL@2 x1 +1"});
  const auto& events = whole.blocks->at(0).events;
  CHECK((events[0].occurrence == 0 && events[0].logged[0].tensors[0].offset == 0));
  CHECK((events[2].occurrence == 1 && events[2].logged[0].tensors[0].offset == 64));
}

TEST_CASE("values that a delegate's call logs before it ends are of that call", "[etdump]") {
  const auto call = [](std::uint64_t start) {
    return made_profile_event({.name = "DELEGATE_CALL", .instruction = 1}, start, start + 5);
  };
  const Formed formed(
      {made_run("Execute", {logged(1, 0), logged(1, 64), call(10), logged(1, 128), logged(1, 192), call(20)})});
  CHECK(formed.events(0) == Strings{"DELEGATE_CALL@1 x1 +2", "DELEGATE_CALL@1 x1 +2"});
}

TEST_CASE("an event keeps its name, whatever its values were logged as", "[etdump]") {
  const std::vector<FlatNode> runs{made_run("Execute", {kernel(0, 1), logged(0, 0, "x")})};
  CHECK(Formed(runs).events(0) == Strings{"native_call_sin.out@0 x1 +1"});
  CHECK(Formed({made_run("Execute", {logged(0, 0, "x")})}).events(0) == Strings{"x@0 x0 +1"});
}

TEST_CASE("values of the program as a whole are its outputs, and of no event", "[etdump]") {
  const Formed formed({made_run("Execute", {kernel(0, 1), made_debug_event({.name = ""}, {1}, 0, true)})});
  CHECK(formed.events(0) == Strings{"native_call_sin.out@0 x1 +0"});
  CHECK(formed.blocks->at(0).logged_outputs.size() == 1);
}

TEST_CASE("events of delegates are called by their ids, of which 0 is one", "[etdump]") {
  const Formed formed(
      {made_run("Execute", {made_profile_event({.instruction = 0, .delegate_number = 0}, 1, 2),
                            made_profile_event({.instruction = 0, .delegate_text = "Conv #1"}, 2, 3)})});
  CHECK(formed.events(0) == Strings{"0@0 x1 +0", "Conv #1@0 x1 +0"});
  CHECK(formed.blocks->at(0).events[0].is_delegated);
}

TEST_CASE("allocations are no part of a block", "[etdump]") {
  const std::vector<FlatNode> runs{made_run("Execute", {kernel(0, 1), made_allocation_event(1, 64)})};
  CHECK(Formed(runs).events(0) == Strings{"native_call_sin.out@0 x1 +0"});
}

TEST_CASE("percentiles lie between values as numpy has them", "[etdump]") {
  const Statistics four = statistics_of({4, 1, 3, 2});
  CHECK((four.average == 2.5 && four.least == 1 && four.greatest == 4 && four.p50 == 2.5));
  CHECK(four.p10 == Approx(1.3));
  CHECK(four.p90 == Approx(3.7));
  const Statistics one = statistics_of({7});
  CHECK((one.p10 == 7 && one.p50 == 7 && one.p90 == 7));
}

}  // namespace
}  // namespace vizd::etdump::blocks_test
