// Values of arguments and facts as JSON and as text: a number stays a number. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "model/arguments.h"

namespace vizd {

void write_value(JsonWriter& json, const ArgumentValue& value, const StringTable& strings);

// As write_value, of what the system calls a process, thread, device or stream: that is kept as a text where it is
// beyond 64 bits, and is a number all the same.
void write_number(JsonWriter& json, const ArgumentValue& number, const StringTable& strings);

// A whole number, kept as a text because it is beyond 64 bits.
bool is_long_number(std::string_view text);

std::string value_text(const ArgumentValue& value, const StringTable& strings);

}  // namespace vizd
