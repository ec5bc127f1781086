#include "formats/tinygrad/reading/unread_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

// These are read, or hold nothing beyond what the rewrites have (programs).
constexpr std::array<std::string_view, 8> kRead = {
    "tinygrad.helpers.ProfileRangeEvent",        "tinygrad.helpers.ProfilePointEvent",
    "tinygrad.device.ProfileDeviceEvent",        "tinygrad.device.ProfileGraphEvent",
    "tinygrad.device.ProfileProgramEvent",       "tinygrad.runtime.ops_amd.ProfilePMCEvent",
    "tinygrad.runtime.ops_amd.ProfileSQTTEvent", "tinygrad.runtime.ops_nv.ProfilePMAEvent"};

}  // namespace

void tell_unread_events(const pickle::Tree& tree, Capture& capture) {
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  tree.for_each(tree.container(tree.root), [&](Node event) {
    if (!event.is(Kind::kObject) || !tree.object(event).callable.is(Kind::kClass)) return;
    const auto [module, name] = tree.class_name(tree.object(event).callable);
    std::string type_name = fmt::format("{}.{}", module, name);
    if (std::ranges::find(kRead, type_name) != kRead.end()) return;
    const auto found = std::ranges::find(counts, type_name, &std::pair<std::string, std::uint64_t>::first);
    if (found == counts.end()) {
      counts.emplace_back(std::move(type_name), 1);
    } else {
      ++found->second;
    }
  });
  for (const auto& [type_name, count] : counts) {
    capture.skipped[fmt::format("event of class {}, which vizd does not know", type_name)] += count;
  }
}

}  // namespace vizd::tinygrad
