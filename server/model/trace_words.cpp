#include "model/trace_words.h"

#include <algorithm>

namespace vizd::trace {

bool is_of_trace(const Capture& capture) {
  const StringId offset = capture.strings.find(kTimeOffset_ns);
  return offset != StringId{kNoId} && std::ranges::find(capture.facts, offset, &Fact::name) != capture.facts.end();
}

}  // namespace vizd::trace
