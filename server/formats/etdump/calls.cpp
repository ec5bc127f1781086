#include "formats/etdump/calls.h"

#include <algorithm>
#include <unordered_map>

namespace vizd::etdump {

bool is_kernel(const BlockEvent& event) { return event.name.starts_with("native_call_") && !event.is_delegated; }

bool is_delegate_call(const BlockEvent& event) { return event.name == "DELEGATE_CALL" && !event.is_delegated; }

bool is_work(const BlockEvent& event) { return is_kernel(event) || is_delegate_call(event); }

bool is_of_framework(const std::string& name) {
  return name == "Method::init" || name == "Program::load_method" || name == "Method::execute" ||
         name == "Method::step";
}

bool is_operator_call(const std::string& name) { return name == "OPERATOR_CALL"; }

CallTree call_tree(const Block& block) {
  CallTree calls;
  calls.around.resize(block.events.size());
  calls.parts.resize(block.events.size());
  // By instruction: events are stored by their ends, so that what is around one comes after it.
  std::unordered_map<std::int32_t, std::size_t> next;
  for (std::size_t i = block.events.size(); i-- > 0;) {
    const BlockEvent& event = block.events[i];
    if (!event.instruction || !event.is_timed) continue;
    if (is_delegate_call(event) || (event.name == "OPERATOR_CALL" && !event.is_delegated)) {
      next[*event.instruction] = i;
    } else if (event.is_delegated || is_kernel(event)) {
      if (const auto found = next.find(*event.instruction); found != next.end()) calls.around[i] = found->second;
    }
  }
  for (std::size_t i = 0; i < block.events.size(); ++i) {
    if (calls.around[i]) calls.parts[*calls.around[i]].push_back(i);
  }
  return calls;
}

bool has_own_clock(const Block& block, const CallTree& calls, std::size_t call, std::size_t iteration) {
  const BlockEvent& around = block.events[call];
  return std::ranges::any_of(calls.parts[call], [&](std::size_t i) {
    const BlockEvent& part = block.events[i];
    return part.end(iteration) < around.start(iteration) || part.start(iteration) > around.end(iteration);
  });
}

}  // namespace vizd::etdump
