#include "reference/trace_file/record_counts.h"

#include <algorithm>

#include "formats/trace_words.h"
#include "model/track_numbers.h"

namespace vizd::trace_file {

StringId RecordCounts::phase(std::string_view text) {
  const auto found = std::ranges::find(phase_names_, text);
  if (found == phase_names_.end()) phase_names_.emplace_back(text);
  return to_id<StringId>(static_cast<std::size_t>(std::ranges::find(phase_names_, text) - phase_names_.begin()));
}

RecordCounts::Count& RecordCounts::of(StringId phase, StringId category) {
  return counts_[std::uint64_t{index(phase)} << 32 | index(category)];
}

TraceSummary::TrackSum& RecordCounts::of_track(std::uint32_t track) {
  return of_thread(process_number(tracks_, track), thread_number(tracks_, track));
}

TraceSummary::TrackSum& RecordCounts::of_thread(const FileValue& process, const FileValue& thread) {
  const auto [found, is_new] =
      track_sums_.try_emplace({values_.number(process), values_.number(thread)}, summary_.tracks.size());
  if (is_new) summary_.tracks.push_back({.process = process, .thread = thread});
  return summary_.tracks[found->second];
}

void RecordCounts::see(std::int64_t from_ns, std::int64_t to_ns) {
  summary_.first_ns = std::min(summary_.first_ns.value_or(from_ns + offset_ns_), from_ns + offset_ns_);
  summary_.last_ns = std::max(summary_.last_ns.value_or(to_ns + offset_ns_), to_ns + offset_ns_);
}

std::string RecordCounts::category_text(StringId category) const {
  if (category == StringId{kNoId} || values_.text(category) == trace::kEmptyCategory) return "";
  return category == StringId{} ? std::string(trace::kMissing) : values_.text(category);
}

void RecordCounts::finish() {
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
  // Numbers are a rank only where all know it.
  std::erase_if(summary_.tracks, [](const TraceSummary::TrackSum& sum) { return sum.events == 0; });
}

}  // namespace vizd::trace_file
