#include "reference/inspector/reference_script.h"

#include <fmt/core.h>

#include <map>
#include <string_view>

#include "base/json_writer.h"

namespace vizd::inspector {
namespace {

using namespace etdump;

constexpr std::string_view kExported = "exported_program", kEdge = "edge_dialect_exported_program";

// Graphs by their names in the record and by those that people say.
struct Graph {
  std::string name;
  const ExportedProgram* program = nullptr;
};

std::string names_of_graphs(const Method& method) {
  std::string names;
  const auto add = [&](std::string_view name) { names += fmt::format("{}{}", names.empty() ? "" : ", ", name); };
  if (method.aten) add(method.aten_name);
  if (method.edge) add(kEdge);
  for (const auto& [name, program] : method.other) add(name);
  return names.empty() ? "none" : names;
}

Result<Graph> find_graph(const Method& method, const std::string& name) {
  const Graph aten{method.aten_name, method.aten ? &*method.aten : nullptr};
  const Graph edge{std::string(kEdge), method.edge ? &*method.edge : nullptr};
  Graph found;
  if (name.empty()) {
    found = reference_graph(method) == edge.program ? edge : aten;
  } else if (name == "aten" || name == method.aten_name) {
    found = aten;
  } else if (name == "edge" || name == kEdge) {
    found = edge;
  } else if (const auto other = method.other.find(name); other != method.other.end()) {
    found = {other->first, &other->second};
  }
  if (found.program != nullptr) return found;
  return Error{ErrorKind::kNotFound,
               fmt::format("--reference-graph {}: method {} has no such graph; there are: {}",
                           name.empty() ? std::string_view("aten") : std::string_view(name), method.name,
                           names_of_graphs(method)),
               ""};
}

// Python reads the texts of JSON as its own.
std::string literal_of(std::string_view text) {
  std::string out;
  JsonWriter(out).text(text);
  return out;
}

// The names of the nodes whose values are kept: of each handle the last that carries it.
std::string handles_of(const ExportedProgram& program) {
  std::map<std::int64_t, const ProgramNode*> last;
  for (const ProgramNode& node : program.nodes)
    if (node.debug_handle) last[*node.debug_handle] = &node;
  std::string text;
  for (const auto& [handle, node] : last) text += fmt::format("    {}: {},\n", literal_of(node->name), handle);
  return text;
}

constexpr std::string_view kBeforeNames =
    R"("""Runs a graph of an ETRecord on the inputs that the record keeps, and leaves the value of each node with a debug
handle in FOLDER, for: vizd summary DUMP --etrecord RECORD --reference-tensors FOLDER
Needs PyTorch and ExecuTorch as they made the record: python3 THIS_FILE [RECORD [FOLDER]]"""
import pathlib
import sys

import numpy
import torch
from executorch.devtools.etrecord import parse_etrecord

)";

constexpr std::string_view kAfterNames = R"(

def program_of(record):
    if GRAPH == "exported_program":
        program = record.exported_program
    elif GRAPH == "edge_dialect_exported_program":
        program = record.edge_dialect_program
    else:
        graphs = record.graph_map or {}
        program = graphs[GRAPH] if GRAPH in graphs else graphs[GRAPH + "/" + METHOD]
    return program[METHOD] if isinstance(program, dict) else program


def inputs_of(record, program):
    inputs = getattr(record, "_representative_inputs", None)
    if inputs is not None:
        return inputs
    print("The record keeps no inputs of a test case; the example inputs of the export are taken. Run the model on"
          " the device with the same.", file=sys.stderr)
    return program.example_inputs[0]


def save(name, tensor):
    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype == torch.bfloat16 or "float8" in str(tensor.dtype):
        tensor = tensor.float()  # numpy has no such type
    numpy.save(FOLDER / f"{name}.npy", tensor.numpy())


class Keeper(torch.fx.Interpreter):
    kept = 0

    def run_node(self, node):
        value = super().run_node(node)
        handle = HANDLES.get(node.name) if node.op == "call_function" else None
        if handle is None:
            return value
        Keeper.kept += 1
        if isinstance(value, torch.Tensor):
            save(handle, value)
        elif isinstance(value, (list, tuple)):
            for output, part in enumerate(value):
                if isinstance(part, torch.Tensor):
                    save(f"{handle}.{output}", part)
        return value


record = parse_etrecord(RECORD)
program = program_of(record)
FOLDER.mkdir(parents=True, exist_ok=True)
with torch.no_grad():
    Keeper(program.module()).run(*inputs_of(record, program))
print(f"{Keeper.kept} of {len(HANDLES)} nodes left their values in {FOLDER}", file=sys.stderr)
sys.exit(0 if Keeper.kept == len(HANDLES) else 1)
)";

}  // namespace

Result<std::string> reference_script(const EtRecord& record, const ScriptOptions& options) {
  const Method* const method = options.method.empty() ? record.methods.empty() ? nullptr : &record.methods.front()
                                                      : record.method(options.method);
  if (method == nullptr)
    return Error{ErrorKind::kNotFound, fmt::format("the ETRecord has no method {}", options.method), options.record};
  const auto graph = find_graph(*method, options.graph);
  if (!graph) return graph.error();
  const std::string handles = handles_of(*graph->program);
  if (handles.empty())
    return Error{ErrorKind::kNotFound,
                 fmt::format("no node of {} has a debug handle; take another --reference-graph of: {}", graph->name,
                             names_of_graphs(*method)),
                 options.record};
  return fmt::format(
      "{}RECORD = sys.argv[1] if len(sys.argv) > 1 else {}\n"
      "FOLDER = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else \"reference\")\n"
      "METHOD = {}\nGRAPH = {}\n# The debug handle of each node whose value is kept.\nHANDLES = {{\n{}}}\n{}",
      kBeforeNames, literal_of(options.record), literal_of(method->name), literal_of(graph->name), handles,
      kAfterNames);
}

}  // namespace vizd::inspector
