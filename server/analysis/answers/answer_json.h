// Rows of answers as JSON objects: the same on the command line and over HTTP. What does not exist is null. One thread
// a writer.
#pragma once

#include <functional>

#include "analysis/answers/field.h"
#include "analysis/devices/device_work.h"
#include "base/json_writer.h"

namespace vizd {

void write_field(JsonWriter& json, const FieldInfo& field, const FieldValue& value);

// Writes the system's own name or number of something, as the capture has it, or null.
void write_file_value(JsonWriter& json, const FileValue& value, const StringTable& strings);

// write_more: what else stands in the object.
using WriteMore = std::function<void(JsonWriter&)>;

template <typename Line>
void write_row(JsonWriter& json, const Fields<Line>& fields, const Line& line, const WriteMore& write_more = {}) {
  json.begin_object();
  for (const Field<Line>& field : fields) {
    if (!field.info.is_extra) write_field(json, field.info, field.value(line));
  }
  if (write_more) write_more(json);
  json.end_object();
}

}  // namespace vizd
