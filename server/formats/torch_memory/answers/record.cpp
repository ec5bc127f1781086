#include "formats/torch_memory/answers/record.h"

#include "base/json_writer.h"

namespace vizd::torch_memory {
namespace {

void write(JsonWriter& json, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    json.number(*number);
  } else if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
    json.number(*whole);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    json.boolean(*flag);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    json.text(*text);
  } else if (const auto* list = std::get_if<Json>(&value)) {
    json.raw(list->text);
  } else {
    json.null();
  }
}

}  // namespace

std::string json_line(const Record& record) {
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  for (const Field& field : record) write(json.key(field.name), field.value);
  json.end_object();
  line += '\n';
  return line;
}

std::string json_of(const Value& value) {
  std::string text;
  JsonWriter json(text);
  write(json, value);
  return text;
}

}  // namespace vizd::torch_memory
