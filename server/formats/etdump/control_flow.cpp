#include "formats/etdump/control_flow.h"

#include <set>
#include <string>
#include <utility>

namespace vizd::etdump {
namespace {

constexpr const char* kJump = "JF_CALL";

bool is_of_instruction(const BlockEvent& event) {
  return event.instruction && event.is_timed && event.name != "Method::execute";
}

bool is_of_same_method(const Block& a, const Block& b) { return a.name == b.name && a.method == b.method; }

std::set<std::int32_t> instructions_of(const Block& block) {
  std::set<std::int32_t> instructions;
  for (const BlockEvent& event : block.events)
    if (is_of_instruction(event)) instructions.insert(*event.instruction);
  return instructions;
}

}  // namespace

std::vector<bool> repeated_events(const Block& block) {
  std::set<std::pair<std::string, std::int32_t>> repeated;
  const auto is_of_runtime = [](const BlockEvent& event) {
    return event.instruction && !event.is_delegated && event.is_timed;
  };
  for (const BlockEvent& event : block.events) {
    if (is_of_runtime(event) && event.occurrence > 0) repeated.insert({event.name, *event.instruction});
  }
  std::vector<bool> is_repeated;
  for (const BlockEvent& event : block.events)
    is_repeated.push_back(is_of_runtime(event) && repeated.contains({event.name, *event.instruction}));
  return is_repeated;
}

std::vector<Branch> branches_of(std::span<const Block> blocks, std::size_t place) {
  const Block& block = blocks[place];
  std::vector<std::set<std::int32_t>> others;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (i != place && is_of_same_method(blocks[i], block)) others.push_back(instructions_of(blocks[i]));
  std::vector<Branch> branches;
  if (others.empty()) return branches;
  // Jumps forward: what is jumped back to is a loop's, and no branch.
  bool is_in_branch = false;
  std::int32_t jump = -1;
  for (std::size_t i = 0; i < block.events.size(); ++i) {
    const BlockEvent& event = block.events[i];
    if (!is_of_instruction(event)) continue;
    const auto runs_here_alone = [&](const std::set<std::int32_t>& other) {
      return other.contains(jump) && !other.contains(*event.instruction);
    };
    bool is_alone = false;
    for (const auto& other : others) is_alone = is_alone || (jump >= 0 && runs_here_alone(other));
    if (is_alone) {
      if (!is_in_branch) branches.push_back({.jump = jump, .events = {}});
      branches.back().events.push_back(i);
    } else if (event.name == kJump) {
      jump = *event.instruction;
    }
    is_in_branch = is_alone;
  }
  return branches;
}

}  // namespace vizd::etdump
