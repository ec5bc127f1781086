#include "reference/inspector/reference_script.h"

#include <fmt/core.h>

#include <map>
#include <string_view>

#include "base/json_writer.h"

namespace vizd::inspector {
namespace {

using namespace etdump;

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
  const NamedGraph graph = reference_graph(*method);
  const std::string handles = graph.program == nullptr ? "" : handles_of(*graph.program);
  if (handles.empty())
    return Error{ErrorKind::kNotFound,
                 fmt::format("no node of the graph has a debug handle; choose another by --reference-graph, of: {}",
                             names_of_graphs(*method)),
                 options.record};
  return fmt::format(
      "{}RECORD = sys.argv[1] if len(sys.argv) > 1 else {}\n"
      "FOLDER = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else \"reference\")\n"
      "METHOD = {}\nGRAPH = {}\n# The debug handle of each node whose value is kept.\nHANDLES = {{\n{}}}\n{}",
      kBeforeNames, literal_of(options.record), literal_of(method->name), literal_of(graph.name), handles, kAfterNames);
}

}  // namespace vizd::inspector
