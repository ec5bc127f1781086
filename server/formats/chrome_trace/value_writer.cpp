#include "formats/chrome_trace/value_writer.h"

namespace vizd::chrome_trace {

void ValueWriter::put(JsonWriter& json, const ArgumentValue& value, StringId unit) {
  if (const StringId* const nested = json_of(value, unit)) {
    json.raw(strings_.get(*nested));
  } else {
    write_value(json, value, strings_);
  }
}

const StringId* ValueWriter::json_of(const ArgumentValue& value, StringId unit) {
  const auto* const id = std::get_if<StringId>(&value);
  const bool is_json = id != nullptr && unit == json_unit_ && unit != StringId{} && json_check_.is_json(*id);
  return is_json ? id : nullptr;
}

}  // namespace vizd::chrome_trace
