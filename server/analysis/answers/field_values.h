// Values that several answers have in a field. Pure.
#pragma once

#include "analysis/answers/field.h"
#include "analysis/devices/device_work.h"

namespace vizd {

inline std::optional<std::string_view> text_or_none(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

// The system's own name or number of a rank, a device or a stream.
inline FieldValue system_number(const FileValue& number, const StringTable& strings) {
  if (!number) return {};
  if (const auto* const integer = std::get_if<std::int64_t>(&*number)) return *integer;
  if (const auto* const real = std::get_if<double>(&*number)) return *real;
  return strings.get(std::get<StringId>(*number));
}

}  // namespace vizd
