// Where the time of an ETDump's iterations went: by name, by delegate and by module, each counted once; and which nodes
// events are given.
#include "reference/inspector/shares.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "formats/etdump/kernel_op.h"
#include "formats/etdump/modules.h"
#include "formats/etdump/resolution.h"
#include "reference/inspector/inspector_blocks.h"
#include "reference/inspector/module_tree.h"
#include "support/catch.h"

namespace vizd::inspector::shares_test {
namespace {

using Strings = std::vector<std::string>;

BlockEvent event(const std::string& name, std::int32_t instruction, std::uint64_t start, std::uint64_t end) {
  BlockEvent event;
  event.name = name;
  if (instruction >= 0) event.instruction = instruction;
  event.is_timed = true;
  event.starts.push_back(static_cast<std::int64_t>(start));
  event.ends.push_back(static_cast<std::int64_t>(end));
  event.raw = {static_cast<double>(end - start)};
  event.statistics = statistics_of(event.raw);
  return event;
}
BlockEvent part(const std::string& id, std::int32_t instruction, std::uint64_t start, std::uint64_t end) {
  BlockEvent of = event(id, instruction, start, end);
  of.is_delegated = true;
  of.delegate_text = id;
  return of;
}

Method named(const std::string& name) {
  Method method;
  method.name = name;
  return method;
}

ProgramNode node(const std::string& op, std::int64_t handle, std::vector<ModuleLevel> modules = {}) {
  ProgramNode made;
  made.name = op;
  made.op = op;
  made.debug_handle = handle;
  made.modules = std::move(modules);
  return made;
}

// "NAME CALLSx SELF of TOTAL".
Strings names_of(const Block& block) {
  Strings texts;
  for (const NameShare& row : by_name(block))
    texts.push_back(
        fmt::format("{} {}x {} of {}{}", row.name, row.calls, row.self, row.total, row.is_apart ? " apart" : ""));
  return texts;
}

TEST_CASE("what lies in a call is not counted with it, and the names add up to the iteration", "[etdump]") {
  Block block;
  block.events = {event("native_call_add.out", 0, 12, 18),
                  event("OPERATOR_CALL", 0, 10, 20),
                  part("Conv #1", 1, 31, 50),
                  part("Conv #2", 1, 50, 60),
                  event("DELEGATE_CALL", 1, 30, 70),
                  event("Method::execute", 0, 0, 100)};
  CHECK(names_of(block) == Strings{"Method::execute 1x 50 of 100", "Conv 2x 29 of 29", "DELEGATE_CALL 1x 11 of 40",
                                   "native_call_add.out 1x 6 of 6", "OPERATOR_CALL 1x 4 of 10"});
  CHECK(whole_of(block) == 100);
}

TEST_CASE("parts that a delegate's own clock timed are told apart from the iteration", "[etdump]") {
  Block block;
  block.events = {part("3", 1, 0, 900), event("DELEGATE_CALL", 1, 5000, 5010)};
  CHECK(names_of(block) == Strings{"3 1x 900 of 900 apart", "DELEGATE_CALL 1x 10 of 10"});
}

TEST_CASE("a method is told by the kernels that its map fits, with a graph or without", "[etdump]") {
  EtRecord record;
  Method forward = named("forward");
  forward.edge.emplace().nodes = {node("aten.addmm.default", 1), node("aten.tanh.default", 2)};
  forward.debug_handles = {{0, {1}}, {1, {2}}};
  Method decode = named("decode");
  decode.debug_handles = {{0, {4}}, {1, {5}}, {2, {6}}};
  record.methods.push_back(std::move(forward));
  record.methods.push_back(std::move(decode));

  Block first;
  first.events = {event("native_call_addmm.out", 0, 0, 1), event("native_call_tanh.out", 1, 1, 2)};
  resolve(record, "", first);
  REQUIRE(first.method != nullptr);
  CHECK(first.method->name == "forward");
  CHECK(first.events[1].op_types == Strings{"aten.tanh.default"});

  Block second;
  second.events = {event("native_call_addmm.out", 0, 0, 1), event("native_call_sigmoid.out", 1, 1, 2),
                   event("native_call_mul.out", 2, 2, 3)};
  resolve(record, "", second);
  REQUIRE(second.method != nullptr);
  CHECK(second.method->name == "decode");
  CHECK(second.events[1].debug_handles == std::vector<std::int64_t>{5});
  CHECK((second.events[1].op_types == Strings{"aten.sigmoid.default"} && second.events[1].has_op_of_kernel));
  // The Inspector looks everything up in forward.
  REQUIRE(resolve_as_inspector(record, second));
  CHECK(second.events[1].debug_handles == std::vector<std::int64_t>{2});
}

TEST_CASE("a delegate's id is looked up as it is before any part of it", "[etdump]") {
  EtRecord record;
  Method forward = named("forward");
  forward.edge.emplace().nodes = {node("a", 1), node("b", 2), node("c", 3)};
  forward.debug_handles = {{0, {1, 2, 3}}};
  forward.delegates[0] = {.backend = "B", .handles_by_id = {{"1", {1}}, {"12", {2}}, {"2", {3}}}};
  record.methods.push_back(std::move(forward));
  const auto handles_of = [&](const std::string& id, bool as_inspector) {
    Block block;
    block.events = {part(id, 0, 0, 1)};
    if (as_inspector) {
      REQUIRE(resolve_as_inspector(record, block));
    } else {
      resolve(record, "", block);
    }
    CHECK(block.events[0].backend == "B");
    return std::pair(block.events[0].debug_handles.value_or(std::vector<std::int64_t>()),
                     block.events[0].is_approximate);
  };
  using Handles = std::vector<std::int64_t>;
  CHECK(handles_of("12", false) == std::pair(Handles{2}, false));
  CHECK(handles_of("Conv #12", false) == std::pair(Handles{2}, true));
  CHECK(handles_of("other", false) == std::pair(Handles{1, 2, 3}, true));
  // It takes the last key that is a part of the id.
  CHECK(handles_of("12", true).first == Handles{3});
  CHECK(handles_of("other", true).first.empty());
}

TEST_CASE("a call that runs for several modules is time of the one they share, once", "[etdump]") {
  const ModuleLevel model{"L__self__", "", "models.Net"}, attn{"L__self___attn", "attn", "models.Attn"};
  const ModuleLevel q{"L__self___attn_q", "attn.q", "Linear"}, k{"L__self___attn_k", "attn.k", "Linear"};
  Method forward = named("forward");
  forward.edge.emplace().nodes = {node("a", 1, {model, attn, q}), node("b", 2, {model, attn, k}),
                                  node("c", 3, {model})};
  Block block;
  block.method = &forward;
  block.events = {event("DELEGATE_CALL", 0, 0, 10), event("native_call_x.out", 1, 10, 13),
                  event("native_call_y.out", 2, 13, 14)};
  block.events[0].nodes = {0, 1};
  block.events[1].nodes = {0};
  block.events[2].nodes = {2};
  Strings rows;
  for (const ModuleRow& row : module_tree(block))
    rows.push_back(fmt::format("{}'{}' {} of {}", std::string(row.depth, '>'), row.path, row.self, row.total));
  CHECK(rows == Strings{"'' 1 of 14", ">'attn' 10 of 13", ">>'attn.q' 3 of 3"});
  CHECK(common_module_path(block, block.events[0]) == "attn");
}

TEST_CASE("a kernel's operator is told by its name", "[etdump]") {
  CHECK(kernel_op("native_call_sigmoid.out") == "aten.sigmoid.default");
  CHECK(kernel_op("native_call_add.out") == "aten.add.Tensor");
  CHECK(kernel_op("native_call_select_copy.int_out") == "aten.select_copy.int");
  CHECK(kernel_op("native_call_sum.IntList_out") == "aten.sum.dim_IntList");
  CHECK(kernel_op("DELEGATE_CALL").empty());
  CHECK(base_name("aten.sum.dim_IntList") == "sum");
}

}  // namespace
}  // namespace vizd::inspector::shares_test
