// Answers for an ETDump as ExecuTorch's Inspector does, mended or with its faults, where `vizd summary`, `vizd export`
// and the page ask for it. One thread.
#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/etdump/format.h"
#include "formats/etdump/opened_set.h"
#include "reference/inspector/block_gap.h"
#include "reference/inspector/own_tables.h"
#include "reference/inspector/reference_dump.h"
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

Result<void> summarize(OpenSet& set, const Capture&, const SummaryOptions& options, const WriteText& write) {
  if (options.lists_runs) return list_runs(set, write);
  return inspect_set(set, [&](const Inspection& inspection) { write_summary(inspection, write); });
}

Result<void> tabulate(OpenSet& set, const Capture&, char separator, const WriteText& write) {
  return inspect_set(set, [&](const Inspection& inspection) { write_table(inspection, separator, write); });
}

Result<std::vector<OwnTable>> own_tables(OpenSet& set, const Capture&) {
  std::vector<OwnTable> tables;
  VIZD_TRY(inspect_set(set, [&](const Inspection& inspection) { tables = tables_of(inspection); }));
  return tables;
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
    .tabulate = tabulate,
    .own_tables = own_tables,
    .answer_values = answer_values,
};

}  // namespace vizd::reference::inspector
