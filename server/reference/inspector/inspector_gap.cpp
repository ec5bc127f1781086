// Answers for a numeric gap what ExecuTorch's own Inspector does, its faults included: 0.7 merges debug handles into
// ranges and stacks all values of an instruction; 1.x takes an instruction's last values.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reference/inspector/numeric_gap.h"

namespace vizd::inspector {
namespace {

using Handles = std::vector<std::int64_t>;
using Names = std::vector<std::pair<Handles, std::vector<std::string>>>;  // in order, no handles twice

bool overlap(const Handles& a, const Handles& b) {
  return std::ranges::any_of(a, [&](std::int64_t handle) { return std::ranges::find(b, handle) != b.end(); });
}

bool is_subset(const Handles& a, const Handles& b) {
  return std::ranges::all_of(a, [&](std::int64_t handle) { return std::ranges::find(b, handle) != b.end(); });
}

template <typename T>
T& entry(std::vector<std::pair<Handles, T>>& map, const Handles& key) {
  const auto found = std::ranges::find(map, key, &std::pair<Handles, T>::first);
  if (found != map.end()) return found->second;
  return map.emplace_back(key, T{}).second;
}

// The names of those whose handles all belong to these.
std::vector<std::string> names_within(const Handles& handles, const Names& names) {
  std::vector<std::string> out;
  for (const auto& [key, list] : names)
    if (is_subset(key, handles)) out.insert(out.end(), list.begin(), list.end());
  return out;
}

struct RuntimeValue {
  std::int64_t instruction = -1;
  std::span<const Value> values;
};
using Runtime = std::vector<std::pair<Handles, RuntimeValue>>;

// Keeps, of events with the same handles, the one of the highest instruction, in the place of the first.
void take_runtime(std::span<const GapEvent> events, Runtime& values, Names& names) {
  for (const GapEvent& event : events) {
    if (event.name == "OPERATOR_CALL" || event.op_types.empty()) continue;
    RuntimeValue& known = entry(values, event.debug_handles);
    if (event.instruction <= known.instruction) continue;
    known = {event.instruction, event.values};
    entry(names, event.debug_handles) = {event.name};
  }
  std::erase_if(values, [](const auto& item) { return item.second.instruction < 0; });
}

// A graph's nodes by handle, and the reference's values in the order of the graph.
struct Aot {
  Names names;
  std::vector<std::pair<Handles, const ReferenceNode*>> values;
};
Aot take_aot(const ExportedProgram& program, const ReferenceValues& reference, bool keeps_all_names) {
  Aot aot;
  for (const ProgramNode& node : program.nodes) {
    if (!node.debug_handle) continue;
    const Handles key{*node.debug_handle};
    std::vector<std::string>& names = entry(aot.names, key);
    if (!keeps_all_names) names.clear();
    names.push_back(node.name);
    const auto found = reference.find(key);
    if (found != reference.end()) entry(aot.values, key) = &found->second;
  }
  return aot;
}

// --- 0.7

template <typename T>
struct Range {
  std::int64_t first, last;
  T value;

  Handles handles() const {
    Handles out;
    for (std::int64_t handle = first; handle <= last; ++handle) out.push_back(handle);
    return out;
  }
};

// Overlapping ranges become one, with the value of the one that ends last.
template <typename T>
Result<std::vector<Range<T>>> merge_ranges(const std::vector<std::pair<Handles, T>>& items) {
  constexpr std::int64_t kWidest = 1'000'000;
  std::vector<Range<T>> ranges;
  for (const auto& [handles, value] : items) {
    if (handles.empty()) continue;
    const auto [least, greatest] = std::ranges::minmax(handles);
    ranges.push_back({least, greatest, value});
  }
  std::ranges::stable_sort(ranges, {}, &Range<T>::first);
  std::vector<Range<T>> merged;
  for (const Range<T>& range : ranges) {
    if (range.last - range.first > kWidest) {
      return Error{ErrorKind::kTooLarge, "debug handles lie further apart than vizd follows", ""};
    }
    if (merged.empty() || range.first > merged.back().last) {
      merged.push_back(range);
    } else if (range.last > merged.back().last) {
      merged.back().last = range.last;
      merged.back().value = range.value;
    }
  }
  return merged;
}

Result<NumberArray> reference_array(const ReferenceNode& node) {
  return node.is_list ? stack_values(node.values) : number_array(node.values.front());
}

// Ranges that overlap, directly or by way of others: both lists are sorted and free of overlap, so that one walk finds
// them.
template <typename Visit>
Result<void> visit_components(const std::vector<Range<const ReferenceNode*>>& aot,
                              const std::vector<Range<RuntimeValue>>& runtime, Visit&& visit) {
  std::size_t i = 0, j = 0;
  while (i < aot.size() && j < runtime.size()) {
    if (aot[i].last < runtime[j].first) {
      ++i;
      continue;
    }
    if (runtime[j].last < aot[i].first) {
      ++j;
      continue;
    }
    const std::size_t first_aot = i++, first_runtime = j++;
    while (true) {  // the side whose range ends first may have more that overlap the other's
      const std::int64_t aot_last = aot[i - 1].last, runtime_last = runtime[j - 1].last;
      if (i < aot.size() && aot[i].first <= runtime_last) {
        ++i;
      } else if (j < runtime.size() && runtime[j].first <= aot_last) {
        ++j;
      } else {
        break;
      }
    }
    VIZD_TRY(visit(std::span(aot).subspan(first_aot, i - first_aot),
                   std::span(runtime).subspan(first_runtime, j - first_runtime)));
  }
  return {};
}

template <typename T>
Handles all_handles(std::span<const Range<T>> ranges) {
  std::set<std::int64_t> all;
  for (const Range<T>& range : ranges)
    for (const std::int64_t handle : range.handles()) all.insert(handle);
  return {all.begin(), all.end()};
}

Result<std::vector<InspectorGap>> gaps_of_0_7(const ExportedProgram& edge, std::span<const GapEvent> events,
                                              const ReferenceValues& reference, GapMetric metric) {
  const Aot aot = take_aot(edge, reference, false);
  Runtime values;
  Names names;
  take_runtime(events, values, names);
  const auto aot_ranges = merge_ranges(aot.values);
  if (!aot_ranges) return aot_ranges.error();
  const auto runtime_ranges = merge_ranges(values);
  if (!runtime_ranges) return runtime_ranges.error();
  std::vector<InspectorGap> rows;
  VIZD_TRY(visit_components(*aot_ranges, *runtime_ranges, [&](auto aots, auto runtimes) -> Result<void> {
    const auto left = reference_array(*aots.back().value);
    if (!left) return left.error();
    const auto right = stack_values(runtimes.back().value.values);
    if (!right) return right.error();
    const auto gap = gap_between(metric, *left, *right);
    if (!gap) return gap.error();
    rows.push_back({names_within(all_handles(aots), aot.names), names_within(all_handles(runtimes), names), {*gap}});
    return {};
  }));
  return rows;
}

// --- 1.x

// Handles of both, each once, in order.
Handles joined(const Handles& first, const Handles& second) {
  Handles out;
  for (const Handles* handles : {&first, &second})
    for (const std::int64_t handle : *handles)
      if (std::ranges::find(out, handle) == out.end()) out.push_back(handle);
  return out;
}

// Overlapping handles become one entry, those of the higher instruction last, with its value.
Runtime merge_overlapping(const Runtime& values) {
  Runtime merged;
  for (const auto& [handles, value] : values) {
    Handles current = handles;
    RuntimeValue last = value;
    std::erase_if(merged, [&](const auto& known) {
      if (!overlap(handles, known.first)) return false;
      if (known.second.instruction < value.instruction) {
        current = joined(known.first, current);
      } else {
        current = joined(current, known.first);
        last = known.second;
      }
      return true;
    });
    entry(merged, current) = last;
  }
  return merged;
}

Result<std::vector<double>> gaps_of_value(GapMetric metric, const ReferenceNode& node, const Value& value) {
  const std::span<const Value> left = node.values;
  std::span<const Value> right(&value, 1);
  if (node.is_list && value.list() != nullptr) right = *value.list();
  if (left.size() != right.size()) {
    return Error{ErrorKind::kBadInput, "ValueError: Sequences must have the same length for comparison", ""};
  }
  std::vector<double> gaps;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto a = number_array(left[i]), b = number_array(right[i]);
    if (!a || !b) return a ? b.error() : a.error();
    const auto gap = gap_between(metric, *a, *b);
    if (!gap) return gap.error();
    gaps.push_back(*gap);
  }
  return gaps;
}

// The rows of one runtime entry: one for each of its outputs, from the last on.
Result<void> add_rows(const Aot& aot, const Names& names, const Method& method, GapMetric metric,
                      const Handles& handles, const RuntimeValue& runtime, std::vector<InspectorGap>& rows) {
  std::set<std::int64_t> known;
  for (const auto& [key, value] : aot.values)
    if (overlap(key, handles)) known.insert(key.front());
  if (known != std::set<std::int64_t>(handles.begin(), handles.end())) return {};
  const auto counted = method.output_counts.find(runtime.instruction);
  const std::int64_t count = counted == method.output_counts.end() ? 1 : counted->second;
  for (std::int64_t i = 1; i <= count; ++i) {
    if (std::cmp_greater(i, handles.size()) || std::cmp_greater(i, runtime.values.size())) {
      return Error{ErrorKind::kBadInput, "IndexError: tuple index out of range", ""};
    }
    const Handles last{handles[handles.size() - static_cast<std::size_t>(i)]};
    const auto node = std::ranges::find(aot.values, last, &std::pair<Handles, const ReferenceNode*>::first);
    if (node->second->is_list && node->second->values.size() > 1) continue;
    auto gaps =
        gaps_of_value(metric, *node->second, runtime.values[runtime.values.size() - static_cast<std::size_t>(i)]);
    if (!gaps) return gaps.error();
    rows.push_back({names_within(handles, aot.names), names_within(handles, names), std::move(*gaps)});
  }
  return {};
}

Result<std::vector<InspectorGap>> gaps_of_1_x(const Method& method, std::span<const GapEvent> events,
                                              const ReferenceValues& reference, GapMetric metric) {
  const Aot aot = take_aot(*reference_graph(method).program, reference, true);
  Runtime values;
  Names names;
  take_runtime(events, values, names);
  Runtime merged = merge_overlapping(values);
  std::vector<InspectorGap> rows;
  std::set<std::size_t> done;
  for (const auto& [key, value] : aot.values) {  // in the order in which the graph comes to them
    const auto found = std::ranges::find_if(merged, [&](const auto& item) { return overlap(key, item.first); });
    if (found == merged.end() || !done.insert(static_cast<std::size_t>(found - merged.begin())).second) continue;
    VIZD_TRY(add_rows(aot, names, method, metric, found->first, found->second, rows));
  }
  return rows;
}

}  // namespace

Result<std::vector<InspectorGap>> inspector_gaps(const EtRecord& record, std::span<const GapEvent> events,
                                                 const ReferenceValues& reference, GapMetric metric) {
  const Method* method = record.method("forward");
  if (method == nullptr || !method->edge || record.representative_inputs.empty() || reference.empty()) {
    return Error{
        ErrorKind::kBadInput,
        record.has_exported_program
            ? "Missing etrecord or missing representative inputs within etrecord, both of which are required for "
              "calculating numerical gap"
            : "calculate_numerical_gap error: The aot debug information is required but not populated",
        ""};
  }
  return record.has_exported_program ? gaps_of_1_x(*method, events, reference, metric)
                                     : gaps_of_0_7(*method->edge, events, reference, metric);
}

}  // namespace vizd::inspector
