// Profiles made up to be like real ones: kernels in bursts with idle times between, operators that nest, a few that
// overlap without nesting (2.6 % of the events of a real accelerator trace did), durations with long tails, names of
// which few are frequent. The same seed makes the same profile. For tests and benches, from ten events to 10^8.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "model/capture.h"

namespace vizd {

struct MadeProfile {
  std::size_t events = 0;
  std::size_t lanes = 50;
  std::size_t names = 300;
  double overlapping = 0.026;  // share of the events
  double idleness = 1.0;       // 0: lanes are busy throughout; above 1 the longest pauses are most of the time
  std::uint64_t seed = 1;
};

// Fills one lane, in order of start. A lane runs its program, some hundred kernels, step after step: the same names and
// about the same durations each time. Every other lane has operators with what they hold in it.
class LaneMaker {
 public:
  LaneMaker(const MadeProfile& made, const std::vector<StringId>& names, std::size_t lane)
      : made_(made), nests_(lane % 2 == 1), random_(made.seed * 1000 + lane) {
    for (std::size_t i = 20 + random_() % 200; i > 0; --i)
      program_.push_back({some(names), length(nests_ ? 20'000 : 3'000), some(names), length(2'000)});
  }

  void fill(std::size_t count, EventColumns& events) {
    events.reserve(count);
    std::int64_t at_ns = 1000;
    while (events.size() < count) {
      for (const Kernel& kernel : program_) {
        if (events.size() < count) at_ns = add(kernel, at_ns, count, events);
      }
      at_ns += pause();
    }
  }

 private:
  struct Kernel {
    StringId name;
    std::int64_t length_ns;
    StringId inner_name;
    std::int64_t inner_ns;
  };

  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  // Long tails: most are near the middle, one in a thousand is a hundred times as long.
  std::int64_t length(double middle_ns) {
    const double tail = random_() % 1000 == 0 ? 100 : 1;
    return 1 + static_cast<std::int64_t>(middle_ns * tail * std::exp(normal_(random_)));
  }
  // Within some percent of what it was the last time, seldom much longer.
  std::int64_t again(std::int64_t length_ns) {
    const double tail = random_() % 1000 == 0 ? 10 : 1;
    return 1 + static_cast<std::int64_t>(static_cast<double>(length_ns) * tail * (0.95 + 0.1 * uniform()));
  }
  // Between steps: short ones most of the time, and longer ones the more seldom the longer, so that a lane is idle for
  // much of the time however far away one looks from.
  std::int64_t pause() {
    return static_cast<std::int64_t>(std::min(50'000 / std::pow(1 - uniform(), made_.idleness), 1e12));
  }

  // Few names make most of the kernels.
  StringId some(const std::vector<StringId>& names) {
    const double u = uniform();
    return names[std::min(names.size() - 1, static_cast<std::size_t>(static_cast<double>(names.size()) * u * u * u))];
  }

  std::int64_t add(const Kernel& kernel, std::int64_t at_ns, std::size_t count, EventColumns& events) {
    const std::int64_t length_ns = again(kernel.length_ns);
    events.push_back({.start_ns = at_ns, .dur_ns = length_ns, .name = kernel.name});
    const std::int64_t end_ns = at_ns + length_ns;
    std::int64_t inner_ns = at_ns + again(200);
    for (std::size_t held = nests_ ? random_() % 8 : 0; held > 0 && events.size() < count; --held) {
      const std::int64_t inner_length_ns = std::min(again(kernel.inner_ns), end_ns - inner_ns);
      if (inner_length_ns <= 0) break;
      events.push_back({.start_ns = inner_ns, .dur_ns = inner_length_ns, .name = kernel.inner_name});
      inner_ns += inner_length_ns + again(300);
    }
    // The next of the few begins before this one ends.
    const bool overlaps = uniform() < made_.overlapping;
    return overlaps ? std::max(end_ns - length_ns / 4, events.back().start_ns + 1) : end_ns + again(500);
  }

  const MadeProfile& made_;
  const bool nests_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{0, 0.8};
  std::vector<Kernel> program_;
};

// The track of a made lane: each eight of them stand under a device.
inline std::size_t made_lane(std::size_t i) { return i + i / 8 + 1; }

inline void fill_profile(const MadeProfile& made, Capture& capture, unsigned threads = 1) {
  std::vector<StringId> names;
  for (std::size_t i = 0; i < made.names; ++i) names.push_back(capture.strings.add("kernel_" + std::to_string(i)));
  std::vector<Track>& lanes = capture.profile.tracks;
  std::vector<std::uint32_t> devices;
  for (std::size_t i = 0; i < made.lanes; ++i) {
    if (i % 8 == 0) {
      devices.push_back(static_cast<std::uint32_t>(lanes.size()));
      lanes.emplace_back().name = capture.strings.add("device " + std::to_string(i / 8));
      lanes.back().kind = TrackKind::kDevice;
    }
    lanes.emplace_back().name = capture.strings.add("stream " + std::to_string(i));
    lanes.back().kind = TrackKind::kStream;
    lanes.back().parent = devices.back();
  }
  for_each_index(made.lanes, threads, [&](std::size_t i) {
    const std::size_t count = made.events / made.lanes + (i < made.events % made.lanes ? 1 : 0);
    LaneMaker(made, names, i).fill(count, lanes[made_lane(i)].events);
  });
  capture.has_profile = true;
  capture.format = "made";
  for (const Track& lane : lanes) {
    for (std::size_t i = lane.events.size(); i-- > 0 && i + 100 > lane.events.size();)
      capture.profile.end_ns = std::max(capture.profile.end_ns, lane.events.end_ns(i));
  }
}

// Activations that live in the order of a stack, weights that stay, scratch that lives briefly: count allocations, a
// change each 100 ns.
inline std::vector<Allocation> made_allocations(std::size_t count, std::uint64_t seed = 2) {
  std::mt19937_64 random(seed);
  std::vector<Allocation> allocations;
  std::vector<std::uint32_t> live;
  std::uint32_t order = 0;
  while (allocations.size() < count) {
    if (live.size() > 500 || (!live.empty() && random() % 2 == 0)) {
      const std::size_t pick = random() % 4 == 0 ? random() % live.size() : live.size() - 1;
      Allocation& freed = allocations[live[pick]];
      freed.freed = true;
      freed.death_order = order;
      freed.death_ns = std::int64_t{order++} * 100;
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(pick));
    } else {
      Allocation allocation;
      allocation.key = allocations.size();
      allocation.count = 1 + random() % (std::uint64_t{1} << random() % 20);
      allocation.item_size_bytes = 4;
      allocation.birth_order = order;
      allocation.birth_ns = std::int64_t{order++} * 100;
      // One in a few hundred stays to the end.
      if (random() % 300 != 0) live.push_back(static_cast<std::uint32_t>(allocations.size()));
      allocations.push_back(allocation);
    }
  }
  return allocations;
}

}  // namespace vizd
