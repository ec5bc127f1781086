// Blocks as ExecuTorch's Inspector forms them, what it loses on the way included.
#include "reference/inspector/inspector_blocks.h"

#include <fmt/core.h>

#include <span>
#include <string>
#include <vector>

#include "support/catch.h"
#include "support/etdump_writer.h"

namespace vizd::inspector::inspector_blocks_test {
namespace {

using Strings = std::vector<std::string>;

struct Formed {
  std::string bytes;
  Result<DumpBlocks> dump;

  explicit Formed(std::vector<FlatNode> runs) : bytes(made_etdump(std::move(runs))), dump(DumpBlocks()) {
    const auto file = EtdumpFile::open(std::as_bytes(std::span(bytes)), "f");
    REQUIRE(file);
    dump = inspector_blocks({.file = &*file}, {});
  }

  // "NAME@INSTRUCTION xITERATIONS +VALUES" of the first block's events.
  Strings events() const {
    Strings texts;
    for (const BlockEvent& event : dump->blocks.at(0).events)
      texts.push_back(fmt::format("{}@{} x{} +{}", event.name, event.instruction.value_or(-1), event.iterations(),
                                  event.logged.size()));
    return texts;
  }
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

TEST_CASE("the Inspector keeps the last pass of a loop, with all passes' values", "[etdump]") {
  const Formed formed(
      {made_run("Execute", {kernel(2, 10), logged(2, 0), around(2, 9), kernel(2, 20), logged(2, 64), around(2, 19)})});
  CHECK(formed.events() == Strings{"native_call_sin.out@2 x1 +2", "OPERATOR_CALL@2 x1 +2"});
  const BlockEvent& left = formed.dump->blocks.at(0).events[0];
  CHECK((left.iterations() == 1 && left.start(0) == 20));
}

TEST_CASE("the Inspector gives an event the name that its values were logged as", "[etdump]") {
  CHECK(Formed({made_run("Execute", {kernel(0, 1), logged(0, 0, "x")})}).events() == Strings{"x@0 x1 +1"});
}

TEST_CASE("the Inspector has no answer where allocations are counted", "[etdump]") {
  const Formed formed({made_run("Execute", {kernel(0, 1), made_allocation_event(1, 64)})});
  REQUIRE_FALSE(formed.dump);
  CHECK(formed.dump.error().message.find("Unable to find populated event") != std::string::npos);
}

TEST_CASE("the Inspector tells an instruction of -1 that stands in the file, and none where the field is absent") {
  const FlatNode written = made_profile_event({.name = "Method::init", .instruction = -1}, 1, 2);
  const FlatNode absent =
      FlatNode().table(0, FlatNode().text(0, "Method::init").number(6, std::uint64_t{3}).number(7, std::uint64_t{5}));
  const Formed formed({made_run("Default", {written, absent})});
  const auto& events = formed.dump->blocks.at(0).events;
  REQUIRE(events.size() == 2);  // two to it, of which neither takes the other's place
  CHECK(events[0].instruction == -1);
  CHECK_FALSE(events[1].instruction);

  const auto file = EtdumpFile::open(std::as_bytes(std::span(formed.bytes)), "f");
  const auto own = form_blocks(*file, {});
  for (const BlockEvent& event : own->at(0).events) CHECK_FALSE(event.instruction);
}

}  // namespace
}  // namespace vizd::inspector::inspector_blocks_test
