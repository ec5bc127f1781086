// ValueWriter: writes arguments' and facts' values, those that are JSON as they are. One thread.
#pragma once

#include "base/json_writer.h"
#include "formats/chrome_trace/json_check.h"
#include "model/argument_json.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

class ValueWriter {
 public:
  explicit ValueWriter(const StringTable& strings)
      : strings_(strings), json_unit_(strings.find(argument::kJson)), json_check_(strings) {}

  void put(JsonWriter& json, const ArgumentValue& value, StringId unit);
  // The value, where it is JSON that may stand in the file; else null.
  const StringId* json_of(const ArgumentValue& value, StringId unit);

 private:
  const StringTable& strings_;
  const StringId json_unit_;
  JsonCheck json_check_;
};

}  // namespace vizd::chrome_trace
