// Sums up a trace (trace_summary.h): facts, then track by track, then what tracks share.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "formats/trace_words.h"
#include "model/track_numbers.h"
#include "reference/trace_file/event_counts.h"
#include "reference/trace_file/file_values.h"
#include "reference/trace_file/record_counts.h"
#include "reference/trace_file/trace_summary.h"
#include "reference/trace_file/work_counts.h"

namespace vizd {
namespace {

using namespace trace_file;

class Summarizer {
 public:
  Summarizer(const Capture& capture, std::uint32_t root)
      : capture_(capture),
        strings_(capture.strings),
        tracks_(capture.profile.tracks),
        root_(root),
        values_(capture.strings),
        counts_(capture, values_, summary_) {}

  TraceSummary summarize() {
    read_facts();
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (!is_below(tracks_, t, root_)) continue;
      count_events(capture_, t, values_, counts_, summary_);
      count_counters(capture_, t, counts_);
      count_memory(t);
    }
    count_flow_ends(capture_, root_, values_, counts_, summary_);
    count_work(capture_, root_, listed_devices_, values_, summary_);
    counts_.finish();
    for (auto& [device, memory] : memory_) {
      memory.device = device;
      summary_.memory.push_back(memory);
    }
    return std::move(summary_);
  }

 private:
  void read_facts() {
    std::set<std::string> processes;
    std::map<std::string, std::int64_t> metadata;
    for (const Fact& fact : capture_.facts) {
      const std::string_view name = strings_.get(fact.name), subject = strings_.get(fact.subject);
      const bool is_of_trace = fact.track == root_;
      if (is_of_trace) {
        if (subject == "distributedInfo" && name == "rank") summary_.rank = values_.value_of(fact);
        if (subject == "distributedInfo" && name == "world_size") summary_.world_size = values_.value_of(fact);
        if (subject.empty() && name == "baseTimeNanoseconds") summary_.base_time_ns = values_.whole(fact.value);
        if (subject.starts_with("deviceProperties[") && name == "id")
          listed_devices_.insert(values_.number(values_.value_of(fact)));
        if (fact.is_hidden && name == fact::kTimeOffset_ns) counts_.set_offset(values_.whole(fact.value));
        if (fact.is_hidden && name == trace::kWithoutTime) counts_.add(std::string(subject), values_.whole(fact.value));
      } else if (fact.track != kNoId && is_below(tracks_, fact.track, root_)) {
        if (fact.is_hidden && !name.starts_with(trace::kLongPrefix)) continue;
        metadata[std::string(trace::fact_name(name, fact.is_hidden))] += fact.times;
        processes.insert(values_.text(process_number(tracks_, fact.track)));
      }
    }
    for (const auto& [name, events] : metadata) {
      summary_.metadata.push_back({name, events});
      counts_.add("M", events);
    }
    summary_.metadata_processes = static_cast<std::int64_t>(processes.size());
  }

  void count_memory(std::uint32_t place) {
    const Track& track = tracks_[place];
    const StringId name = strings_.find(trace::kMemoryEvent);
    if (name == StringId{kNoId}) return;
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (track.events.name(i) != name) continue;
      const auto number = [&](const char* key) {
        const FileValue value = values_.argument(track, key, i);
        return value ? values_.whole(*value) : 0;
      };
      const std::string device = fmt::format("{}:{}", values_.argument_text(track, "Device Type", i),
                                             values_.argument_text(track, "Device Id", i));
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

  const Capture& capture_;
  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const std::uint32_t root_;
  TraceSummary summary_;
  const FileValues values_;
  RecordCounts counts_;
  std::map<std::string, TraceSummary::Memory> memory_;
  std::set<FileNumber> listed_devices_;
};

}  // namespace

std::vector<TraceSummary> summarize_trace(const Capture& capture) {
  std::vector<std::uint32_t> roots;
  const StringId offset = capture.strings.find(fact::kTimeOffset_ns);
  for (const Fact& fact : capture.facts) {
    if (fact.is_hidden && fact.name == offset && std::ranges::find(roots, fact.track) == roots.end())
      roots.push_back(fact.track);
  }
  std::vector<TraceSummary> summaries;
  for (const std::uint32_t root : roots) summaries.push_back(Summarizer(capture, root).summarize());
  return summaries;
}

}  // namespace vizd
