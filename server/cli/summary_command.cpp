// vizd summary FILE: where the compiler's matches and the devices' time went: passes, rules and events by name.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/pass_filter.h"
#include "cli/records.h"

namespace vizd {
namespace {

struct Arguments {
  CommonArguments common;
  PassFilter passes;
  std::string name;
  std::size_t limit = 20;
};

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The keys of a map by what they count, the most first, at most so many.
template <typename Key, typename Sum, typename Weight>
std::vector<std::pair<Key, Sum>> top(const std::map<Key, Sum>& sums, std::size_t limit, Weight&& weight) {
  std::vector<std::pair<Key, Sum>> all(sums.begin(), sums.end());
  std::ranges::stable_sort(all, std::greater(), [&](const auto& item) { return weight(item.second); });
  all.resize(std::min(all.size(), limit));
  return all;
}

struct PassSum {
  std::int64_t passes = 0, matches = 0;
};

Records pass_records(const Capture& capture, const Arguments& arguments) {
  std::map<std::string, PassSum> sums;
  for (const PassRef& ref : arguments.passes.select(capture)) {
    const std::string name(capture.strings.get(ref.of->name));
    if (!holds(name, arguments.name)) continue;
    PassSum& sum = sums[name];
    ++sum.passes;
    sum.matches += ref.of->match_count;
  }
  Records records({"pass", "passes", "matches"});
  for (const auto& [name, sum] : top(sums, arguments.limit, [](const PassSum& s) { return s.matches; })) {
    records.add({name, sum.passes, sum.matches});
  }
  return records;
}

struct RuleSum {
  std::int64_t matches = 0;
  std::optional<double> seconds;  // where the capture has times
};

Records rule_records(const Capture& capture, const Arguments& arguments) {
  std::map<LocationId, RuleSum> sums;
  for (const PassRef& ref : arguments.passes.select(capture)) {
    for (const Match& match : capture.rewrites.matches_of(*ref.of)) {
      RuleSum& sum = sums[match.rule];
      ++sum.matches;
      if (match.dur_s >= 0) sum.seconds = sum.seconds.value_or(0) + match.dur_s;
    }
  }
  std::erase_if(sums, [&](const auto& item) { return !holds(location_text(capture, item.first), arguments.name); });
  Records records({"rule", "matches", "ms"});
  for (const auto& [rule, sum] : top(sums, arguments.limit, [](const RuleSum& s) { return s.matches; })) {
    records.add({location_text(capture, rule), sum.matches, sum.seconds ? Cell(*sum.seconds * 1000) : Cell()});
  }
  return records;
}

struct EventSum {
  std::int64_t count = 0, dur_ns = 0, longest_ns = 0;
};

Records event_records(const Capture& capture, const Arguments& arguments) {
  std::map<std::pair<std::size_t, StringId>, EventSum> sums;  // by lane and name
  for (std::size_t lane = 0; lane < capture.profile.tracks.size(); ++lane) {
    const EventColumns& events = capture.profile.tracks[lane].events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      EventSum& sum = sums[{lane, events.name(i)}];
      ++sum.count;
      sum.dur_ns += events.length_ns(i);
      sum.longest_ns = std::max(sum.longest_ns, events.length_ns(i));
    }
  }
  std::erase_if(sums, [&](const auto& item) { return !holds(capture.strings.get(item.first.second), arguments.name); });
  Records records({"event", "lane", "count", "total_ns", "mean_ns", "longest_ns"});
  for (const auto& [key, sum] : top(sums, arguments.limit, [](const EventSum& s) { return s.dur_ns; })) {
    records.add({std::string(capture.strings.get(key.second)),
                 std::string(capture.strings.get(capture.profile.tracks[key.first].name)), sum.count, sum.dur_ns,
                 sum.dur_ns / sum.count, sum.longest_ns});
  }
  return records;
}

}  // namespace

int run_summary(int argc, const char* const* argv) {
  CommandLine line("vizd summary", "Sums up a capture: passes and rules by matches, events by time.");
  Arguments arguments;
  arguments.common.describe(line);
  arguments.passes.describe(line);
  line.option("--name TEXT", arguments.name, "Only passes, rules and events whose name holds this");
  line.option("--limit N [20]", arguments.limit, "At most so many of each");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const Capture& capture = input->capture;
  bool is_first = true;
  for (const Records& records :
       {pass_records(capture, arguments), rule_records(capture, arguments), event_records(capture, arguments)}) {
    if (records.empty()) continue;
    if (!std::exchange(is_first, false) && !arguments.common.json) fmt::print("\n");
    records.print(stdout, arguments.common.json);
  }
  return kExitOk;
}

}  // namespace vizd
