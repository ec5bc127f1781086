#include "model/trace_words.h"

#include <algorithm>

namespace vizd::trace {

bool is_of_trace(const Capture& capture) {
  const StringId offset = capture.strings.find(kTimeOffset_ns);
  return offset != StringId{kNoId} && std::ranges::any_of(capture.facts, [&](const Fact& fact) {
           return fact.name == offset && std::holds_alternative<std::int64_t>(fact.value);
         });
}

}  // namespace vizd::trace
