// vizd export FILE --to FORMAT: a pass's graph (dot, svg, json), or the profile or a part of it as a table (csv, tsv,
// json) or in a format of the registry's, for other programs; or with --page the page itself, with the capture in it.
#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <span>

#include "base/standard_streams.h"
#include "cli/captures/named_input.h"
#include "cli/captures/own_tables.h"
#include "cli/captures/page_export.h"
#include "cli/captures/profile_export.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/output_file.h"
#include "cli/command_line/records.h"
#include "cli/command_line/writers.h"
#include "cli/rewrites/graph_export.h"
#include "cli/rewrites/pass_filter.h"
#include "reference/programs.h"

namespace vizd {
namespace {

struct ExportArguments {
  CommonArguments common;
  PassFilter passes;
  std::uint32_t match = 0;
  ProfilePart part;
  std::string to, table;
  bool own_tsv = false, own_csv = false;                // the table of the format itself
  bool script = false;                                  // a program that makes reference values
  std::string page;                                     // the file of a report; "": none
  std::size_t most_bytes = ReportOptions{}.most_bytes;  // of that
  OutputFile::Place output;                             // none: stdout

  bool has_own_table() const { return own_tsv || own_csv; }
  bool names_pass() const { return !passes.context.empty() || !passes.pass.empty(); }
};

// The text of the one pass that is meant, at the match that is meant.
Result<std::string> graph_text(const Capture& capture, const ExportArguments& arguments) {
  const std::vector<PassRef> passes = arguments.passes.select(capture);
  if (passes.size() != 1) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("{} passes match; choose one with --context and --pass", passes.size()), ""};
  }
  const auto history = build_history(capture, *passes[0].of, {});
  if (!history) return history.error();
  if (arguments.match >= history->state_count) {
    return Error{ErrorKind::kNotFound, fmt::format("the pass has {} matches", history->state_count - 1), ""};
  }
  if (arguments.to == "dot") return graph_dot(capture, *history, arguments.match);
  if (arguments.to == "svg") return graph_svg(capture, *history, arguments.match);
  return graph_json(capture, *history, arguments.match);
}

Result<void> export_all(const InputSet& set, const Capture& capture, const ExportArguments& arguments,
                        const WriteText& write) {
  if (arguments.has_own_table()) {
    const ReferenceProgram& program = reference_program(set.format);
    if (program.tabulate == nullptr)
      return Error{ErrorKind::kNotFound, "captures of this format have no table of their own; use --to tsv", ""};
    OpenSet files(set);
    return program.tabulate(files, capture, arguments.own_tsv ? '\t' : ',', write);
  }
  if (!arguments.table.empty()) {
    auto table = own_table(set, capture, arguments.table);
    if (!table) return std::move(table).error();
    const Records records(*std::move(table));
    write(arguments.to == "json" ? records.json() : records.separated(arguments.to == "tsv" ? '\t' : ','));
    return {};
  }
  const bool is_graph =
      arguments.to == "dot" || arguments.to == "svg" || (arguments.to == "json" && arguments.names_pass());
  if (is_graph) {
    if (!capture.has_rewrites) return Error{ErrorKind::kNotFound, "this capture has no graphs", ""};
    const auto text = graph_text(capture, arguments);
    if (!text) return text.error();
    write(*text);
    return {};
  }
  if (!capture.has_profile) return Error{ErrorKind::kNotFound, "this capture has no profile", ""};
  if (arguments.to == "csv") write_event_table(capture, arguments.part, ',', write);
  if (arguments.to == "tsv") write_event_table(capture, arguments.part, '\t', write);
  if (arguments.to == "json") write_event_json(capture, arguments.part, write);
  const Writer* writer = find_writer(arguments.to);
  if (writer == nullptr) return {};
  std::vector<OwnTable> tables;
  if (writer->takes_own_tables) {
    auto made = own_tables(set, capture);
    if (!made) return std::move(made).error();
    tables = std::move(*made);
  }
  writer->write(capture,
                {.part = arguments.part,
                 .source_line = {},
                 .own_tables = tables,
                 .add_sheets = [&](Workbook& book) { return add_known_sheets(capture, book); }},
                write);
  return {};
}

Result<void> export_script(const InputSet& set, const WriteText& write) {
  const ReferenceProgram& program = reference_program(set.format);
  if (program.write_script == nullptr)
    return Error{ErrorKind::kNotFound, "--reference-script: captures of this format have no graph to run", ""};
  OpenSet files(set);
  return program.write_script(files, write);
}

// Hands the text of make(write) to the file that is asked for.
template <typename Make>
Result<void> write_export(const InputSet& set, const ExportArguments& arguments, Make&& make) {
  if (arguments.output.path.empty()) {
    // main() reports an output that could not be written to stdout. Other programs get the very bytes, which may be no
    // text; a terminal is no such program.
    const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
    return make(
        [is_terminal](std::string_view text) { is_terminal ? write_answer(text) : write_leniently(stdout, text); });
  }
  auto file = OutputFile::create(arguments.output, paths_of(set));
  if (!file) return std::move(file).error();
  Result<void> exported = make([&](std::string_view text) { (*file)->write(text); });
  if (!exported) return exported;
  const auto size_bytes = (*file)->finish();
  return size_bytes ? Result<void>() : size_bytes.error();
}

// The page with the capture in it, and on stderr what of that is left out.
Result<void> export_report(const InputSet& set, const ExportArguments& arguments) {
  OutputFile::Place place = arguments.output;
  place.path = arguments.page;
  const auto file = OutputFile::create(place, paths_of(set));
  if (!file) return file.error();
  const auto report = export_page(set, arguments.most_bytes);
  if (!report) return report.error();
  (*file)->write(report->html);
  const auto size_bytes = (*file)->finish();
  if (!size_bytes) return size_bytes.error();
  for (const std::string& what : report->left_out) print_error("vizd: left out of {}: {}\n", arguments.page, what);
  return {};
}

void describe_export(CommandLine& line, ExportArguments& arguments) {
  arguments.common.describe(line);
  arguments.passes.describe(line);
  line.option("--match N [0]", arguments.match, "The graph after this many matches; 0 is the pass's input");
  const auto writable = writable_formats(true);
  std::vector<std::string> names{"dot", "svg", "json", "csv", "tsv"};
  for (std::string& name : names_of(writable)) names.push_back(std::move(name));
  line.option(
          "--to FORMAT", arguments.to,
          "dot, svg or json of a pass's graph; csv, tsv or json of the profile's events; " + describe_formats(writable))
      .one_of(names);
  line.flag("--tsv", arguments.own_tsv, "The table known from the format's own tool, as tab-separated text");
  line.flag("--csv", arguments.own_csv, "The same table as CSV");
  line.flag("--reference-script", arguments.script,
            "For an ETRecord: the lines of Python that run its reference graph and save the values that "
            "--reference-tensors reads");
  line.option("--table NAME", arguments.table,
              "With --to csv, tsv or json: one of the tables known from the format's own tool: for an ETDump events, "
              "names, modules, delegation, partitions or gaps; for a TPU's profile the registers of each command, "
              "tiuRegInfo, tdmaRegInfo or cdmaRegInfo");
  const Argument page = line.option("--page FILE", arguments.page,
                                    "One HTML file that shows the capture in a browser without vizd, from a disk or a "
                                    "CI's artifacts. The page says what of a large capture was left out");
  const Argument most = line.option(fmt::format("--most-bytes N [{}]", arguments.most_bytes), arguments.most_bytes,
                                    "With --page: the maximum size of the file");
  line.check([=, &arguments] {
    if (most.is_given() && !page.is_given()) return "--most-bytes needs --page";
    if (page.is_given() && !arguments.output.path.empty())
      return "--page already names the file; -o is for other exports";
    if (!arguments.table.empty() && arguments.to != "csv" && arguments.to != "tsv" && arguments.to != "json")
      return "--table needs --to csv, tsv or json";
    const int asked = int{!arguments.to.empty()} + int{arguments.own_tsv} + int{arguments.own_csv} +
                      int{arguments.script} + int{page.is_given()};
    return asked == 1   ? ""
           : asked == 0 ? "--to or --page is required"
                        : "use only one of --to, --page, --tsv, --csv and --reference-script";
  });
  OutputFile::describe(line, arguments.output, "-o,--output FILE [stdout]", "The file to write");
  line.option("--lane TEXT", arguments.part.lane, "Only lanes whose name contains this text");
  line.option("--name TEXT", arguments.part.name, "Only events whose name contains this text");
  line.time("--from TIME", arguments.part.from_ns,
            "Only events after this time from the profile's start: 5ms, 1.5s, 200us, or a number of nanoseconds");
  line.time("--until TIME", arguments.part.to_ns, "Only events before this time");
}

// Says what went wrong, where anything did.
int exit_code(const Result<void>& written) {
  if (written) return kExitOk;
  print_error("vizd export: {}\n", written.error().text());
  return written.error().kind == ErrorKind::kBadInput && written.error().where.empty() ? kExitUsage : kExitFailure;
}

}  // namespace

int run_export(int argc, const char* const* argv) {
  CommandLine line("vizd export",
                   "Writes a pass's graph, or the profile or a part of it, for other programs; or a page that shows "
                   "the capture on its own.");
  ExportArguments arguments;
  describe_export(line, arguments);
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto set = find_input(arguments.common);
  if (set && !arguments.page.empty()) return exit_code(export_report(*set, arguments));
  // A script is of the files alone, which are perhaps no capture by themselves.
  const auto input = set && !arguments.script ? open_named(*set) : nullptr;
  if (!set || (!arguments.script && !input)) return kExitFailure;
  const auto written = write_export(*set, arguments, [&](const WriteText& write) {
    return arguments.script ? export_script(*set, write) : export_all(*set, input->capture, arguments, write);
  });
  return exit_code(written);
}

}  // namespace vizd
