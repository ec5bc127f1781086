// Records: rows of named values, printed as a table for people or as JSON, one object a line, for programs; written
// as CSV or into a workbook. One thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/workbook.h"
#include "formats/own_table.h"

namespace vizd {

class CommandLine;

// Whether --links was given.
bool wants_links();

// What a row stands for (cli/command_line/row_ids.h).
struct RowId {
  std::string id;         // "": no single thing that opens
  std::string link = "";  // "": no vizd serves its capture, or none is wanted
};

// --wide, for every command that prints tables: they are whole on a terminal too, as they are in a pipe.
void describe_wide_tables(CommandLine& line);

// Nothing, a number, or text as the capture has it (colours and all).
using Cell = OwnCell;

class Records {
 public:
  // Column names: keys of the JSON, headings of the table.
  explicit Records(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  explicit Records(OwnTable table)
      : columns_(std::move(table.columns)), rows_(std::move(table.rows)), ids_(rows_.size()) {}

  // A record: as many cells as there are columns. id: JSON tells it, and a table with --links, with the link to it.
  void add(std::vector<Cell> cells, RowId id = {});
  // Appends the records of another table with the same columns.
  void append(const Records& other) {
    rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
    ids_.insert(ids_.end(), other.ids_.begin(), other.ids_.end());
  }
  // The same text in every row, as the last column.
  void add_column(std::string name, const std::string& text) {
    columns_.push_back(std::move(name));
    for (std::vector<Cell>& row : rows_) row.emplace_back(text);
  }
  bool empty() const { return rows_.empty(); }

  // As JSON; text loses its colours.
  void print_json(std::FILE* out) const;
  // As a table: numbers to the right, every text on one line. With a number of columns its lines fit into these: the
  // longest texts are shortened (short_names.h) as far as that leaves something of them; where that is not enough,
  // columns are left out, the last one but one first, and a line below says how many.
  void print_table(std::FILE* out, bool colour, std::size_t columns = 0) const;
  // One object a line, likewise.
  std::string json() const;
  // As a table for other programs: fields with separators, quotes or line ends are quoted; text loses its colours.
  std::string separated(char separator) const;
  std::string csv() const { return separated(','); }
  // Into a sheet, headings first; rows beyond its last are left out.
  void fill(Workbook::Sheet& sheet) const;
  // One of the two; the table in colour where out wants it, and so that it fits a window unless tables are to be wide.
  void print(std::FILE* out, bool json) const;

 private:
  bool has_ids() const;
  // The same with their ids, and the links to what they name, as columns.
  Records with_links() const;
  // The texts of all cells, by column.
  std::vector<std::vector<std::string>> texts(bool colour) const;
  // Shortens them for so many columns of a window; the columns of the table that are shown.
  std::vector<std::size_t> fit(std::vector<std::vector<std::string>>& texts, std::size_t columns) const;

  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<RowId> ids_;  // of the rows
};

}  // namespace vizd
