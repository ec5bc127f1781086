// What ExecuTorch's Inspector answers of an ETDump, mended or with its faults, as `vizd summary`, `vizd export` and the
// page ask for it. One thread.
#include "formats/etdump/opened_set.h"
#include "formats/etdump/own_tables.h"
#include "formats/etdump/summary.h"
#include "formats/etdump/table.h"
#include "reference/inspector/value_answers.h"
#include "reference/programs.h"

namespace vizd::reference::inspector {
namespace {

using namespace etdump;

Result<void> summarize(OpenSet& set, const Capture&, const SummaryOptions& options, const WriteText& write) {
  const auto opened = open_dump(set);
  if (!opened) return opened.error();
  if (options.lists_runs) {
    VIZD_TRY(write_runs(*opened->file, write));
    return check_whole(set, *opened);
  }
  const auto inspection = inspect(opened->sources(), opened->settings);
  if (!inspection) return inspection.error();
  write_summary(*inspection, write);
  return check_whole(set, *opened);
}

Result<void> tabulate(OpenSet& set, const Capture&, char separator, const WriteText& write) {
  const auto opened = open_dump(set);
  if (!opened) return opened.error();
  const auto inspection = inspect(opened->sources(), opened->settings);
  if (!inspection) return inspection.error();
  write_table(*inspection, separator, write);
  return check_whole(set, *opened);
}

Result<std::vector<OwnTable>> own_tables(OpenSet& set, const Capture&) {
  auto opened = open_dump(set);
  if (!opened) return std::move(opened).error();
  const auto inspection = inspect(opened->sources(), opened->settings);
  if (!inspection) return inspection.error();
  std::vector<OwnTable> tables = tables_of(*inspection);
  VIZD_TRY(check_whole(set, *opened));
  return tables;
}

}  // namespace

extern const ReferenceProgram kProgram;
constinit const ReferenceProgram kProgram{
    .format = "etdump",
    .summarize = summarize,
    .tabulate = tabulate,
    .own_tables = own_tables,
    .answer_values = [](OpenSet& set, const ValueQuestion& question,
                        const WriteText& write) { return answer_values(set, question, write); },
};

}  // namespace vizd::reference::inspector
