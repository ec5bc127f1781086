#include "reference/trace_file/trace_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analysis/devices/device_work.h"
#include "model/argument_json.h"
#include "model/correlation.h"

namespace vizd {
namespace {

using FileNumber = std::tuple<bool, bool, std::int64_t, std::string>;  // sorts numbers before texts

class Summarizer {
 public:
  Summarizer(const Capture& capture, std::uint32_t root)
      : capture_(capture), strings_(capture.strings), tracks_(capture.profile.tracks), root_(root) {}

  TraceSummary summarize() {
    read_facts();
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (!is_below(tracks_, t, root_)) continue;
      count_events(t);
      count_counters(t);
      count_memory(t);
    }
    count_flow_ends();
    count_work();
    finish();
    return std::move(summary_);
  }

 private:
  struct Count {
    std::int64_t events = 0, total_ns = 0;
  };

  std::string text(StringId id) const { return std::string(strings_.get(id)); }

  // What Python's str() makes of it.
  std::string text(const FileValue& value) const {
    return value ? value_text(*value, strings_) : std::string(trace::kMissing);
  }

  FileNumber number_key(const FileValue& value) const {
    if (!value) return {true, false, 0, ""};
    if (const auto* const number = std::get_if<std::int64_t>(&*value)) return {false, true, *number, ""};
    return {true, true, 0, value_text(*value, strings_)};
  }

  void see(std::int64_t from_ns, std::int64_t to_ns) {
    summary_.first_ns = std::min(summary_.first_ns.value_or(from_ns + offset_ns_), from_ns + offset_ns_);
    summary_.last_ns = std::max(summary_.last_ns.value_or(to_ns + offset_ns_), to_ns + offset_ns_);
  }

  // By the track's place: those of the file's process and thread that it belongs to.
  TraceSummary::TrackSum& sum_of(std::uint32_t track) {
    return sum_of(process_number(tracks_, track), thread_number(tracks_, track));
  }

  TraceSummary::TrackSum& sum_of(const FileValue& process, const FileValue& thread) {
    const auto [found, is_new] =
        track_sums_.try_emplace({number_key(process), number_key(thread)}, summary_.tracks.size());
    if (is_new) summary_.tracks.push_back({.process = process, .thread = thread});
    return summary_.tracks[found->second];
  }

  Count& count_of(StringId phase, StringId category) {
    return counts_[std::uint64_t{index(phase)} << 32 | index(category)];
  }

  void read_facts() {
    std::set<std::string> processes;
    std::map<std::string, std::int64_t> metadata;
    for (const Fact& fact : capture_.facts) {
      const std::string_view name = strings_.get(fact.name), subject = strings_.get(fact.subject);
      const bool is_of_trace = fact.track == root_;
      if (is_of_trace) {
        if (subject == "distributedInfo" && name == "rank") summary_.rank = value_of(fact);
        if (subject == "distributedInfo" && name == "world_size") summary_.world_size = value_of(fact);
        if (subject.empty() && name == "baseTimeNanoseconds") summary_.base_time_ns = whole(fact.value);
        if (subject.starts_with("deviceProperties[") && name == "id")
          listed_devices_.insert(number_key(value_of(fact)));
        if (name == trace::kTimeOffset_ns) offset_ns_ = whole(fact.value);
        if (name == trace::kWithoutTime) phase_events_[std::string(subject)] += whole(fact.value);
      } else if (fact.track != kNoId && is_below(tracks_, fact.track, root_)) {
        metadata[std::string(trace::file_name(name))] += fact.times;
        processes.insert(text(process_number(tracks_, fact.track)));
      }
    }
    for (const auto& [name, events] : metadata) {
      summary_.metadata.push_back({name, events});
      phase_events_["M"] += events;
    }
    summary_.metadata_processes = static_cast<std::int64_t>(processes.size());
  }

  // None where it is null.
  FileValue value_of(const Fact& fact) const {
    const auto* const id = std::get_if<StringId>(&fact.value);
    const bool is_null = id != nullptr && fact.unit != StringId{} && strings_.get(*id) == "null";
    return is_null ? FileValue() : FileValue(fact.value);
  }

  std::int64_t whole(const ArgumentValue& value) const {
    if (const auto* const integer = std::get_if<std::int64_t>(&value)) return *integer;
    if (const auto* const real = std::get_if<double>(&value)) return static_cast<std::int64_t>(*real);
    const std::string_view digits = strings_.get(std::get<StringId>(value));
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }

  FileValue argument(const Track& track, std::string_view name, std::uint32_t event) const {
    FileValue found;
    for (const ArgumentColumn& column : track.arguments) {
      if (strings_.get(column.name) != name) continue;
      if (const auto value = column.of(event)) found = value;
    }
    return found;
  }

  // As text, as Python's str() makes it.
  std::string argument_text(const Track& track, std::string_view name, std::uint32_t event) const {
    std::string found(trace::kMissing);
    for (const ArgumentColumn& column : track.arguments) {
      if (strings_.get(column.name) != name) continue;
      const auto value = column.of(event);
      if (!value) continue;
      found = value_text(*value, strings_);
      if (column.unit == StringId{}) continue;
      if (found == "null") found = trace::kMissing;
      if (found == "true") found = "True";
      if (found == "false") found = "False";
    }
    return found;
  }

  // The thread that an argument names; that it names none is kept as JSON.
  FileValue thread_of(const ArgumentValue& value) const {
    const auto* const name = std::get_if<StringId>(&value);
    return name != nullptr && strings_.get(*name) == "null" ? std::nullopt : FileValue(value);
  }

  // By event what an argument of that name holds as text; empty where no event has it.
  std::vector<StringId> texts_of(const Track& track, std::string_view name) const {
    std::vector<StringId> texts;
    for (const ArgumentColumn& column : track.arguments) {
      if (strings_.get(column.name) != name || column.type != ArgumentType::kText) continue;
      texts.resize(track.events.size(), StringId{kNoId});
      for (std::size_t i = 0; i < column.size(); ++i) texts[column.event(i)] = column.text(i);
    }
    return texts;
  }

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
        if (recorded == none) return {own("X"), none, true};
        return {own("B"), own("E")};
      case EventKind::kAsynchronous:
        return phase == "S" ? Phases{own("S"), own("F")} : Phases{own("b"), own("e")};
      case EventKind::kUnfinished:
        return {recorded == none ? own("B") : own(phase), none};
      case EventKind::kInstant:
        break;
    }
    return {recorded == none ? own("i") : own(phase), none};
  }

  // A number for a phase's text, which the capture need not have.
  StringId own(std::string_view phase) {
    const auto found = std::ranges::find(phase_names_, phase);
    if (found == phase_names_.end()) phase_names_.emplace_back(phase);
    return to_id<StringId>(static_cast<std::size_t>(std::ranges::find(phase_names_, phase) - phase_names_.begin()));
  }

  void count_events(std::uint32_t place) {
    const Track& track = tracks_[place];
    const EventColumns& events = track.events;
    if (events.empty()) return;
    const std::size_t place_of_sum = static_cast<std::size_t>(&sum_of(place) - summary_.tracks.data());
    const std::vector<StringId> recorded = texts_of(track, trace::kPhase);
    const std::vector<StringId> end_categories = texts_of(track, trace::kEndCategory);
    const std::vector<bool> has_category = has_argument(track, trace::kCategory);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      TraceSummary::TrackSum& sum = summary_.tracks[place_of_sum];
      const StringId none{kNoId};
      const Phases phases = phases_of(events.kind(i), recorded.empty() ? none : recorded[i]);
      const bool is_empty = events.category(i) == StringId{} && !has_category.empty() && has_category[i];
      // Of categories 0 stands for none, and the highest for an empty one.
      const StringId category = is_empty ? StringId{kNoId} : events.category(i);
      const std::int64_t length_ns = phases.is_complete ? events.length_ns(i) : 0;
      Count& count = count_of(phases.begin, category);
      ++count.events;
      count.total_ns += length_ns;
      ++sum.events;
      see(events.start_ns(i), events.start_ns(i) + length_ns);
      if (phases.end != none) {
        const bool has_own = events.kind(i) == EventKind::kSpan;
        const StringId end_category = !has_own                          ? category
                                      : end_categories.empty()          ? StringId{}
                                      : end_categories[i] == none       ? StringId{}
                                      : end_categories[i] == StringId{} ? none
                                                                        : end_categories[i];
        ++count_of(phases.end, end_category).events;
        const FileValue end_thread = has_own ? std::nullopt : argument(track, trace::kEndThread, i);
        // Sums may move as others are added.
        ++(end_thread ? sum_of(process_number(tracks_, place), thread_of(*end_thread)) : sum_of(place)).events;
        const std::int64_t end_ns = events.start_ns(i) + events.dur_ns(i);
        see(end_ns, end_ns);
      }
      if (!phases.is_complete) continue;
      ++sum.complete;
      sum.total_ns += length_ns;
      sum.zero_duration += length_ns == 0 ? 1 : 0;
      if (strings_.get(events.name(i)).starts_with(trace::kStepPrefix)) add_step(place, i);
    }
  }

  void add_step(std::uint32_t place, std::uint32_t event) {
    const EventColumns& events = tracks_[place].events;
    FileValue category = argument(tracks_[place], trace::kCategory, event);
    if (!category && events.category(event) != StringId{}) category = events.category(event);
    summary_.steps.push_back({.name = text(events.name(event)),
                              .process = process_number(tracks_, place),
                              .thread = thread_number(tracks_, place),
                              .category = category,
                              .start_ns = events.start_ns(event) + offset_ns_,
                              .duration_ns = events.length_ns(event)});
  }

  // Of several series of one name each record gave one value at a time.
  void count_counters(std::uint32_t place) {
    const Track& track = tracks_[place];
    // Those of memory were made of events, which are counted.
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
    TraceSummary::TrackSum& sum = sum_of(place);
    for (const auto& [counter, by_time] : records) {
      Count& count = count_of(own("C"), counter.second);
      for (const auto& [at_ns, events] : by_time) {
        count.events += events;
        sum.events += events;
        see(at_ns, at_ns);
      }
    }
  }

  void count_memory(std::uint32_t place) {
    const Track& track = tracks_[place];
    const StringId name = strings_.find(trace::kMemoryEvent);
    if (name == StringId{kNoId}) return;
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (track.events.name(i) != name) continue;
      const auto number = [&](std::string_view key) {
        const FileValue value = argument(track, key, i);
        return value ? whole(*value) : 0;
      };
      const std::string device =
          fmt::format("{}:{}", argument_text(track, "Device Type", i), argument_text(track, "Device Id", i));
      TraceSummary::Memory& memory = memory_[device];
      const std::int64_t bytes = number("Bytes");
      ++memory.events;
      memory.sum_bytes += bytes;
      memory.allocations += bytes > 0 ? 1 : 0;
      memory.frees += bytes < 0 ? 1 : 0;
      memory.peak_allocated = std::max(memory.peak_allocated, number("Total Allocated"));
      memory.peak_reserved = std::max(memory.peak_reserved, number("Total Reserved"));
    }
  }

  void count_flow_ends() {
    const FlowEnds& ends = capture_.profile.flow_ends;
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
      if (end.track != last_track || summary_.tracks.size() != last_size) {
        last_track = end.track;
        is_ours = is_below(tracks_, end.track, root_);
        if (is_ours) sum = &sum_of(end.track);
        last_size = summary_.tracks.size();
      }
      if (!is_ours) continue;
      ++sum->events;
      see(end.at_ns, end.at_ns);
      const bool is_finish = end.kind == FlowEnd::Kind::kFinish;
      ++count_of(own(is_finish ? "f" : end.kind == FlowEnd::Kind::kStart ? "s" : "t"), end.category).events;
      Ids& ids = categories[category_text(end.category)];
      ++(is_finish ? ids.sum.finishes : ids.sum.starts);
      std::string id(trace::kMissing);
      if (end.id_type == FlowEnd::IdType::kInteger) id = fmt::format("{}", end.id);
      if (end.id_type == FlowEnd::IdType::kText) id = text(to_id<StringId>(static_cast<std::size_t>(end.id)));
      (is_finish ? ids.finishes : ids.starts).insert(std::move(id));
    }
    for (auto& [category, ids] : categories) {
      ids.sum.category = category;
      for (const std::string& id : ids.starts) ids.sum.ids_with_both += ids.finishes.contains(id) ? 1 : 0;
      ids.sum.ids_only_start = static_cast<std::int64_t>(ids.starts.size()) - ids.sum.ids_with_both;
      ids.sum.ids_only_finish = static_cast<std::int64_t>(ids.finishes.size()) - ids.sum.ids_with_both;
      summary_.flows.push_back(ids.sum);
    }
  }

  std::string category_text(StringId category) const {
    if (category == StringId{kNoId} || strings_.get(category) == trace::kEmptyCategory) return "";
    return category == StringId{} ? std::string(trace::kMissing) : text(category);
  }

  // The stream's number, also where it stands as "stream 7".
  FileNumber stream_key(std::uint32_t track) const {
    const FileValue stream = thread_number(tracks_, track);
    constexpr std::string_view kWord = "stream ";
    if (const auto* const id = stream ? std::get_if<StringId>(&*stream) : nullptr) {
      const std::string_view name = strings_.get(*id);
      std::int64_t number = 0;
      const auto [end, failed] =
          std::from_chars(name.data() + std::min(kWord.size(), name.size()), name.data() + name.size(), number);
      if (name.starts_with(kWord) && failed == std::errc() && end == name.data() + name.size())
        return {false, true, number, ""};
    }
    return number_key(stream);
  }

  // Whether an event's argument is the device's number.
  bool is_same(const ArgumentColumn& column, std::size_t place, const FileValue& device) const {
    const Correlation number = correlation_of(column, place, strings_);
    if (!device) return number.type == Correlation::Type::kNone;
    if (const auto* const integer = std::get_if<std::int64_t>(&*device))
      return number == Correlation{Correlation::Type::kInteger, *integer};
    return column.value(place) == *device;
  }

  // By event whether it has an argument of that name; empty where none has.
  std::vector<bool> has_argument(const Track& track, std::string_view name) const {
    std::vector<bool> has;
    for (const ArgumentColumn& column : track.arguments) {
      if (strings_.get(column.name) != name) continue;
      has.resize(track.events.size());
      column.events.for_each([&](std::int64_t event) { has[static_cast<std::size_t>(event)] = true; });
    }
    return has;
  }

  void count_work() {
    const DeviceWork work = find_device_work(capture_, root_);
    summary_.device_work = static_cast<std::int64_t>(work.items.size());
    std::map<FileNumber, FileValue> unlisted;
    std::map<std::pair<FileNumber, FileNumber>, std::vector<const WorkItem*>> streams;
    std::unordered_map<std::uint32_t, std::pair<FileNumber, FileNumber>> keys;  // by track
    const StringId device_name = strings_.find("device");
    for (const WorkItem& item : work.items) {
      const FileValue device = process_number(tracks_, item.track);
      const auto [key, is_new] = keys.try_emplace(item.track);
      if (is_new) key->second = {number_key(device), stream_key(item.track)};
      streams[key->second].push_back(&item);
      summary_.zero_duration_work += item.end_ns == item.start_ns ? 1 : 0;
      if (!listed_devices_.contains(key->second.first)) unlisted.try_emplace(key->second.first, device);
      bool is_other = false;
      for (const ArgumentColumn& column : tracks_[item.track].arguments) {
        if (column.name != device_name) continue;
        if (const auto place = column.place_of(item.event)) is_other = !is_same(column, *place, device);
      }
      summary_.device_argument_differs += is_other ? 1 : 0;
    }
    for (const auto& [key, device] : unlisted) summary_.devices_without_properties.push_back(device);
    for (auto& [key, items] : streams) {
      std::ranges::stable_sort(items, {}, [](const WorkItem* item) { return item->start_ns; });
      std::optional<std::int64_t> end_ns;
      for (const WorkItem* const item : items) {
        summary_.overlapping_in_a_stream += end_ns && item->start_ns < *end_ns ? 1 : 0;
        end_ns = std::max(end_ns.value_or(item->end_ns), item->end_ns);
      }
    }
    count_launches(work);
  }

  void count_launches(const DeviceWork& work) {
    TraceSummary::Launches& launches = summary_.launches;
    std::vector<std::int64_t> waits_ns, delays_ns;
    std::unordered_set<std::uint32_t> calls;
    for (const WorkItem& item : work.items) {
      if (item.call == kNoId) continue;
      const ProfileEvent& call = work.calls[item.call];
      calls.insert(item.call);
      waits_ns.push_back(item.start_ns - call.start_ns);
      delays_ns.push_back(std::max<std::int64_t>(0, item.start_ns - call.end_ns));
      launches.negative += item.start_ns < call.start_ns ? 1 : 0;
      launches.work_shorter_than_call += item.end_ns - item.start_ns < call.end_ns - call.start_ns ? 1 : 0;
    }
    launches.pairs = static_cast<std::int64_t>(waits_ns.size());
    launches.work_without_call = summary_.device_work - launches.pairs;
    launches.calls_with_work = static_cast<std::int64_t>(calls.size());
    if (launches.pairs > 0) {
      launches.call_start_to_work_start = launch_statistics(std::move(waits_ns));
      launches.launch_delay = launch_statistics(std::move(delays_ns));
    }
    std::map<std::string_view, std::vector<std::int64_t>> by_name;
    for (const ProfileEvent& call : work.calls)
      by_name[strings_.get(tracks_[call.track].events.name(call.event))].push_back(call.end_ns - call.start_ns);
    for (auto& [name, durations_ns] : by_name)
      summary_.calls.push_back({std::string(name), launch_statistics(std::move(durations_ns))});
  }

  void finish() {
    std::map<std::pair<std::string, std::string>, Count> categories;
    for (const auto& [key, count] : counts_) {
      const std::string& phase = phase_names_[key >> 32];
      Count& sum = categories[{phase, category_text(StringId{static_cast<std::uint32_t>(key)})}];
      sum.events += count.events;
      sum.total_ns += count.total_ns;
      phase_events_[phase] += count.events;
    }
    for (const auto& [key, count] : categories)
      summary_.categories.push_back({key.first, key.second, count.events, count.total_ns});
    for (const auto& [phase, events] : phase_events_) {
      summary_.phases.push_back({phase, events});
      summary_.events += events;
    }
    for (auto& [device, memory] : memory_) {
      memory.device = device;
      summary_.memory.push_back(memory);
    }
    // Numbers are a rank only where all know it.
    std::erase_if(summary_.tracks, [](const TraceSummary::TrackSum& sum) { return sum.events == 0; });
  }

  const Capture& capture_;
  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const std::uint32_t root_;
  TraceSummary summary_;
  std::int64_t offset_ns_ = 0;
  std::vector<std::string> phase_names_;
  std::unordered_map<std::uint64_t, Count> counts_;  // by phase's and category's number
  std::map<std::string, std::int64_t> phase_events_;
  std::map<std::pair<FileNumber, FileNumber>, std::size_t> track_sums_;
  std::map<std::string, TraceSummary::Memory> memory_;
  std::set<FileNumber> listed_devices_;
};

}  // namespace

std::vector<TraceSummary> summarize_trace(const Capture& capture) {
  std::vector<std::uint32_t> roots;
  const StringId offset = capture.strings.find(trace::kTimeOffset_ns);
  for (const Fact& fact : capture.facts) {
    if (fact.name == offset && std::ranges::find(roots, fact.track) == roots.end()) roots.push_back(fact.track);
  }
  std::vector<TraceSummary> summaries;
  for (const std::uint32_t root : roots) summaries.push_back(Summarizer(capture, root).summarize());
  return summaries;
}

}  // namespace vizd
