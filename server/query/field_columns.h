// Columns of SQL from the fields of an answer (analysis/answers/field.h). One thread.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/answers/field.h"
#include "query/row_table.h"

namespace vizd::sql {

ColumnInfo column_of(const FieldInfo& field);
// Lists and ranges are JSON.
void write_field(const FieldValue& value, Cell& cell);

// line_of(place): what a row's fields are written of.
template <typename Line, typename LineOf>
void add_field_columns(std::vector<RowColumn>& columns, const Fields<Line>& fields, LineOf line_of) {
  for (const Field<Line>& field : fields) {
    if (field.info.is_extra) continue;
    columns.push_back({column_of(field.info), [line_of, value = field.value](const Place& p, Cell& cell) {
                         write_field(value(line_of(p)), cell);
                       }});
  }
}

}  // namespace vizd::sql
