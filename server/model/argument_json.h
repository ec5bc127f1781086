// Values of arguments and facts as JSON and as text: a number stays a number. Any thread.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "model/arguments.h"

namespace vizd {

void write_value(JsonWriter& json, const ArgumentValue& value, const StringTable& strings);

std::string value_text(const ArgumentValue& value, const StringTable& strings);

}  // namespace vizd
