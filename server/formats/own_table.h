// OwnTable: one of the tables that people of one format expect, for spreadsheets and other programs. Plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/workbook.h"

namespace vizd {

using OwnCell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct OwnTable {
  std::string name;  // "events", "by name"
  std::vector<std::string> columns;
  std::vector<std::vector<OwnCell>> rows;  // as many cells each as there are columns
};

// Into a sheet, headings first; rows beyond its last are left out, and text loses its colours.
void fill_sheet(Workbook::Sheet& sheet, std::span<const std::string> columns,
                std::span<const std::vector<OwnCell>> rows);

}  // namespace vizd
