#include "formats/etdump/etrecord.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "base/whole_number.h"
#include "formats/etdump/json_document.h"
#include "formats/etdump/torch_values.h"
#include "formats/etdump/zip_archive.h"

namespace vizd::etdump {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kRecordMark = "ETRECORD_V0", kAten = "exported_program",
                           kEdge = "edge_dialect_exported_program", kForward = "forward";

// A handle or a list of them.
std::vector<std::int64_t> handles_of(dom::element value) {
  std::vector<std::int64_t> handles;
  if (const auto one = integer_of(value)) handles.push_back(*one);
  dom::array list;
  if (value.get_array().get(list) == simdjson::SUCCESS) {
    for (const dom::element item : list)
      if (const auto handle = integer_of(item)) handles.push_back(*handle);
  }
  return handles;
}

// Calls f(method, id, value) for {"forward": {"3": value, …}, …}.
template <typename F>
void for_each_instruction(dom::element root, F&& f) {
  const auto methods = object_of(root);
  if (!methods) return;
  for (const auto& method : *methods) {
    const auto instructions = object_of(method.value);
    if (!instructions) continue;
    for (const auto& [id, value] : *instructions)
      if (const auto number = whole_number(id)) f(method.key, *number, value);
  }
}

// Which of a member's parts a name tells.
struct MemberName {
  std::string_view module, method;  // method is "" where the name has none
};
MemberName split(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  if (slash == name.npos) return {name, ""};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

class RecordReader {
 public:
  RecordReader(const ZipArchive& archive, EtRecord& out) : archive_(archive), out_(out) {}

  void read() {
    read_maps();  // first, for the methods' names
    for (const ZipMember& member : archive_.members()) read_program(member);
    read_values();
    read_graph_id();
    for (Method& method : out_.methods) settle(method);
    std::ranges::sort(out_.methods, [](const Method& a, const Method& b) {
      return std::pair(a.name != kForward, a.name) < std::pair(b.name != kForward, b.name);
    });
  }

 private:
  Method& method(std::string_view name) {
    const auto found = std::ranges::find(out_.methods, name, &Method::name);
    if (found != out_.methods.end()) return *found;
    out_.methods.emplace_back().name = std::string(name);
    return out_.methods.back();
  }

  // The method of a program whose member names none.
  std::string unnamed_method() const {
    return out_.methods.size() == 1 ? out_.methods.front().name : std::string(kForward);
  }

  void leave_out(const Error& error) { ++out_.left_out[error.text()]; }

  // Hands a JSON member to f.
  template <typename F>
  void with_json(std::string_view name, F&& f) {
    const ZipMember* member = archive_.find(name);
    if (member == nullptr) return;
    const auto bytes = archive_.read(*member);
    if (!bytes) return leave_out(bytes.error());
    const auto document = JsonDocument::parse(bytes->bytes, member->name);
    if (!document) return leave_out(document.error());
    f(document->root());
  }

  void read_maps() {
    with_json("debug_handle_map", [&](dom::element root) {
      name_methods(root);
      for_each_instruction(root, [&](std::string_view name, std::int64_t id, dom::element value) {
        auto handles = handles_of(value);
        if (!handles.empty()) method(name).debug_handles[id] = std::move(handles);
      });
    });
    with_json("delegate_map", [&](dom::element root) {
      for_each_instruction(root, [&](std::string_view name, std::int64_t id, dom::element value) {
        DelegateCall& call = method(name).delegates[id];
        call.backend = text_at(value, "name");
        const auto map = child(value, "delegate_map");
        const auto ids = map ? object_of(*map) : std::nullopt;
        if (!ids) return;
        for (const auto& field : *ids) call.handles_by_id.emplace_back(std::string(field.key), handles_of(field.value));
      });
    });
    with_json("instruction_id_to_num_outs_map", [&](dom::element root) {
      for_each_instruction(root, [&](std::string_view name, std::int64_t id, dom::element value) {
        if (const auto counts = handles_of(value); !counts.empty()) method(name).output_counts[id] = counts.front();
      });
    });
  }

  // A method without any instruction is one too.
  void name_methods(dom::element root) {
    const auto methods = object_of(root);
    if (!methods) return;
    for (const auto& field : *methods)
      if (object_of(field.value)) method(field.key);
  }

  static bool is_no_program(std::string_view name) {
    constexpr std::string_view kOthers[] = {kRecordMark,
                                            "debug_handle_map",
                                            "delegate_map",
                                            "export_graph_id",
                                            "reference_outputs",
                                            "representative_inputs",
                                            "instruction_id_to_num_outs_map",
                                            "et_dialect_graph_module"};
    return name.ends_with('/') || name.ends_with("_state_dict") || name.ends_with("_constants") ||
           name.ends_with("_example_inputs") || std::ranges::find(kOthers, name) != std::end(kOthers);
  }

  void read_program(const ZipMember& member) {
    if (is_no_program(member.name)) return;
    const auto bytes = archive_.read(member);
    if (!bytes) return leave_out(bytes.error());
    auto program = read_exported_program(bytes->bytes, member.name);
    if (!program) return leave_out(program.error());
    const auto [module, name] = split(member.name);
    Method& owner = method(name.empty() ? unnamed_method() : std::string(name));
    if (module == kAten) {
      owner.aten = std::move(*program);
      owner.aten_name = kAten;
      out_.has_exported_program = true;
    } else if (module == kEdge) {
      owner.edge = std::move(*program);
    } else {
      owner.other[std::string(module)] = std::move(*program);
    }
  }

  std::vector<SavedValue> saved_values(std::string_view name) {
    const ZipMember* member = archive_.find(name);
    if (member == nullptr) return {};
    const auto bytes = archive_.read(*member);
    if (!bytes) {
      leave_out(bytes.error());
      return {};
    }
    auto values = read_saved_values(bytes->bytes, bytes->storage, member->name);
    if (values) return std::move(*values);
    leave_out(values.error());
    return {};
  }

  void read_values() {
    for (SavedValue& saved : saved_values("reference_outputs")) {
      const auto* cases = saved.value.list();
      if (cases == nullptr) continue;
      auto& outputs = method(saved.name.empty() ? unnamed_method() : saved.name).reference_outputs;
      for (const Value& one : *cases) outputs.push_back(one.list() != nullptr ? *one.list() : std::vector<Value>{one});
    }
    for (SavedValue& saved : saved_values("representative_inputs")) {
      if (const auto* list = saved.value.list()) out_.representative_inputs = *list;
    }
  }

  void read_graph_id() {
    with_json("export_graph_id", [&](dom::element root) { out_.export_graph_id = integer_of(root); });
  }

  // Finds the ATen graph among those that 0.7 keeps by names of their own, and ties it to the edge graph.
  void settle(Method& method) {
    for (auto it = method.other.begin(); it != method.other.end() && !method.aten; ++it) {
      const auto is_edge = [](const ProgramNode& node) { return node.target.find(".edge.") != std::string::npos; };
      if (it->second.nodes.empty() || std::ranges::any_of(it->second.nodes, is_edge)) continue;
      method.aten = std::move(it->second);
      method.aten_name = it->first;
      method.other.erase(it);
      break;
    }
    if (method.aten && method.edge) propagate_handles(*method.edge, out_.export_graph_id, *method.aten);
  }

  const ZipArchive& archive_;
  EtRecord& out_;
};

}  // namespace

const Method* EtRecord::method(std::string_view name) const {
  const auto found = std::ranges::find(methods, name, &Method::name);
  return found == methods.end() ? nullptr : &*found;
}

NamedGraph find_graph(const Method& method, std::string_view name) {
  if (name == "aten" || name == method.aten_name) return {method.aten_name, method.aten ? &*method.aten : nullptr};
  if (name == "edge" || name == kEdge) return {std::string(kEdge), method.edge ? &*method.edge : nullptr};
  const auto other = method.other.find(std::string(name));
  return {std::string(name), other == method.other.end() ? nullptr : &other->second};
}

std::string names_of_graphs(const Method& method) {
  std::string names;
  const auto add = [&](std::string_view name) { names += fmt::format("{}{}", names.empty() ? "" : ", ", name); };
  if (method.aten) add(method.aten_name);
  if (method.edge) add(kEdge);
  for (const auto& [name, program] : method.other) add(name);
  return names.empty() ? "none" : names;
}

NamedGraph reference_graph(const Method& method) {
  if (!method.reference.empty()) return find_graph(method, method.reference);
  const NamedGraph edge = find_graph(method, kEdge);
  if (!method.aten) return edge;
  std::set<std::int64_t> known;
  for (const ProgramNode& node : method.aten->nodes)
    if (node.debug_handle) known.insert(*node.debug_handle);
  const auto is_known = [&](const ProgramNode& node) {
    return !node.debug_handle || known.contains(*node.debug_handle);
  };
  const bool is_aten =
      edge.program == nullptr || (!known.empty() && std::ranges::all_of(edge.program->nodes, is_known));
  return is_aten ? find_graph(method, method.aten_name) : edge;
}

Result<void> choose_reference(EtRecord& record, std::string_view graph, std::string_view method) {
  const auto refuse = [&](const Method* of, std::string_view why) {
    return Error{ErrorKind::kNotFound,
                 fmt::format("--reference-graph {}: {} {}; there are: {}", graph,
                             of == nullptr ? "the ETRecord" : "method " + of->name, why,
                             of == nullptr ? "none" : names_of_graphs(*of)),
                 ""};
  };
  const Method* chosen = method.empty() ? nullptr : record.method(method);
  const Method* without_handles = nullptr;
  bool is_there = false;
  for (Method& each : record.methods) {
    if (chosen == nullptr) chosen = &each;
    const ExportedProgram* program = find_graph(each, graph).program;
    if (program == nullptr) continue;
    const auto has_handle = [](const ProgramNode& node) { return node.debug_handle.has_value(); };
    if (std::ranges::none_of(program->nodes, has_handle)) {
      without_handles = &each;
      continue;
    }
    each.reference = graph;
    is_there = is_there || method.empty() || each.name == method;
  }
  if (is_there) return {};
  return without_handles != nullptr ? refuse(without_handles, "has no debug handle in that graph")
                                    : refuse(chosen, "has no such graph");
}

bool looks_like_zip(std::span<const std::byte> beginning) {
  return beginning.size() >= 4 && std::memcmp(beginning.data(), "PK\x03\x04", 4) == 0;
}

Result<EtRecord> read_etrecord(std::span<const std::byte> bytes, const std::string& name) {
  const auto archive = ZipArchive::open(bytes, name);
  if (!archive) return archive.error();
  if (archive->find(kRecordMark) == nullptr) {
    return Error{
        ErrorKind::kBadInput,
        "is a zip but not an ETRecord: it has no member ETRECORD_V0; give the file that generate_etrecord wrote", name};
  }
  EtRecord record;
  RecordReader(*archive, record).read();
  if (archive->has_gap()) ++record.left_out["a second file behind the first"];
  return record;
}

}  // namespace vizd::etdump
