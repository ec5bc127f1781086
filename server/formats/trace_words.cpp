#include "formats/trace_words.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "formats/trace_devices.h"

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
      found->second = {role_of(strings.get(category), text), is_step(text)};
    }
    events.set_role(i, found->second.first, found->second.second);
  }
}

}  // namespace

void restore_trace(Capture& capture) {
  if (!tells_offset(capture)) return;
  for (Fact& fact : capture.facts) restore_name(fact, capture.strings);
  for (Track& track : capture.profile.tracks) {
    for (ArgumentColumn& column : track.arguments) restore_name(column, capture.strings);
  }
  tell_roles(capture);
  mark_named_devices(capture, 0);
}

void tell_roles(Capture& capture) {
  capture.profile.is_trace = true;
  for (Track& track : capture.profile.tracks) restore_roles(track, capture.strings);
}

void make_trace(Capture& capture) {
  tell_roles(capture);
  if (tells_offset(capture)) return;
  const StringId offset = capture.strings.add(fact::kTimeOffset_ns);
  capture.facts.push_back({.name = offset, .value = std::int64_t{0}, .is_hidden = true});
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
  // As Kineto names the calls of each kind of device, and older versions and Paddle those of CUDA.
  constexpr std::string_view kCalls[] = {
      "cuda_runtime", "cuda_driver",  "Runtime",     "CudaRuntime",         "xpu_runtime",        "xpu_driver",
      "mtia_runtime", "glow_runtime", "hip_runtime", "privateuse1_runtime", "privateuse1_driver", "hip_driver"};
  if (std::ranges::find(kCalls, category) != std::end(kCalls)) return EventRole::kCall;
  // rocprofv3 and what is made of it.
  if (category.starts_with("rocm_")) category.remove_prefix(5);
  if (category == "kernel_dispatch") return EventRole::kKernel;
  if (category == "memory_copy") return EventRole::kMemcpy;
  if (category == "hip_api" || category == "hsa_api") return EventRole::kCall;
  // "Node" is ONNX Runtime's.
  const bool is_operator = category == "cpu_op" || category == "Operator" || category == "Node";
  return is_operator ? EventRole::kOperator : EventRole::kNone;
}

std::string_view duration_in_name(std::string_view name) {
  if (!name.ends_with("s]")) return {};
  const std::size_t open = name.rfind('[');
  if (open == std::string_view::npos) return {};
  const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
  const std::size_t digits = std::min(inside.find_first_not_of("0123456789.e+-"), inside.size());
  constexpr std::string_view kUnits[] = {" ns", " us", " ms", " s"};
  const bool is_duration = digits > 0 && std::ranges::find(kUnits, inside.substr(digits)) != std::end(kUnits);
  return is_duration ? name.substr(open) : std::string_view();
}

bool is_of_device(std::string_view category) {
  return is_work(role_of(category, "")) || category == "gpu_user_annotation" || category == "cuda_sync";
}

}  // namespace vizd::trace
