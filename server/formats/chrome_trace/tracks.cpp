#include "formats/chrome_trace/tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "formats/chrome_trace/copy_names.h"
#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/shift_times.h"
#include "formats/trace_devices.h"
#include "model/argument_json.h"
#include "model/device_number.h"

namespace vizd::chrome_trace {
void Tracks::add(std::int64_t shift_ns) {
  first_track_ = static_cast<std::uint32_t>(capture_.profile.tracks.size());
  of_lane_.assign(lanes_.size(), kNoId);
  for (const TraceRoot& root : roots_) {
    root_tracks_.push_back(root.name.empty() ? kNoId
                                             : add_track(root.name, root.rank ? TrackKind::kRank : TrackKind::kOther,
                                                         kNoId, root.rank, std::nullopt));
  }
  for (const Process& process : find_processes()) {
    const std::uint32_t track =
        add_track(name_of(process), process.is_device ? TrackKind::kDevice : TrackKind::kProcess,
                  root_tracks_[process.root], process.number, process.sort);
    // No process, as ONNX Runtime has it, is no device's number.
    const auto* const number = process.number ? std::get_if<std::int64_t>(&*process.number) : nullptr;
    if (process.is_device && number != nullptr && *number < 0) add_number(track, StringId{});
    for (const std::uint32_t place : process.lanes) {
      Lane& lane = lanes_[place];
      if (lane.asynchronous_of != kNoId) continue;
      of_lane_[place] = track;
      if (lane.thread_number) {
        // Streams without an order of their own stand by their number.
        const auto* const stream = std::get_if<std::int64_t>(&*lane.thread_number);
        const auto sort = lane.sort || !process.is_device || stream == nullptr ? lane.sort : std::optional(*stream);
        of_lane_[place] =
            add_track(name_of(lane, process.is_device), process.is_device ? TrackKind::kStream : TrackKind::kThread,
                      track, lane.thread_number, sort);
      }
      fill(of_lane_[place], lane, shift_ns);
      if (lane.asynchronous == kNoId) continue;
      of_lane_[lane.asynchronous] =
          add_track("asynchronous", TrackKind::kOther, of_lane_[place], std::nullopt, std::nullopt);
      fill(of_lane_[lane.asynchronous], lanes_[lane.asynchronous], shift_ns);
    }
  }
}

std::vector<Tracks::Process> Tracks::find_processes() {
  std::vector<Process> processes;
  std::map<std::optional<ArgumentValue>, std::size_t> places;
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    const auto [found, is_new] = places.try_emplace(lane.process_number, processes.size());
    if (is_new) {
      Process& added = processes.emplace_back();
      added.number = lane.process_number;
      const auto* const text = added.number ? std::get_if<StringId>(&*added.number) : nullptr;
      if (text != nullptr && !roots_[0].prefix.empty()) {
        const std::string number(capture_.strings.get(*text));
        added.root = root_of(number);
        const std::string& prefix = roots_[added.root].prefix;
        added.number = without_prefix(number, prefix, capture_.strings);
        if (number == prefix) added.number.reset();
      }
    }
    Process& process = processes[found->second];
    process.lanes.push_back(i);
    process.is_device = process.is_device || lane.has_device_work;
    if (lane.thread_number) continue;
    if (lane.name != StringId{}) process.name = lane.name;
    if (lane.labels != StringId{}) process.labels = lane.labels;
    if (lane.sort) process.sort = lane.sort;
  }
  for (Process& process : processes) {
    const auto* const text = process.number ? std::get_if<StringId>(&*process.number) : nullptr;
    const std::string name(capture_.strings.get(process.name == StringId{} && text != nullptr ? *text : process.name));
    process.is_named_device = trace::named_process(name, "").is_device();
    const bool is_device =
        process.is_named_device || trace::named_process(name, capture_.strings.get(process.labels)).is_device();
    process.is_device = process.is_device || is_device;
  }
  return processes;
}

void Tracks::add_number(std::uint32_t device, const ArgumentValue& number) {
  Fact fact{.value = number, .track = device, .is_hidden = true};
  fact.name = capture_.strings.add(fact::kDeviceNumber);
  capture_.facts.push_back(fact);
}

std::size_t Tracks::root_of(std::string_view text) const {
  const auto found = std::ranges::find_if(
      roots_, [&](const TraceRoot& root) { return !root.prefix.empty() && text.starts_with(root.prefix); });
  return found == roots_.end() ? 0 : static_cast<std::size_t>(found - roots_.begin());
}

std::string Tracks::text_of(const ArgumentValue& number) const { return value_text(number, capture_.strings); }

std::string Tracks::name_of(const Process& process) const {
  const std::string name(trimmed(capture_.strings.get(process.name)));
  const std::string labels(trimmed(capture_.strings.get(process.labels)));
  const std::string number = process.number ? text_of(*process.number) : "";
  if (labels == "Overhead") return labels;  // of the profiler itself, under another process's name
  const bool is_numbered = process.number && std::holds_alternative<std::int64_t>(*process.number);
  if (process.is_named_device && !name.empty()) return name;
  if (process.is_device && !labels.empty()) return labels;
  if (process.is_device && is_numbered) return number.starts_with('-') ? "GPU" : "GPU " + number;
  // Some records are of a process that is called "".
  if (!is_numbered) return !name.empty() ? name : !number.empty() ? number : "no process";
  return fmt::format("{} {}", name.empty() ? "process" : name, number);
}

std::string Tracks::name_of(const Lane& lane, bool is_device) const {
  std::string name(trimmed(capture_.strings.get(lane.name)));
  if (!name.empty()) return name;
  name = text_of(*lane.thread_number);
  if (name.empty()) return "no thread";
  return std::holds_alternative<std::int64_t>(*lane.thread_number)
             ? fmt::format("{} {}", is_device ? "stream" : "thread", name)
             : name;
}

std::uint32_t Tracks::add_track(const std::string& name, TrackKind kind, std::uint32_t parent,
                                std::optional<ArgumentValue> number, std::optional<std::int64_t> sort) {
  using Sort = std::numeric_limits<std::int32_t>;
  Track& track = capture_.profile.tracks.emplace_back();
  track.name = capture_.strings.add(name);
  track.kind = kind;
  track.parent = parent;
  track.sort = static_cast<std::int32_t>(std::clamp<std::int64_t>(sort.value_or(0), Sort::min(), Sort::max()));
  track.number = std::move(number);
  return static_cast<std::uint32_t>(capture_.profile.tracks.size() - 1);
}

void Tracks::fill(std::uint32_t place, Lane& lane, std::int64_t shift_ns) {
  Track& track = capture_.profile.tracks[place];
  track.events = std::move(lane.events);
  track.arguments = std::move(lane.arguments);
  track.counters = std::move(lane.counters);
  track.samples = std::move(lane.samples);
  name_copies(track, capture_.strings);
  if (shift_ns == 0) return;
  chrome_trace::shift_times(track.samples.at_ns, shift_ns);
  shift_times(track.events, shift_ns);
  for (Counter& counter : track.counters) shift_times(counter.at_ns, shift_ns);
}

ArgumentValue without_prefix(std::string_view text, std::string_view prefix, StringTable& strings) {
  const std::string rest(text.starts_with(prefix) ? text.substr(prefix.size()) : text);
  if (const auto integer = integer_of(rest)) return *integer;
  return strings.add(rest);
}

}  // namespace vizd::chrome_trace
