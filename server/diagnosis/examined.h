// Examined: a capture as the rules of a diagnosis look at it: what several of them need is worked out once, when the
// first asks. Refers to the capture and the analysis. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/collectives.h"
#include "analysis/devices/compiles.h"
#include "analysis/devices/device_analysis.h"
#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_table.h"
#include "analysis/devices/work_scope.h"
#include "diagnosis/finding.h"
#include "rewrite/rule_table.h"

namespace vizd {

struct RecordedRows;  // analysis/recorded_rows.h

struct ExaminedCapture {
  const Capture& capture;
  const DeviceAnalysis& analysis;  // of all work in the scope, as breakdowns are (WorkScope::of_breakdowns)
  const DevicePeaks& peaks;
  WorkScope scope = {};
  // Where the ranks of a job are captures of their own: all of them, and which of them this is. Empty: it is alone.
  std::span<const ProfiledRank> job = {};
  std::uint32_t place = 0;
  // What the rules of the compiler did; null: not told, for that reason.
  const RuleTable* rules = nullptr;
  Absence without_rules = {};
  // The rows of the GPUs' own recorders; null: not told, for that reason.
  const RecordedRows* recorded = nullptr;
  Absence without_recorded = {};
};

// A gap with the device that is idle in it.
struct DeviceGap : Gap {
  std::uint32_t device = 0;
  std::int64_t length_ns() const { return to_ns - from_ns; }
};

class Examined {
 public:
  explicit Examined(const ExaminedCapture& of) : of_(of) {}

  const Capture& capture() const { return of_.capture; }
  const Profile& profile() const { return of_.capture.profile; }
  const DeviceWork& work() const { return of_.analysis.work; }
  const ExaminedCapture& of() const { return of_; }

  // The breakdown of all devices, added up; span_ns() is the devices' time. No event: no device did anything.
  const DeviceBreakdown& whole() const;
  const std::vector<DeviceGap>& gaps() const;  // the longest first
  // The work that lies in the scope, cut to its time: what sums are of, and kernels() tells places in.
  const DeviceWork& work_in_scope() const;
  const std::vector<KernelRow>& kernels() const;    // by name
  const std::vector<StepBreakdown>& steps() const;  // one a step and rank
  const Collectives& collectives() const;           // of the whole job
  std::span<const ProfiledRank> job() const;        // what they are of
  std::vector<std::int64_t> step_lengths() const;   // in the order of the steps
  std::size_t step_numbers() const;                 // different ones
  // Whether the host launched it by launching a graph.
  bool is_replayed(const WorkItem& item) const;
  // From the first thing recorded to the last, or the scope's range.
  std::int64_t extent_ns() const;

  std::string name_of(const ProfileEvent& event) const;  // without colours, shortened
  std::string id_of(const ProfileEvent& event) const;
  // Calls visit(track, event) for the spans of hosts in the scope's range.
  void for_each_host_span(const std::function<void(std::uint32_t track, std::uint32_t event)>& visit) const;

  // A finding of the devices' time.
  Finding of_devices(std::string title, std::string detail, std::int64_t cost_ns, Sureness sure) const;

 private:
  const DeviceAnalysis& analysis_in_scope() const;

  ExaminedCapture of_;
  mutable std::optional<DeviceAnalysis> cut_;  // where the scope is not all that is examined
  mutable std::optional<DeviceBreakdown> whole_;
  mutable std::optional<std::vector<DeviceGap>> gaps_;
  mutable std::optional<std::vector<KernelRow>> kernels_;
  mutable std::optional<std::vector<StepBreakdown>> steps_;
  mutable std::optional<Collectives> collectives_;
  mutable std::optional<ProfiledRank> alone_;  // the job, where it is of this capture alone
};

// As findings tell them: "12.3 us", "4.5 %".
std::string time_text(std::int64_t dur_ns);
std::string times_text(std::uint64_t times);                         // "once", "3 times"
std::string count_text(std::int64_t count, std::string_view thing);  // "1 gap", "3 gaps"
std::string share_text(double share);
// A name of the capture: without colours, on one line, cut where it is long.
std::string shown_name(std::string_view name);
double share_of(std::int64_t part_ns, std::int64_t whole_ns);  // 0 of nothing

}  // namespace vizd
