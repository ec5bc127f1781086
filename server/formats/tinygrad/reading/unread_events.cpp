#include "formats/tinygrad/reading/unread_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
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

// Classes beyond so many are counted together: each is a line of what was left out.
constexpr std::size_t kMostNamed = 64;

}  // namespace

void tell_unread_events(const pickle::Tree& tree, Capture& capture) {
  std::vector<std::uint64_t> counts(tree.classes.size());  // by class
  tree.for_each(tree.container(tree.root), [&](Node event) {
    if (!event.is(Kind::kObject) || !tree.object(event).callable.is(Kind::kClass)) return;
    ++counts[tree.object(event).callable.at];
  });
  std::size_t named = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const std::string type_name = fmt::format("{}.{}", tree.classes[i].module, tree.classes[i].name);
    if (std::ranges::find(kRead, type_name) != kRead.end()) continue;
    const bool is_named = named++ < kMostNamed;
    capture.skipped[is_named ? fmt::format("event of class {}, which vizd does not know", type_name)
                             : "event of further classes that vizd does not know"] += counts[i];
  }
}

}  // namespace vizd::tinygrad
