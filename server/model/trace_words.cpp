#include "model/trace_words.h"

#include <algorithm>

namespace vizd::trace {

bool is_of_trace(const Capture& capture) {
  const StringId offset = capture.strings.find(kTimeOffset_ns);
  return offset != StringId{kNoId} && std::ranges::any_of(capture.facts, [&](const Fact& fact) {
           return fact.name == offset && std::holds_alternative<std::int64_t>(fact.value);
         });
}

bool is_possible_fact(std::string_view name, const ArgumentValue& value) {
  constexpr std::int64_t kMostEvents = std::int64_t{1} << 40;
  const auto* const number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return true;
  if (name == kTimeOffset_ns) return is_possible_offset(*number);
  return name != kWithoutTime || (*number >= 0 && *number <= kMostEvents);
}

}  // namespace vizd::trace
