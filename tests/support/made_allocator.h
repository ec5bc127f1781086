// A memory whose allocator told of itself, made up: a few hundred allocations alive at once, of forty lines, at random.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "model/allocator_log.h"
#include "model/capture.h"

namespace vizd {

inline constexpr std::int64_t kMadeEntry_ns = 10;  // entries come so far apart, four at a time

// Puts it on a track of its own, the last.
inline const Track& add_made_allocator(Capture& capture, AllocatorMoment entries, unsigned seed) {
  constexpr std::uint32_t kLines = 40;
  std::mt19937 random(seed);
  auto log = std::make_shared<AllocatorLog>();
  log->has_times = true;
  for (std::uint32_t line = 0; line < kLines; ++line) {
    const StringId file = capture.strings.add(fmt::format("file{}.py", line % 3));
    log->sites.push_back({.depth = 1,
                          .frame = capture.strings.add(fmt::format("file{}.py:{}:make", line % 3, line)),
                          .file = file,
                          .phase = capture.strings.add(line % 2 == 0 ? "forward" : "backward")});
  }
  log->pools.push_back({.is_known = true});
  log->pools.push_back({.stream = 7, .first = 1, .is_known = true});
  Track track;
  track.kind = TrackKind::kMemory;
  std::vector<std::uint32_t> alive;
  AllocatorLives& lives = log->lives;
  std::vector<AllocatorMoment> freed, completed;
  const auto add_life = [&](AllocatorMoment born) {
    const std::uint64_t blocks = 1 + random() % 4000;
    alive.push_back(static_cast<std::uint32_t>(lives.size()));
    track.allocations.push_back({.count = blocks * 512, .item_size_bytes = 1, .address = random() % 100'000 * 4096});
    lives.requested_bytes.push_back(blocks * 512 - random() % 500);
    lives.born.push_back(born);
    lives.pool.push_back(random() % 2);
    // A few lines make most of it.
    lives.site.push_back(static_cast<std::uint32_t>(std::min(random() % kLines, random() % kLines)));
    lives.flags.push_back(0);
    freed.push_back(kNeverDone), completed.push_back(kNeverDone);
  };
  for (int i = 0; i < 20; ++i) add_life(0);
  for (AllocatorMoment moment = 1; moment <= entries; ++moment) {
    const bool is_alloc = alive.size() < 3 || random() % (alive.size() + 200) < 200;
    log->entries.action.push_back(is_alloc ? AllocatorAction::kAlloc : AllocatorAction::kFreeCompleted);
    log->entries.at_ns.push_back(kMadeEntry_ns * (moment / 4));
    log->entries.address.push_back(0);
    log->entries.size_bytes.push_back(0);
    if (is_alloc) add_life(moment);
    // One that is made may end another, which no entry says.
    if (is_alloc && random() % 20 != 0) continue;
    const std::size_t place = random() % alive.size();
    const std::uint32_t life = alive[place];
    if (lives.born[life] == moment) continue;
    if (random() % 3 == 0 && freed[life] == kNeverDone && !is_alloc) {
      freed[life] = moment;
      continue;
    }
    completed[life] = moment;
    alive[place] = alive.back();
    alive.pop_back();
  }
  for (std::size_t i = 0; i < freed.size(); ++i)
    lives.freed.push_back(freed[i]), lives.completed.push_back(completed[i]);
  for (AllocatorMoment from = 0; from < entries; from += 37)
    log->segments.push_back({.address = from * 4096ull,
                             .size_bytes = 1 + random() % 9,
                             .from = from,
                             .to = from + 300 < entries ? from + 300 : kNeverDone});
  track.allocator = std::move(log);
  capture.profile.tracks.push_back(std::move(track));
  return capture.profile.tracks.back();
}

}  // namespace vizd
