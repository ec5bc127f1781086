// Values that a file has as text though they were numbers, lists or others when they were written. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/string_table.h"
#include "model/arguments.h"

namespace vizd::perfetto {

struct TypedText {
  ArgumentValue value;
  StringId unit{};  // argument::kJson of a list, an object, a truth value or null
};

// What JSON of that text is; what is no JSON is a text.
TypedText typed_text(std::string_view text, StringTable& strings);

// The text that typed_text() makes that value of.
std::string text_of_value(const ArgumentValue& value, StringId unit, const StringTable& strings);

}  // namespace vizd::perfetto
