// CallTree: the events of a block that are parts of others: a delegate's events of their call, a kernel of the operator
// call around it. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "formats/etdump/blocks.h"

namespace vizd::etdump {

bool is_kernel(const BlockEvent& event);
bool is_delegate_call(const BlockEvent& event);
// Whether its time is work that no other event of the block tells: a kernel's, or a whole call of a delegate.
bool is_work(const BlockEvent& event);

// Whether the event is one of the runtime itself: of no node, whatever instruction it names.
bool is_of_framework(const std::string& name);
// Whether it is around the work of an instruction, and tells what the call costs besides.
bool is_operator_call(const std::string& name);

// Which events of a block lie in which call.
struct CallTree {
  std::vector<std::optional<std::size_t>> around;  // by event the place of the one around it; none of what has none
  std::vector<std::vector<std::size_t>> parts;     // by event the places of what it is around
};
CallTree call_tree(const Block& block);

// Whether the parts of a call were timed by a clock of their own, in that iteration: one of them lies outside of it.
bool has_own_clock(const Block& block, const CallTree& calls, std::size_t call, std::size_t iteration);

}  // namespace vizd::etdump
