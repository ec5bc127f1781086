#include "analysis/devices/collective_pairing.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analysis/figures/median_change.h"

namespace vizd {
namespace {

// Ends of one collective differ by less than this part of the time from one collective to the next, so that its
// neighbours are none of it; and by less than this time, however far apart they are.
constexpr std::int64_t kPartOfPeriod = 8;
constexpr std::int64_t kLeastTolerance_ns = 2'000, kMostTolerance_ns = 1'000'000;
// Two ranks are paired where at least one in this many launches of the rank that has fewer agrees.
constexpr std::size_t kLeastAgreeing = 3;
// A difference of clocks is believed from so many ends on that agree, if these are two thirds of those that may; else
// the clocks are taken to be the same.
constexpr std::size_t kFewestVotes = 3;
// How many launches of a key are asked for the difference of clocks, and how many of the other rank each is held to.
constexpr std::size_t kMostAsked = 256, kMostNeighbours = 64;

struct Placed {
  std::int64_t end_ns = 0;
  std::uint32_t launch = 0;
};
using OfKeys = std::map<std::uint32_t, std::vector<Placed>>;  // in order of their ends

// What one rank after another joins: the collectives of a key, each with the launch that it began with.
class Pairing {
 public:
  explicit Pairing(std::span<const EndOfLaunch> launches) : launches_(launches) {
    for (std::uint32_t i = 0; i < launches.size(); ++i)
      ranks_[launches[i].rank][launches[i].key].push_back({launches[i].end_ns, i});
    for (auto& [rank, keys] : ranks_) {
      for (auto& [key, of_key] : keys) std::ranges::stable_sort(of_key, {}, &Placed::end_ns);
    }
    paired_.collective_of.resize(launches.size());
  }

  PairedLaunches find() {
    for (auto& [rank, keys] : ranks_) join(rank, keys);
    for (const auto& [key, of_key] : found_) {
      for (const Placed& collective : of_key) number_of_[collective.launch] = paired_.collectives++;
    }
    for (std::uint32_t i = 0; i < launches_.size(); ++i)
      paired_.collective_of[i] = number_of_.at(first_of_.contains(i) ? first_of_.at(i) : i);
    return std::move(paired_);
  }

 private:
  bool may_be_one(const Placed& a, const Placed& b) const {
    const auto &of_a = launches_[a.launch].bytes, &of_b = launches_[b.launch].bytes;
    return !of_a || !of_b || *of_a == *of_b;
  }

  void join(std::uint32_t rank, OfKeys& keys) {
    std::size_t own = 0, others = 0;  // launches that may be paired
    for (const auto& [key, of_key] : keys) {
      if (const auto known = found_.find(key); known != found_.end())
        own += of_key.size(), others += known->second.size();
    }
    const std::int64_t offset_ns = own == 0 ? 0 : clock_offset_ns(keys);
    std::map<std::uint32_t, std::uint32_t> pairs;  // launch to the first of its collective
    for (auto& [key, of_key] : keys) {
      for (Placed& placed : of_key) placed.end_ns -= offset_ns;
      if (const auto known = found_.find(key); known != found_.end()) pair(of_key, known->second, pairs);
    }
    const bool agrees = kLeastAgreeing * pairs.size() >= std::min(own, others);
    if (own > 0 && !agrees) {
      paired_.not_comparable.push_back(rank);
      pairs.clear();
    }
    for (auto& [key, of_key] : keys) {
      std::vector<Placed>& known = found_[key];
      for (const Placed& placed : of_key) {
        if (!pairs.contains(placed.launch)) known.push_back(placed);
      }
      std::ranges::stable_sort(known, {}, &Placed::end_ns);
    }
    first_of_.merge(pairs);
  }

  static std::int64_t tolerance_of(const std::vector<Placed>& a, const std::vector<Placed>& b) {
    std::vector<std::int64_t> periods_ns;
    for (const auto* const side : {&a, &b}) {
      for (std::size_t i = 1; i < side->size(); ++i) periods_ns.push_back((*side)[i].end_ns - (*side)[i - 1].end_ns);
    }
    if (periods_ns.empty()) return kMostTolerance_ns;
    const auto period_ns = static_cast<std::int64_t>(median_of(periods_ns));
    return std::clamp(period_ns / kPartOfPeriod, kLeastTolerance_ns, kMostTolerance_ns);
  }

  // The longest sequence of both: where ends that agree are nearer than those of neighbours, each launch has one
  // partner at most.
  void pair(const std::vector<Placed>& own, const std::vector<Placed>& known,
            std::map<std::uint32_t, std::uint32_t>& pairs) const {
    const std::int64_t tolerance_ns = tolerance_of(own, known);
    std::size_t next = 0;
    for (const Placed& placed : own) {
      while (next < known.size() && known[next].end_ns < placed.end_ns - tolerance_ns) ++next;
      std::size_t best = known.size();
      for (std::size_t k = next; k < known.size() && known[k].end_ns <= placed.end_ns + tolerance_ns; ++k) {
        if (!may_be_one(known[k], placed)) continue;
        if (best == known.size() || distance_ns(known[k], placed) < distance_ns(known[best], placed)) best = k;
      }
      if (best == known.size()) continue;
      pairs[placed.launch] = known[best].launch;
      next = best + 1;
    }
  }

  static std::int64_t distance_ns(const Placed& a, const Placed& b) {
    return a.end_ns > b.end_ns ? a.end_ns - b.end_ns : b.end_ns - a.end_ns;
  }

  // By how much the rank's clock is ahead: that by which most ends of one size are. Where half as many agree without
  // any, there is none: what repeats agrees with what comes a period later too.
  std::int64_t clock_offset_ns(const OfKeys& keys) const {
    std::vector<std::int64_t> offsets_ns;
    std::int64_t tolerance_ns = kMostTolerance_ns;
    std::size_t may_agree = 0;
    for (const auto& [key, own] : keys) {
      const auto known = found_.find(key);
      if (known == found_.end()) continue;
      may_agree += std::min({own.size(), known->second.size(), kMostAsked});
      tolerance_ns = std::min(tolerance_ns, tolerance_of(own, known->second));
      ask(own, known->second, offsets_ns);
    }
    std::ranges::sort(offsets_ns);
    const auto between = [&](std::int64_t from_ns, std::int64_t to_ns) {
      return std::span(std::ranges::lower_bound(offsets_ns, from_ns), std::ranges::upper_bound(offsets_ns, to_ns));
    };
    std::span<std::int64_t> most;
    for (const std::int64_t offset_ns : offsets_ns) {
      const auto votes = between(offset_ns, offset_ns + 2 * tolerance_ns);
      if (votes.size() > most.size()) most = votes;
    }
    const auto without = between(-tolerance_ns, tolerance_ns);
    const bool is_believed = most.size() >= kFewestVotes && 3 * most.size() >= 2 * may_agree;
    if (!is_believed || 2 * without.size() >= most.size()) most = without;
    return most.empty() ? 0 : most[most.size() / 2];
  }

  // Adds by how much launches end later than those that may be of their collective: the nearest in time, and those at
  // about the same place in the sequence.
  void ask(const std::vector<Placed>& own, const std::vector<Placed>& known,
           std::vector<std::int64_t>& offsets_ns) const {
    const std::size_t step = std::max<std::size_t>(own.size() / kMostAsked, 1);
    for (std::size_t i = 0; i < own.size(); i += step) {
      const auto at_time =
          static_cast<std::size_t>(std::ranges::lower_bound(known, own[i].end_ns, {}, &Placed::end_ns) - known.begin());
      std::vector<std::size_t> asked;
      for (const std::size_t middle : {at_time, i * known.size() / own.size()}) {
        const std::size_t from = middle > kMostNeighbours / 2 ? middle - kMostNeighbours / 2 : 0;
        for (std::size_t k = from; k < std::min(from + kMostNeighbours, known.size()); ++k) asked.push_back(k);
      }
      std::ranges::sort(asked);
      const auto rest = std::ranges::unique(asked);
      asked.erase(rest.begin(), rest.end());
      for (const std::size_t k : asked) {
        if (may_be_one(known[k], own[i])) offsets_ns.push_back(own[i].end_ns - known[k].end_ns);
      }
    }
  }

  const std::span<const EndOfLaunch> launches_;
  std::map<std::uint32_t, OfKeys> ranks_;
  OfKeys found_;                                      // on the clock of the first rank
  std::map<std::uint32_t, std::uint32_t> first_of_;   // launch to the first of its collective
  std::map<std::uint32_t, std::uint32_t> number_of_;  // of a collective by its first launch
  PairedLaunches paired_;
};

}  // namespace

PairedLaunches pair_launches(std::span<const EndOfLaunch> launches) { return Pairing(launches).find(); }

}  // namespace vizd
