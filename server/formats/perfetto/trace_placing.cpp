// Where what was read by track stands among the capture's tracks.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

#include "formats/perfetto/gpu_stages.h"
#include "formats/perfetto/own_json.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/rocprof.h"
#include "formats/perfetto/trace_decoder.h"

namespace vizd::perfetto {
namespace {

// -7 for "thread -7".
std::int64_t thread_number(std::string_view name, std::int64_t otherwise) {
  constexpr std::string_view kWord = "thread ";
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(name.data() + kWord.size(), name.data() + name.size(), number);
  return failed == std::errc() && number > -kMostTime_ns ? number : otherwise;
}

}  // namespace

void TraceDecoder::apply_description(const TrackRecord& of, Track& track) {
  const OwnJson json(of.description);
  if (const auto kind = json.text("kind")) track.kind = track_kind(*kind);
  if (const auto number = json.integer("number")) track.number = *number;
  if (const auto number = json.text("number")) track.number = strings_.add(*number);
}

void TraceDecoder::place(TrackRecord& of) {
  // From the one that is to be placed up to one that is, or has no parent; a circle ends where it closes.
  std::vector<TrackRecord*> path{&of};
  of.is_placed = true;
  while (path.back()->parent != 0) {
    TrackRecord* const above = record(path.back()->parent);
    if (above == nullptr || above->is_placed) break;
    above->is_placed = true;
    path.push_back(above);
  }
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    TrackRecord& next = **at;
    std::uint32_t parent = Track::kNoParent;
    if (const auto above = places_.find(next.parent); next.parent != 0 && above != places_.end())
      parent = records_[above->second].track;
    // A thread hangs on its process.
    if (parent == Track::kNoParent && next.tid && next.pid) parent = process_track(next);
    place_under(next, parent);
  }
}

// The thread of the process that it was described for, or else of the first that has its number, which is made where
// there is none.
std::uint32_t TraceDecoder::process_track(const TrackRecord& thread) {
  const auto first = first_processes_.find(*thread.pid);
  const std::uint64_t uuid = thread.process != 0 ? thread.process : first != first_processes_.end() ? first->second : 0;
  TrackRecord* const process = uuid != 0 ? record(uuid) : own_record(fmt::format("process {}", *thread.pid));
  if (process == nullptr) return Track::kNoParent;
  if (uuid == 0) process->pid = thread.pid;
  if (!process->is_placed) place(*process);
  return process->track;
}

// PyTorch's encoder has synchronisations on a process that is called like a device, with threads for its streams, and
// overheads on a process of their own.
std::uint32_t TraceDecoder::shared_track(TrackRecord& of) {
  constexpr std::int32_t kOverheads = 0x7FFFFFFF;
  const bool is_process = of.pid && !of.tid;
  if (is_process && *of.pid == kOverheads && of.process_name == "Overhead") {
    of.description = R"({"kind":"process","number":-1})";
  } else if (is_process && of.process_name == fmt::format("GPU {}", *of.pid)) {
    TrackRecord* const device = device_record(*of.pid);
    if (device == nullptr) return kNoId;
    if (!device->is_placed) place(*device);
    return device->track;
  } else if (of.tid) {
    const auto above = places_.find(of.parent);
    if (above == places_.end()) return kNoId;
    const TrackRecord& process = records_[above->second];
    const std::int64_t number = parse_queue(of.thread_name).number.value_or(*of.tid);
    if (process.pid == kOverheads && process.process_name == "Overhead") {
      of.usual_category = strings_.add("overhead");
    } else if (of.pid && process.process_name == fmt::format("GPU {}", *of.pid)) {
      of.usual_category = strings_.add("cuda_sync");
      // What is of no stream has the number -1 here and 1 in the other trace.
      const std::int64_t stream = number < 0 ? -number : number;
      for (std::uint32_t t = 0; t < capture_.profile.tracks.size(); ++t) {
        const Track& track = capture_.profile.tracks[t];
        if (track.parent == process.track && track.kind == TrackKind::kStream && track.number == ArgumentValue(stream))
          return t;
      }
      of.description = fmt::format(R"({{"kind":"stream","number":{}}})", stream);
    } else if (of.thread_name.starts_with("thread -")) {
      // A thread that it could not find: of the number that it made up 31 bits are left in the thread's own.
      of.description =
          fmt::format(R"({{"kind":"thread","number":{}}})", std::abs(thread_number(of.thread_name, *of.tid)));
    }
  }
  return kNoId;
}

void TraceDecoder::adopt_agents() {
  std::vector<std::pair<TrackRecord*, AgentTrack>> lanes;
  std::set<std::int64_t> gpus;
  for (TrackRecord& of : records_) {
    const auto agent = parse_agent_track(of.name);
    if (!agent) continue;
    if (!of.events.empty()) lanes.emplace_back(&of, *agent);
    if (agent->is_gpu) gpus.insert(agent->agent);
  }
  if (lanes.empty()) return;
  has_device_work_ = true;
  for (auto& [of, agent] : lanes) {
    // A copy to the host is the work of a device; of several nobody says which.
    const std::int64_t number = !agent.is_gpu && gpus.size() == 1 ? *gpus.begin() : agent.agent;
    TrackRecord* const device = own_record(fmt::format("agent {}", number));
    if (device == nullptr) return;
    device->name = fmt::format("AGENT {}", number);
    device->description = fmt::format(R"({{"kind":"device","number":{}}})", number);
    of->parent = device->uuid;
    of->description = fmt::format(R"({{"kind":"stream","number":{}}})", agent.lane);
  }
  for (TrackRecord& of : records_) {
    for (std::vector<PlacedValue>& values : of.values) {
      for (PlacedValue& value : values) {
        const std::string_view name = strings_.get(value.name), usual = usual_argument(name);
        if (usual != name) value.name = strings_.add(usual);
      }
    }
  }
}

// What names it; Perfetto calls a track without a name after its first event.
std::string TraceDecoder::name_of(const TrackRecord& of) const {
  const auto known = [](const std::map<std::int32_t, std::string>& names, std::int32_t number) {
    const auto found = names.find(number);
    return found == names.end() ? std::string() : found->second;
  };
  if (!of.name.empty()) return of.name;
  std::string name = of.tid ? of.thread_name : of.process_name;
  if (name.empty() && of.tid) name = known(thread_names_, *of.tid);
  if (name.empty() && of.tid) name = fmt::format("thread {}", *of.tid);
  if (name.empty() && of.pid) name = known(process_names_, *of.pid);
  if (name.empty() && of.pid) name = fmt::format("process {}", *of.pid);
  if (name.empty() && of.uuid == 0) name = "events without a track";
  if (name.empty() && !of.events.empty())
    name = strings_.get(std::ranges::min_element(of.events, {}, &Event::start_ns)->name);
  return name.empty() ? fmt::format("track {}", of.uuid) : name;
}

void TraceDecoder::place_under(TrackRecord& of, std::uint32_t parent) {
  std::vector<Track>& tracks = capture_.profile.tracks;
  // Slices that overlap were written beside their track, and a counter is its track's.
  if (parent != Track::kNoParent &&
      (of.description == R"({"kind":"overlapping"})" || (of.is_counter && of.events.empty()))) {
    of.track = parent;
    return;
  }
  if (is_of_pytorch()) of.track = shared_track(of);
  if (of.track != kNoId) return;
  if (track_count_ == kMostTracks) return leave_out(of);
  ++track_count_;
  const std::string name = name_of(of);
  of.track = static_cast<std::uint32_t>(tracks.size());
  Track& track = tracks.emplace_back();
  track.name = strings_.add(name);
  track.parent = parent;
  track.kind = of.tid ? TrackKind::kThread : of.pid ? TrackKind::kProcess : TrackKind::kOther;
  if (of.tid || of.pid) track.number = std::int64_t{of.tid ? *of.tid : *of.pid};
  track.sort = of.sort.value_or(0);
  apply_description(of, track);
}

void TraceDecoder::leave_out(TrackRecord& of) {
  skip("tracks beyond 65,536");
  const std::size_t events = of.events.size() + of.counter.at_ns.size();
  if (events > 0) skip("events of tracks beyond 65,536", events);
  of.events = {};
  of.values = {};
  of.end_values = {};
  of.marks = {};
  of.counter = {};
  of.generations = {};
}

}  // namespace vizd::perfetto
