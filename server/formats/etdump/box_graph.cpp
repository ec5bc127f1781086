#include "formats/etdump/box_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "formats/etdump/partitions.h"

namespace vizd::etdump {
namespace {

constexpr std::size_t kMostDetailBytes = 120;

// Numbers that tell boxes apart which no debug handle does; handles are below.
constexpr std::uint64_t kFirstOwn = std::uint64_t{1} << 40, kFirstInput = std::uint64_t{1} << 41,
                        kFirstNested = std::uint64_t{1} << 43;

std::uint64_t identity_of(std::int64_t handle) { return static_cast<std::uint64_t>(handle) + 1; }

// Calls f with each line of a text.
template <typename F>
void for_each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    f(line);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The handles of edge nodes by the call of the user's that they were made from: for ATen nodes without handles.
std::unordered_map<std::string, std::int64_t> handles_by_call(const Method& method) {
  std::unordered_map<std::string, std::int64_t> handles;
  if (!method.edge) return handles;
  for (const ProgramNode& node : method.edge->nodes)
    if (node.debug_handle && !node.torch_fn.empty()) handles[node.torch_fn] = *node.debug_handle;
  return handles;
}

class BoxMaker {
 public:
  BoxMaker(const Method& method, const ExportedProgram& program, bool is_edge)
      : program_(program), is_edge_(is_edge), partitions_(method) {
    if (!is_edge) calls_ = handles_by_call(method);
    for (std::uint32_t i = 0; i < program.nodes.size(); ++i)
      if (const auto handle = handle_of(program.nodes[i])) last_of_handle_[*handle] = i;
  }

  BoxGraph make() {
    box_of_value_.assign(program_.values.size(), 0);
    is_made_.assign(program_.values.size(), false);
    for (const std::uint32_t value : program_.inputs) add_input(value);
    for (std::uint32_t i = 0; i < program_.nodes.size(); ++i) add_node(i);
    std::set<std::uint32_t> outputs;
    for (const std::uint32_t value : program_.outputs) outputs.insert(box(value));
    for (std::uint32_t i = 0; i < graph_.boxes.size(); ++i)
      if (!read_.contains(i) && graph_.boxes[i].kind == BoxKind::kNode) outputs.insert(i);
    graph_.outputs.assign(outputs.begin(), outputs.end());
    return std::move(graph_);
  }

 private:
  std::optional<std::int64_t> handle_of(const ProgramNode& node) const {
    if (node.debug_handle && *node.debug_handle >= 0) return node.debug_handle;
    const auto found = calls_.find(node.torch_fn);
    return found == calls_.end() ? std::nullopt : std::optional(found->second);
  }

  std::uint32_t box(std::uint32_t value) {
    if (!is_made_[value]) add_input(value);
    return box_of_value_[value];
  }

  void set_box(std::uint32_t value, std::uint32_t box) {
    is_made_[value] = true;
    box_of_value_[value] = box;
  }

  void add_input(std::uint32_t place) {
    constexpr std::string_view kOps[] = {"input", "parameter", "buffer", "constant", "input"};
    const ProgramValue& value = program_.values[place];
    if (is_made_[place]) return;
    Box made;
    const bool is_given = value.kind == ValueKind::kInput || value.kind == ValueKind::kComputed;
    made.kind = is_given ? BoxKind::kInput : BoxKind::kConstant;
    made.op = kOps[static_cast<std::size_t>(value.kind)];
    made.name = value.name;
    made.detail = value.qualified_name.empty() ? value.name : value.qualified_name;
    describe(value, made);
    made.identity = kFirstInput + std::hash<std::string>()(value.name) % kFirstOwn;
    set_box(place, static_cast<std::uint32_t>(graph_.boxes.size()));
    graph_.boxes.push_back(std::move(made));
  }

  static void describe(const ProgramValue& value, Box& made) {
    if (value.type) made.dtype = dtype_name(*value.type);
    made.shape = fmt::format("[{}]", fmt::join(value.shape, ", "));
  }

  void add_node(std::uint32_t place) {
    const ProgramNode& node = program_.nodes[place];
    const std::uint32_t made = put(node, program_, "", [&](std::uint32_t value) { return std::optional(box(value)); });
    const auto handle = handle_of(node);
    const bool stands_for_it = handle && last_of_handle_.at(*handle) == place;
    graph_.boxes[made].identity =
        stands_for_it ? identity_of(*handle) : kFirstOwn + place + (is_edge_ ? 0 : program_.nodes.size() << 8);
    if (is_edge_) graph_.boxes[made].nodes.push_back(place);
    for (const std::uint32_t value : node.outputs) set_box(value, made);
  }

  // The box of a value of the program that a node stands in; none of what nobody knows.
  using BoxOf = std::function<std::optional<std::uint32_t>(std::uint32_t value)>;

  // Adds the box of a node, after those of what it runs: the place of it. within: what names in that program begin
  // with.
  std::uint32_t put(const ProgramNode& node, const ExportedProgram& program, const std::string& within,
                    const BoxOf& box_of) {
    Box made = described(node, program);
    made.name = within + node.name;
    for (const NodeInput& input : node.inputs) {
      for (const std::uint32_t value : input.values)
        if (const auto source = box_of(value)) made.sources.push_back(*source);
    }
    const std::vector<std::uint32_t> given = made.sources;
    for (const NestedGraph& nested : node.graphs) put_nested(nested, given, within + nested.name + ".", made.sources);
    read_.insert(made.sources.begin(), made.sources.end());
    graph_.boxes.push_back(std::move(made));
    return static_cast<std::uint32_t>(graph_.boxes.size() - 1);
  }

  // A graph that a node runs reads the last of what the node was given, and the node reads its results.
  void put_nested(const NestedGraph& nested, const std::vector<std::uint32_t>& given, const std::string& within,
                  std::vector<std::uint32_t>& results) {
    const ExportedProgram& program = nested.program;
    const std::size_t count = std::min(given.size(), program.inputs.size());
    std::unordered_map<std::uint32_t, std::uint32_t> boxes;  // by value
    for (std::size_t i = 0; i < count; ++i) boxes[program.inputs[i]] = given[given.size() - count + i];
    const auto box_of = [&](std::uint32_t value) {
      const auto found = boxes.find(value);
      return found == boxes.end() ? std::nullopt : std::optional(found->second);
    };
    for (const ProgramNode& node : program.nodes) {
      const std::uint32_t made = put(node, program, within, box_of);
      const auto& handle = node.debug_handle;
      const bool stands_for_it =
          handle && *handle >= 0 && nested_handles_.insert(*handle).second && !last_of_handle_.contains(*handle);
      graph_.boxes[made].identity =
          stands_for_it ? identity_of(*handle) : kFirstNested + (is_edge_ ? 0 : kFirstNested / 2) + made;
      for (const std::uint32_t value : node.outputs) boxes[value] = made;
    }
    for (const std::uint32_t output : program.outputs)
      if (const auto result = box_of(output)) results.push_back(*result);
  }

  // All of it but what it reads, and what it is told by.
  Box described(const ProgramNode& node, const ExportedProgram& program) const {
    Box made;
    made.op = node.op;
    for (const NodeInput& input : node.inputs) {
      if (!input.values.empty() || made.detail.size() > kMostDetailBytes) continue;
      if (!made.detail.empty()) made.detail += ", ";
      made.detail += input.name.empty() ? input.text : fmt::format("{}={}", input.name, input.text);
    }
    if (!node.outputs.empty()) describe(program.values[node.outputs.front()], made);
    if (node.stack_trace) {
      made.trace = *node.stack_trace;
      made.place = users_line(made.trace);
    }
    if (const auto handle = handle_of(node)) {
      made.debug_handles.push_back(*handle);
      made.partition = partitions_.of(handle);
    }
    return made;
  }

  const ExportedProgram& program_;
  bool is_edge_;
  Partitions partitions_;
  std::unordered_map<std::string, std::int64_t> calls_;
  std::unordered_map<std::int64_t, std::uint32_t> last_of_handle_;
  std::vector<std::uint32_t> box_of_value_;
  std::vector<bool> is_made_;
  std::set<std::uint32_t> read_;           // boxes that another reads
  std::set<std::int64_t> nested_handles_;  // that a nested node's box is told by
  BoxGraph graph_;
};

// One box for the boxes of a partition.
Box fused(const BoxGraph& from, std::span<const std::uint32_t> members, const std::string& backend) {
  const Box& last = from.boxes[members.back()];
  Box made = last;
  made.kind = BoxKind::kDelegate;
  made.op = backend;
  made.sources.clear();
  made.debug_handles.clear();
  made.nodes.clear();
  made.name = fmt::format("{} {}", backend, last.partition);
  std::map<std::string, std::size_t> counts;
  for (const std::uint32_t member : members) {
    const Box& box = from.boxes[member];
    ++counts[box.op];
    made.nodes.insert(made.nodes.end(), box.nodes.begin(), box.nodes.end());
    made.debug_handles.insert(made.debug_handles.end(), box.debug_handles.begin(), box.debug_handles.end());
  }
  made.detail.clear();
  for (const auto& [op, count] : counts) {
    if (made.detail.size() > kMostDetailBytes) {
      made.detail += ", …";
      break;
    }
    made.detail +=
        fmt::format("{}{}{}", made.detail.empty() ? "" : ", ", count > 1 ? fmt::format("{} × ", count) : "", op);
  }
  return made;
}

}  // namespace

std::string users_line(const std::string& stack_trace) {
  std::string at, best, any;
  for_each_line(stack_trace, [&](std::string_view line) {
    constexpr std::string_view kFile = "  File \"", kLine = "\", line ";
    if (line.starts_with(kFile)) {
      const std::size_t end = line.find(kLine);
      at.clear();
      if (end == line.npos) return;
      const std::string_view file = line.substr(kFile.size(), end - kFile.size());
      const std::string_view rest = line.substr(end + kLine.size());
      at = fmt::format("{}:{}", file, rest.substr(0, rest.find(',')));
    } else if (!at.empty()) {
      any = fmt::format("{} {}", at, trimmed(line));
      if (at.find("site-packages/") == at.npos && at.find("dist-packages/") == at.npos) best = any;
      at.clear();
    }
  });
  return best.empty() ? any : best;
}

BoxGraph boxes_of(const Method& method, const ExportedProgram& program, bool is_edge) {
  return BoxMaker(method, program, is_edge).make();
}

std::optional<BoxGraph> delegated_boxes(const Method& method) {
  const Partitions partitions(method);
  if (!method.edge || partitions.all().empty()) return std::nullopt;
  const BoxGraph edge = boxes_of(method, *method.edge, true);
  // Every box belongs to a group: its partition's, or one of its own.
  std::map<std::uint32_t, std::uint32_t> group_of_partition;
  std::vector<std::uint32_t> group(edge.boxes.size());
  std::vector<std::vector<std::uint32_t>> members;
  for (std::uint32_t i = 0; i < edge.boxes.size(); ++i) {
    const std::uint32_t partition = edge.boxes[i].partition;
    const auto fresh = static_cast<std::uint32_t>(members.size());
    group[i] = partition == 0 ? fresh : group_of_partition.try_emplace(partition, fresh).first->second;
    if (group[i] == fresh) members.emplace_back();
    members[group[i]].push_back(i);
  }
  if (group_of_partition.empty()) return std::nullopt;
  std::vector<std::set<std::uint32_t>> sources(members.size()), users(members.size());
  for (std::uint32_t i = 0; i < edge.boxes.size(); ++i) {
    for (const std::uint32_t source : edge.boxes[i].sources) {
      if (group[source] == group[i]) continue;
      sources[group[i]].insert(group[source]);
      users[group[source]].insert(group[i]);
    }
  }
  // In the order of the graph, each after what it reads.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  std::vector<std::size_t> waits(members.size());
  for (std::uint32_t g = 0; g < members.size(); ++g) {
    waits[g] = sources[g].size();
    if (waits[g] == 0) ready.push(g);
  }
  BoxGraph out;
  std::vector<std::uint32_t> box_of_group(members.size());
  while (!ready.empty()) {
    const std::uint32_t g = ready.top();
    ready.pop();
    const Box& first = edge.boxes[members[g].front()];
    Box made = first.partition == 0 ? first : fused(edge, members[g], partitions.all()[first.partition - 1].backend);
    made.sources.clear();
    std::set<std::uint32_t> seen;
    for (const std::uint32_t member : members[g]) {
      for (const std::uint32_t source : edge.boxes[member].sources) {
        const bool is_once = first.partition != 0;  // a call reads a value once, however many of its nodes do
        if (group[source] == g || (is_once && !seen.insert(group[source]).second)) continue;
        made.sources.push_back(box_of_group[group[source]]);
      }
    }
    box_of_group[g] = static_cast<std::uint32_t>(out.boxes.size());
    out.boxes.push_back(std::move(made));
    for (const std::uint32_t user : users[g])
      if (--waits[user] == 0) ready.push(user);
  }
  if (out.boxes.size() != members.size()) return std::nullopt;
  std::set<std::uint32_t> outputs;
  for (const std::uint32_t output : edge.outputs) outputs.insert(box_of_group[group[output]]);
  out.outputs.assign(outputs.begin(), outputs.end());
  return out;
}

}  // namespace vizd::etdump
