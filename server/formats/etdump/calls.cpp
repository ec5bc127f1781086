#include "formats/etdump/calls.h"

#include <map>
#include <utility>

namespace vizd::etdump {

bool is_kernel(const BlockEvent& event) { return event.name.starts_with("native_call_") && !event.is_delegated; }

bool is_delegate_call(const BlockEvent& event) { return event.name == "DELEGATE_CALL" && !event.is_delegated; }

bool is_work(const BlockEvent& event) { return is_kernel(event) || is_delegate_call(event); }

Enclosing enclosing_calls(const Block& block) {
  Enclosing enclosing(block.events.size());
  // By instruction: events are stored by their ends, so that what is around one comes after it.
  std::map<std::int32_t, std::size_t> next;
  for (std::size_t i = block.events.size(); i-- > 0;) {
    const BlockEvent& event = block.events[i];
    if (!event.instruction || !event.is_timed) continue;
    if (is_delegate_call(event) || (event.name == "OPERATOR_CALL" && !event.is_delegated)) {
      next[*event.instruction] = i;
    } else if (event.is_delegated || is_kernel(event)) {
      if (const auto found = next.find(*event.instruction); found != next.end()) enclosing[i] = found->second;
    }
  }
  return enclosing;
}

bool has_own_clock(const Block& block, const Enclosing& enclosing, std::size_t call, std::size_t iteration) {
  const BlockEvent& around = block.events[call];
  for (std::size_t i = 0; i < enclosing.size(); ++i) {
    if (enclosing[i] != call) continue;
    const BlockEvent& part = block.events[i];
    if (part.ends[iteration] < around.starts[iteration] || part.starts[iteration] > around.ends[iteration]) return true;
  }
  return false;
}

}  // namespace vizd::etdump
