#include "cli/devices/device_inputs.h"

#include <fstream>
#include <iterator>

#include "analysis/devices/host_work.h"
#include "analysis/recorded/why_no_work.h"
#include "base/clean_text.h"
#include "base/standard_streams.h"
#include "cli/command_line/absence.h"
#include "cli/command_line/input.h"
#include "cli/devices/scope_names.h"
#include "derived/naming_sources.h"
#include "diagnosis/page_place.h"

namespace vizd {

std::shared_ptr<const DeviceAnalysis> DeviceInput::in(const WorkScope& scope) const {
  if (scope.is_all()) return analysis;
  return std::make_shared<const DeviceAnalysis>(in_scope(loaded->capture, *analysis, scope));
}

void DeviceInput::take_host_if_no_device() {
  DeviceAnalysis host = analyse_host(loaded->capture, *analysis);
  if (host.work.items.empty()) return;
  analysis = std::make_shared<const DeviceAnalysis>(std::move(host));
  is_of_host = true;
}

void DeviceInput::say_if_of_host() const {
  if (is_of_host) print_answer("No device work is recorded. These are operators of the host.\n\n");
}

RowId DeviceInput::id_of(const ProfileEvent& event) const {
  return ids.of(slice_id(loaded->capture.profile, event.track, event.event));
}

RowId DeviceInput::id_of_time(std::int64_t from_ns, std::int64_t to_ns) const {
  return ids.of(time_id(loaded->capture.profile, from_ns, to_ns));
}

RowId DeviceInput::id_of_kernel(std::string_view name) const {
  return is_of_host ? RowId() : ids.of(kernel_id(one_line(name, false)));
}

void DeviceInput::say_nothing(const WorkScope& scope, std::string none, bool json) const {
  print_absence(is_of_host ? Absence{Nothing::kNone, "no operator of the host matches", ""}
                           : why_no_work(loaded->capture, scope, std::move(none)),
                set.name, json);
}

std::optional<std::vector<DeviceInput>> open_device_inputs(const InputArguments& inputs) {
  Sniffer sniffer;
  std::vector<DeviceInput> opened;
  for (const InputSet& set : inputs.all_sets(sniffer)) {
    const auto loaded = open_recorded(set);
    if (!loaded) return std::nullopt;
    if (!loaded->capture.has_profile) {
      print_error("vizd: {}: {}\n", set.name, not_recorded(loaded->capture, Recordable::kEvents).text());
      return std::nullopt;
    }
    NamedDevices devices = analyse_named_devices(*loaded);
    opened.push_back({set, loaded, std::move(devices.analysis), RowIds(set), std::move(devices.replays)});
  }
  if (!opened.empty()) return opened;
  print_error("vizd: these folders contain nothing that vizd reads\n");
  return std::nullopt;
}

bool has_scope(std::span<const DeviceInput> inputs, const WorkScope& scope, std::string_view command) {
  ScopeNames names(scope);
  for (const DeviceInput& input : inputs) names.add(input.loaded->capture, input.analysis->work);
  return names.check(command);
}

std::optional<DevicePeaks> read_device_peaks(const std::string& path) {
  DevicePeaks peaks;
  if (path.empty()) return peaks;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    print_error("vizd: {}: cannot be read\n", path);
    return std::nullopt;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (const auto error = peaks.add(text)) {
    print_error("vizd: {}: {}\n", path, error->text());
    return std::nullopt;
  }
  return peaks;
}

}  // namespace vizd
