// Alignment: which captured launch each piece of a replay's work is: by order and name, or by order alone. Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/graph_replay/captured_ranges.h"

namespace vizd {

// How a piece of work was named, the least sure first.
enum class Found : std::uint8_t { kNone, kGuessed, kOrder, kId };
inline constexpr std::string_view kFoundNames[] = {"none", "guessed", "order", "id"};
constexpr std::string_view found_name(Found found) { return kFoundNames[static_cast<std::size_t>(found)]; }

// How much of two sequences is alike: so many of the longer one's.
struct Fit {
  std::size_t alike = 0, of = 1;

  double value() const { return static_cast<double>(alike) / static_cast<double>(of); }
  bool is_half() const { return 2 * alike >= of; }
  bool is_good() const { return 10 * alike >= 9 * of; }
  // Greater is better.
  std::strong_ordering operator<=>(const Fit& other) const { return alike * other.of <=> other.alike * of; }
  bool operator==(const Fit& other) const { return (*this <=> other) == 0; }
};

// A piece of a replay's work, as far as it can be compared with a launch.
struct ReplayedWork {
  EventRole kind = EventRole::kKernel;
  StringId name{};  // of NamingSources::strings
  // As what a kernel of the driver's may have been captured: a copy or a set; else its own kind.
  EventRole or_kind = EventRole::kKernel;
  std::uint32_t stream = 0;  // in the order of the streams' numbers
  std::int64_t start_ns = 0;

  bool may_be(EventRole of) const { return of == kind || of == or_kind; }
};

struct Alignment {
  std::vector<std::uint32_t> launches;  // by piece of work; kNoId: none
  std::vector<Found> found;             // likewise
  Fit fit = {};
  bool is_by_order = false;  // too different to be compared by name: by order alone
};

// Alignments that take more steps than this are by order alone: so many cells, each a pair of places.
inline constexpr std::size_t kMostAlignmentSteps = std::size_t{64} << 20;
// Interleavings of streams are not searched beyond.
inline constexpr std::size_t kMostInterleavings = 200'000;
// A state of interleaved streams costs as much as so many steps.
inline constexpr std::size_t kStepsOfState = 64;

// is_ordered: the work is in the order of capture, whatever its streams. steps_left: what comparing may cost yet; what
// this one cost is taken from it.
Alignment align(const std::vector<ReplayedWork>& work, const std::vector<CapturedLaunch>& launches, bool is_ordered,
                std::size_t& steps_left);

}  // namespace vizd
