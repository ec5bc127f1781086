// Rows of answers (analysis/answers/field.h) as tables: for people, and exact for other programs. One thread.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "analysis/answers/answer_json.h"
#include "base/amount_text.h"
#include "base/standard_streams.h"
#include "cli/command_line/records.h"

namespace vizd {

// As people read it: "12.3 us", "4.56 TFLOP/s".
std::string duration_text(double dur_ns);
std::string change_text(double dur_ns);  // with its sign

// Exact; empty where there is no value.
Cell exact_cell(const FieldValue& value);
// As people read it. whole: the value of what it is a share of, where the field says so.
Cell shown_cell(const FieldInfo& field, const FieldValue& value, const FieldValue& whole);

// At most so many; 0: all.
template <typename Row>
std::span<const Row> first_rows(const std::vector<Row>& rows, std::size_t most) {
  return std::span(rows).first(most == 0 ? rows.size() : std::min(most, rows.size()));
}

// Adds it to the JSON object that the text ends with, with its link where there is one: as "id", or "row_id" where the
// row has a field of its own that is called so.
void add_id(std::string& object, const RowId& id, bool has_own_id);

template <typename Line>
Records exact_records(const Fields<Line>& fields, const std::vector<Line>& lines) {
  std::vector<std::string> names;
  for (const auto& [info, value] : fields) {
    if (!info.is_extra) names.emplace_back(info.name);
  }
  Records records(std::move(names));
  for (const Line& line : lines) {
    std::vector<Cell> cells;
    for (const auto& [info, value] : fields) {
      if (!info.is_extra) cells.push_back(exact_cell(value(line)));
    }
    records.add(std::move(cells));
  }
  return records;
}

// What lines stand for.
template <typename Line>
using IdOfLine = std::function<RowId(const Line&)>;

// For rows whose JSON has ids only if links are wanted.
template <typename Line>
IdOfLine<Line> if_links(IdOfLine<Line> id_of) {
  return wants_links() ? std::move(id_of) : IdOfLine<Line>();
}

template <typename Line>
Records shown_records(const Fields<Line>& fields, const std::vector<Line>& lines, const IdOfLine<Line>& id_of = {}) {
  std::vector<std::string> titles;
  for (const Field<Line>& field : fields) titles.emplace_back(field.info.title);
  Records records(std::move(titles));
  for (const Line& line : lines) {
    std::vector<Cell> cells;
    for (const auto& [info, value] : fields)
      cells.push_back(shown_cell(info, value(line),
                                 info.whole.empty() ? FieldValue() : find_field(fields, info.whole).value(line)));
    records.add(std::move(cells), id_of ? id_of(line) : RowId());
  }
  return records;
}

// One object a line. write_into_first: what the first has beside its fields, of all rows together.
template <typename Line>
void print_json_rows(const Fields<Line>& fields, const std::vector<Line>& lines, const IdOfLine<Line>& id_of = {},
                     WriteMore write_into_first = {}) {
  const bool has_own_id = std::ranges::any_of(fields, [](const Field<Line>& field) { return field.info.name == "id"; });
  std::string text;
  for (const Line& line : lines) {
    JsonWriter json(text);
    write_row(json, fields, line, std::exchange(write_into_first, {}));
    if (const RowId id = id_of ? id_of(line) : RowId(); !id.id.empty()) add_id(text, id, has_own_id);
    text += '\n';
  }
  print_answer("{}", text);
}

}  // namespace vizd
