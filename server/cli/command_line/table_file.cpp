#include "cli/command_line/table_file.h"

#include "base/standard_streams.h"

namespace vizd {

Result<void> write_table_file(const Records& records, std::string_view to, std::string_view sheet,
                              const OutputFile::Place& place, std::span<const std::string> inputs) {
  if (place.path.empty()) {
    if (to == "xlsx") return Error{ErrorKind::kBadInput, "a workbook is not text; name its file with --output", ""};
    write_answer(records.csv());
    return {};
  }
  auto file = OutputFile::create(place, inputs);
  if (!file) return std::move(file).error();
  if (to == "csv") {
    (*file)->write(records.csv());
  } else {
    Workbook book;
    Workbook::Sheet page = book.add_sheet(sheet);
    records.fill(page);
    const auto made = book.finish([&](std::string_view part) { (*file)->write(part); });
    if (!made) return made.error();
  }
  const auto size_bytes = (*file)->finish();
  return size_bytes ? Result<void>() : Result<void>(size_bytes.error());
}

}  // namespace vizd
