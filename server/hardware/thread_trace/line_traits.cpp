#include "hardware/thread_trace/line_traits.h"

#include <algorithm>

namespace vizd::thread_trace {
namespace {

// The s_barrier_wait that a wave passed between two instructions that follow each other, or kNoPlace.
std::uint32_t barrier_between(std::span<const LineTraits> traits, std::uint32_t last, std::uint32_t next) {
  if (next == kNoPlace || next <= last) return kNoPlace;
  std::uint32_t found = kNoPlace;
  for (std::uint32_t place = last + 1; place < next; ++place) {
    if (!traits[place].is_hidden) return kNoPlace;  // it was jumped over
    if (traits[place].is_barrier_wait) found = place;
  }
  return found;
}

}  // namespace

std::vector<LineTraits> traits_of(amd::Family family, const amd::CodeListing& listing) {
  std::vector<LineTraits> all;
  all.reserve(listing.lines().size());
  for (const amd::CodeListing::Line& line : listing.lines()) {
    const std::string_view name = line.instruction.operation();
    LineTraits& traits = all.emplace_back();
    traits.is_wait = amd::is_wait(line.instruction);
    traits.is_barrier = name == "S_BARRIER";
    traits.is_barrier_wait = name == "S_BARRIER_WAIT";
    traits.is_hidden = line.is_hidden_wait;
    traits.waits = amd::waits_of(family, line.instruction);
    traits.raises = amd::raised_by(family, line.instruction);
  }
  return all;
}

std::int64_t cycles_between(std::int64_t from_cycle, std::int64_t to_cycle) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const auto passed =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(to_cycle) - static_cast<std::uint64_t>(from_cycle));
  return std::clamp(passed, std::int64_t{0}, kMost);
}

SharedCycles share_cycles(std::span<const LineTraits> traits, std::uint32_t last, std::uint32_t next,
                          std::int64_t passed, bool is_end) {
  SharedCycles shared{.barrier = barrier_between(traits, last, next),
                      .is_waited = next != kNoPlace && (is_end || traits[next].is_wait)};
  if (shared.is_waited || shared.barrier != kNoPlace) shared.waited = std::max<std::int64_t>(passed - 1, 0);
  shared.own = passed - shared.waited;
  return shared;
}

}  // namespace vizd::thread_trace
