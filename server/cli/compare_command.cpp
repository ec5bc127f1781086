// vizd compare A B: what changed from one profile to the next, kernel by kernel, and whether it is too much.
#include <fmt/core.h>

#include <cstdlib>

#include "analysis/kernel_json.h"
#include "base/standard_streams.h"
#include "cli/command.h"
#include "cli/device_inputs.h"
#include "cli/records.h"

namespace vizd {
namespace {

constexpr int kExitRegressed = 3;

struct CompareArguments {
  std::vector<std::string> paths;
  std::string join = "name", most_regress;
  std::size_t limit = 0;
  bool json = false;
};

// "3%" or "3": 3.
std::optional<double> percent_of(const std::string& text) {
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  const std::string_view rest(end);
  if (end == text.c_str() || (!rest.empty() && rest != "%") || !(percent >= 0)) return std::nullopt;
  return percent;
}

std::string signed_duration(double dur_ns) { return (dur_ns >= 0 ? "+" : "") + duration_text(dur_ns); }

Records records_of(const std::vector<ComparedKernel>& rows, std::size_t limit, const std::string& join) {
  Records records(
      {"state", "A launches", "B launches", "A total", "B total", "change", "B/A", "median change (95 %)", join});
  std::size_t shown = 0;
  for (const ComparedKernel& row : rows) {
    if (limit != 0 && shown++ == limit) break;
    const auto ratio = row.total_ratio();
    const auto& change = row.median_change_ns;
    records.add({std::string(row.state()), row.a.launches, row.b.launches,
                 duration_text(static_cast<double>(row.a.total_ns)), duration_text(static_cast<double>(row.b.total_ns)),
                 signed_duration(static_cast<double>(row.delta_total_ns())),
                 ratio ? Cell(fmt::format("{:.3f}", *ratio)) : Cell(),
                 change ? Cell(fmt::format("{} to {}", signed_duration(change->first), signed_duration(change->second)))
                        : Cell(),
                 row.name.empty() ? "(not known)" : row.name});
  }
  return records;
}

struct Totals {
  std::int64_t a_ns = 0, b_ns = 0;
  double change_percent() const {
    return a_ns == 0 ? 0 : 100 * static_cast<double>(b_ns - a_ns) / static_cast<double>(a_ns);
  }
};

Totals totals_of(const std::vector<ComparedKernel>& rows) {
  Totals totals;
  for (const ComparedKernel& row : rows) {
    totals.a_ns += row.a.total_ns;
    totals.b_ns += row.b.total_ns;
  }
  return totals;
}

// All the work of one side: its ranks are summed.
std::optional<DeviceInput> open_side(const std::string& path) {
  InputArguments arguments;
  arguments.paths = {path};
  auto inputs = open_device_inputs(arguments);
  if (!inputs) return std::nullopt;
  if (inputs->size() == 1) return std::move(inputs->front());
  print_error("vizd compare: {} holds {} captures; name one\n", path, inputs->size());
  return std::nullopt;
}

void print_rows(const std::vector<ComparedKernel>& rows, KernelJoin join, const CompareArguments& arguments) {
  if (!arguments.json) {
    records_of(rows, arguments.limit, arguments.join).print(stdout, false);
    const Totals totals = totals_of(rows);
    fmt::print("\nAll work: {} before, {} after, {} ({:+.2f} %)\n", duration_text(static_cast<double>(totals.a_ns)),
               duration_text(static_cast<double>(totals.b_ns)),
               signed_duration(static_cast<double>(totals.b_ns - totals.a_ns)), totals.change_percent());
    return;
  }
  std::string text;
  std::size_t shown = 0;
  for (const ComparedKernel& row : rows) {
    if (arguments.limit != 0 && shown++ == arguments.limit) break;
    text.clear();
    JsonWriter json(text);
    write_compared_kernel(json, row, join);
    fmt::print("{}\n", text);
  }
}

}  // namespace

int run_compare(int argc, const char* const* argv) {
  CommandLine line(
      "vizd compare",
      "What changed from one profile to another: each kernel's launches and time, what came and what went,\n"
      "the greatest change first. A median's change is given with the range it lies in, likely to 95 %.");
  CompareArguments arguments;
  line.positional("files", "A B", arguments.paths, "The profile before, and the one after").required();
  line.option("--by WORD [name]", arguments.join,
              "Join by exact name, by family (without template arguments, hashes "
              "and numbers), or by operator")
      .one_of({"name", "family", "operator"});
  line.option("--limit N [all]", arguments.limit, "At most so many rows");
  line.option("--max-regress PERCENT", arguments.most_regress,
              "Exit with 3 where all work takes that much longer, for CI: 3%");
  line.flag("--json", arguments.json, "One JSON object a line");
  line.check([&]() -> std::string {
    if (arguments.paths.size() != 2) return "name two profiles";
    const bool is_wrong = !arguments.most_regress.empty() && !percent_of(arguments.most_regress);
    return is_wrong ? "--max-regress: '" + arguments.most_regress + "' is no percentage" : "";
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto a = open_side(arguments.paths[0]);
  const auto b = a ? open_side(arguments.paths[1]) : std::nullopt;
  if (!b) return kExitFailure;
  const KernelJoin join = arguments.join == "family"     ? KernelJoin::kFamily
                          : arguments.join == "operator" ? KernelJoin::kOperator
                                                         : KernelJoin::kName;
  const auto rows = compare_kernels({a->loaded->capture, a->analysis.work, a->analysis.operators},
                                    {b->loaded->capture, b->analysis.work, b->analysis.operators}, join);
  print_rows(rows, join, arguments);
  if (arguments.most_regress.empty()) return kExitOk;
  const double change = totals_of(rows).change_percent();
  if (change <= *percent_of(arguments.most_regress)) return kExitOk;
  print_error("vizd compare: all work takes {:.2f} % longer, more than {}\n", change, arguments.most_regress);
  return kExitRegressed;
}

}  // namespace vizd
