#include "formats/trace_words.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace vizd::trace {
namespace {

bool tells_offset(const Capture& capture) {
  const StringId offset = capture.strings.find(fact::kTimeOffset_ns);
  return offset != StringId{kNoId} && std::ranges::any_of(capture.facts, [&](const Fact& fact) {
           return fact.name == offset && std::holds_alternative<std::int64_t>(fact.value);
         });
}

// Takes what a name says of itself off it: of an argument's column or a fact.
template <typename Named>
void restore_name(Named& named, StringTable& strings) {
  const std::string_view name = strings.get(named.name);
  if (!name.starts_with(kMemberPrefix)) return;
  const std::string_view rest = name.substr(kMemberPrefix.size());
  if (rest.starts_with(kMemberPrefix)) {
    named.name = strings.add(std::string(rest));
  } else {
    named.is_hidden = true;
  }
}

// By event whether an argument says how its record was written, which those that came as one whole record do not have.
std::vector<bool> came_in_parts(const Track& track, const StringTable& strings) {
  std::vector<bool> parts(track.events.size());
  for (const ArgumentColumn& column : track.arguments) {
    if (!column.is_hidden || strings.get(column.name) != kPhase) continue;
    column.events.for_each([&](std::int64_t event) { parts[static_cast<std::size_t>(event)] = true; });
  }
  return parts;
}

void restore_roles(Track& track, const StringTable& strings) {
  const std::vector<bool> in_parts = came_in_parts(track, strings);
  EventColumns& events = track.events;
  std::unordered_map<std::uint64_t, std::pair<EventRole, bool>> known;  // by category and name
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events.kind(i) != EventKind::kSpan || in_parts[i]) continue;
    const StringId category = events.category(i), name = events.name(i);
    const auto [found, is_new] = known.try_emplace(std::uint64_t{index(category)} << 32 | index(name));
    if (is_new) {
      const std::string_view text = strings.get(name);
      found->second = {role_of(strings.get(category), text), text.starts_with(kStepPrefix)};
    }
    events.set_role(i, found->second.first, found->second.second);
  }
}

}  // namespace

void restore_trace(Capture& capture) {
  if (capture.profile.is_trace || !tells_offset(capture)) return;
  capture.profile.is_trace = true;
  for (Fact& fact : capture.facts) restore_name(fact, capture.strings);
  for (Track& track : capture.profile.tracks) {
    for (ArgumentColumn& column : track.arguments) restore_name(column, capture.strings);
    restore_roles(track, capture.strings);
  }
}

bool is_possible_fact(std::string_view name, const ArgumentValue& value) {
  constexpr std::int64_t kMostEvents = std::int64_t{1} << 40;
  const auto* const number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return true;
  if (name == fact::kTimeOffset_ns) return is_possible_offset(*number);
  return name != kWithoutTime || (*number >= 0 && *number <= kMostEvents);
}

EventRole role_of(std::string_view category, std::string_view name) {
  if (category == "kernel" || category == "Kernel") return EventRole::kKernel;
  if (category == "gpu_memcpy" || category == "Memcpy") return EventRole::kMemcpy;
  if (category == "gpu_memset" || category == "Memset") return EventRole::kMemset;
  if (category == "mtia_ccp_events") return name == "dma_request" ? EventRole::kMemcpy : EventRole::kKernel;
  if (category == "cuda_runtime" || category == "cuda_driver" || category == "Runtime" || category == "mtia_runtime")
    return EventRole::kCall;
  return category == "cpu_op" || category == "Operator" ? EventRole::kOperator : EventRole::kNone;
}

bool is_of_device(std::string_view category) {
  return is_work(role_of(category, "")) || category == "gpu_user_annotation" || category == "cuda_sync";
}

}  // namespace vizd::trace
