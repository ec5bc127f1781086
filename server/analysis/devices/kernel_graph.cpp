#include "analysis/devices/kernel_graph.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "base/clean_text.h"

namespace vizd {
namespace {

// A run's place by the launch's in its track.
using RunOf = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

// All launches, with the contexts that are called as they are.
std::vector<KernelRun> list_runs(const Capture& capture) {
  const Profile& profile = capture.profile;
  std::unordered_map<StringId, ContextId> contexts;
  for (std::size_t i = 0; i < capture.rewrites.contexts.size(); ++i) {
    contexts.try_emplace(capture.rewrites.contexts[i].name, to_id<ContextId>(i));
  }
  std::vector<KernelRun> runs;
  for (std::uint32_t t = 0; t < profile.tracks.size(); ++t) {
    for (std::uint32_t i = 0; i < profile.tracks[t].launches.size(); ++i) {
      const auto context = contexts.find(profile.tracks[t].launches[i].name);
      runs.push_back(
          {.track = t, .launch = i, .context = context == contexts.end() ? ContextId{kNoId} : context->second});
    }
  }
  std::ranges::stable_sort(runs, {}, [&](const KernelRun& run) {
    const Launch& launch = profile.tracks[run.track].launches[run.launch];
    return std::pair(launch.at_ns, launch.number);
  });
  return runs;
}

// Brings the events of a track to its launches: by the launch that an event says, and where none says one, the k-th
// event of a name to the k-th launch of that name.
class EventsToRuns {
 public:
  EventsToRuns(const Capture& capture, const RunOf& run_of, std::vector<KernelRun>& runs)
      : capture_(capture), run_of_(run_of), runs_(runs) {}

  void add(std::uint32_t track_place) {
    const Track& track = capture_.profile.tracks[track_place];
    const ArgumentColumn* numbers = find_argument(track.arguments, capture_.strings.find(argument::kRun));
    if (numbers != nullptr && numbers->type == ArgumentType::kInteger && numbers->size() > 0) {
      std::unordered_map<std::uint64_t, std::uint32_t> by_number;
      for (std::uint32_t i = 0; i < track.launches.size(); ++i) by_number[track.launches[i].number] = i;
      for (std::size_t i = 0; i < numbers->size(); ++i) {
        const auto launch = by_number.find(static_cast<std::uint64_t>(numbers->integer(i)));
        if (launch != by_number.end()) add(track_place, launch->second, numbers->event(i));
      }
      return;
    }
    if (track.launches.empty()) return;
    std::unordered_map<std::string, std::vector<std::uint32_t>> by_name;
    for (std::uint32_t i = 0; i < track.launches.size(); ++i) by_name[plain(track.launches[i].name)].push_back(i);
    std::unordered_map<std::string, std::size_t> met;
    for (std::uint32_t event = 0; event < track.events.size(); ++event) {
      const std::string name = plain(track.events.name(event));
      const auto launches = by_name.find(name);
      if (launches == by_name.end()) continue;
      const std::size_t k = met[name]++;
      if (k < launches->second.size()) add(track_place, launches->second[k], event);
    }
  }

 private:
  std::string plain(StringId name) const { return one_line(capture_.strings.get(name), false); }

  void add(std::uint32_t track_place, std::uint32_t launch, std::uint32_t event) {
    const auto found = run_of_.find({track_place, launch});
    if (found == run_of_.end()) return;
    const EventColumns& events = capture_.profile.tracks[track_place].events;
    KernelRun& run = runs_[found->second];
    if (run.events++ == 0) run.event = event;
    if (events.context(event) != ContextId{kNoId}) run.context = events.context(event);
    run.dur_ns += events.dur_ns(event);
  }

  const Capture& capture_;
  const RunOf& run_of_;
  std::vector<KernelRun>& runs_;
};

}  // namespace

std::pair<std::uint32_t, std::uint32_t> KernelGraph::uses_of(std::uint32_t run) const {
  const auto range = std::ranges::equal_range(uses, run, {}, &BufferUse::run);
  return {static_cast<std::uint32_t>(range.begin() - uses.begin()),
          static_cast<std::uint32_t>(range.end() - uses.begin())};
}

KernelGraph kernel_graph(const Capture& capture, std::size_t most_runs) {
  const Profile& profile = capture.profile;
  KernelGraph graph{.runs = list_runs(capture), .uses = {}, .edges = {}};
  if (graph.runs.size() > most_runs) {
    graph.left_out = graph.runs.size() - most_runs;
    graph.runs.resize(most_runs);
  }
  RunOf run_of;
  for (std::uint32_t i = 0; i < graph.runs.size(); ++i) run_of[{graph.runs[i].track, graph.runs[i].launch}] = i;
  EventsToRuns events(capture, run_of, graph.runs);
  for (std::uint32_t t = 0; t < profile.tracks.size(); ++t) {
    events.add(t);
    for (const LaunchUse& use : profile.tracks[t].launch_uses) {
      const auto run = run_of.find({t, use.launch});
      if (run == run_of.end()) continue;
      graph.uses.push_back({run->second, t, use.allocation, use.argument, use.reads, use.writes});
    }
  }
  std::ranges::sort(graph.uses, {},
                    [](const BufferUse& u) { return std::tuple(u.run, u.argument, u.track, u.allocation); });

  // A launch that was given a buffer twice says so for its first argument, twice.
  const auto again = std::ranges::unique(graph.uses, [](const BufferUse& a, const BufferUse& b) {
    return a.run == b.run && a.argument == b.argument && a.track == b.track && a.allocation == b.allocation;
  });
  graph.uses.erase(again.begin(), again.end());

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_writer;  // by track and allocation
  for (std::size_t begin = 0, end = 0; begin < graph.uses.size(); begin = end) {
    const std::uint32_t run = graph.uses[begin].run;
    while (end < graph.uses.size() && graph.uses[end].run == run) ++end;
    for (std::size_t i = begin; i < end; ++i) {  // a run reads before it writes
      const BufferUse& use = graph.uses[i];
      const auto writer = last_writer.find({use.track, use.allocation});
      if (use.reads && writer != last_writer.end()) {
        graph.edges.push_back({writer->second, run, static_cast<std::uint32_t>(i)});
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (graph.uses[i].writes) last_writer[{graph.uses[i].track, graph.uses[i].allocation}] = run;
    }
  }
  return graph;
}

}  // namespace vizd
