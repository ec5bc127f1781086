// Picks: a set of a profile's events, one bit each: those that a search finds, the slowest of their name. Made once for
// a predicate and kept by who asks; counting and stepping through them then costs nothing that grows with the capture.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/budget.h"
#include "base/huge_pages.h"
#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

class LanePicks {
 public:
  explicit LanePicks(std::size_t events = 0)
      : words_((events + 63) / 64), events_(static_cast<std::uint32_t>(events)) {}

  void set(std::uint32_t event) { words_[event / 64] |= std::uint64_t{1} << (event % 64); }
  void set_all();
  // Leaves those that are picked in the other too, which is of as many events.
  void keep_common(const LanePicks& other);
  // Call once all are set.
  void count();

  bool has(std::uint32_t event) const { return (words_[event / 64] >> (event % 64) & 1) != 0; }
  // How many picked events come before this one.
  std::uint32_t rank(std::uint32_t event) const;
  // The first picked event at or after this one and before `end`; `end` where there is none.
  std::uint32_t next(std::uint32_t event, std::uint32_t end) const;
  // The last picked event before this one and not before `begin`; kNoId where there is none.
  std::uint32_t previous(std::uint32_t event, std::uint32_t begin) const;
  std::uint32_t total() const { return rank(events_); }
  std::size_t memory_bytes() const { return words_.size() * (sizeof(std::uint64_t) + sizeof(std::uint32_t)); }

 private:
  LargeVector<std::uint64_t> words_;
  LargeVector<std::uint32_t> before_;  // picked events before each word
  std::uint32_t events_ = 0;
};

struct Picks {
  std::vector<LanePicks> lanes;  // as Profile::tracks
  std::uint64_t total = 0;

  std::size_t memory_bytes() const;
};

Picks find_by_name(const Capture& capture, StringId name, unsigned threads, const Budget& budget = {});
// For each name, the longest thousandth of its events (those beyond the 99.9th percentile), at least the longest one;
// ties are broken by order. Takes 24 bytes for each picked event.
inline constexpr std::uint64_t kOneInSlowest = 1000;
Picks find_slowest(const Capture& capture, const Timeline& timeline, const Budget& budget = {});

}  // namespace vizd
