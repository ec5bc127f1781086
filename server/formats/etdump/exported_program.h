// A torch.export program as an ETRecord keeps it: the graph of one method in the ATen or the edge dialect, with what
// the user's own Python said of each node. Read from the JSON of exir's or torch.export's serializer; weights are left
// where they are. Plain data once read, by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::etdump {

// A level of the modules that a node stands in: {"L__self___fc", "fc", "torch.nn.modules.linear.Linear"}.
struct ModuleLevel {
  std::string key, path, type;
  bool operator==(const ModuleLevel&) const = default;
};

// A node of an earlier graph that a node is made from.
struct NodeOrigin {
  std::string name;
  std::int64_t graph_id = 0;
};

struct NodeInput {
  std::string name;                   // "input", "weight"; "" of a positional one without a name
  std::vector<std::uint32_t> values;  // places in ExportedProgram::values, in order
  std::string text;                   // what is no tensor, for people: "[1, 1]", "true", "None"
};

struct NestedGraph;

struct ProgramNode {
  std::string name;    // as the Inspector names it, without the "_" that its tables add: "aten_convolution_default"
  std::string op;      // the target's own name: "aten.convolution.default", "conv2d.default", "getitem"
  std::string target;  // as it was serialized
  std::vector<NodeInput> inputs;
  std::vector<std::uint32_t> outputs;  // places in ExportedProgram::values
  std::optional<std::int64_t> debug_handle;
  std::optional<std::string> stack_trace;
  // Outermost first; none where the node says nothing of modules.
  std::optional<std::vector<ModuleLevel>> modules;
  std::string source_fn;            // "l__self___stem_conv,torch.nn.modules.conv.Conv2d"
  std::string torch_fn;             // "conv2d_1;builtin_function_or_method.conv2d": the call it comes from
  std::vector<NodeOrigin> origins;  // nearest first, branches one after another
  // The graphs that it runs: the body of a loop, the branches of a condition. Their inputs are the last of its own.
  std::vector<NestedGraph> graphs;
};

enum class ValueKind : std::uint8_t { kInput, kParameter, kBuffer, kConstant, kComputed };

struct ProgramValue {
  static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

  std::string name;
  ValueKind kind = ValueKind::kComputed;
  std::string qualified_name;      // of parameters, buffers, constants: "stem.conv.weight"
  std::optional<ScalarType> type;  // none where the program does not say
  std::vector<std::string> shape;  // a size that is not fixed is a name, "s0"
  std::uint32_t node = kNoNode;    // that computes it
  std::uint32_t output = 0;        // which of that node's
};

struct ExportedProgram {
  std::string dialect;  // "EDGE", "ATEN", as the file says; "" where it does not
  std::vector<ProgramValue> values;
  std::vector<ProgramNode> nodes;              // call_function nodes in graph order, getitem and nested ones left out
  std::vector<std::uint32_t> inputs, outputs;  // places in values
};

struct NestedGraph {
  std::string name;  // "submodule_0"
  ExportedProgram program;
};

// Errors, with name as their place: no JSON of a program, nodes without what they need, values that nobody makes.
Result<ExportedProgram> read_exported_program(std::span<const std::byte> json, const std::string& name);

// Gives nodes of the ATen program the handle of the edge nodes made from them, as 1.x's Inspector does by their
// origins, where they have none.
void propagate_handles(const ExportedProgram& edge, std::optional<std::int64_t> export_graph_id, ExportedProgram& aten);

// "aten.conv2d.default" of a serialized target "torch.ops.aten.conv2d.default": see ProgramNode::op.
std::string op_name(std::string_view target);

}  // namespace vizd::etdump
