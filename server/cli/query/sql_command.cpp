// vizd sql "SELECT ..." FILE..: asks captures questions in SQL.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/output_file.h"
#include "cli/command_line/records.h"
#include "cli/query/sql_row_ids.h"
#include "cli/query/sql_source.h"
#include "query/arrow_file.h"
#include "query/database.h"
#include "query/examples.h"
#include "query/functions.h"
#include "query/parquet_file.h"
#include "query/perfetto_names.h"
#include "query/result_text.h"
#include "query/unrecorded.h"

namespace vizd {
namespace {

constexpr std::uint64_t kUsualRows = 1000;  // of a table for people

struct SqlArguments {
  std::string query;
  CommonArguments common;
  bool csv = false, tsv = false;
  bool schema = false, examples = false;
  std::uint32_t limit = 0;
  std::int64_t time_s = 60;
  std::string to;  // "arrow", "parquet", or empty: stdout
  OutputFile::Place output;
};

// Rows for a table, which needs them all to know its widths.
class RecordSink : public sql::ResultSink {
 public:
  RecordSink(const SqlRowIds& ids, std::uint64_t most_rows) : ids_(ids), most_rows_(most_rows) {}

  void begin(const std::vector<sql::ResultColumn>& columns) override {
    std::vector<std::string> names;
    for (const sql::ResultColumn& column : columns) names.push_back(column.name);
    records_.emplace(std::move(names));
    links_.emplace(columns);
  }

  bool add(const std::vector<sql::Value>& row) override {
    if (rows_ == most_rows_) return false;
    ++rows_;
    std::vector<Cell> cells;
    for (const sql::Value& value : row) {
      if (const auto* number = std::get_if<std::int64_t>(&value)) {
        cells.emplace_back(*number);
      } else if (const auto* real = std::get_if<double>(&value)) {
        cells.emplace_back(*real);
      } else if (const auto* text = std::get_if<std::string_view>(&value)) {
        cells.emplace_back(std::string(*text));
      } else {
        cells.emplace_back();
      }
    }
    records_->add(std::move(cells), ids_.of(links_->of(row)));
    return true;
  }

  void print(bool json) const {
    if (records_) records_->print(stdout, json);
  }
  bool has_rows() const { return rows_ > 0; }

 private:
  const SqlRowIds& ids_;
  std::uint64_t most_rows_, rows_ = 0;
  std::optional<Records> records_;
  std::optional<sql::RowLinks> links_;
};

using NamesAndTexts = std::vector<std::pair<std::string_view, std::string_view>>;

// As wide as the longest name needs.
void print_list(const NamesAndTexts& list) {
  std::size_t width = 0;
  for (const auto& [name, text] : list) width = std::max(width, name.size());
  for (const auto& [name, text] : list) print_answer("  {:<{}}  {}\n", name, width, text);
}

// Lists the tables that a query can select from.
void print_schema(const sql::Tables& tables) {
  for (const auto& table : tables.all) {
    print_answer("{}: {}\n", table->name(), table->about());
    NamesAndTexts columns;
    for (const sql::ColumnInfo& column : table->columns()) columns.emplace_back(column.name, column.about);
    print_list(columns);
    print_answer("\n");
  }
  NamesAndTexts views, functions;
  for (const sql::PerfettoName& name : sql::perfetto_names()) {
    if (name.is_view()) views.emplace_back(name.name, name.about);
  }
  for (const sql::FunctionInfo& function : sql::functions()) functions.emplace_back(function.call, function.about);
  print_answer("Views, named as in Perfetto:\n");
  print_list(views);
  print_answer("\nFunctions in addition to SQLite's:\n");
  print_list(functions);
}

void print_examples() {
  for (const sql::Example& example : sql::examples()) print_answer("-- {}\n{};\n\n", example.question, example.query);
}

// Says of which tables that the query read nothing is recorded. Where rows are for programs, beside them on stderr.
void print_unrecorded(const sql::Database& database, bool has_rows, bool is_text) {
  const auto lacking = sql::find_unrecorded(database.catalog(), database.tables_read(), has_rows);
  for (const sql::Unrecorded& each : lacking) {
    const std::string text = each.text(database.catalog());
    is_text ? print_error("vizd sql: {}\n", text) : print_answer("{}\n", text);
  }
  if (lacking.empty() && !has_rows && !is_text)
    print_answer("{}\n", Absence{Nothing::kNone, "no row matches the query", ""}.text());
}

// Text goes out a block at a time; a write that fails ends the program's answer as those of all commands do.
int print_text(sql::Database& database, const SqlArguments& arguments) {
  const auto format = arguments.csv   ? sql::TextFormat::kCsv
                      : arguments.tsv ? sql::TextFormat::kTsv
                                      : sql::TextFormat::kJsonLines;
  const std::uint64_t limit = arguments.limit == 0 ? UINT64_MAX : arguments.limit;
  sql::TextSink sink(format, limit, [](std::string_view text) { print_answer("{}", text); });
  const auto ran = database.run(arguments.query, sink);
  if (!ran) {
    print_error("vizd sql: {}\n", ran.error().text());
    return kExitFailure;
  }
  print_unrecorded(database, sink.rows() > 0, true);
  return kExitOk;
}

// As print_text, each row with its id and link.
int print_linked_json(sql::Database& database, const SqlRowIds& ids, const SqlArguments& arguments) {
  RecordSink sink(ids, arguments.limit == 0 ? UINT64_MAX : arguments.limit);
  if (const auto ran = database.run(arguments.query, sink); !ran) {
    print_error("vizd sql: {}\n", ran.error().text());
    return kExitFailure;
  }
  sink.print(true);
  print_unrecorded(database, sink.has_rows(), true);
  return kExitOk;
}

int print_table(sql::Database& database, const SqlRowIds& ids, const SqlArguments& arguments) {
  const std::uint64_t limit = arguments.limit == 0 ? kUsualRows : arguments.limit;
  RecordSink sink(ids, limit);
  const auto ran = database.run(arguments.query, sink);
  if (!ran) {
    print_error("vizd sql: {}\n", ran.error().text());
    return kExitFailure;
  }
  sink.print(false);
  print_unrecorded(database, sink.has_rows(), false);
  if (!*ran) print_error("vizd sql: only the first {} rows; --limit N shows more, --csv all\n", limit);
  return kExitOk;
}

int write_file(sql::Database& database, const SqlArguments& arguments, OutputFile& file) {
  const auto fail = [](const Error& error) {
    print_error("vizd sql: {}\n", error.text());
    return kExitFailure;
  };
  sql::ResultColumns result(arguments.limit == 0 ? UINT64_MAX : arguments.limit);
  if (const auto ran = database.run(arguments.query, result); !ran) return fail(ran.error());
  const auto write = [&](std::string_view bytes) { file.write(bytes); };
  arguments.to == "arrow" ? sql::write_arrow(result, write) : sql::write_parquet(result, write);
  const auto size_bytes = file.finish();
  return size_bytes ? kExitOk : fail(size_bytes.error());
}

// The query is the word that looks like SQL, else the first one that is not a file: people name the capture first.
void find_query(std::string& query, std::vector<std::string>& files) {
  std::error_code failed;
  const auto is_file = [&](const std::string& word) { return word == "-" || std::filesystem::exists(word, failed); };
  const auto is_sql = [&](const std::string& word) {
    return word.find_first_of(" \n\t") != std::string::npos && !is_file(word);
  };
  if (query.empty() || is_sql(query)) return;
  auto found = std::ranges::find_if(files, is_sql);
  if (found == files.end() && is_file(query)) found = std::ranges::find_if_not(files, is_file);
  if (found != files.end()) std::swap(query, *found);
}

int run_query(const SqlArguments& arguments) {
  // Before anything is read: that may take its time, and a place that cannot be written is known now.
  std::unique_ptr<OutputFile> file;
  if (!arguments.to.empty()) {
    auto created = OutputFile::create(arguments.output, arguments.common.inputs.paths);
    if (!created) {
      print_error("vizd sql: {}\n", created.error().text());
      return kExitFailure;
    }
    file = std::move(*created);
  }
  Sniffer sniffer;
  std::vector<std::shared_ptr<const LoadedCapture>> loaded;
  SourceLines source_lines({});
  std::vector<sql::Source> sources;
  std::vector<RowIds> row_ids;
  for (const InputSet& set : arguments.common.inputs.all_sets(sniffer)) {
    loaded.push_back(open_input(set));
    if (!loaded.back()) return kExitFailure;
    sources.push_back(sql_source(*loaded.back(), source_lines));
    row_ids.emplace_back(set);
  }
  if (sources.empty()) {
    print_error("vizd sql: no capture found that vizd reads; name a file or a folder with one\n");
    return kExitFailure;
  }
  sql::Catalog catalog(std::move(sources), Budget({}, std::chrono::seconds(arguments.time_s)));
  sql::Database database(catalog);
  if (file) return write_file(database, arguments, *file);
  const SqlRowIds ids(catalog, std::move(row_ids));
  if (arguments.common.json && wants_links()) return print_linked_json(database, ids, arguments);
  const bool is_text = arguments.csv || arguments.tsv || arguments.common.json;
  return is_text ? print_text(database, arguments) : print_table(database, ids, arguments);
}

}  // namespace

int run_sql(int argc, const char* const* argv) {
  CommandLine line("vizd sql",
                   "Runs an SQL query (SQLite's dialect) over captures: vizd sql FILE \"SELECT name, sum(dur) FROM "
                   "slice GROUP BY name\".\nFILE and query may come in either order. --schema lists the tables, "
                   "--examples twenty questions. Several captures\nare queried together.");
  SqlArguments arguments;
  line.positional("query", "QUERY", arguments.query, "One SELECT, or WITH ... SELECT");
  line.positional("files", "FILE|DIR ...", arguments.common.inputs.paths,
                  "The captures: files, or folders with them; - reads from a pipe");
  line.check([&]() -> std::string {  // before a pipe among the files is read
    find_query(arguments.query, arguments.common.inputs.paths);
    return "";
  });
  arguments.common.inputs.describe_options(line);
  const Argument json = line.flag("--json", arguments.common.json, "Print JSON, one object per line");
  const Argument csv = line.flag("--csv", arguments.csv, "Print CSV");
  line.flag("--tsv", arguments.tsv, "Print tab-separated values").excludes(csv).excludes(json);
  Argument(csv).excludes(json);
  line.option("--to FORMAT", arguments.to,
              "arrow or parquet: write the result to --output as a file that polars, pandas and duckdb read")
      .one_of({"arrow", "parquet"});
  OutputFile::describe(line, arguments.output, "-o,--output FILE", "The file that --to writes");
  line.option("--limit N [1000; of --csv, --tsv, --json, --to all]", arguments.limit, "At most this many rows");
  line.time("--time TIME [60s]", arguments.time_s, "How long the query may take", kSecond_ns).range(1, 86'400);
  describe_wide_tables(line);
  line.flag("--schema", arguments.schema, "List the tables, their columns and the functions");
  line.flag("--examples", arguments.examples, "List common questions, as queries");
  line.check([&]() -> std::string {
    if (arguments.schema || arguments.examples) return "";
    if (arguments.to.empty() != arguments.output.path.empty()) return "--to and --output must be used together";
    return arguments.query.empty() || arguments.common.inputs.is_empty()
               ? "a query and a capture are required; --examples lists queries"
               : "";
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  if (arguments.examples) print_examples();
  if (arguments.schema) {
    sql::Catalog nothing({}, {});
    print_schema(sql::Tables(nothing));
  }
  return arguments.schema || arguments.examples ? kExitOk : run_query(arguments);
}

}  // namespace vizd
