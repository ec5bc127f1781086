// A table as a file of its own: CSV, or a workbook of one sheet. One thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command_line/output_file.h"
#include "cli/command_line/records.h"

namespace vizd {

// to: "csv" or "xlsx". CSV goes to stdout where the place has no path. inputs: files that must not be replaced. Errors:
// a workbook without a path; the file cannot be written.
Result<void> write_table_file(const Records& records, std::string_view to, std::string_view sheet,
                              const OutputFile::Place& place, std::span<const std::string> inputs);

}  // namespace vizd
