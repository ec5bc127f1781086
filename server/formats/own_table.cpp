#include "formats/own_table.h"

#include <algorithm>

#include "base/clean_text.h"

namespace vizd {

void fill_sheet(Workbook::Sheet& sheet, std::span<const std::string> columns,
                std::span<const std::vector<OwnCell>> rows) {
  constexpr double kWidth = 14;
  for (std::size_t c = 0; c < columns.size(); ++c)
    sheet.put(0, static_cast<std::uint16_t>(c), columns[c], Workbook::Look::kHeading);
  sheet.freeze(1, 0);
  sheet.set_width(0, static_cast<std::uint16_t>(columns.size() - 1), kWidth);
  const std::size_t most = std::min<std::size_t>(rows.size(), Workbook::kMostRows - 1);
  for (std::uint32_t r = 0; r < most; ++r) {
    for (std::uint16_t c = 0; c < columns.size(); ++c) {
      const OwnCell& cell = rows[r][c];
      if (const auto* number = std::get_if<std::int64_t>(&cell)) sheet.put(r + 1, c, *number);
      if (const auto* real = std::get_if<double>(&cell)) sheet.put(r + 1, c, *real);
      if (const auto* text = std::get_if<std::string>(&cell))
        sheet.put(r + 1, c, std::string_view(many_lines(*text, false)));
    }
  }
}

}  // namespace vizd
