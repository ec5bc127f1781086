#include "reference/inspector/value_answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/etdump/calls.h"
#include "formats/etdump/opened_set.h"
#include "reference/inspector/block_gap.h"
#include "reference/inspector/comparator.h"
#include "reference/inspector/inspection.h"
#include "reference/inspector/reference_dump.h"
#include "reference/inspector/value_summary.h"

namespace vizd::inspector {
namespace {

constexpr std::size_t kMostListed = 20'000;
constexpr std::uint64_t kMostSide = 256;  // of a slice's picture
constexpr std::size_t kBins = 64;

// A tensor that was logged: by an event, or as an output of the program.
struct Logged {
  std::size_t block = 0;
  const BlockEvent* event = nullptr;  // null: an output
  std::size_t argument = 0;           // which of the event's values, or of the outputs
  const Tensor* tensor = nullptr;
};

void add_tensors(const Value& value, Logged at, std::vector<Logged>& out) {
  if (out.size() >= kMostListed) return;
  if (const auto* list = value.list()) {
    for (const Value& item : *list) add_tensors(item, at, out);
  } else if (const Tensor* tensor = value.tensor()) {
    at.tensor = tensor;
    out.push_back(at);
  }
}

// Each value once: what is around a kernel logs the kernel's again.
std::vector<Logged> list_values(const Inspection& inspection) {
  std::vector<Logged> out;
  for (std::size_t b = 0; b < inspection.blocks.size(); ++b) {
    const Block& block = inspection.blocks[b];
    for (const BlockEvent& event : block.events) {
      if (is_operator_call(event.name)) continue;
      for (std::size_t i = 0; i < event.values.size(); ++i) add_tensors(event.values[i], {b, &event, i}, out);
    }
    for (std::size_t i = 0; i < block.outputs.size(); ++i) add_tensors(block.outputs[i], {b, nullptr, i}, out);
  }
  return out;
}

// The nodes that an event stands for, as the graph calls them.
std::string nodes_of(const Block& block, const BlockEvent& event) {
  constexpr std::size_t kMostNameBytes = 300;
  std::string names;
  if (block.method == nullptr || !block.method->edge) return names;
  for (const std::uint32_t node : event.nodes) {
    if (names.size() > kMostNameBytes) return names + ", …";
    names += (names.empty() ? "" : ", ") + block.method->edge->nodes[node].name;
  }
  return names;
}

void write_logged(JsonWriter& json, const Inspection& inspection, const Logged& logged) {
  const Block& block = inspection.blocks[logged.block];
  json.begin_object().key("block").number(logged.block).key("argument").number(logged.argument);
  if (logged.event == nullptr) {
    json.key("event").text("output").key("instruction").null().key("nodes").text("");
  } else {
    json.key("event").text(logged.event->name).key("instruction");
    logged.event->instruction ? json.number(*logged.event->instruction) : json.null();
    json.key("nodes").text(nodes_of(block, *logged.event));
  }
  write_type(json, *logged.tensor);
  json.key("has_data").boolean(!logged.tensor->no_data);
  const TensorSummary summary = summarize(*logged.tensor);
  write_figures(json, summary);
  json.key("zero").number(summary.zero_count).end_object();
}

// The place in the list of the value that a gap is of; none where it was a number.
std::optional<std::size_t> place_of(const std::vector<Logged>& values, std::size_t block, const OutputGap& gap) {
  const auto found = std::ranges::find_if(values, [&](const Logged& value) {
    return value.block == block && value.tensor->bytes.data() == gap.runtime.bytes.data() &&
           value.tensor->shape == gap.runtime.shape && !gap.runtime.bytes.empty();
  });
  return found == values.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - values.begin()));
}

// The gap by a program of the user's, where one is asked for: null where it has no answer.
struct OwnGap {
  bool is_asked = false;
  std::optional<double> gap;
};

void write_gap(JsonWriter& json, std::size_t block, const OutputGap& gap, std::optional<std::size_t> value,
               bool is_first_grown, const OwnGap& own) {
  json.begin_object().key("block").number(block).key("node").text(gap.node).key("op").text(gap.op);
  json.key("event").text(gap.runtime_op).key("instruction").number(gap.instruction);
  json.key("occurrence").number(gap.occurrence);
  json.key("output").number(gap.output).key("value");
  value ? json.number(*value) : json.null();
  write_type(json, gap.runtime);
  constexpr std::string_view kKeys[] = {"mse", "l1", "snr", "cosine", "max_relative"};
  for (std::size_t i = 0; i < std::size(kKeys); ++i) {
    json.key(kKeys[i]);
    write_real(json, gap.metric(kGapMetrics[i]));
  }
  if (own.is_asked) {
    json.key("comparator");
    own.gap ? write_real(json, *own.gap) : static_cast<void>(json.null());
  }
  json.key("relative_error");
  write_real(json, gap.relative_error);
  json.key("is_first_grown").boolean(is_first_grown).end_object();
}

// comparator: null where none is asked for.
void write_list(JsonWriter& json, const Inspection& inspection, const std::vector<Logged>& values,
                Comparator* comparator) {
  json.begin_object();
  json.column("blocks", inspection.blocks, [](JsonWriter& j, const Block& block) {
    j.begin_object().key("name").text(block.name).key("bundled_input").number(block.bundled_input);
    j.key("method").text(block.method == nullptr ? "" : block.method->name);
    j.key("iterations").number(block.runs.size()).end_object();
  });
  json.column("values", values, [&](JsonWriter& j, const Logged& logged) { write_logged(j, inspection, logged); });
  json.key("iteration").number(inspection.settings.iteration);
  json.key("has_reference").boolean(inspection.references.are_given());
  std::vector<std::string> not_compared;
  json.key("gaps").begin_array();
  for (std::size_t b = 0; b < inspection.blocks.size(); ++b) {
    const auto own_gap = [&](const OutputGap& row) {
      OwnGap own{.is_asked = comparator != nullptr, .gap = {}};
      if (comparator == nullptr) return own;
      const auto gap = comparator->gap(row.reference, row.runtime);
      if (gap) own.gap = *gap;
      if (!gap) not_compared.push_back(fmt::format("{}: {}", row.node, gap.error().text()));
      return own;
    };
    const auto write = [&](const OutputGaps& gaps) {
      for (std::size_t i = 0; i < gaps.rows.size(); ++i) {
        const OutputGap& row = gaps.rows[i];
        write_gap(json, b, row, place_of(values, b, row), gaps.first_grown == i, own_gap(row));
      }
      not_compared.insert(not_compared.end(), gaps.not_compared.begin(), gaps.not_compared.end());
    };
    for (const OutputGaps& gaps : gaps_of(inspection, b)) write(gaps);
  }
  json.end_array();
  json.column("not_compared", not_compared, [](JsonWriter& j, const std::string& why) { j.text(why); });
  json.end_object();
}

// How many of the finite elements lie in each of kBins equal parts between the least and the greatest.
void write_histogram(JsonWriter& json, const Tensor& tensor, const TensorSummary& summary) {
  json.key("histogram");
  if (!summary.min || !summary.max) {
    json.null();
    return;
  }
  std::array<std::uint64_t, kBins> counts{};
  const double least = *summary.min, width = *summary.max - least;
  for (std::uint64_t i = 0, count = tensor.element_count(); i < count; ++i) {
    const double value = tensor.element(i);
    if (!std::isfinite(value)) continue;
    const double part = width > 0 && std::isfinite(width) ? (value - least) / width * kBins : 0;
    ++counts[std::min(kBins - 1, static_cast<std::size_t>(part))];
  }
  json.begin_array();
  for (const std::uint64_t count : counts) json.number(count);
  json.end_array();
}

// A matrix of the last two dimensions; where it is larger than a picture, every nth row and column.
Result<void> write_slice(JsonWriter& json, const Tensor& tensor, std::uint64_t slice) {
  const auto& shape = tensor.shape;
  const auto size = [&](std::size_t from_end) {
    return shape.size() < from_end ? 1 : static_cast<std::uint64_t>(shape[shape.size() - from_end]);
  };
  const std::uint64_t columns = size(1), rows = size(2), matrix = rows * columns;
  const std::uint64_t slices = matrix == 0 ? 0 : tensor.element_count() / matrix;
  if (slice >= std::max<std::uint64_t>(slices, 1)) {
    return Error{ErrorKind::kNotFound, fmt::format("the value has {} slices, and none is number {}", slices, slice),
                 ""};
  }
  const auto step = [](std::uint64_t side) { return std::max<std::uint64_t>(1, (side + kMostSide - 1) / kMostSide); };
  const std::uint64_t row_step = step(rows), column_step = step(columns);
  json.key("slice").begin_object().key("index").number(slice).key("of").number(slices);
  json.key("rows").number(rows).key("columns").number(columns);
  json.key("row_step").number(row_step).key("column_step").number(column_step).key("elements").begin_array();
  if (slices != 0 && !tensor.no_data) {
    for (std::uint64_t row = 0; row < rows; row += row_step)
      for (std::uint64_t column = 0; column < columns; column += column_step)
        write_real(json, tensor.element(slice * matrix + row * columns + column));
  }
  json.end_array().end_object();
  return {};
}

}  // namespace

Result<void> answer_values(OpenSet& set, const ValueQuestion& question, const WriteText& write) {
  auto opened = open_all(set);
  if (!opened) return opened.error();
  auto reference = open_reference(opened->settings);
  if (!reference) return std::move(reference).error();
  if (!opened->file)
    return Error{ErrorKind::kNotFound, "an ETRecord alone has no logged values; name the ETDump with it", ""};
  opened->settings.is_reference = false;
  if (question.iteration != 0) opened->settings.iteration = question.iteration;
  if (question.reference != nullptr) {
    reference = open_reference(*question.reference, question.reference_iteration);
    if (!reference) return std::move(reference).error();
  }
  const auto inspection = inspect(opened->sources(), opened->settings, reference->get());
  if (!inspection) return inspection.error();
  const std::vector<Logged> values = list_values(*inspection);
  std::string text;
  JsonWriter json(text);
  if (!question.value) {
    auto comparator = make_comparator(question.comparator);
    if (!comparator) return std::move(comparator).error();
    write_list(json, *inspection, values, *comparator ? &**comparator : nullptr);
    VIZD_TRY(check_whole(set, *opened));
    write(text);
    return {};
  }
  if (*question.value >= values.size()) {
    return Error{ErrorKind::kNotFound,
                 fmt::format("there are {} values, and none is number {}", values.size(), *question.value), ""};
  }
  const Tensor& tensor = *values[*question.value].tensor;
  const TensorSummary summary = summarize(tensor);
  json.begin_object();
  write_type(json, tensor);
  write_figures(json, summary);
  json.key("zero").number(summary.zero_count).key("sha1").text(summary.sha1);
  write_histogram(json, tensor, summary);
  VIZD_TRY(write_slice(json, tensor, question.slice));
  json.end_object();
  VIZD_TRY(check_whole(set, *opened));
  write(text);
  return {};
}

}  // namespace vizd::inspector
