// The profiles that `vizd kernels`, `breakdown` and `compare` are about, with what their devices did. One thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "analysis/devices/device_peaks.h"
#include "analysis/devices/work_scope.h"
#include "analysis/graph_replay/named_replays.h"
#include "cli/command_line/inputs.h"
#include "cli/command_line/row_ids.h"
#include "session/loaded_capture.h"

namespace vizd {

struct DeviceInput {
  InputSet set;
  std::shared_ptr<const LoadedCapture> loaded;
  std::shared_ptr<const DeviceAnalysis> analysis;  // of all the work
  RowIds ids;                                      // of rows about it
  std::shared_ptr<const NamedReplays> replays;     // null: there are neither graphs nor steps of a server
  bool is_of_host = false;                         // the work is the host's operators

  // Takes the host's operators as the work, where no device did any (analysis/devices/host_work.h).
  void take_host_if_no_device();
  // Says so, where tables for people follow.
  void say_if_of_host() const;

  // The analysis of the work in the scope.
  std::shared_ptr<const DeviceAnalysis> in(const WorkScope& scope) const;
  // What stands for an item of its work: the event; for a stretch of time; and for all launches of a name.
  RowId id_of(const ProfileEvent& event) const;
  RowId id_of_time(std::int64_t from_ns, std::int64_t to_ns) const;
  RowId id_of_kernel(std::string_view name) const;
  // Says why an answer about it is empty; none: where there is no such work.
  void say_nothing(const WorkScope& scope, std::string none, bool json) const;
};

// Each of the sets that the arguments name: ranks of one job may be one, or several. None where any cannot be read, or
// has no profile: why is printed on stderr.
std::optional<std::vector<DeviceInput>> open_device_inputs(const InputArguments& inputs);
// Whether the captures have what the scope names; prints on stderr what they lack.
bool has_scope(std::span<const DeviceInput> inputs, const WorkScope& scope, std::string_view command);

// vizd's own, and those of the user's file where one is named. None, with why on stderr, where that is wrong.
std::optional<DevicePeaks> read_device_peaks(const std::string& path);

}  // namespace vizd
