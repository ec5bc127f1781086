#include "analysis/answers/answer_json.h"

#include <cmath>

#include "base/exact_number.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

void write_amount(JsonWriter& json, double amount) {
  const bool is_whole = amount == std::floor(amount) && std::abs(amount) < static_cast<double>(kMostExact);
  is_whole ? json.number(static_cast<std::int64_t>(amount)) : json.real(amount);
}

struct ValueWriter {
  JsonWriter& json;
  const FieldInfo& field;

  void operator()(std::monostate) const { json.null(); }
  void operator()(Absent) const {}
  void operator()(std::int64_t number) const { json.number(number); }
  void operator()(double number) const {
    field.kind == FieldKind::kAmount ? write_amount(json, number) : static_cast<void>(json.real(number));
  }
  void operator()(bool flag) const { json.boolean(flag); }
  void operator()(std::string_view text) const {
    const bool is_number = field.kind == FieldKind::kNumber && is_long_number(text);
    is_number ? json.raw(text) : json.text(text);
  }
  void operator()(const Texts& texts) const {
    json.begin_array();
    for (const std::string_view text : texts) text.data() == nullptr ? json.null() : json.text(text);
    json.end_array();
  }
  void operator()(const Range& range) const { json.begin_array().real(range.first).real(range.second).end_array(); }
};

}  // namespace

void write_field(JsonWriter& json, const FieldInfo& field, const FieldValue& value) {
  if (std::holds_alternative<Absent>(value)) return;
  json.key(field.name);
  std::visit(ValueWriter{json, field}, value);
}

void write_file_value(JsonWriter& json, const FileValue& value, const StringTable& strings) {
  value ? write_number(json, *value, strings) : static_cast<void>(json.null());
}

}  // namespace vizd
