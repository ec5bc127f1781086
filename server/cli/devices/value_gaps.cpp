#include "cli/devices/value_gaps.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "base/parse_json.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "reference/programs.h"

namespace vizd {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::optional<InputSet> set_at(const std::string& path, const std::string& format) {
  CommonArguments arguments;
  arguments.inputs.paths = {path};
  arguments.inputs.read_as = format;
  return find_input(arguments);
}

// A measure; infinities and NaN come as texts.
Cell measure_cell(const OrderedJson& value) {
  return value.is_string() ? Cell(value.get<std::string>()) : Cell(fmt::format("{:.4g}", value.get<double>()));
}

std::string node_text(const OrderedJson& gap) {
  const auto node = gap["node"].get<std::string>();
  const auto pass = gap["occurrence"].get<std::int64_t>();
  return pass == 0 ? node : fmt::format("{} (pass {})", node, pass + 1);
}

std::string place_text(const OrderedJson& gap) {
  const std::string node = node_text(gap);
  const auto event = gap["event"].get<std::string>();
  if (event.empty()) return node;
  return fmt::format("{}{}{}, instruction {}", node, node.empty() ? "" : ", ", event,
                     gap["instruction"].get<std::int64_t>());
}

std::string block_text(const OrderedJson& block) {
  const auto input = block["bundled_input"].get<std::int64_t>();
  const auto method = block["method"].get<std::string>();
  return fmt::format("{}{}{}", block["name"].get<std::string>(), method.empty() ? "" : " of " + method,
                     input < 0 ? "" : fmt::format(", bundled input {}", input));
}

void print_block(const OrderedJson& block, const std::vector<OrderedJson>& gaps, std::size_t limit) {
  print_answer("{}\n", block_text(block));
  const bool has_comparator = !gaps.empty() && gaps.front().contains("comparator");
  std::vector<std::string> columns{"node",     "event", "instruction", "output",      "shape",
                                   "relative", "MSE",   "SNR dB",      "max relative"};
  if (has_comparator) columns.emplace_back("comparator");
  Records records(std::move(columns));
  const OrderedJson* grown = nullptr;
  std::size_t shown = 0;
  for (const OrderedJson& gap : gaps) {
    if (gap["is_first_grown"].get<bool>()) grown = &gap;
    if (limit != 0 && shown++ >= limit) continue;
    const auto instruction = gap["instruction"].get<std::int64_t>();
    std::vector<Cell> cells{node_text(gap),
                            gap["event"].get<std::string>(),
                            instruction < 0 ? Cell() : Cell(instruction),
                            gap["output"].get<std::int64_t>(),
                            gap["shape"].dump(),
                            measure_cell(gap["relative_error"]),
                            measure_cell(gap["mse"]),
                            measure_cell(gap["snr"]),
                            measure_cell(gap["max_relative"])};
    if (has_comparator) cells.push_back(gap["comparator"].is_null() ? Cell() : measure_cell(gap["comparator"]));
    records.add(std::move(cells));
  }
  records.print(stdout, false);
  if (grown == nullptr) {
    print_answer("\nThe error grows beyond rounding nowhere.\n");
  } else {
    const auto& error = (*grown)["relative_error"];
    print_answer("\nThe error first grows at {}: {} of the reference.\n", place_text(*grown),
                 error.is_string() ? error.get<std::string>() : fmt::format("{:.4g}", error.get<double>()));
  }
}

int print_gaps(const OrderedJson& answer, const ValueGapArguments& arguments) {
  std::map<std::size_t, std::vector<OrderedJson>> gaps;
  for (const OrderedJson& gap : answer["gaps"]) gaps[gap["block"].get<std::size_t>()].push_back(gap);
  if (arguments.json) {
    for (const OrderedJson& gap : answer["gaps"]) print_answer("{}\n", gap.dump());
  } else {
    bool is_first = true;
    for (const auto& [place, rows] : gaps) {
      if (!std::exchange(is_first, false)) print_answer("\n");
      print_block(answer["blocks"][place], rows, arguments.limit);
    }
  }
  for (const OrderedJson& why : answer["not_compared"]) print_error("not compared: {}\n", why.get<std::string>());
  if (!gaps.empty()) return kExitOk;
  print_error("vizd compare: no value was logged by both runs\n");
  return kExitFailure;
}

}  // namespace

int print_value_gaps(const ValueGapArguments& arguments) {
  const auto reference = set_at(arguments.reference, arguments.format);
  const auto run = reference ? set_at(arguments.run, arguments.format) : std::nullopt;
  if (!run) return kExitFailure;
  const ReferenceProgram& program = reference_program(run->format);
  if (run->format != reference->format || program.answer_values == nullptr) {
    print_error(
        "vizd compare: --values needs two captures of the same format, one with logged values, such as ETDumps\n");
    return kExitFailure;
  }
  ValueQuestion question;
  question.iteration = question.reference_iteration = arguments.iteration;
  question.reference = &*reference;
  question.comparator = arguments.comparator;
  std::string text;
  OpenSet files(*run);
  const auto done = program.answer_values(files, question, [&](std::string_view part) { text += part; });
  if (!done) {
    print_error("vizd compare: {}\n", done.error().text());
    return kExitFailure;
  }
  return print_gaps(parse_json<OrderedJson>(text), arguments);
}

}  // namespace vizd
