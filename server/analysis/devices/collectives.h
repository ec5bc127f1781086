// Collectives: what ranks exchanged: how much, how fast, and who was waited for. docs/figures.md has the definitions.
// Refers to the captures. Pure.
//
// A collective ends on all its ranks at about the same time, so that the rank that came last has the shortest kernel:
// that kernel is the transfer, and what the others' are longer is waiting. No clocks need agree for that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/devices/collective_kind.h"
#include "analysis/devices/device_work.h"
#include "analysis/devices/operators.h"

namespace vizd {

struct ProfiledRank {
  const Capture& capture;
  const DeviceWork& work;
  const Operators& operators;
  // By DeviceWork::items: only collectives that any of these is a launch of, on whichever profile. Empty: all.
  std::vector<bool> chosen = {};
};

struct CollectiveLaunch {
  std::uint32_t profile = 0, item = 0;  // place in the span of profiles, and in its DeviceWork::items
};

// One collective, on those of its ranks whose profile is there.
struct Collective {
  std::uint32_t row = 0;                   // place in Collectives::rows
  std::int64_t number = 0;                 // it is that one of its kind and group, from 0
  std::vector<CollectiveLaunch> launches;  // of each rank
  std::int64_t shortest_ns = 0, longest_ns = 0;
  // In launches: the rank that came last, whose kernel alone is the shortest; none where two came together.
  std::optional<std::uint32_t> last = {};

  std::int64_t skew_ns() const { return longest_ns - shortest_ns; }
};

// Collectives of one kind, kernel, group and size.
struct CollectiveRow {
  CollectiveKind kind = CollectiveKind::kOther;
  std::string name;                            // the kernel's family
  std::string group;                           // the process group's name; "" where it is not told
  std::optional<std::int64_t> ranks = {};      // of the group
  std::optional<std::int64_t> bytes = {};      // of each: of what goes in or comes out the larger
  std::int64_t count = 0, seen_ranks = 0;      // how many; on how many ranks at most
  std::int64_t transfer_ns = 0, total_ns = 0;  // of the ranks that came last; of all ranks' kernels
  std::int64_t skew_total_ns = 0, skew_most_ns = 0;
  std::uint32_t most_skewed = 0;  // place in Collectives::all
  // The rank that the others waited for longest, how long, and how often; none where only one rank is seen, or none
  // waited.
  std::optional<CollectiveLaunch> last = {};
  std::int64_t last_waited_ns = 0, last_count = 0;

  std::optional<double> algorithm_bytes_per_s() const;
  std::optional<double> bus_bytes_per_s() const;
  bool has_skew() const { return seen_ranks > 1; }
};

// A rank that the others waited for: it came later to a collective than the rank in the middle did, by as much as its
// kernel is shorter than that one's.
struct Straggler {
  std::int64_t waited_ns = 0, longest_wait_ns = 0;  // of all collectives, added up; of the worst
  std::int64_t times = 0, of = 0;                   // how often it came later, of how many collectives with others
  std::uint32_t worst = 0;                          // place in Collectives::all: where they waited longest
  CollectiveLaunch launch = {};                     // its own of that one
};

struct Collectives {
  std::vector<CollectiveRow> rows;  // the most time first
  std::vector<Collective> all;
  std::vector<Straggler> stragglers;            // of all rows together: the longest waited for first
  std::int64_t ranks_here = 0;                  // that have any collective
  std::optional<std::int64_t> world_size = {};  // how many ranks the job has, where a capture tells it
  // A launch of each rank whose collectives end at other times than those of the ranks before it, and none of which is
  // paired: nobody is blamed for what they waited.
  std::vector<CollectiveLaunch> not_comparable;
};

// Each profile may hold several ranks. Launches of several ranks are one collective where group, kind and size are the
// same and they end together (collective_pairing.h): of all launches, those that are not chosen too.
Collectives find_collectives(std::span<const ProfiledRank> profiles);

// What is to be known of how ranks were held against each other, a sentence each: how many of the job's ranks are here,
// and which of their collectives could not be paired.
std::vector<std::string> pairing_notes(std::span<const ProfiledRank> profiles, const Collectives& found);

}  // namespace vizd
