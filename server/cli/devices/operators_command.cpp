// vizd operators FILE..: calls of PyTorch's operators and of annotated ranges, as key_averages() sums them up.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "analysis/answers/device_answers.h"
#include "analysis/recorded/recordable.h"
#include "cli/command_line/absence.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/table_file.h"
#include "cli/devices/answer_records.h"
#include "cli/devices/device_inputs.h"
#include "cli/devices/scope_arguments.h"

namespace vizd {
namespace {

struct OperatorsArguments {
  CommonArguments common;
  ScopeArguments scope;
  OperatorChoice choice;
  std::string group = "name", name, to;
  OutputFile::Place output;
  std::size_t limit = 0;
};

// The rows of a capture that were asked for.
struct OperatorLines {
  OperatorLines(const DeviceInput& input, const OperatorsArguments& arguments)
      : rows(make_operator_table(input.loaded->capture, *input.analysis, arguments.choice)) {
    std::erase_if(rows,
                  [&](const OperatorRow& row) { return row.name.find(arguments.name) == std::string_view::npos; });
    // All ranks in one order: a list that is cut holds what took longest on any of them.
    std::ranges::stable_sort(rows, std::greater(), &OperatorRow::self_ns);
    for (const OperatorRow& row : first_rows(rows, arguments.limit))
      lines.push_back({input.loaded->capture, row, arguments.choice.group});
  }

  std::vector<OperatorRow> rows;
  std::vector<OperatorLine> lines;
};

// Leaves out the columns that no row has a value for.
std::string shown_operator_fields(const std::vector<OperatorLine>& lines, OperatorGroup group) {
  const auto has = [&](auto member) {
    return std::ranges::any_of(lines, [&](const OperatorLine& line) { return (line.row.*member).has_value(); });
  };
  std::string names;
  if (has(&OperatorRow::rank)) names += "rank ";
  names += "calls self_ns self_percent total_ns mean_ns ";
  if (has(&OperatorRow::device_self_ns)) names += "device_self_ns device_total_ns ";
  if (has(&OperatorRow::self_bytes)) names += "self_bytes total_bytes ";
  if (has(&OperatorRow::device_self_bytes)) names += "device_self_bytes device_total_bytes ";
  if (has(&OperatorRow::flop)) names += "flops ";
  names += "name";
  if (group != OperatorGroup::kName) names.append(" ").append(operator_key(group));
  return names;
}

void print_operators(const DeviceInput& input, const OperatorsArguments& arguments) {
  const OperatorLines operators(input, arguments);
  const IdOfLine<OperatorLine> id_of = [&](const OperatorLine& line) { return input.id_of(line.row.longest); };
  if (operators.lines.empty()) {
    auto lacking = if_not_recorded(input.loaded->capture, Recordable::kOperators);
    if (!lacking && !arguments.scope.scope().is_all())
      lacking = Absence{Nothing::kNotAsked, "no call of an operator in this scope", "widen the scope"};
    return print_absence(lacking.value_or(Absence{Nothing::kNone, "no row matches the filter", ""}), input.set.name,
                         arguments.common.json);
  }
  const auto fields = operator_fields(arguments.choice.group);
  if (arguments.common.json) return print_json_rows(fields, operators.lines, id_of);
  shown_records(choose_fields(fields, shown_operator_fields(operators.lines, arguments.choice.group)), operators.lines,
                id_of)
      .print(stdout, false);
}

Result<void> write_table(const std::vector<DeviceInput>& inputs, const OperatorsArguments& arguments) {
  const auto fields = operator_fields(arguments.choice.group);
  Records records = exact_records<OperatorLine>(fields, {});
  std::vector<std::string> files;
  for (const DeviceInput& input : inputs) {
    for (const std::string& file : paths_of(input.set)) files.push_back(file);
    records.append(exact_records(fields, OperatorLines(input, arguments).lines));
  }
  return write_table_file(records, arguments.to, "operators", arguments.output, files);
}

}  // namespace

int run_operators(int argc, const char* const* argv) {
  CommandLine line(
      "vizd operators",
      "What PyTorch's operators and annotated ranges took: calls, self and total time on the host and of the work "
      "they\nlaunched, memory, FLOP; as key_averages().table() shows it, the most self time first.");
  OperatorsArguments arguments;
  arguments.common.describe(line);
  line.option("--by WORD [name]", arguments.group,
              "Group calls by operator name only, or also by shape, module, line or stack")
      .one_of(std::vector<std::string>(std::begin(kOperatorGroupNames), std::end(kOperatorGroupNames)));
  line.option("--frames N [5]", arguments.choice.frames, "With --by stack: this many frames, innermost first");
  line.option("--name TEXT", arguments.name, "Only operators whose name contains this text");
  arguments.scope.describe(line);
  line.option("--limit N [all]", arguments.limit, "At most this many rows of each capture");
  line.option("--to FORMAT", arguments.to, "csv, or xlsx: the exact figures in one table for other programs")
      .one_of({"csv", "xlsx"});
  OutputFile::describe(line, arguments.output, "-o,--output FILE [stdout]", "With --to: the file to write");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (const std::string problem = arguments.scope.problem_of_others({}); !problem.empty()) return line.refuse(problem);
  if (arguments.scope.scope().device || arguments.scope.scope().kernel)
    return line.refuse("operators run on the host: only --step, --rank, --from and --until apply");
  arguments.choice.group = *operator_group(arguments.group);
  arguments.choice.scope = arguments.scope.scope();
  const auto inputs = open_device_inputs(arguments.common.inputs);
  if (!inputs || !has_scope(*inputs, arguments.choice.scope, "operators")) return kExitFailure;
  if (!arguments.to.empty()) {
    const auto written = write_table(*inputs, arguments);
    if (written) return kExitOk;
    print_error("vizd operators: {}\n", written.error().text());
    return kExitFailure;
  }
  for (const DeviceInput& input : *inputs) print_operators(input, arguments);
  return kExitOk;
}

}  // namespace vizd
