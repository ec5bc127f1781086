// Bodies of loops and branches of conditions: graphs that a node of the program holds.
#include <string>
#include <vector>

#include "formats/etdump/box_graph.h"
#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::etdump::nested_graph_test {
namespace {

std::string tensor(const std::string& name) { return R"({"as_tensor":{"name":")" + name + R"("}})"; }
std::string input(const std::string& argument) { return R"({"name":"","arg":)" + argument + "}"; }
std::string node(const std::string& target, const std::string& inputs, const std::string& outputs,
                 const std::string& handle) {
  return R"({"target":")" + target + R"(","inputs":[)" + inputs + R"(],"outputs":[)" + outputs +
         R"(],"metadata":{"debug_handle":")" + handle + R"("}})";
}
std::string graph(const std::string& inputs, const std::string& nodes, const std::string& outputs) {
  return R"({"inputs":[)" + inputs + R"(],"outputs":[)" + outputs + R"(],"nodes":[)" + nodes +
         R"(],"tensor_values":{}})";
}
std::string held(const std::string& name, const std::string& of) {
  return input(R"({"as_graph":{"name":")" + name + R"(","graph":)" + of + "}}");
}

// x, w -> map over x of a body that takes an element and w: sin, then mul with w -> relu.
std::string program_with_loop() {
  const std::string body =
      graph(tensor("e") + "," + tensor("w_1"),
            node("executorch.exir.dialects.edge.ops.aten.sin.default", input(tensor("e")), tensor("sin"), "12") + "," +
                node("executorch.exir.dialects.edge.ops.aten.mul.Tensor",
                     input(tensor("sin")) + "," + input(tensor("w_1")), tensor("mul"), "13"),
            tensor("mul"));
  const std::string nodes =
      node("torch.ops.higher_order.map_impl",
           held("submodule_0", body) + "," + input(R"({"as_tensors":[{"name":"x"}]})") + "," +
               input(R"({"as_tensors":[{"name":"w"}]})"),
           R"({"as_tensors":[{"name":"getitem"}]})", "6") +
      "," + node("executorch.exir.dialects.edge.ops.aten.relu.default", input(tensor("getitem")), tensor("relu"), "8");
  return R"({"graph_module":{"graph":)" + graph(tensor("x") + "," + tensor("w"), nodes, tensor("relu")) +
         R"(,"signature":{"input_specs":[]}},"verifiers":["EDGE"]})";
}

TEST_CASE("a loop's body stands in the graph between what it is given and the node that runs it", "[etdump]") {
  Method method;
  method.edge = *read_exported_program(as_bytes(program_with_loop()), "program");
  REQUIRE(method.edge->nodes.size() == 2);  // nested ones are none of the program's own
  REQUIRE(method.edge->nodes[0].graphs.size() == 1);
  CHECK(method.edge->nodes[0].graphs[0].program.nodes.size() == 2);

  const BoxGraph made = boxes_of(method, *method.edge, true);
  std::vector<std::string> texts;
  for (const Box& box : made.boxes) {
    std::string text = box.name + ":";
    for (const std::uint32_t source : box.sources) text += " " + made.boxes[source].name;
    texts.push_back(text);
  }
  CHECK(texts == std::vector<std::string>{"x:", "w:", "submodule_0.sin: x", "submodule_0.mul: submodule_0.sin w",
                                          "map_impl: x w submodule_0.mul", "relu: map_impl"});
  CHECK(made.boxes[2].debug_handles == std::vector<std::int64_t>{12});
  CHECK(made.boxes[2].nodes.empty());
  CHECK(made.boxes[4].nodes == std::vector<std::uint32_t>{0});
  CHECK(made.outputs == std::vector<std::uint32_t>{5});
  std::vector<std::uint64_t> identities;
  for (const Box& box : made.boxes) identities.push_back(box.identity);
  std::ranges::sort(identities);
  CHECK(std::ranges::adjacent_find(identities) == identities.end());
}

TEST_CASE("a node has the name that the file gives it", "[etdump]") {
  // Two outputs and no name: after the target. With a name: that, whatever the target and the outputs are called.
  const std::string outputs = tensor("getitem") + "," + tensor("getitem_1");
  const auto named = [&](const std::string& name) {
    return R"({"name":)" + name + R"(,"target":"torch.ops.aten.gru.input","inputs":[],"outputs":[)" + outputs +
           R"(],"metadata":{}})";
  };
  const auto names_of = [&](const std::string& nodes) {
    std::vector<std::string> names;
    const std::string text = R"({"graph_module":{"graph":)" + graph(tensor("x"), nodes, tensor("getitem")) +
                             R"(,"signature":{"input_specs":[]}},"verifiers":["TRAINING"]})";
    const auto program = read_exported_program(as_bytes(text), "program");
    REQUIRE(program);
    for (const ProgramNode& read : program->nodes) names.push_back(read.name);
    return names;
  };
  CHECK(names_of(named(R"("gru")")) == std::vector<std::string>{"gru"});
  CHECK(names_of(named("null")) == std::vector<std::string>{"gru_input"});
  CHECK(names_of(named(R"("")")) == std::vector<std::string>{"gru_input"});
}

TEST_CASE("graphs in graphs are read as far as anybody writes them", "[etdump]") {
  std::string inner = graph(tensor("x"), node("aten.sin.default", input(tensor("x")), tensor("y"), "1"), tensor("y"));
  for (int depth = 0; depth < 60; ++depth)
    inner = graph(
        tensor("x"),
        node("torch.ops.higher_order.cond", held("true_graph_0", inner) + "," + input(tensor("x")), tensor("y"), "1"),
        tensor("y"));
  const auto program = read_exported_program(
      as_bytes(R"({"graph_module":{"graph":)" + inner + R"(,"signature":{"input_specs":[]}},"verifiers":["EDGE"]})"),
      "program");
  REQUIRE(program);
  std::size_t depth = 0;
  for (const ExportedProgram* at = &*program; !at->nodes[0].graphs.empty(); at = &at->nodes[0].graphs[0].program)
    ++depth;
  CHECK(depth == 16);
  Method method;
  method.edge = *program;
  CHECK(boxes_of(method, *method.edge, true).boxes.size() == 18);  // the input, and a box a graph
}

}  // namespace
}  // namespace vizd::etdump::nested_graph_test
