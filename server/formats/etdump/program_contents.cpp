#include "formats/etdump/program_contents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace vizd::etdump {
namespace {

// The bytes of a value whose sizes are all fixed.
std::optional<std::uint64_t> bytes_of(const ProgramValue& value) {
  if (!value.type) return std::nullopt;
  std::vector<std::int64_t> shape;
  for (const std::string& size : value.shape) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(size.data(), size.data() + size.size(), number);
    if (failed != std::errc() || end != size.data() + size.size()) return std::nullopt;
    shape.push_back(number);
  }
  const auto count = element_count_of(shape);
  return count ? dense_bytes(*value.type, *count) : std::nullopt;
}

bool is_constant(const ProgramValue& value) {
  return value.kind == ValueKind::kParameter || value.kind == ValueKind::kBuffer || value.kind == ValueKind::kConstant;
}

// What the constants of a graph are, and which operators read them.
void add_graph(const std::string& method, const ExportedProgram& graph, ProgramContents& contents) {
  for (const ProgramValue& value : graph.values) {
    if (!is_constant(value)) continue;
    contents.constants.push_back({.method = method,
                                  .name = value.qualified_name.empty() ? value.name : value.qualified_name,
                                  .type = value.type ? std::string(dtype_name(*value.type)) : "",
                                  .shape = value.shape,
                                  .bytes = bytes_of(value)});
  }
  std::map<std::string, OperatorContents> operators;
  std::set<std::uint32_t> counted;
  for (const ProgramNode& node : graph.nodes) {
    OperatorContents& op = operators[node.op];
    ++op.calls;
    for (const NodeInput& input : node.inputs)
      for (const std::uint32_t value : input.values)
        if (is_constant(graph.values[value]) && counted.insert(value).second)
          op.constant_bytes += bytes_of(graph.values[value]).value_or(0);
  }
  for (auto& [name, op] : operators) {
    op.method = method;
    op.op = name;
    contents.operators.push_back(std::move(op));
  }
}

OwnCell bytes_cell(const std::optional<std::uint64_t>& bytes) {
  return bytes ? OwnCell(static_cast<std::int64_t>(*bytes)) : OwnCell();
}
OwnCell count_cell(std::uint64_t count) { return static_cast<std::int64_t>(count); }

}  // namespace

std::uint64_t ProgramContents::constant_bytes() const {
  std::uint64_t sum = 0;
  for (const ConstantContents& constant : constants) sum += constant.bytes.value_or(0);
  return sum;
}

ProgramContents contents_of(const EtRecord& record) {
  ProgramContents contents;
  for (const Method& method : record.methods) {
    const ExportedProgram* graph = method.edge ? &*method.edge : method.aten ? &*method.aten : nullptr;
    PlanContents plan{.method = method.name, .instructions = method.debug_handles.size(), .buffer_bytes = {}};
    if (graph != nullptr) {
      plan.inputs = static_cast<std::uint64_t>(std::ranges::count_if(
          graph->inputs, [&](std::uint32_t value) { return !is_constant(graph->values[value]); }));
      plan.outputs = graph->outputs.size();
      add_graph(method.name, *graph, contents);
    }
    contents.plans.push_back(std::move(plan));
    std::map<std::string, DelegateContents> delegates;
    for (const auto& [instruction, call] : method.delegates) {
      DelegateContents& delegate = delegates[call.backend];
      ++delegate.calls;
      if (const auto found = method.debug_handles.find(instruction); found != method.debug_handles.end())
        delegate.nodes += std::set<std::int64_t>(found->second.begin(), found->second.end()).size();
    }
    for (auto& [backend, delegate] : delegates) {
      delegate.method = method.name;
      delegate.backend = backend;
      contents.delegates.push_back(std::move(delegate));
    }
  }
  std::ranges::stable_sort(contents.constants, std::greater(), &ConstantContents::bytes);
  std::ranges::stable_sort(contents.operators, std::greater(), &OperatorContents::constant_bytes);
  return contents;
}

void add_facts(const ProgramContents& contents, Capture& capture) {
  const auto add = [&](std::string_view subject, std::string_view name, std::uint64_t value, std::string_view unit) {
    capture.facts.push_back({.subject = capture.strings.add(subject),
                             .name = capture.strings.add(name),
                             .value = static_cast<std::int64_t>(value),
                             .unit = capture.strings.add(unit)});
  };
  add("", "methods", contents.plans.size(), "");
  add("", "constants", contents.constants.size(), "");
  add("", "constants take", contents.constant_bytes(), "B");
  for (const PlanContents& plan : contents.plans) {
    add(plan.method, "instructions", plan.instructions, "");
    add(plan.method, "inputs", plan.inputs, "");
    add(plan.method, "outputs", plan.outputs, "");
    for (std::size_t i = 0; i < plan.buffer_bytes.size(); ++i)
      if (plan.buffer_bytes[i] > 0)
        add(plan.method, fmt::format("planned memory {}", i), static_cast<std::uint64_t>(plan.buffer_bytes[i]), "B");
  }
  std::map<std::string, std::uint64_t> calls;
  for (const OperatorContents& op : contents.operators) calls[op.method] += op.calls;
  for (const auto& [method, count] : calls) add(method, "calls of operators", count, "");
  for (const DelegateContents& delegate : contents.delegates) {
    const std::string subject = fmt::format("{}: {}", delegate.method, delegate.backend);
    add(subject, "delegate calls", delegate.calls, "");
    if (delegate.blob_bytes) add(subject, "delegate's blob", *delegate.blob_bytes, "B");
  }
}

std::vector<OwnTable> tables_of(const ProgramContents& contents) {
  OwnTable plans{"plans", {"method", "instructions", "inputs", "outputs", "planned memory B"}, {}};
  for (const PlanContents& plan : contents.plans) {
    std::int64_t bytes = 0;
    for (const std::int64_t one : plan.buffer_bytes) bytes += one;
    plans.rows.push_back({plan.method, count_cell(plan.instructions), count_cell(plan.inputs), count_cell(plan.outputs),
                          plan.buffer_bytes.empty() ? OwnCell() : OwnCell(bytes)});
  }
  OwnTable operators{"operators", {"method", "op", "calls", "constants B"}, {}};
  for (const OperatorContents& op : contents.operators)
    operators.rows.push_back({op.method, op.op, count_cell(op.calls), count_cell(op.constant_bytes)});
  OwnTable constants{"constants", {"method", "constant", "type", "shape", "bytes"}, {}};
  for (const ConstantContents& constant : contents.constants)
    constants.rows.push_back({constant.method, constant.name, constant.type,
                              fmt::format("[{}]", fmt::join(constant.shape, ", ")), bytes_cell(constant.bytes)});
  OwnTable delegates{"delegates", {"method", "delegate", "calls", "nodes", "blob B"}, {}};
  for (const DelegateContents& delegate : contents.delegates)
    delegates.rows.push_back({delegate.method, delegate.backend, count_cell(delegate.calls),
                              delegate.nodes > 0 ? count_cell(delegate.nodes) : OwnCell(),
                              bytes_cell(delegate.blob_bytes)});
  return {std::move(plans), std::move(operators), std::move(constants), std::move(delegates)};
}

}  // namespace vizd::etdump
