// RecordCounts: the records of a trace's file by phase and category, by process and thread, and the time that they
// span. Adds to a summary. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/trace_file/file_values.h"
#include "reference/trace_file/trace_summary.h"

namespace vizd::trace_file {

class RecordCounts {
 public:
  struct Count {
    std::int64_t events = 0, total_ns = 0;
  };

  RecordCounts(const Capture& capture, const FileValues& values, TraceSummary& summary)
      : tracks_(capture.profile.tracks), values_(values), summary_(summary) {}

  // Sets what is added to the profile's times for the file's own; before anything is counted.
  void set_offset(std::int64_t offset_ns) { offset_ns_ = offset_ns; }
  std::int64_t offset_ns() const { return offset_ns_; }

  // A number for a phase's text, which the capture need not have.
  StringId phase(std::string_view phase);
  // Category 0 stands for none, and the highest for an empty one.
  Count& of(StringId phase, StringId category);
  // The sums of the file's process and thread that the track belongs to. Moves as others are added.
  TraceSummary::TrackSum& of_track(std::uint32_t track);
  TraceSummary::TrackSum& of_thread(const FileValue& process, const FileValue& thread);
  void see(std::int64_t from_ns, std::int64_t to_ns);
  // Records without a place among the capture's events.
  void add(const std::string& phase, std::int64_t events) { phase_events_[phase] += events; }
  std::string category_text(StringId category) const;

  // Writes down what was counted. Last.
  void finish();

 private:
  const std::vector<Track>& tracks_;
  const FileValues& values_;
  TraceSummary& summary_;
  std::int64_t offset_ns_ = 0;
  std::vector<std::string> phase_names_;
  std::unordered_map<std::uint64_t, Count> counts_;  // by phase's and category's number
  std::map<std::string, std::int64_t> phase_events_;
  std::map<std::pair<FileNumber, FileNumber>, std::size_t> track_sums_;
};

}  // namespace vizd::trace_file
