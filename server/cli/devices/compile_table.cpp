#include "cli/devices/compile_table.h"

#include "analysis/answers/device_answers.h"
#include "analysis/recorded/recordable.h"
#include "base/standard_streams.h"
#include "cli/command_line/absence.h"
#include "cli/devices/answer_records.h"

namespace vizd {

void print_compiles(const Capture& capture, const WorkScope& scope, std::size_t limit, bool json) {
  const std::vector<CompileRow> rows = find_compiles(capture, scope);
  std::vector<CompileLine> lines;
  for (const CompileRow& row : first_rows(rows, limit)) lines.push_back({row});
  if (rows.empty()) {
    const auto lacking = if_not_recorded(capture, Recordable::kOperators);
    return print_absence(lacking.value_or(Absence{Nothing::kNone, "nothing of it ran", ""}), "torch.compile", json);
  }
  if (json) return print_json_rows(compile_fields(), lines);
  shown_records(compile_fields(), lines).print(stdout, false);
  if (lines.size() < rows.size()) print_answer("and {} more\n", rows.size() - lines.size());
  if (!rows.front().is_compiling())
    print_answer("Nothing was compiled during the recording: everything that ran was compiled before.\n");
}

Records compiles_table(const Capture& capture) {
  const std::vector<CompileRow> rows = find_compiles(capture);
  std::vector<CompileLine> lines;
  for (const CompileRow& row : rows) lines.push_back({row});
  return exact_records(compile_fields(), lines);
}

}  // namespace vizd
