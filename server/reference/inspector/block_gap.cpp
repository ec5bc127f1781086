#include "reference/inspector/block_gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "formats/etdump/calls.h"
#include "reference/inspector/event_nodes.h"
#include "reference/inspector/gap_graph.h"
#include "reference/inspector/gap_rows.h"
#include "reference/inspector/reference_dump.h"

namespace vizd::inspector {
namespace {

constexpr std::size_t kMostReasons = 1000;

bool is_of_same_work(const Block& a, const Block& b) {
  const bool is_of_one_method = a.method == nullptr || b.method == nullptr || a.method->name == b.method->name;
  return a.name == b.name && a.bundled_input == b.bundled_input && is_of_one_method && a.has_values() && b.has_values();
}

// An event of one run is found by this in another of the same program.
auto identity_of(const BlockEvent& event) {
  return std::tuple(event.name, event.instruction.value_or(-1), event.is_delegated, event.delegate_id(),
                    event.occurrence);
}

bool have_same_events(const Block& a, const Block& b) {
  return std::ranges::equal(a.events, b.events, {}, identity_of, identity_of);
}

// Null where the other run did no such work.
const Block* partner_of(const DumpBlocks& reference, const DumpBlocks& run, std::size_t place) {
  const Block& block = run.blocks[place];
  std::vector<const Block*> candidates;
  for (const Block& candidate : reference.blocks) {
    if (!is_of_same_work(candidate, block)) continue;
    if (have_same_events(candidate, block)) return &candidate;
    candidates.push_back(&candidate);
  }
  // Branches come in the order in which they were taken.
  const auto before = std::ranges::count_if(run.blocks.begin(), run.blocks.begin() + static_cast<std::ptrdiff_t>(place),
                                            [&](const Block& other) { return is_of_same_work(other, block); });
  const auto at = static_cast<std::size_t>(before);
  return at < candidates.size() ? candidates[at] : nullptr;
}

void miss(OutputGaps& out, std::string why) {
  if (out.not_compared.size() < kMostReasons) out.not_compared.push_back(std::move(why));
}

std::string text_of_event(const BlockEvent& event) {
  const std::string pass = event.occurrence == 0 ? "" : fmt::format(", pass {}", event.occurrence + 1);
  return event.instruction ? fmt::format("{} (instruction {}{})", event.name, *event.instruction, pass) : event.name;
}

// Values of the same program, event by event.
class EventPairs {
 public:
  EventPairs(const Block& reference, const Block& run, OutputGaps& out) : run_(run), out_(out) {
    for (const BlockEvent& event : reference.events) events_.emplace(identity_of(event), &event);
    if (run.method == nullptr) return;
    graph_.emplace(*run.method);
    logged_ = gap_events(run);
    nodes_.emplace(*graph_, logged_);
  }

  void compare() {
    std::size_t place = 0;  // among the events that logged values
    for (const BlockEvent& event : run_.events) {
      if (event.values.empty()) continue;
      place_ = place++;
      if (is_operator_call(event.name)) continue;
      const auto found = events_.find(identity_of(event));
      if (found == events_.end() || found->second->values.empty()) {
        miss(out_, text_of_event(event) + ": the other run has no values of it");
      } else {
        compare(*found->second, event);
      }
    }
  }

 private:
  void compare(const BlockEvent& reference, const BlockEvent& event) {
    std::vector<const Value*> before, after;
    flatten(reference.values, before);
    flatten(event.values, after);
    if (before.size() != after.size())
      return miss(out_, fmt::format("{}: the other run logged {} values of it, this one {}", text_of_event(event),
                                    before.size(), after.size()));
    const auto handles = event.debug_handles.value_or(std::vector<std::int64_t>());
    std::vector<std::int64_t> outputs;
    if (!handles.empty()) outputs = {handles.back()};
    std::size_t first = 0;
    if (event.name == "DELEGATE_CALL" && graph_ && !handles.empty()) {
      // It logs its inputs before its outputs.
      outputs = graph_->outputs_of(handles);
      first = after.size() - std::min(after.size(), outputs.size());
    }
    for (std::size_t i = first; i < after.size(); ++i) {
      const std::size_t output = i - first;
      const auto handle = outputs.empty() ? -1 : outputs[std::min(output, outputs.size() - 1)];
      add(*before[i], *after[i], event, handle, output);
    }
  }

  void add(const Value& before, const Value& after, const BlockEvent& event, std::int64_t handle, std::size_t output) {
    if (!has_data(before) || !has_data(after))
      return miss(out_, text_of_event(event) + ": its data are missing; give both debug buffers");
    if (!may_match(before, after))
      return miss(out_, fmt::format("{}: the other run has {}, this one {}", text_of_event(event),
                                    text_of_value(before), text_of_value(after)));
    auto row = compare_values(before, after);
    if (!row) return;
    row->instruction = event.instruction.value_or(-1);
    row->occurrence = event.occurrence;
    row->debug_handle = handle;
    row->output = output;
    row->runtime_op = event.name;
    if (graph_ && event.debug_handles) row->aot_ops = graph_->names(*event.debug_handles);
    if (const ProgramNode* node = node_of(handle)) {
      row->node = node->name;
      row->op = node->op;
    }
    out_.rows.push_back(*std::move(row));
  }

  // The node of the event that is compared.
  const ProgramNode* node_of(std::int64_t handle) const {
    if (!graph_) return nullptr;
    const EventNodes::Answer answer = nodes_->of(place_, handle);
    return answer.whose == EventNodes::Whose::kReference ? graph_->node(handle) : answer.node;
  }

  const Block& run_;
  OutputGaps& out_;
  std::map<decltype(identity_of(BlockEvent())), const BlockEvent*> events_;
  std::optional<GapGraph> graph_;
  std::vector<GapEvent> logged_;
  std::optional<EventNodes> nodes_;
  std::size_t place_ = 0;
};

// By name and op of the edge graph's nodes.
using NodeKey = std::pair<std::string, std::string>;
using NodeValues = std::map<NodeKey, std::vector<Value>>;

// Whether the graph's value can be that which was logged: of the same sizes, as far as they are fixed.
bool may_be(const ProgramValue& value, const Value& logged) {
  const Tensor* tensor = logged.tensor();
  if (tensor == nullptr || value.shape.empty()) return true;
  return std::ranges::equal(value.shape, tensor->shape, [](const std::string& size, std::int64_t logged_size) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(size.data(), size.data() + size.size(), number);
    const bool is_fixed = failed == std::errc() && end == size.data() + size.size();
    return !is_fixed || number == logged_size;
  });
}

// The values that a run logged of the nodes of its graph: of a loop those of its first pass. Values of which nobody can
// tell whose they are belong to none.
NodeValues values_by_node(const Block& block) {
  const GapGraph graph(*block.method);
  const std::vector<GapEvent> events = gap_events(block);
  const EventNodes nodes(graph, events);
  NodeValues out;
  const auto put = [&](const ProgramNode* node, std::span<const Value* const> values) {
    if (node == nullptr || values.empty()) return;
    if (node->outputs.size() == 1 && !may_be(block.method->edge->values[node->outputs.front()], *values.front()))
      return;
    std::vector<Value> copies;
    for (const Value* value : values) copies.push_back(*value);
    out.try_emplace({node->name, node->op}, std::move(copies));
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    const GapEvent& event = events[i];
    if (is_operator_call(event.name) || event.occurrence > 0) continue;
    std::vector<const Value*> values;
    flatten(event.values, values);
    if (event.debug_handles.empty() || values.empty()) continue;
    if (event.name != "DELEGATE_CALL") {
      put(nodes.of(i, event.debug_handles.back()).node, values);
      continue;
    }
    const auto outputs = graph.outputs_of(event.debug_handles);
    if (outputs.size() > values.size()) continue;
    const std::span<const Value* const> logged = std::span(values).last(outputs.size());
    for (std::size_t at = 0; at < outputs.size(); ++at) put(nodes.of(i, outputs[at]).node, logged.subspan(at, 1));
  }
  return out;
}

OutputGaps gaps_by_node(const Block& reference, const Block& run) {
  const NodeValues values = values_by_node(reference);
  const GapGraph graph(*run.method);
  ReferenceValues by_handle;
  for (const ProgramNode& node : run.method->edge->nodes) {
    // The handle's value is that of the last of its nodes.
    if (!node.debug_handle || graph.edge_nodes(*node.debug_handle).back() != &node) continue;
    const auto found = values.find({node.name, node.op});
    if (found != values.end()) by_handle[{*node.debug_handle}] = {found->second, found->second.size() > 1};
  }
  std::vector<GapEvent> events = gap_events(run);
  std::erase_if(events, [](const GapEvent& event) { return event.occurrence > 0; });
  return output_gaps(*run.method, events, by_handle);
}

OutputGaps gaps_between(const Block& reference, const Block& run) {
  const bool have_graphs =
      reference.method != nullptr && reference.method->edge && run.method != nullptr && run.method->edge;
  OutputGaps gaps;
  if (have_graphs && !have_same_events(reference, run)) {
    gaps = gaps_by_node(reference, run);
  } else {
    EventPairs(reference, run, gaps).compare();
  }
  OutputGaps outputs = program_output_gaps(run.outputs, reference.outputs);
  std::ranges::move(outputs.rows, std::back_inserter(gaps.rows));
  std::ranges::move(outputs.not_compared, std::back_inserter(gaps.not_compared));
  gaps.first_grown = first_grown(gaps.rows);
  return gaps;
}

}  // namespace

OutputGaps block_gaps(const DumpBlocks& run, const References& references, std::size_t place) {
  const Block& block = run.blocks[place];
  if (references.dump == nullptr) {
    if (block.method == nullptr || references.tensors.empty()) return {};
    return output_gaps(*block.method, gap_events(block), references.tensors);
  }
  if (!block.has_values()) return {};
  if (const Block* partner = partner_of(references.dump->inspection, run, place)) return gaps_between(*partner, block);
  const std::string input = block.bundled_input < 0 ? "" : fmt::format(" of bundled input {}", block.bundled_input);
  return {.rows = {},
          .first_grown = {},
          .not_compared = {fmt::format("the other run logged no values in a block {}{}", block.name, input)}};
}

std::vector<OutputGaps> gaps_of(const Inspection& inspection, std::size_t place) {
  std::vector<OutputGaps> gaps;
  const References& references = inspection.references;
  if (references.are_given()) gaps.push_back(block_gaps(inspection, references, place));
  const Block& block = inspection.blocks[place];
  if (references.dump == nullptr && block.reference_outputs != nullptr && !block.outputs.empty())
    gaps.push_back(program_output_gaps(block.outputs, *block.reference_outputs));
  return gaps;
}

}  // namespace vizd::inspector
