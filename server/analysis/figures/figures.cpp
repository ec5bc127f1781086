#include "analysis/figures/figures.h"

#include <algorithm>
#include <tuple>

namespace vizd {

bool FigureSum::is_longer(std::int64_t dur_ns, std::int64_t start_ns, const EventPlace& place) const {
  return sums_.count == 0 ||
         std::tuple(-dur_ns, start_ns, place.lane, place.event) <
             std::tuple(-sums_.max_ns, sums_.longest_start_ns, sums_.longest.lane, sums_.longest.event);
}

void FigureSum::add(const CountedEvent& event, bool exact) {
  if (is_longer(event.dur_ns, event.start_ns, event.place)) {
    sums_.max_ns = event.dur_ns;
    sums_.longest = event.place;
    sums_.longest_start_ns = event.start_ns;
  }
  sums_.least_ns = sums_.count == 0 ? event.inside_ns : std::min(sums_.least_ns, event.inside_ns);
  ++sums_.count;
  sums_.total_ns += event.inside_ns;
  sums_.self_ns += event.self_ns;
  durations_.add(event.inside_ns, exact);
}

void FigureSum::add(const FigureSum& other) {
  const Figures& theirs = other.sums_;
  overlap_ns_ += other.overlap_ns_;
  if (theirs.count == 0) return;
  if (is_longer(theirs.max_ns, theirs.longest_start_ns, theirs.longest)) {
    sums_.max_ns = theirs.max_ns;
    sums_.longest = theirs.longest;
    sums_.longest_start_ns = theirs.longest_start_ns;
  }
  sums_.least_ns = sums_.count == 0 ? theirs.least_ns : std::min(sums_.least_ns, theirs.least_ns);
  sums_.count += theirs.count;
  sums_.total_ns += theirs.total_ns;
  sums_.self_ns += theirs.self_ns;
  durations_.add(other.durations_);
}

Figures FigureSum::figures() {
  Figures found = sums_;
  const auto count = static_cast<std::int64_t>(found.count);
  found.covered_ns = found.total_ns - overlap_ns_;
  found.mean_ns = (found.total_ns + count / 2) / count;
  const std::int64_t lower_ns = durations_.at((found.count - 1) / 2);
  const std::int64_t upper_ns = found.count % 2 == 1 ? lower_ns : durations_.at(found.count / 2);
  found.median_ns = lower_ns + (upper_ns - lower_ns + 1) / 2;
  found.p90_ns = durations_.at((found.count * 9 - 1) / 10);
  return found;
}

}  // namespace vizd
