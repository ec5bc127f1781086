#include "analysis/devices/compared_launches.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "analysis/figures/argument_cursor.h"
#include "analysis/figures/duration_edges.h"
#include "base/ascii_case.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

constexpr std::size_t kBins = 28;
// A row may stand for millions of launches; the first ones tell their shapes.
constexpr std::size_t kMostRead = 20'000;
constexpr std::size_t kMostValues = 8;

// Arguments that say which event it is, or where it ran, and not how it was launched. In small letters.
constexpr std::string_view kNumbering[] = {"correlation",
                                           "correlation id",
                                           "correlationid",
                                           "external id",
                                           "record function id",
                                           "ev idx",
                                           "sequence number",
                                           "fwd thread id",
                                           "python id",
                                           "python parent id",
                                           "python module id",
                                           "device",
                                           "context",
                                           "stream",
                                           "queued",
                                           "priority",
                                           "cbid",
                                           "graph id",
                                           "graph node id",
                                           "trace name",
                                           "trace iteration",
                                           "ts",
                                           "tid",
                                           "pid",
                                           "id",
                                           "dispatch_id",
                                           "run",
                                           "kernel_flop",
                                           "kernel_num_gb",
                                           "process group name",
                                           "process group description",
                                           "process group ranks",
                                           "op count",
                                           "collective id",
                                           "rf_id"};

using Key = std::pair<bool, std::string>;  // whether it is the operator's, and its name
using Values = std::map<std::string, std::int64_t>;

bool is_numbering(std::string_view name) {
  const std::string small = ascii_lower(name);
  return std::ranges::find(kNumbering, small) != std::end(kNumbering);
}

// Counts the values that the events' arguments have: by track, each column once, in the order of its events.
class ArgumentCounts {
 public:
  explicit ArgumentCounts(const Capture& capture) : capture_(capture) {}

  void add(bool is_of_operator, const ProfileEvent& event) {
    events_[{is_of_operator, event.track}].push_back(event.event);
  }

  std::map<Key, Values> count() {
    std::map<Key, Values> counts;
    for (auto& [place, events] : events_) {
      const auto& [is_of_operator, track] = place;
      std::ranges::sort(events);
      std::set<std::string_view> names;
      for (const ArgumentColumn& column : capture_.profile.tracks[track].arguments) {
        const std::string_view name = capture_.strings.get(column.name);
        if (column.is_hidden || is_numbering(name) || !names.insert(name).second) continue;
        count_column(track, name, events, counts[{is_of_operator, std::string(name)}]);
      }
    }
    return counts;
  }

 private:
  void count_column(std::uint32_t track, std::string_view name, const std::vector<std::uint32_t>& events,
                    Values& values) const {
    ArgumentCursor cursor(capture_.profile.tracks[track], name, capture_.strings);
    for (const std::uint32_t event : events) {
      if (const auto value = cursor.at(event)) ++values[value_text(*value, capture_.strings)];
    }
  }

  const Capture& capture_;
  std::map<std::pair<bool, std::uint32_t>, std::vector<std::uint32_t>> events_;
};

std::map<Key, Values> count_arguments(const ComparedProfile& profile, const std::vector<std::uint32_t>& launches) {
  ArgumentCounts counts(profile.capture);
  for (const std::uint32_t i : std::span(launches).first(std::min(launches.size(), kMostRead))) {
    counts.add(false, profile.work.items[i]);
    const std::uint32_t of = profile.operators.of_item[i];
    if (of != kNoId) counts.add(true, profile.operators.all[of]);
  }
  return counts.count();
}

// Whether it tells launches apart, and not kinds of them.
bool varies(const Values& values) {
  std::int64_t launches = 0;
  for (const auto& [text, count] : values) launches += count;
  return values.size() > kMostValues && 4 * static_cast<std::int64_t>(values.size()) > launches;
}

std::vector<ComparedArgument::Value> by_count(const Values& values) {
  std::vector<ComparedArgument::Value> result;
  for (const auto& [text, launches] : values) result.push_back({text, launches});
  std::ranges::stable_sort(result, std::greater(), &ComparedArgument::Value::launches);
  return result;
}

}  // namespace

DurationBins bin_durations(const std::array<std::vector<std::int64_t>, 2>& durs_ns) {
  DurationBins bins;
  double least = 0, most = 0;
  for (const auto& side : durs_ns) {
    if (side.empty()) continue;
    least = least == 0 ? static_cast<double>(side.front()) : std::min(least, static_cast<double>(side.front()));
    most = std::max(most, static_cast<double>(side.back()));
  }
  if (durs_ns[0].empty() && durs_ns[1].empty()) return bins;
  least = std::max(least, 1.0);
  most = std::max(most, least * 1.01);
  const DurationEdges edges(least, most, kBins);
  bins.edges_ns = edges.edges_ns();
  for (std::size_t side = 0; side < 2; ++side) {
    bins.launches[side].assign(kBins, 0);
    for (const std::int64_t dur_ns : durs_ns[side]) ++bins.launches[side][edges.bin_of(dur_ns)];
  }
  return bins;
}

bool ComparedArgument::differs() const {
  std::set<std::string_view> texts[2];
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Value& value : sides[side]) texts[side].insert(value.text);
  }
  return texts[0] != texts[1];
}

ComparedArguments compare_arguments(const ComparedProfile& a, const std::vector<std::uint32_t>& a_launches,
                                    const ComparedProfile& b, const std::vector<std::uint32_t>& b_launches) {
  std::array<std::map<Key, Values>, 2> counts = {count_arguments(a, a_launches), count_arguments(b, b_launches)};
  std::set<Key> keys;
  for (const auto& side : counts) {
    for (const auto& [key, values] : side) {
      if (!values.empty()) keys.insert(key);
    }
  }
  ComparedArguments result;
  for (const Key& key : keys) {
    if (varies(counts[0][key]) || varies(counts[1][key])) {
      result.left_out.push_back(key.second);
      continue;
    }
    result.arguments.push_back({key.second, key.first, {by_count(counts[0][key]), by_count(counts[1][key])}});
  }
  return result;
}

}  // namespace vizd
