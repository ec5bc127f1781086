#include "query/field_columns.h"

#include "base/json_writer.h"

namespace vizd::sql {
namespace {

ColumnType type_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kCount:
    case FieldKind::kFlag:
      return ColumnType::kInteger;
    case FieldKind::kAmount:
    case FieldKind::kReal:
      return ColumnType::kReal;
    case FieldKind::kNumber:
      return ColumnType::kAny;
    case FieldKind::kText:
    case FieldKind::kTexts:
    case FieldKind::kRange:
      break;
  }
  return ColumnType::kText;
}

// "group" is a word of SQL's own, and each row of a store has the rank that it was pushed as.
std::string_view name_of(const FieldInfo& field) {
  if (field.name == "group") return "group_name";
  return field.name == "rank" ? "rank_number" : field.name;
}

struct CellWriter {
  Cell& cell;

  void operator()(std::monostate) const { cell.null(); }
  void operator()(Absent) const { cell.null(); }
  void operator()(std::int64_t number) const { cell.integer(number); }
  void operator()(double number) const { cell.real(number); }
  void operator()(bool flag) const { cell.integer(flag ? 1 : 0); }
  void operator()(std::string_view text) const { cell.text(text); }
  void operator()(const std::string& text) const { cell.copied_text(text); }
  void operator()(const Texts& texts) const {
    std::string list;
    JsonWriter json(list);
    json.begin_array();
    for (const std::string_view text : texts) text.data() == nullptr ? json.null() : json.text(shown_text(text));
    json.end_array();
    cell.copied_text(list);
  }
  void operator()(const Range& range) const {
    std::string list;
    JsonWriter json(list);
    json.begin_array().real(range.first).real(range.second).end_array();
    cell.copied_text(list);
  }
};

}  // namespace

ColumnInfo column_of(const FieldInfo& field) {
  return {name_of(field), type_of(field.kind), field.about, field.may_be_null || field.may_be_absent};
}

void write_field(const FieldValue& value, Cell& cell) { std::visit(CellWriter{cell}, value); }

}  // namespace vizd::sql
