// How far two runs' values are from one another: the same program event by event, two programs of one model by the
// nodes of their graphs.
#include "reference/inspector/block_gap.h"

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference/inspector/reference_dump.h"
#include "support/catch.h"
#include "support/made_program.h"
#include "support/pickle_writer.h"

namespace vizd::inspector::block_gap_test {
namespace {

Value floats(const std::vector<float>& numbers) {
  auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(float));
  std::memcpy(bytes->data(), numbers.data(), bytes->size());
  const std::span<const std::byte> all = *bytes;
  return {Tensor{ScalarType::kFloat, {static_cast<std::int64_t>(numbers.size())}, all, false, std::move(bytes)}};
}

// x -> conv -> relu -> sum, with handles from that one on.
Method method_of(int first_handle) {
  const auto handle = [&](int place) { return std::to_string(first_handle + place); };
  MadeProgram made;
  made.input("x").edge("aten.conv.default", {"x"}, "aten_conv_default", handle(0));
  made.edge("aten.relu.default", {"aten_conv_default"}, "aten_relu_default", handle(1));
  made.edge("aten.sum.default", {"aten_relu_default"}, "aten_sum_default", handle(2)).output("aten_sum_default");
  Method method;
  method.name = "forward";
  method.edge = *read_exported_program(as_bytes(made.finish()), "program");
  return method;
}

BlockEvent event(const std::string& name, std::int32_t instruction, std::vector<std::int64_t> handles,
                 std::vector<Value> values, std::uint32_t occurrence = 0) {
  BlockEvent made;
  made.name = name;
  made.instruction = instruction;
  made.debug_handles = std::move(handles);
  made.values = std::move(values);
  made.occurrence = occurrence;
  return made;
}

Block block_of(const Method* method, std::vector<BlockEvent> events, std::vector<Value> outputs = {}) {
  Block block;
  block.name = "Execute";
  block.method = method;
  block.events = std::move(events);
  block.outputs = std::move(outputs);
  return block;
}

struct Runs {
  ReferenceDump reference{InputSet()};
  Inspection run;

  Runs(std::vector<Block> before, std::vector<Block> after) {
    reference.inspection.blocks = std::move(before);
    run.blocks = std::move(after);
    run.references.dump = &reference;
  }
  OutputGaps gaps(std::size_t block = 0) const { return gaps_of(run, block).at(0); }
};

TEST_CASE("runs of one program are compared event by event, pass by pass", "[etdump]") {
  const auto events = [](float last) {
    return std::vector{event("native_call_sin.out", 3, {}, {floats({1, 2})}),
                       event("OPERATOR_CALL", 3, {}, {floats({1, 2})}),
                       event("native_call_sin.out", 3, {}, {floats({2, last})}, 1)};
  };
  const Runs runs({block_of(nullptr, events(4), {floats({4})})}, {block_of(nullptr, events(5), {floats({5})})});
  const OutputGaps gaps = runs.gaps();
  REQUIRE(gaps.rows.size() == 3);
  CHECK((gaps.rows[0].mse == 0 && gaps.rows[1].mse == 0.5 && gaps.rows[1].occurrence == 1));
  CHECK((gaps.rows[1].instruction == 3 && gaps.rows[1].node.empty()));
  CHECK(gaps.rows[2].node == "output 0");
  CHECK(gaps.first_grown == 1);
  CHECK(gaps.not_compared.empty());
}

TEST_CASE("a program's outputs are compared with those that the ETRecord keeps, where no other run is given",
          "[etdump]") {
  const std::vector<Value> kept{floats({4, 2})};
  Inspection run;
  run.blocks = {block_of(nullptr, {}, {floats({4, 3})}), block_of(nullptr, {}, {floats({4, 3})})};
  run.blocks[0].reference_outputs = &kept;
  const std::vector<OutputGaps> gaps = gaps_of(run, 0);
  REQUIRE((gaps.size() == 1 && gaps[0].rows.size() == 1));
  CHECK((gaps[0].rows[0].node == "output 0" && gaps[0].rows[0].mse == 0.5 && gaps[0].rows[0].instruction == -1));
  CHECK(gaps_of(run, 1).empty());
  ReferenceDump other{InputSet()};
  run.references.dump = &other;
  CHECK(gaps_of(run, 0).size() == 1);
  CHECK(gaps_of(run, 0)[0].rows.empty());
}

TEST_CASE("portable kernels and a delegate's calls are compared by the nodes of their graphs", "[etdump]") {
  const Method portable = method_of(1);
  Method delegated = method_of(11);
  delegated.debug_handles = {{0, {11, 12}}, {1, {13}}};
  delegated.delegates[0].backend = "XnnpackBackend";
  const Block before = block_of(&portable, {event("native_call_conv.out", 0, {1}, {floats({1, -2})}),
                                            event("native_call_relu.out", 1, {2}, {floats({1, 0})}),
                                            event("native_call_sum.out", 2, {3}, {floats({1})})});
  const Block after = block_of(&delegated, {event("DELEGATE_CALL", 0, {11, 12}, {floats({9, 9}), floats({1, 0.5F})}),
                                            event("native_call_sum.out", 1, {13}, {floats({1.5F})})});
  const OutputGaps gaps = Runs({before}, {after}).gaps();
  REQUIRE(gaps.rows.size() == 2);
  CHECK((gaps.rows[0].node == "aten_relu_default" && gaps.rows[0].mse == 0.125));
  CHECK((gaps.rows[1].node == "aten_sum_default" && gaps.rows[1].mse == 0.25));
  CHECK(gaps.first_grown == 0);

  // The other way round the delegate has nothing to say of what is inside of its call.
  const OutputGaps back = Runs({after}, {before}).gaps();
  REQUIRE(back.rows.size() == 2);
  CHECK(back.rows[0].node == "aten_relu_default");
  REQUIRE(back.not_compared.size() == 1);
  CHECK(back.not_compared[0] ==
        "native_call_conv.out (instruction 0), aten_conv_default: the reference has no value of it");
}

TEST_CASE("a weight's copy is not taken for the product that shares its handle, in either of two programs",
          "[etdump]") {
  const auto method_with = [](const std::string& handle) {
    MadeProgram made;
    made.input("x").input("w").edge("aten.permute_copy.default", {"w"}, "aten_permute_copy_default", handle);
    made.edge("aten.addmm.default", {"x", "aten_permute_copy_default"}, "aten_addmm_default", handle);
    made.output("aten_addmm_default");
    Method method;
    method.name = "forward";
    method.edge = *read_exported_program(as_bytes(made.finish()), "program");
    return method;
  };
  const Method portable = method_with("1");
  Method delegated = method_with("5");
  delegated.debug_handles = {{0, {5, 5}}};
  const Block kernels = block_of(&portable, {event("native_call_permute_copy.out", 0, {1}, {floats({7, 8})}),
                                             event("native_call_addmm.out", 1, {1}, {floats({1, 2})})});
  const Block call = block_of(&delegated, {event("DELEGATE_CALL", 0, {5, 5}, {floats({9, 9}), floats({1, 2})})});
  for (const OutputGaps& gaps : {Runs({kernels}, {call}).gaps(), Runs({call}, {kernels}).gaps()}) {
    REQUIRE(gaps.rows.size() == 1);
    CHECK((gaps.rows[0].node == "aten_addmm_default" && gaps.rows[0].mse == 0));
    CHECK_FALSE(gaps.first_grown);
  }
}

TEST_CASE("blocks are compared with those of the same input, and branches in their order", "[etdump]") {
  const auto block = [](std::int32_t input, const std::string& op, float number) {
    Block made = block_of(nullptr, {event(op, 0, {}, {floats({number})})});
    made.bundled_input = input;
    return made;
  };
  const Runs runs({block(1, "a", 1), block(0, "a", 2), block(-1, "b", 3), block(-1, "c", 4)},
                  {block(0, "a", 2), block(1, "a", 1), block(-1, "c", 4), block(2, "a", 1)});
  for (const std::size_t place : {0u, 1u, 2u}) {
    REQUIRE(runs.gaps(place).rows.size() == 1);
    CHECK(runs.gaps(place).rows[0].mse == 0);
  }
  CHECK(runs.gaps(3).rows.empty());
  CHECK(runs.gaps(3).not_compared ==
        std::vector<std::string>{"the other run logged no values in a block Execute of bundled input 2"});
}

TEST_CASE("what two runs logged otherwise is told and not compared", "[etdump]") {
  const Runs runs({block_of(nullptr, {event("a", 0, {}, {floats({1})}), event("b", 1, {}, {floats({1, 2})})})},
                  {block_of(nullptr, {event("a", 0, {}, {floats({1}), floats({2})}), event("b", 1, {}, {floats({1})}),
                                      event("c", 2, {}, {floats({1})})})});
  const OutputGaps gaps = runs.gaps();
  CHECK(gaps.rows.empty());
  CHECK(gaps.not_compared ==
        std::vector<std::string>{"a (instruction 0): the other run logged 1 values of it, this one 2",
                                 "b (instruction 1): the other run has float32[2], this one float32[1]",
                                 "c (instruction 2): the other run has no values of it"});
}

}  // namespace
}  // namespace vizd::inspector::block_gap_test
