// The numeric gap output by output: which of the values that an event logged is which output of which node, and how far
// it is from the reference's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "formats/etdump/numeric_gap.h"

namespace vizd::etdump {
namespace {

// All tensors and numbers of a list, lists in it opened.
void flatten(std::span<const Value> values, std::vector<const Value*>& out) {
  for (const Value& value : values) {
    if (const auto* list = value.list()) {
      flatten(*list, out);
    } else if (!std::holds_alternative<std::monostate>(value.data)) {
      out.push_back(&value);
    }
  }
}

bool is_whole(ScalarType type) {
  switch (type) {
    case ScalarType::kHalf:
    case ScalarType::kFloat:
    case ScalarType::kDouble:
    case ScalarType::kBFloat16:
    case ScalarType::kFloat8E5M2:
    case ScalarType::kFloat8E4M3Fn:
    case ScalarType::kFloat8E5M2Fnuz:
    case ScalarType::kFloat8E4M3Fnuz:
    case ScalarType::kComplexHalf:
    case ScalarType::kComplexFloat:
    case ScalarType::kComplexDouble:
      return false;
    default:
      return true;
  }
}

// What a type rounds to, relative to a number's size.
double rounding_of(ScalarType type) {
  switch (type) {
    case ScalarType::kDouble:
      return 0x1p-52;
    case ScalarType::kHalf:
      return 0x1p-10;
    case ScalarType::kBFloat16:
      return 0x1p-7;
    case ScalarType::kFloat8E4M3Fn:
    case ScalarType::kFloat8E4M3Fnuz:
      return 0x1p-3;
    case ScalarType::kFloat8E5M2:
    case ScalarType::kFloat8E5M2Fnuz:
      return 0x1p-2;
    default:
      return 0x1p-23;
  }
}

std::string text_of_value(const Value& value) {
  if (const Tensor* tensor = value.tensor()) {
    return fmt::format("{}[{}]", dtype_name(tensor->type), fmt::join(tensor->shape, ", "));
  }
  return "a number";
}

// Numbers and truths are compared as tensors of one element.
Tensor as_tensor(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return *tensor;
  double number = 0;
  if (const auto* truth = std::get_if<bool>(&value.data)) number = *truth ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) number = static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value.data)) number = *real;
  const auto bytes = std::as_bytes(std::span(&number, 1));
  auto storage = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  const std::span<const std::byte> all = *storage;
  return {ScalarType::kDouble, {}, all, false, std::move(storage)};
}

// Whether one can be the other: of one shape, and both numbers or both indices. A truth goes with either.
bool may_match(const Value& reference, const Value& runtime) {
  const Tensor *a = reference.tensor(), *b = runtime.tensor();
  if (a == nullptr || b == nullptr) return a == b;
  return a->shape == b->shape && is_whole(a->type) == is_whole(b->type);
}

bool has_data(const Value& value) { return value.tensor() == nullptr || !value.tensor()->no_data; }

bool compare(const Value& reference, const Value& runtime, OutputGap& row) {
  const auto a = number_array(reference), b = number_array(runtime);
  if (!a || !b) return false;
  const auto measure = [&](GapMetric metric, double& out) {
    const auto gap = gap_between(metric, *a, *b);
    if (gap) out = *gap;
    return gap.has_value();
  };
  row.reference = as_tensor(reference);
  row.runtime = as_tensor(runtime);
  if (a->numbers.empty()) return false;
  double power = 0;
  for (const double n : a->numbers) power += n * n;
  power /= static_cast<double>(a->numbers.size());
  const bool done = measure(GapMetric::kMse, row.mse) && measure(GapMetric::kL1, row.l1) &&
                    measure(GapMetric::kSnr, row.snr) && measure(GapMetric::kCosine, row.cosine) &&
                    measure(GapMetric::kMaxRelative, row.max_relative);
  row.relative_error = row.mse == 0 ? 0 : power == 0 ? std::sqrt(row.mse) : std::sqrt(row.mse / power);
  if (row.mse == 0) row.snr = std::numeric_limits<double>::infinity();
  return done;
}

// The first row whose error is ten times that of all before it, and more than rounding.
std::optional<std::size_t> first_grown(std::span<const OutputGap> rows) {
  constexpr double kGrowth = 10, kRoundings = 64;
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double error = rows[i].relative_error;
    const double rounding =
        kRoundings * std::max(rounding_of(rows[i].runtime.type), rounding_of(rows[i].reference.type));
    if (error > rounding && error > kGrowth * worst) return i;
    if (std::isfinite(error)) worst = std::max(worst, error);
  }
  return std::nullopt;
}

// What of a method's graphs is asked for event by event.
class Graphs {
 public:
  explicit Graphs(const Method& method) : method_(method), graph_(reference_graph(method)) {
    if (graph_ != nullptr) {
      for (const ProgramNode& node : graph_->nodes)
        if (node.debug_handle) nodes_[*node.debug_handle].push_back(&node);
    }
    if (method.edge) find_readers(*method.edge);
  }

  // The last of a handle's nodes, whose result is the reference's value; null: none.
  const ProgramNode* node(std::int64_t handle) const {
    const auto found = nodes_.find(handle);
    return found == nodes_.end() ? nullptr : found->second.back();
  }

  std::vector<std::string> names(std::span<const std::int64_t> handles) const {
    std::vector<std::string> out;
    std::set<std::int64_t> seen;
    for (const std::int64_t handle : handles) {
      const auto found = nodes_.find(handle);
      if (found == nodes_.end() || !seen.insert(handle).second) continue;
      for (const ProgramNode* node : found->second) out.push_back(node->name);
    }
    return out;
  }

  // Handles whose results leave a part of the graph, in graph order: those that a node outside of it reads, or that the
  // program returns. The last of the list itself where the edge graph does not tell.
  std::vector<std::int64_t> outputs_of(std::span<const std::int64_t> handles) const {
    const std::set<std::int64_t> inside(handles.begin(), handles.end());
    std::vector<std::int64_t> out;
    if (method_.edge) {
      for (const ProgramNode& node : method_.edge->nodes) {
        if (!node.debug_handle || !inside.contains(*node.debug_handle) || !leaves(node, inside)) continue;
        if (std::ranges::find(out, *node.debug_handle) == out.end()) out.push_back(*node.debug_handle);
      }
    }
    if (out.empty() && !handles.empty()) out.push_back(handles.back());
    return out;
  }

 private:
  void find_readers(const ExportedProgram& edge) {
    readers_.resize(edge.values.size());
    is_returned_.assign(edge.values.size(), false);
    for (std::size_t i = 0; i < edge.nodes.size(); ++i)
      for (const NodeInput& input : edge.nodes[i].inputs)
        for (const std::uint32_t value : input.values) readers_[value].push_back(i);
    for (const std::uint32_t value : edge.outputs) is_returned_[value] = true;
  }

  bool leaves(const ProgramNode& node, const std::set<std::int64_t>& inside) const {
    return std::ranges::any_of(node.outputs, [&](std::uint32_t value) {
      return is_returned_[value] || std::ranges::any_of(readers_[value], [&](std::size_t reader) {
               const auto& handle = method_.edge->nodes[reader].debug_handle;
               return !handle || !inside.contains(*handle);
             });
    });
  }

  const Method& method_;
  const ExportedProgram* graph_;
  std::unordered_map<std::int64_t, std::vector<const ProgramNode*>> nodes_;
  std::vector<std::vector<std::size_t>> readers_;  // nodes of the edge graph, by value
  std::vector<bool> is_returned_;
};

// Pairs what an event logged with what the reference has for it.
class EventGaps {
 public:
  EventGaps(const Graphs& graphs, const ReferenceValues& reference, OutputGaps& out)
      : graphs_(graphs), reference_(reference), out_(out) {}

  void add(const GapEvent& event) {
    std::vector<const Value*> values;
    flatten(event.values, values);
    if (event.debug_handles.empty() || values.empty()) return;
    const bool is_call = event.name == "DELEGATE_CALL";
    const auto outputs = is_call ? graphs_.outputs_of(event.debug_handles) : std::vector{event.debug_handles.back()};
    std::vector<std::pair<std::int64_t, std::size_t>> wanted;  // handle and output
    for (const std::int64_t handle : outputs) {
      const auto found = reference_.find({handle});
      if (found == reference_.end()) {
        miss(event, handle, "the reference has no value of it");
        continue;
      }
      for (std::size_t i = 0; i < found->second.values.size(); ++i) wanted.emplace_back(handle, i);
    }
    // A call logs its inputs before its outputs.
    if (is_call && values.size() > wanted.size())
      values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(wanted.size()));
    for (const auto& [handle, output] : wanted) take(event, handle, output, values);
  }

 private:
  void take(const GapEvent& event, std::int64_t handle, std::size_t output, std::vector<const Value*>& values) {
    const Value& reference = reference_.at({handle}).values[output];
    if (std::holds_alternative<std::monostate>(reference.data)) return;
    const auto match = std::ranges::find_if(values, [&](const Value* value) { return may_match(reference, *value); });
    if (match == values.end()) {
      std::vector<std::string> logged;
      for (const Value* value : values) logged.push_back(text_of_value(*value));
      return miss(event, handle,
                  fmt::format("the reference is {}, and the runtime logged {}", text_of_value(reference),
                              logged.empty() ? "nothing else" : fmt::format("{}", fmt::join(logged, ", "))));
    }
    OutputGap row;
    if (!has_data(**match) || !has_data(reference))
      return miss(event, handle, "its data are missing; give the debug buffer");
    if (!compare(reference, **match, row)) return;
    values.erase(match);
    row.instruction = event.instruction;
    row.debug_handle = handle;
    row.output = output;
    row.runtime_op = event.name;
    row.aot_ops = graphs_.names(event.debug_handles);
    if (const ProgramNode* node = graphs_.node(handle)) {
      row.node = node->name;
      row.op = node->op;
    }
    out_.rows.push_back(std::move(row));
  }

  void miss(const GapEvent& event, std::int64_t handle, std::string_view why) {
    constexpr std::size_t kMost = 1000;
    if (out_.not_compared.size() >= kMost) return;
    const ProgramNode* node = graphs_.node(handle);
    out_.not_compared.push_back(fmt::format("{} (instruction {}), {}: {}", event.name, event.instruction,
                                            node != nullptr ? node->name : fmt::format("handle {}", handle), why));
  }

  const Graphs& graphs_;
  const ReferenceValues& reference_;
  OutputGaps& out_;
};

}  // namespace

double OutputGap::metric(GapMetric which) const {
  switch (which) {
    case GapMetric::kMse:
      return mse;
    case GapMetric::kL1:
      return l1;
    case GapMetric::kSnr:
      return snr;
    case GapMetric::kCosine:
      return cosine;
    case GapMetric::kMaxRelative:
      return max_relative;
  }
  return 0;
}

OutputGaps output_gaps(const Method& method, std::span<const GapEvent> events, const ReferenceValues& reference) {
  OutputGaps gaps;
  const Graphs graphs(method);
  EventGaps reader(graphs, reference, gaps);
  for (const GapEvent& event : events)
    if (event.name != "OPERATOR_CALL") reader.add(event);
  gaps.first_grown = first_grown(gaps.rows);
  return gaps;
}

OutputGaps program_output_gaps(std::span<const Value> run, std::span<const Value> reference) {
  OutputGaps gaps;
  if (run.size() != reference.size()) {
    gaps.not_compared.push_back(fmt::format("the run has {} outputs, the reference {}", run.size(), reference.size()));
  }
  for (std::size_t i = 0; i < std::min(run.size(), reference.size()); ++i) {
    OutputGap row;
    row.output = i;
    row.node = fmt::format("output {}", i);
    if (may_match(reference[i], run[i]) && has_data(run[i]) && compare(reference[i], run[i], row)) {
      gaps.rows.push_back(std::move(row));
    } else {
      gaps.not_compared.push_back(fmt::format("output {}: the reference is {}, the run's {}", i,
                                              text_of_value(reference[i]), text_of_value(run[i])));
    }
  }
  gaps.first_grown = first_grown(gaps.rows);
  return gaps;
}

}  // namespace vizd::etdump
