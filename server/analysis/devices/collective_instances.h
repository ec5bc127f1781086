// Each collective by itself: how long the ranks waited for the last of them, and what that one did before. Refers to
// the captures. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/devices/collectives.h"

namespace vizd {

struct CollectiveInstance {
  std::uint32_t place = 0;        // in Collectives::all
  CollectiveLaunch longest = {};  // of the rank that came first
  std::int64_t waiting_ns = 0;    // of all ranks, added up: what each one's kernel is longer than the shortest
  // For the rank that came last, if there is one: the work of its device that ended last before, as a place in
  // DeviceWork::items, and how long nothing ran between the two.
  std::optional<std::uint32_t> before = {};
  std::int64_t idle_before_ns = 0;
};

// Returns collectives with the largest skew between ranks first, then in order; at most this many.
std::vector<CollectiveInstance> list_collectives(std::span<const ProfiledRank> profiles, const Collectives& found,
                                                 std::size_t most);

}  // namespace vizd
