// What each call of a delegate took of a graph, and what was left between them, and why as far as the graph tells.
#include "reference/inspector/delegation.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/made_program.h"
#include "support/pickle_writer.h"

namespace vizd::inspector::delegation_test {
namespace {

BlockEvent ran(const std::string& name, std::int32_t instruction, std::vector<std::uint32_t> nodes, double average) {
  BlockEvent event;
  event.name = name;
  event.instruction = instruction;
  event.is_timed = true;
  event.nodes = std::move(nodes);
  event.statistics = Statistics{.average = average};
  return event;
}

// conv and relu in a first call, cumsum in none, conv in a second; relu after it in none.
Method method_with_two_calls() {
  MadeProgram made;
  made.input("x").edge("aten.conv.default", {"x"}, "conv", "1").edge("aten.relu.default", {"conv"}, "relu", "2");
  made.edge("aten.cumsum.default", {"relu"}, "cumsum", "3").edge("aten.conv.default", {"cumsum"}, "conv_1", "4");
  made.edge("aten.relu.default", {"conv_1"}, "relu_1", "5").output("relu_1");
  Method method;
  method.name = "forward";
  method.edge = *read_exported_program(as_bytes(made.finish()), "program");
  method.debug_handles = {{0, {1, 2}}, {1, {3}}, {2, {4}}, {3, {5}}};
  method.delegates[0].backend = method.delegates[2].backend = "XnnpackBackend";
  return method;
}

TEST_CASE("delegation is told call by call and node by node, in the order of the graph", "[etdump]") {
  const Method method = method_with_two_calls();
  Block block;
  block.method = &method;
  block.events = {ran("DELEGATE_CALL", 0, {0, 1}, 5), ran("native_call_cumsum.out", 1, {2}, 2),
                  ran("OPERATOR_CALL", 1, {2}, 3), ran("DELEGATE_CALL", 2, {3}, 4),
                  ran("native_call_relu.out", 3, {4}, 1)};
  const auto parts = delegation_of(block);
  REQUIRE(parts.size() == 4);
  CHECK((parts[0].partition == 1 && parts[0].backend == "XnnpackBackend" && parts[0].nodes.size() == 2));
  CHECK((parts[0].total == 5.0 && parts[2].total == 4.0 && parts[1].total == 2.0));
  CHECK((parts[1].partition == 0 && parts[1].instruction == 1));
  CHECK((parts[1].before == std::vector<std::uint32_t>{1} && parts[1].after == std::vector<std::uint32_t>{2}));
  CHECK(reason_of(parts[1]) == "no node of this op was delegated");
  CHECK((parts[3].before == std::vector<std::uint32_t>{2} && parts[3].after.empty()));
  CHECK(reason_of(parts[3]) == "1 of 2 nodes of this op was delegated");
  CHECK(reason_of(parts[0]).empty());
}

TEST_CASE("a type that no delegate took is told, and a graph without delegates tells nothing", "[etdump]") {
  DelegationPart part;
  part.dtype = "int64";
  part.delegated_of_op = 2;
  part.of_op = 3;
  CHECK(reason_of(part) == "2 of 3 nodes of this op were delegated, none of them int64");
  Method method = method_with_two_calls();
  method.delegates.clear();
  Block block;
  block.method = &method;
  block.events = {ran("native_call_relu.out", 3, {4}, 1)};
  CHECK(delegation_of(block).empty());
  block.method = nullptr;
  CHECK(delegation_of(block).empty());
}

}  // namespace
}  // namespace vizd::inspector::delegation_test
