// The numeric gap output by output: which of the values that an event logged is which output of which node, and how far
// it is from the reference's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reference/inspector/event_nodes.h"
#include "reference/inspector/gap_graph.h"
#include "reference/inspector/gap_rows.h"
#include "reference/inspector/numeric_gap.h"

namespace vizd::inspector {
namespace {

// Pairs what an event logged with what the reference has for it.
class EventGaps {
 public:
  EventGaps(const GapGraph& graphs, std::span<const GapEvent> events, const ReferenceValues& reference, OutputGaps& out)
      : graphs_(graphs), events_(events), nodes_(graphs, events), reference_(reference), out_(out) {}

  void add(std::size_t place) {
    const GapEvent& event = events_[place];
    std::vector<const Value*> values;
    flatten(event.values, values);
    if (event.debug_handles.empty() || values.empty()) return;
    const bool is_call = event.name == "DELEGATE_CALL";
    const auto outputs = is_call ? graphs_.outputs_of(event.debug_handles) : std::vector{event.debug_handles.back()};
    std::vector<Wanted> wanted;
    for (const std::int64_t handle : outputs) {
      const auto found = reference_.find({handle});
      const EventNodes::Answer answer = nodes_.of(place, handle);
      const bool is_judged = found != reference_.end() && answer.whose == EventNodes::Whose::kReference;
      if (found == reference_.end()) {
        miss(event, handle, "the reference has no value of it");
      } else if (!is_judged) {
        miss(event, handle, text_of_other(answer));
      }
      const std::size_t count = found == reference_.end() ? 1 : found->second.values.size();
      for (std::size_t i = 0; i < count; ++i) wanted.push_back({handle, i, is_judged});
    }
    // A call logs its inputs before its outputs.
    if (is_call && values.size() > wanted.size())
      values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(wanted.size()));
    // A value without a partner keeps its place among a call's values, so that no other takes its partner.
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!wanted[i].is_judged && i < values.size()) values[i] = nullptr;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i].is_judged) take(event, wanted[i], i, values);
  }

 private:
  // A value that the event may have logged: of which handle which output, and whether it is compared.
  struct Wanted {
    std::int64_t handle = -1;
    std::size_t output = 0;
    bool is_judged = false;
  };

  // What was logged at that place, or else the first that fits, which is then taken. Null: none does.
  static const Value* take_match(const Value& reference, std::size_t place, std::vector<const Value*>& values) {
    const auto fits = [&](const Value* value) { return value != nullptr && may_match(reference, *value); };
    auto match = values.end();
    if (place < values.size() && fits(values[place])) match = values.begin() + static_cast<std::ptrdiff_t>(place);
    if (match == values.end()) match = std::ranges::find_if(values, fits);
    return match == values.end() ? nullptr : std::exchange(*match, nullptr);
  }

  void take(const GapEvent& event, const Wanted& wanted, std::size_t place, std::vector<const Value*>& values) {
    const auto [handle, output, is_judged] = wanted;
    const Value& reference = reference_.at({handle}).values[output];
    if (std::holds_alternative<std::monostate>(reference.data)) return;
    const Value* const match = take_match(reference, place, values);
    if (match == nullptr) {
      std::vector<std::string> logged;
      for (const Value* value : values)
        if (value != nullptr) logged.push_back(text_of_value(*value));
      return miss(event, handle,
                  fmt::format("the reference is {}, and the runtime logged {}", text_of_value(reference),
                              logged.empty() ? "nothing else" : fmt::format("{}", fmt::join(logged, ", "))));
    }
    if (!has_data(*match) || !has_data(reference))
      return miss(event, handle, "its data are missing; give the debug buffer");
    auto row = compare_values(reference, *match);
    if (!row) return;
    row->instruction = event.instruction;
    row->occurrence = event.occurrence;
    row->debug_handle = handle;
    row->output = output;
    row->runtime_op = event.name;
    row->aot_ops = graphs_.names(event.debug_handles);
    if (const ProgramNode* node = graphs_.node(handle)) {
      row->node = node->name;
      row->op = node->op;
    }
    out_.rows.push_back(*std::move(row));
  }

  void miss(const GapEvent& event, std::int64_t handle, std::string_view why) {
    constexpr std::size_t kMost = 1000;
    if (out_.not_compared.size() >= kMost) return;
    const ProgramNode* node = graphs_.node(handle);
    out_.not_compared.push_back(fmt::format("{} (instruction {}), {}: {}", event.name, event.instruction,
                                            node != nullptr ? node->name : fmt::format("handle {}", handle), why));
  }

  const GapGraph& graphs_;
  std::span<const GapEvent> events_;
  const EventNodes nodes_;
  const ReferenceValues& reference_;
  OutputGaps& out_;
};

}  // namespace

std::vector<GapEvent> gap_events(const Block& block) {
  std::vector<GapEvent> events;
  for (const BlockEvent& event : block.events) {
    if (event.values.empty()) continue;
    events.push_back({.name = event.name,
                      .instruction = event.instruction.value_or(-1),
                      .debug_handles = event.debug_handles.value_or(std::vector<std::int64_t>()),
                      .op_types = event.op_types,
                      .is_delegated = event.is_delegated,
                      .values = event.values,
                      .occurrence = event.occurrence});
  }
  return events;
}

OutputGaps output_gaps(const Method& method, std::span<const GapEvent> events, const ReferenceValues& reference) {
  OutputGaps gaps;
  const GapGraph graphs(method);
  EventGaps reader(graphs, events, reference, gaps);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].name != "OPERATOR_CALL") reader.add(i);
  gaps.first_grown = first_grown(gaps.rows);
  return gaps;
}

OutputGaps program_output_gaps(std::span<const Value> run, std::span<const Value> reference) {
  OutputGaps gaps;
  if (run.size() != reference.size()) {
    gaps.not_compared.push_back(fmt::format("the run has {} outputs, the reference {}", run.size(), reference.size()));
  }
  for (std::size_t i = 0; i < std::min(run.size(), reference.size()); ++i) {
    const bool has_both = has_data(run[i]) && has_data(reference[i]);
    auto row = may_match(reference[i], run[i]) && has_both ? compare_values(reference[i], run[i]) : std::nullopt;
    if (row) {
      row->output = i;
      row->node = fmt::format("output {}", i);
      gaps.rows.push_back(*std::move(row));
    } else {
      gaps.not_compared.push_back(fmt::format("output {}: the reference is {}, the run's {}", i,
                                              text_of_value(reference[i]), text_of_value(run[i])));
    }
  }
  gaps.first_grown = first_grown(gaps.rows);
  return gaps;
}

}  // namespace vizd::inspector
