#include "reference/trace_file/event_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formats/trace_words.h"
#include "model/track_numbers.h"

namespace vizd::trace_file {
namespace {

// Counts a track's events.
class EventCounter {
 public:
  EventCounter(const Capture& capture, const FileValues& values, RecordCounts& counts, TraceSummary& summary)
      : strings_(capture.strings),
        tracks_(capture.profile.tracks),
        values_(values),
        counts_(counts),
        summary_(summary) {}

  void count(std::uint32_t place) {
    const Track& track = tracks_[place];
    const EventColumns& events = track.events;
    if (events.empty()) return;
    const std::size_t place_of_sum = static_cast<std::size_t>(&counts_.of_track(place) - summary_.tracks.data());
    const std::vector<StringId> recorded = values_.texts_of(track, hidden(trace::kPhase));
    const std::vector<StringId> end_categories = values_.texts_of(track, hidden(trace::kEndCategory));
    const std::vector<bool> has_category = values_.has_argument(track, hidden(trace::kCategory));
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      TraceSummary::TrackSum& sum = summary_.tracks[place_of_sum];
      const StringId none{kNoId};
      const Phases phases = phases_of(events.kind(i), recorded.empty() ? none : recorded[i]);
      const bool is_empty = events.category(i) == StringId{} && !has_category.empty() && has_category[i];
      // Category 0 stands for none, and the highest for an empty one.
      const StringId category = is_empty ? StringId{kNoId} : events.category(i);
      const std::int64_t length_ns = phases.is_complete ? events.length_ns(i) : 0;
      RecordCounts::Count& count = counts_.of(phases.begin, category);
      ++count.events;
      count.total_ns += length_ns;
      ++sum.events;
      counts_.see(events.start_ns(i), events.start_ns(i) + length_ns);
      if (phases.end != none) count_end(place, i, phases.end, category, end_categories);
      if (!phases.is_complete) continue;
      ++sum.complete;
      sum.total_ns += length_ns;
      sum.zero_duration += length_ns == 0 ? 1 : 0;
      if (events.is_step(i)) add_step(place, i);
    }
  }

 private:
  struct Phases {
    StringId begin, end;  // end: of the record that ends it; none where one record is all
    bool is_complete = false;
  };

  // The records that an event is written as.
  Phases phases_of(EventKind kind, StringId recorded) {
    const StringId none{kNoId};
    const std::string_view phase = recorded == none ? std::string_view() : strings_.get(recorded);
    switch (kind) {
      case EventKind::kSpan:
        if (recorded == none) return {counts_.phase("X"), none, true};
        return {counts_.phase("B"), counts_.phase("E")};
      case EventKind::kAsynchronous:
        return phase == "S" ? Phases{counts_.phase("S"), counts_.phase("F")}
                            : Phases{counts_.phase("b"), counts_.phase("e")};
      case EventKind::kUnfinished:
        return {recorded == none ? counts_.phase("B") : counts_.phase(phase), none};
      case EventKind::kInstant:
        break;
    }
    return {recorded == none ? counts_.phase("i") : counts_.phase(phase), none};
  }

  // The record that ends an event, in its own category and thread.
  void count_end(std::uint32_t place, std::uint32_t i, StringId phase, StringId category,
                 const std::vector<StringId>& end_categories) {
    const StringId none{kNoId};
    const Track& track = tracks_[place];
    const EventColumns& events = track.events;
    const bool has_own = events.kind(i) == EventKind::kSpan;
    const StringId end_category = !has_own                          ? category
                                  : end_categories.empty()          ? StringId{}
                                  : end_categories[i] == none       ? StringId{}
                                  : end_categories[i] == StringId{} ? none
                                                                    : end_categories[i];
    ++counts_.of(phase, end_category).events;
    const FileValue end_thread = has_own ? std::nullopt : values_.argument(track, hidden(trace::kEndThread), i);
    // Sums may move as others are added.
    ++(end_thread ? counts_.of_thread(process_number(tracks_, place), values_.thread_of(*end_thread))
                  : counts_.of_track(place))
          .events;
    const std::int64_t end_ns = events.start_ns(i) + events.dur_ns(i);
    counts_.see(end_ns, end_ns);
  }

  void add_step(std::uint32_t place, std::uint32_t event) {
    const EventColumns& events = tracks_[place].events;
    FileValue category = values_.argument(tracks_[place], hidden(trace::kCategory), event);
    if (!category && events.category(event) != StringId{}) category = events.category(event);
    summary_.steps.push_back({.name = values_.text(events.name(event)),
                              .process = process_number(tracks_, place),
                              .thread = thread_number(tracks_, place),
                              .category = category,
                              .start_ns = events.start_ns(event) + counts_.offset_ns(),
                              .duration_ns = events.length_ns(event)});
  }

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const FileValues& values_;
  RecordCounts& counts_;
  TraceSummary& summary_;
};

}  // namespace

void count_events(const Capture& capture, std::uint32_t track, const FileValues& values, RecordCounts& counts,
                  TraceSummary& summary) {
  EventCounter(capture, values, counts, summary).count(track);
}

// Each record gave one value at a time of several series of one name.
void count_counters(const Capture& capture, std::uint32_t place, RecordCounts& counts) {
  const Track& track = capture.profile.tracks[place];
  // Counters of memory were made of events, which are counted.
  if (track.counters.empty() || track.kind == TrackKind::kMemory) return;
  std::map<std::pair<StringId, StringId>, std::map<std::int64_t, std::int64_t>> records;  // by counter, by time
  for (const Counter& counter : track.counters) {
    auto& by_time = records[{counter.name, counter.category}];
    std::map<std::int64_t, std::int64_t> own_times;
    for (const std::int64_t at_ns : counter.at_ns.span()) {
      std::int64_t& most = by_time[at_ns];
      most = std::max(most, ++own_times[at_ns]);
    }
  }
  TraceSummary::TrackSum& sum = counts.of_track(place);
  for (const auto& [counter, by_time] : records) {
    RecordCounts::Count& count = counts.of(counts.phase("C"), counter.second);
    for (const auto& [at_ns, events] : by_time) {
      count.events += events;
      sum.events += events;
      counts.see(at_ns, at_ns);
    }
  }
}

void count_flow_ends(const Capture& capture, std::uint32_t root, const FileValues& values, RecordCounts& counts,
                     TraceSummary& summary) {
  const FlowEnds& ends = capture.profile.flow_ends;
  struct Ids {
    std::unordered_set<std::string> starts, finishes;
    TraceSummary::FlowSum sum;
  };
  std::map<std::string, Ids> categories;
  std::uint32_t last_track = kNoId;
  TraceSummary::TrackSum* sum = nullptr;
  std::size_t last_size = 0;
  bool is_ours = false;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const FlowEnd end = ends[i];
    if (end.track != last_track || summary.tracks.size() != last_size) {
      last_track = end.track;
      is_ours = is_below(capture.profile.tracks, end.track, root);
      if (is_ours) sum = &counts.of_track(end.track);
      last_size = summary.tracks.size();
    }
    if (!is_ours) continue;
    ++sum->events;
    counts.see(end.at_ns, end.at_ns);
    const bool is_finish = end.kind == FlowEnd::Kind::kFinish;
    ++counts.of(counts.phase(is_finish ? "f" : end.kind == FlowEnd::Kind::kStart ? "s" : "t"), end.category).events;
    Ids& ids = categories[counts.category_text(end.category)];
    ++(is_finish ? ids.sum.finishes : ids.sum.starts);
    std::string id(trace::kMissing);
    if (end.id_type == FlowEnd::IdType::kInteger) id = fmt::format("{}", end.id);
    if (end.id_type == FlowEnd::IdType::kText) id = values.text(to_id<StringId>(static_cast<std::size_t>(end.id)));
    (is_finish ? ids.finishes : ids.starts).insert(std::move(id));
  }
  for (auto& [category, ids] : categories) {
    ids.sum.category = category;
    for (const std::string& id : ids.starts) ids.sum.ids_with_both += ids.finishes.contains(id) ? 1 : 0;
    ids.sum.ids_only_start = static_cast<std::int64_t>(ids.starts.size()) - ids.sum.ids_with_both;
    ids.sum.ids_only_finish = static_cast<std::int64_t>(ids.finishes.size()) - ids.sum.ids_with_both;
    summary.flows.push_back(ids.sum);
  }
}

}  // namespace vizd::trace_file
