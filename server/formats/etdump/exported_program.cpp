#include "formats/etdump/exported_program.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "formats/etdump/json_document.h"
#include "formats/etdump/node_names.h"

namespace vizd::etdump {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMostShownBytes = 400;  // of an argument's text

// The scalar types as torch.export's serializer numbers them.
std::optional<ScalarType> type_of_schema(std::int64_t number) {
  if (number >= 1 && number <= 12) return static_cast<ScalarType>(number <= 11 ? number - 1 : 11);
  switch (number) {
    case 13:
      return ScalarType::kBFloat16;
    case 28:
      return ScalarType::kUInt16;
    case 29:
      return ScalarType::kFloat8E4M3Fn;
    case 30:
      return ScalarType::kFloat8E5M2;
    case 31:
      return ScalarType::kFloat8E4M3Fnuz;
    case 32:
      return ScalarType::kFloat8E5M2Fnuz;
    default:
      return std::nullopt;
  }
}

// A size of a tensor: {"as_int": 3}, or {"as_expr": {"expr_str": "s0"}}.
std::string size_text(dom::element size) {
  if (const auto number = child(size, "as_int"))
    if (const auto value = integer_of(*number)) return std::to_string(*value);
  const auto expression = child(size, "as_expr");
  return expression ? text_at(*expression, "expr_str") : "?";
}

// One reading of one program.
class ProgramReader {
 public:
  // depth: how many graphs are around it.
  explicit ProgramReader(ExportedProgram& out, int depth = 0) : out_(out), depth_(depth) {}

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
    if (const auto values = child(graph, "tensor_values")) types_ = object_of(*values);
    read_inputs(graph);
    if (signature) read_signature(*signature);
    for (const dom::element node : *nodes) read_node(node);
    for (const dom::element output : items_at(graph, "outputs")) {
      for_each_value(output, [&](std::uint32_t value) { out_.outputs.push_back(value); });
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

  std::uint32_t add_value(std::string name) {
    ProgramValue value;
    if (types_) {
      dom::element facts;
      if (types_->at_key(name).get(facts) == simdjson::SUCCESS) read_type(facts, value);
    }
    const auto place = static_cast<std::uint32_t>(out_.values.size());
    places_[name] = place;
    value.name = std::move(name);
    out_.values.push_back(std::move(value));
    return place;
  }

  static void read_type(dom::element facts, ProgramValue& value) {
    if (const auto type = child(facts, "dtype"))
      if (const auto number = integer_of(*type)) value.type = type_of_schema(*number);
    for (const dom::element size : items_at(facts, "sizes")) value.shape.push_back(size_text(size));
  }

  // The value of that name; one that nobody made yet is taken for an input.
  std::uint32_t value_named(std::string_view name) {
    const auto found = places_.find(std::string(name));
    if (found != places_.end()) return found->second;
    const std::uint32_t place = add_value(std::string(name));
    out_.values[place].kind = ValueKind::kInput;
    return place;
  }

  // Calls f with each value that an argument refers to.
  template <typename F>
  void for_each_value(dom::element argument, F&& f) {
    const auto object = object_of(argument);
    if (!object) return;
    for (const auto& field : *object) {
      if (field.key == "as_tensor" || field.key == "as_custom_obj") {
        if (const auto name = child(field.value, "name"))
          if (const auto text = text_of(*name)) f(value_named(*text));
      } else if (field.key == "as_sym_int" || field.key == "as_sym_bool" || field.key == "as_sym_float") {
        if (const auto name = child(field.value, "as_name"))
          if (const auto text = text_of(*name)) f(value_named(*text));
      } else if (field.key == "as_tensors" || field.key == "as_optional_tensors" || field.key == "as_sym_ints" ||
                 field.key == "as_nested_tensors") {
        read_values_of_list(field.value, f);
      }
    }
  }

  template <typename F>
  void read_values_of_list(dom::element list, F&& f) {
    dom::array items;
    if (list.get_array().get(items) != simdjson::SUCCESS) return;
    for (const dom::element item : items) {
      if (const auto name = child(item, "name")) {
        if (const auto text = text_of(*name)) f(value_named(*text));
      } else if (const auto symbol = child(item, "as_name")) {
        if (const auto text = text_of(*symbol)) f(value_named(*text));
      } else if (const auto inner = child(item, "as_tensor")) {
        if (const auto text = child(*inner, "name"))
          if (const auto value = text_of(*text)) f(value_named(*value));
      }
    }
  }

  void read_inputs(dom::element graph) {
    for (const dom::element input : items_at(graph, "inputs")) {
      for_each_value(input, [&](std::uint32_t value) {
        out_.inputs.push_back(value);
        out_.values[value].kind = ValueKind::kInput;
        names_.take(out_.values[value].name);
      });
    }
  }

  void read_signature(dom::element signature) {
    constexpr std::tuple<std::string_view, std::string_view, ValueKind> kSpecs[] = {
        {"parameter", "parameter_name", ValueKind::kParameter},
        {"buffer", "buffer_name", ValueKind::kBuffer},
        {"tensor_constant", "tensor_constant_name", ValueKind::kConstant}};
    for (const dom::element spec : items_at(signature, "input_specs")) {
      for (const auto& [key, name_key, kind] : kSpecs) {
        const auto body = child(spec, key);
        const auto argument = body ? child(*body, "arg") : std::nullopt;
        if (!argument) continue;
        const auto found = places_.find(text_at(*argument, "name"));
        if (found == places_.end()) continue;
        out_.values[found->second].kind = kind;
        out_.values[found->second].qualified_name = text_at(*body, name_key);
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
      NodeInput read;
      read.name = text_at(input, "name");
      for_each_value(*argument, [&](std::uint32_t value) { read.values.push_back(value); });
      if (read.values.empty()) {
        argument_text(*argument, read.text);
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

  // A node of one output is named after it, any other after its target.
  static std::string wanted_name(dom::element json, const std::optional<dom::array>& outputs, const std::string& op) {
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
      const std::uint32_t value = add_value(std::string(name));
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

  void read_metadata(dom::element metadata, ProgramNode& node) {
    const std::string handle = text_at(metadata, "debug_handle");
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(handle.data(), handle.data() + handle.size(), number);
    if (error == std::errc() && end == handle.data() + handle.size() && !handle.empty()) node.debug_handle = number;
    if (std::string trace = text_at(metadata, "stack_trace"); !trace.empty()) node.stack_trace = std::move(trace);
    if (const std::string modules = text_at(metadata, "nn_module_stack"); !modules.empty()) read_modules(modules, node);
    node.source_fn = text_at(metadata, "source_fn_stack");
    node.torch_fn = text_at(metadata, "torch_fn");
    if (const std::string from = text_at(metadata, "from_node"); !from.empty()) {
      const auto bytes = std::as_bytes(std::span(from));
      if (const auto origins = JsonDocument::parse(bytes, "from_node")) add_origins(origins->root(), node.origins);
    }
  }

  // "key,path,type;key,path,type"; a key that comes again takes the place of the first.
  static void read_modules(std::string_view text, ProgramNode& node) {
    auto& levels = node.modules.emplace();
    while (!text.empty()) {
      const std::string_view entry = text.substr(0, text.find(';'));
      text.remove_prefix(std::min(entry.size() + 1, text.size()));
      const std::size_t first = entry.find(','), second = first == entry.npos ? first : entry.find(',', first + 1);
      if (second == entry.npos) continue;
      ModuleLevel level{std::string(entry.substr(0, first)), std::string(entry.substr(first + 1, second - first - 1)),
                        std::string(entry.substr(second + 1))};
      const auto same = std::ranges::find(levels, level.key, &ModuleLevel::key);
      same == levels.end() ? levels.push_back(std::move(level)) : static_cast<void>(*same = std::move(level));
    }
  }

  // Of each node the way back through the last of those it comes from.
  static void add_origins(dom::element list, std::vector<NodeOrigin>& origins) {
    dom::array items;
    while (list.get_array().get(items) == simdjson::SUCCESS && items.size() != 0) {
      const dom::element last = items.at(items.size() - 1).value();
      NodeOrigin origin{text_at(last, "name"), 0};
      if (const auto id = child(last, "graph_id")) origin.graph_id = integer_of(*id).value_or(0);
      origins.push_back(std::move(origin));
      const auto next = child(last, "from_node");
      if (!next) return;
      list = *next;
    }
  }

  // What an argument without tensors says, for people.
  static void argument_text(dom::element argument, std::string& out) {
    const auto object = object_of(argument);
    if (!object || object->size() == 0) return value_text(argument, out);
    const auto field = *object->begin();
    if (field.key == "as_none") {
      out = "None";
    } else if (field.key == "as_graph" || field.key == "as_operator") {
      out = text_of(field.value).value_or(text_at(field.value, "name"));
    } else if (field.key == "as_scalar_type") {
      const auto type = type_of_schema(integer_of(field.value).value_or(0));
      out = type ? dtype_name(*type) : "None";
    } else {
      value_text(field.value, out);
    }
  }

  static void value_text(dom::element value, std::string& out) {
    if (out.size() > kMostShownBytes) return;
    dom::array items;
    bool truth = false;
    if (value.get_array().get(items) == simdjson::SUCCESS) {
      out += '[';
      bool is_first = true;
      for (const dom::element item : items) {
        if (out.size() > kMostShownBytes) break;
        if (!std::exchange(is_first, false)) out += ", ";
        std::string inner;
        argument_text(item, inner);
        out += inner;
      }
      out += out.size() > kMostShownBytes ? " …]" : "]";
    } else if (value.get_bool().get(truth) == simdjson::SUCCESS) {
      out += truth ? "True" : "False";
    } else if (const auto text = text_of(value)) {
      out += text->substr(0, kMostShownBytes);
    } else if (value.is_null()) {
      out += "None";
    } else if (value.is_object()) {
      out += "{…}";
    } else {
      out += simdjson::minify(value);
    }
  }

  ExportedProgram& out_;
  const int depth_;
  std::optional<dom::object> types_;
  std::unordered_map<std::string, std::uint32_t> places_;  // of values by name
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
    return Error{ErrorKind::kBadInput, "is no exported program: it has no graph with nodes", name};
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
