// Which launches of collectives on several ranks are of one collective. The parts of one have one group, kind and size,
// and end together, as no rank has its result before the last has come; their order alone tells nothing, since
// recordings of ranks may begin and end at different collectives. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vizd {

// A launch, as far as pairing goes by it.
struct EndOfLaunch {
  std::uint32_t rank = 0, key = 0;         // numbers from 0; key: of its group and kind
  std::optional<std::int64_t> bytes = {};  // none: not told, and may be any
  std::int64_t end_ns = 0;                 // on the rank's clock
};

struct PairedLaunches {
  // By launch the number of its collective: those of one key are numbered in order of their ends.
  std::vector<std::uint32_t> collective_of;
  std::uint32_t collectives = 0;
  // Ranks whose ends do not agree with those of the others, though they have launches of the same keys: none of theirs
  // is paired.
  std::vector<std::uint32_t> not_comparable;
};

// Clocks of ranks may differ by a time that is the same throughout, and is found.
PairedLaunches pair_launches(std::span<const EndOfLaunch> launches);

}  // namespace vizd
