// Reads an exported program (exported_program.h) from its JSON, node by node in the order of the graph.
#include <fmt/core.h>

#include <unordered_map>
#include <utility>

#include "formats/etdump/argument_text.h"
#include "formats/etdump/exported_program.h"
#include "formats/etdump/json_document.h"
#include "formats/etdump/node_metadata.h"
#include "formats/etdump/node_names.h"
#include "formats/etdump/program_values.h"

namespace vizd::etdump {
namespace {

namespace dom = simdjson::dom;

// One reading of one program.
class ProgramReader {
 public:
  // depth: how many graphs are around it.
  explicit ProgramReader(ExportedProgram& out, int depth = 0) : out_(out), depth_(depth), values_(out.values) {}

  bool read(dom::element root) {
    const auto module = child(root, "graph_module");
    const auto graph = module ? child(*module, "graph") : std::nullopt;
    if (!graph || !read_graph(*graph, child(*module, "signature"))) return false;
    read_dialect(root);
    return true;
  }

  // False where it has no nodes.
  bool read_graph(dom::element graph, const std::optional<dom::element>& signature = std::nullopt) {
    const auto nodes = array_at(graph, "nodes");
    if (!nodes) return false;
    if (const auto values = child(graph, "tensor_values")) values_.set_types(object_of(*values));
    read_inputs(graph);
    if (signature) values_.read_signature(*signature);
    for (const dom::element node : *nodes) read_node(node);
    for (const dom::element output : items_at(graph, "outputs")) {
      for (const std::uint32_t value : values_.of(output)) out_.outputs.push_back(value);
    }
    return true;
  }

 private:
  void read_dialect(dom::element root) {
    out_.dialect = text_at(root, "dialect");
    if (!out_.dialect.empty()) return;
    for (const dom::element verifier : items_at(root, "verifiers")) {
      if (const auto text = text_of(verifier)) out_.dialect = std::string(*text);
    }
  }

  void read_inputs(dom::element graph) {
    for (const dom::element input : items_at(graph, "inputs")) {
      for (const std::uint32_t value : values_.of(input)) {
        out_.inputs.push_back(value);
        out_.values[value].kind = ValueKind::kInput;
        names_.take(out_.values[value].name);
      }
    }
  }

  void read_node(dom::element json) {
    ProgramNode node;
    node.target = text_at(json, "target");
    node.op = op_name(node.target);
    for (const dom::element input : items_at(json, "inputs")) {
      const auto argument = child(input, "arg");
      if (!argument) continue;
      NodeInput read{.name = text_at(input, "name"), .values = values_.of(*argument), .text = ""};
      if (read.values.empty()) {
        read.text = argument_text(*argument);
        take_attributes(*argument, node);
      }
      node.inputs.push_back(std::move(read));
    }
    const auto outputs = array_at(json, "outputs");
    node.name = names_.take(wanted_name(json, outputs, node.op));
    if (outputs) read_outputs(*outputs, node);
    if (const auto metadata = child(json, "metadata")) read_metadata(*metadata, node);
    out_.nodes.push_back(std::move(node));
  }

  // Graphs serialised by newer releases of torch name each node. Elsewhere a node of one output is named after it, any
  // other after its target.
  static std::string wanted_name(dom::element json, const std::optional<dom::array>& outputs, const std::string& op) {
    if (std::string name = text_at(json, "name"); !name.empty()) return name;
    if (outputs && outputs->size() == 1) {
      bool is_single = true;
      if (text_at(json, "target").starts_with("torch.ops.higher_order")) {
        bool flag = false;
        is_single = json["is_hop_single_tensor_return"].get_bool().get(flag) == simdjson::SUCCESS && flag;
      }
      if (const auto tensor = child(outputs->at(0), "as_tensor"); tensor && is_single) return text_at(*tensor, "name");
    }
    return name_of_op(op);
  }

  // Graphs that an argument holds are attributes of the module, with names of the same kind.
  void take_attributes(dom::element argument, ProgramNode& node) {
    constexpr int kMostNested = 16;
    const auto held = child(argument, "as_graph");
    if (!held) return;
    names_.take(text_at(*held, "name"));
    const auto graph = child(*held, "graph");
    if (!graph || depth_ == kMostNested) return;
    NestedGraph nested{text_at(*held, "name"), {}};
    if (ProgramReader(nested.program, depth_ + 1).read_graph(*graph)) node.graphs.push_back(std::move(nested));
  }

  void read_outputs(dom::array outputs, ProgramNode& node) {
    const auto add = [&](std::string_view name) {
      const std::uint32_t value = values_.add(name);
      out_.values[value].kind = ValueKind::kComputed;
      out_.values[value].node = static_cast<std::uint32_t>(out_.nodes.size());
      out_.values[value].output = static_cast<std::uint32_t>(node.outputs.size());
      node.outputs.push_back(value);
      if (name != node.name) names_.take(name);
    };
    for (const dom::element output : outputs) {
      if (const auto tensor = child(output, "as_tensor")) add(text_at(*tensor, "name"));
      if (const auto symbol = child(output, "as_sym_int")) add(text_at(*symbol, "as_name"));
      if (const auto symbol = child(output, "as_sym_bool")) add(text_at(*symbol, "as_name"));
      for (const dom::element tensor : items_at(output, "as_tensors")) add(text_at(tensor, "name"));
    }
  }

  ExportedProgram& out_;
  const int depth_;
  ProgramValues values_;
  NodeNames names_;
};

std::string origin_id(std::string_view name, std::int64_t graph_id) { return fmt::format("{}.{}", name, graph_id); }

}  // namespace

std::string op_name(std::string_view target) {
  if (target.empty()) return {};
  const auto last_parts = [&](int count) {
    std::size_t at = target.size();
    for (; count > 0 && at != 0; --count) {
      const std::size_t dot = target.rfind('.', at - 1);
      if (dot == target.npos) return target;
      at = dot;
    }
    return target.substr(at + 1);
  };
  const bool is_edge = target.find(".edge.") != target.npos || target.find("edge._ops") != target.npos;
  if (is_edge) return std::string(last_parts(3));
  const bool is_operator = target.starts_with("torch.ops.") && !target.starts_with("torch.ops.higher_order.");
  return std::string(last_parts(is_operator ? 2 : 1));
}

Result<ExportedProgram> read_exported_program(std::span<const std::byte> json, const std::string& name) {
  const auto document = JsonDocument::parse(json, name);
  if (!document) return document.error();
  ExportedProgram program;
  if (!ProgramReader(program).read(document->root())) {
    return Error{ErrorKind::kBadInput, "is not an exported program: it has no graph with nodes", name};
  }
  return program;
}

void propagate_handles(const ExportedProgram& edge, std::optional<std::int64_t> export_graph_id,
                       ExportedProgram& aten) {
  std::unordered_map<std::string, std::int64_t> handle_by_origin;
  for (const ProgramNode& node : edge.nodes) {
    if (!node.debug_handle) continue;
    for (const NodeOrigin& origin : node.origins) {
      handle_by_origin.try_emplace(origin_id(origin.name, origin.graph_id), *node.debug_handle);
    }
  }
  for (ProgramNode& node : aten.nodes) {
    if (node.debug_handle) continue;
    auto found = handle_by_origin.find(origin_id(node.name, export_graph_id.value_or(0)));
    if (found == handle_by_origin.end() && !node.origins.empty()) {
      found = handle_by_origin.find(origin_id(node.origins.front().name, node.origins.front().graph_id));
    }
    if (found != handle_by_origin.end()) node.debug_handle = found->second;
  }
}

}  // namespace vizd::etdump
