#include "reference/trace_file/work_counts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/track_numbers.h"

namespace vizd::trace_file {
namespace {

void count_launches(const Capture& capture, const DeviceWork& work, TraceSummary& summary) {
  TraceSummary::Launches& launches = summary.launches;
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
  launches.work_without_call = summary.device_work - launches.pairs;
  launches.calls_with_work = static_cast<std::int64_t>(calls.size());
  if (launches.pairs > 0) {
    launches.call_start_to_work_start = launch_statistics(std::move(waits_ns));
    launches.launch_delay = launch_statistics(std::move(delays_ns));
  }
  std::map<std::string_view, std::vector<std::int64_t>> by_name;
  for (const ProfileEvent& call : work.calls)
    by_name[capture.strings.get(capture.profile.tracks[call.track].events.name(call.event))].push_back(call.end_ns -
                                                                                                       call.start_ns);
  for (auto& [name, durations_ns] : by_name)
    summary.calls.push_back({std::string(name), launch_statistics(std::move(durations_ns))});
}

}  // namespace

void count_work(const Capture& capture, std::uint32_t root, const std::set<FileNumber>& listed_devices,
                const FileValues& values, TraceSummary& summary) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  const DeviceWork work = find_device_work(capture, root);
  summary.device_work = static_cast<std::int64_t>(work.items.size());
  std::map<FileNumber, FileValue> unlisted;
  std::map<std::pair<FileNumber, FileNumber>, std::vector<const WorkItem*>> streams;
  std::unordered_map<std::uint32_t, std::pair<FileNumber, FileNumber>> keys;  // by track
  const StringId device_name = capture.strings.find("device");
  for (const WorkItem& item : work.items) {
    const FileValue device = process_number(tracks, item.track);
    const auto [key, is_new] = keys.try_emplace(item.track);
    if (is_new) key->second = {values.number(device), values.stream_number(thread_number(tracks, item.track))};
    streams[key->second].push_back(&item);
    summary.zero_duration_work += item.end_ns == item.start_ns ? 1 : 0;
    if (!listed_devices.contains(key->second.first)) unlisted.try_emplace(key->second.first, device);
    bool is_other = false;
    for (const ArgumentColumn& column : tracks[item.track].arguments) {
      if (column.is_hidden || column.name != device_name) continue;
      if (const auto place = column.place_of(item.event)) is_other = !values.is_same(column, *place, device);
    }
    summary.device_argument_differs += is_other ? 1 : 0;
  }
  for (const auto& [key, device] : unlisted) summary.devices_without_properties.push_back(device);
  for (auto& [key, items] : streams) {
    std::ranges::stable_sort(items, {}, [](const WorkItem* item) { return item->start_ns; });
    std::optional<std::int64_t> end_ns;
    for (const WorkItem* const item : items) {
      summary.overlapping_in_a_stream += end_ns && item->start_ns < *end_ns ? 1 : 0;
      end_ns = std::max(end_ns.value_or(item->end_ns), item->end_ns);
    }
  }
  count_launches(capture, work, summary);
}

}  // namespace vizd::trace_file
