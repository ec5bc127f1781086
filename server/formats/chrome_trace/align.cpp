#include "formats/chrome_trace/align.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "formats/chrome_trace/shift_times.h"
#include "formats/chrome_trace/tracks.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"
#include "model/profile_extent.h"
#include "model/track_numbers.h"

namespace vizd::chrome_trace {
namespace {

constexpr std::size_t kLeastCollectives = 3;
// Collectives that end further apart than this on some ranks, once they are shifted, are not the same ones.
constexpr std::int64_t kMostSpread_ns = 1'000'000;

// What names a collective: its name, its group's, and its number in that; then its ends, in the order of time.
using CollectiveKey = std::tuple<std::string, std::string, std::string>;
using Ends = std::map<CollectiveKey, std::vector<std::int64_t>>;

Ends find_ends(const Capture& capture, std::uint32_t root) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  Ends ends;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    if (!is_below(tracks, t, root)) continue;
    const Track& track = tracks[t];
    const auto text_of = [&](const char* name, std::uint32_t event) {
      for (const ArgumentColumn& column : track.arguments) {
        if (column.is_hidden || capture.strings.get(column.name) != name) continue;
        if (const auto value = column.of(event)) return value_text(*value, capture.strings);
      }
      return std::string();
    };
    for (const ArgumentColumn& column : track.arguments) {
      if (column.is_hidden || capture.strings.get(column.name) != "Collective name") continue;
      for (std::size_t i = 0; i < column.size(); ++i) {
        const std::uint32_t event = column.event(i);
        if (trace::role_of(capture.strings.get(track.events.category(event)), "") != EventRole::kKernel) continue;
        const std::string group = text_of("Process Group Name", event), sequence = text_of("Seq", event);
        ends[{value_text(column.value(i), capture.strings), group, sequence}].push_back(track.events.end_ns(event));
      }
    }
  }
  for (auto& [key, times] : ends) std::ranges::sort(times);
  return ends;
}

// How much later the collectives of both end on the second; those of which both have as many.
std::vector<std::int64_t> differences(const Ends& first, const Ends& second) {
  std::vector<std::int64_t> found;
  for (const auto& [key, times] : second) {
    const auto same = first.find(key);
    if (same == first.end() || same->second.size() != times.size()) continue;
    for (std::size_t i = 0; i < times.size(); ++i) found.push_back(times[i] - same->second[i]);
  }
  std::ranges::sort(found);
  return found;
}

void shift_rank(Capture& capture, std::uint32_t root, std::int64_t shift_ns) {
  Profile& profile = capture.profile;
  for (std::uint32_t t = 0; t < profile.tracks.size(); ++t) {
    if (!is_below(profile.tracks, t, root)) continue;
    Track& track = profile.tracks[t];
    shift_times(track.events, shift_ns);
    for (Counter& counter : track.counters) shift_times(counter.at_ns, shift_ns);
    shift_times(track.samples.at_ns, shift_ns);
    for (Allocation& allocation : track.allocations) {
      allocation.birth_ns += shift_ns;
      allocation.death_ns += shift_ns;
    }
  }
  shift_times(profile.flow_ends, shift_ns,
              [&](const FlowEnd& end) { return is_below(profile.tracks, end.track, root); });
  for (Run& run : profile.runs) {
    if (run.track != root) continue;
    run.from_ns += shift_ns;
    run.to_ns += shift_ns;
  }
  const StringId offset = capture.strings.find(fact::kTimeOffset_ns);
  for (Fact& fact : capture.facts) {
    auto* const offset_ns = std::get_if<std::int64_t>(&fact.value);
    if (fact.track == root && fact.is_hidden && fact.name == offset && offset_ns != nullptr) *offset_ns -= shift_ns;
  }
}

}  // namespace

void align_ranks(Capture& capture) {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t t = 0; t < capture.profile.tracks.size(); ++t) {
    const Track& track = capture.profile.tracks[t];
    if (track.kind == TrackKind::kRank && track.parent == Track::kNoParent) roots.push_back(t);
  }
  if (roots.size() < 2) return;
  const Ends first = find_ends(capture, roots[0]);
  for (std::size_t r = 1; r < roots.size(); ++r) {
    const std::vector<std::int64_t> later = differences(first, find_ends(capture, roots[r]));
    std::string said = "by the start time that its trace gives";
    if (later.size() >= kLeastCollectives) {
      const std::int64_t median = later[later.size() / 2];
      const std::int64_t spread = later[later.size() * 9 / 10] - later[later.size() / 10];
      if (spread <= kMostSpread_ns) {
        if (median != 0) shift_rank(capture, roots[r], -median);
        said = fmt::format("shifted by {} ns, so that {} collectives end together with those of rank {}, within {} ns",
                           -median, later.size(), value_text(*capture.profile.tracks[roots[0]].number, capture.strings),
                           spread);
      } else {
        said += fmt::format("; the {} collectives that it shares with the first rank end up to {} ns apart",
                            later.size(), spread);
      }
    }
    capture.facts.push_back({.subject = {},
                             .name = capture.strings.add(trace::kClockAlignment),
                             .value = capture.strings.add(said),
                             .unit = {},
                             .track = roots[r]});
  }
  extend_profile(capture.profile, 0);
}

}  // namespace vizd::chrome_trace
