// Answers for an ETDump as ExecuTorch's Inspector does, mended or with its faults, where `vizd summary`, `vizd export`
// and the page ask for it. One thread.
#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "base/json_writer.h"
#include "formats/etdump/claim.h"
#include "formats/etdump/format.h"
#include "formats/etdump/opened_set.h"
#include "reference/inspector/block_gap.h"
#include "reference/inspector/comparator.h"
#include "reference/inspector/own_tables.h"
#include "reference/inspector/reference_dump.h"
#include "reference/inspector/reference_script.h"
#include "reference/inspector/summary.h"
#include "reference/inspector/table.h"
#include "reference/inspector/value_answers.h"
#include "reference/programs.h"

namespace vizd::reference::inspector {
namespace {

using namespace vizd::inspector;

// Calls answer(inspection) of the set's dump. Errors: there is none, or it cannot be read; answer's.
template <typename Answer>
Result<void> inspect_set(OpenSet& set, Answer&& answer) {
  const auto opened = open_dump(set);
  if (!opened) return opened.error();
  const auto reference = open_reference(opened->settings);
  if (!reference) return reference.error();
  const auto inspection = inspect(opened->sources(), opened->settings, reference->get());
  if (!inspection) return inspection.error();
  answer(*inspection);
  return check_whole(set, *opened);
}

Result<void> list_runs(OpenSet& set, const WriteText& write) {
  const auto opened = open_dump(set);
  if (!opened) return opened.error();
  VIZD_TRY(write_runs(*opened->file, write));
  return check_whole(set, *opened);
}

// For a set without a dump: tables of what the program consists of.
Result<std::vector<OwnTable>> program_tables(OpenSet& set) {
  const auto opened = open_all(set);
  if (!opened) return opened.error();
  return opened->file || !opened->program ? std::vector<OwnTable>() : etdump::tables_of(*opened->program);
}

// A record for each row, by its table's name.
void write_records(const std::vector<OwnTable>& tables, const WriteText& write) {
  for (const OwnTable& table : tables) {
    for (const std::vector<OwnCell>& row : table.rows) {
      std::string line;
      JsonWriter json(line);
      json.begin_object().key("record").text(table.name);
      for (std::size_t i = 0; i < row.size(); ++i) {
        json.key(table.columns[i]);
        if (const auto* whole = std::get_if<std::int64_t>(&row[i])) {
          json.number(*whole);
        } else if (const auto* text = std::get_if<std::string>(&row[i])) {
          json.text(*text);
        } else {
          json.null();
        }
      }
      json.end_object();
      write(line + "\n");
    }
  }
}

Result<std::vector<std::vector<OwnTable>>> summary_tables(OpenSet& set, const Capture&, const SummaryOptions&) {
  auto tables = program_tables(set);
  if (!tables) return std::move(tables).error();
  std::vector<std::vector<OwnTable>> all;
  if (!tables->empty()) all.push_back(std::move(*tables));
  return all;
}

Result<void> summarize(OpenSet& set, const Capture&, const SummaryOptions& options, const WriteText& write) {
  if (options.lists_runs) return list_runs(set, write);
  const auto tables = program_tables(set);
  if (!tables) return tables.error();
  if (!tables->empty()) {
    write_records(*tables, write);
    return {};
  }
  auto comparator = make_comparator(options.comparator);
  if (!comparator) return std::move(comparator).error();
  return inspect_set(set, [&](const Inspection& inspection) {
    write_summary(inspection, *comparator ? &**comparator : nullptr, write);
  });
}

Result<void> tabulate(OpenSet& set, const Capture&, char separator, const WriteText& write) {
  return inspect_set(set, [&](const Inspection& inspection) { write_table(inspection, separator, write); });
}

Result<std::vector<OwnTable>> own_tables(OpenSet& set, const Capture&) {
  auto of_program = program_tables(set);
  if (!of_program || !of_program->empty()) return of_program;
  std::vector<OwnTable> tables;
  VIZD_TRY(inspect_set(set, [&](const Inspection& inspection) { tables = tables_of(inspection); }));
  return tables;
}

Result<void> write_script(OpenSet& set, const WriteText& write) {
  const auto opened = open_all(set);
  if (!opened) return opened.error();
  std::string path;
  for (std::size_t i = 0; i < set.size() && path.empty(); ++i)
    if (set.file(i).role == kRecord) path = set.file(i).path;
  if (!opened->record)
    return Error{ErrorKind::kNotFound, "an ETDump alone has no graph; name its ETRecord with --etrecord", ""};
  const auto script = reference_script(*opened->record, {.record = path, .method = opened->settings.method});
  if (!script) return script.error();
  write(*script);
  return {};
}

ErrorsByHandle errors_by_handle(const DumpBlocks& dump, const References& references, std::size_t block) {
  ErrorsByHandle errors;
  for (const OutputGap& row : block_gaps(dump, references, block).rows) {
    if (row.debug_handle < 0) continue;
    double& worst = errors[row.debug_handle];
    worst = std::max(worst, row.relative_error);
  }
  return errors;
}

// The graphs' ops are given how far their values are from those that the settings name.
Result<void> read(OpenSet& set, Capture& capture) {
  const auto settings = read_settings(set);
  if (!settings) return settings.error();
  const auto dump = open_reference(*settings);
  if (!dump) return dump.error();
  std::vector<std::string> warnings;
  const auto references = read_references(*settings, dump->get(), warnings);
  if (!references) return references.error();
  FindErrors find_errors;
  if (references->are_given()) {
    find_errors = [&](const DumpBlocks& blocks, std::size_t block) {
      return errors_by_handle(blocks, *references, block);
    };
  }
  VIZD_TRY(etdump::read(set, find_errors, capture));
  std::ranges::move(warnings, std::back_inserter(capture.warnings));
  return {};
}

}  // namespace

extern const ReferenceProgram kProgram;
constinit const ReferenceProgram kProgram{
    .format = "etdump",
    .read = read,
    .summarize = summarize,
    .summary_tables = summary_tables,
    .tabulate = tabulate,
    .own_tables = own_tables,
    .answer_values = answer_values,
    .write_script = write_script,
};

}  // namespace vizd::reference::inspector
