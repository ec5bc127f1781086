#include "analysis/recorded/recordable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "analysis/devices/compiles.h"
#include "analysis/devices/kernel_names.h"
#include "analysis/graph_replay/kept_names.h"
#include "analysis/recorded/device_like.h"
#include "model/hardware_value.h"

namespace vizd {
namespace {

template <typename Holds>
bool any_track(const Capture& capture, Holds holds) {
  return std::ranges::any_of(capture.profile.tracks, holds);
}

template <typename Holds>
bool any_event(const Capture& capture, Holds holds) {
  return any_track(capture, [&](const Track& track) {
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      if (holds(track.events, i)) return true;
    }
    return false;
  });
}

bool has_argument(const Capture& capture, std::string_view name) {
  return any_track(capture, [&](const Track& track) {
    return std::ranges::any_of(track.arguments, [&](const ArgumentColumn& column) {
      return capture.strings.get(column.name) == name && column.size() > 0;
    });
  });
}

bool has_counter(const Capture& capture, std::string_view name) {
  return any_track(capture, [&](const Track& track) {
    return std::ranges::any_of(track.counters, [&](const Counter& counter) {
      return capture.strings.get(counter.name) == name && !counter.at_ns.empty();
    });
  });
}

// Work, as analysis/devices/device_work.h knows it, that is of a role in a trace, or in another profile in such a lane
// and of such a name.
template <typename OfRole, typename OfLane, typename OfName>
bool has_work(const Capture& capture, OfRole of_role, OfLane of_lane, OfName of_name) {
  if (capture.profile.is_trace)
    return any_event(capture, [&](const EventColumns& events, std::size_t i) { return of_role(events.role(i)); });
  return any_track(capture, [&](const Track& track) {
    const bool is_lane =
        track.kind == TrackKind::kDevice || track.kind == TrackKind::kEngine || track.kind == TrackKind::kStream;
    if (!is_lane || !of_lane(capture.strings.get(track.name))) return false;
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      if (track.events.kind(i) == EventKind::kSpan && of_name(capture.strings.get(track.events.name(i)))) return true;
    }
    return false;
  });
}

bool has_device_work(const Capture& capture) {
  const auto any = [](std::string_view) { return true; };
  return has_work(capture, is_work, any, any);
}

bool has_kernel_times(const Capture& capture) {
  return has_work(
      capture, [](EventRole role) { return role == EventRole::kKernel; }, std::not_fn(is_copy_engine),
      std::not_fn(is_copy));
}

bool has_launches(const Capture& capture) {
  return capture.profile.is_trace && any_event(capture, [](const EventColumns& events, std::size_t i) {
           return events.role(i) == EventRole::kCall;
         });
}

using enum Recordable;
constexpr std::array<RecordableInfo, kRecordables> kInfos{{
    {kEvents, "events", "no event",
     [](const Capture& of) { return any_track(of, [](const Track& track) { return !track.events.empty(); }); }},
    {kDeviceWork, "device_work", "the capture has no device work", has_device_work},
    {kKernelTimes, "kernel_times", "no kernel launch has a time", has_kernel_times},
    {kLaunches, "launches", "no host call that launched device work", has_launches},
    {kBlocks, "blocks", "no kernel has its number of thread blocks",
     [](const Capture& of) { return has_argument(of, "blocks per SM"); }},
    {kRuns, "runs", "no steps are marked", [](const Capture& of) { return !of.profile.runs.empty(); }},
    {kOperators, "operators", "no PyTorch operator", is_of_pytorch},
    {kGraphLaunches, "graph_launches", "no launch of a CUDA or HIP graph", may_have_replays},
    {kServerSteps, "server_steps", "no step of a model server", may_have_steps},
    {kFlows, "flows", "no arrow from one event to another",
     [](const Capture& of) { return !of.profile.flows.empty(); }},
    {kCounters, "counters", "no counter",
     [](const Capture& of) { return any_track(of, [](const Track& track) { return !track.counters.empty(); }); }},
    {kSamples, "samples", "no stack samples",
     [](const Capture& of) { return any_track(of, [](const Track& track) { return !track.samples.empty(); }); }},
    {kStacks, "stacks", "no stack", [](const Capture& of) { return !of.stacks.empty(); }},
    {kAllocations, "allocations", "no allocation",
     [](const Capture& of) { return any_track(of, [](const Track& track) { return !track.allocations.empty(); }); }},
    {kMemoryBytes, "memory_bytes", "no counter of allocated and reserved memory",
     [](const Capture& of) { return has_counter(of, kAllocatedCounter); }},
    {kAllocator, "allocator", "no allocator's event log",
     [](const Capture& of) { return any_track(of, [](const Track& track) { return track.allocator != nullptr; }); }},
    {kRewrites, "rewrites", "the capture has no rewrites",
     [](const Capture& of) { return of.has_rewrites || !of.rewrites.contexts.empty(); }},
    {kMatchTimes, "match_times", "no match has a time",
     [](const Capture& of) {
       return std::ranges::any_of(of.rewrites.matches, [](const Match& match) { return match.dur_s >= 0; });
     }},
    {kPrograms, "programs", "no device program", [](const Capture& of) { return !of.rewrites.programs.empty(); }},
    {kHardware, "hardware", "nothing from a GPU's hardware recorders",
     [](const Capture& of) { return of.strings.find(kHardwareRecords) != StringId{kNoId}; }},
}};
static_assert(std::ranges::is_sorted(kInfos, {}, &RecordableInfo::what));

// Who made the capture, by how its format's name begins; "trace" is PyTorch's profiler or another writer of traces.
struct Way {
  Recordable what;
  std::string_view format;  // "": any
  std::string_view how;
};
constexpr std::string_view kProfileTimes =
    "PROFILE=1 times kernels of NV, AMD, METAL, QCOM and CPU, not of CUDA: VIZ=1 PROFILE=1 python …";
constexpr std::string_view kPyTorchsOther =
    "PyTorch's Perfetto files leave it out; its Chrome trace has it: profile_memory=True and "
    "export_chrome_trace(\"trace.json.gz\")";
constexpr std::string_view kPyTorchsChrome =
    "PyTorch's Perfetto files leave it out; its Chrome trace has it: export_chrome_trace(\"trace.json.gz\")";
// For each thing, particular formats come before the general one.
constexpr std::array kWays{
    Way{kEvents, "tinygrad", "VIZ=1 records a profile along with the rewrites"},
    Way{kEvents, "", "record events: with PyTorch's profiler, tinygrad's VIZ=1, or vizd's capture writer"},
    Way{kDeviceWork, "tinygrad-0.11", "PROFILE=1 times kernels: VIZ=1 PROFILE=1 python …"},
    Way{kDeviceWork, "tinygrad-2025", kProfileTimes},
    Way{kDeviceWork, "tinygrad-0.12", kProfileTimes},
    Way{kDeviceWork, "tinygrad-0.13", kProfileTimes},
    Way{kDeviceWork, "tinygrad",
        "VIZ=1 times kernels of GPUs except with CUDA (use DEV=NV), and those of the CPU only with HCQ2=1: DEV=CPU "
        "HCQ2=1 VIZ=-1 python …"},
    Way{kDeviceWork, "torch-memory", "record a trace too: torch.profiler with ProfilerActivity.CUDA"},
    Way{kDeviceWork, "", "record kernels too: ProfilerActivity.CUDA in PyTorch's profiler, VIZ=1 in tinygrad"},
    Way{kLaunches, "tinygrad", ""},  // it has no way to record them, nor has the runtime of ExecuTorch
    Way{kLaunches, "etdump", ""},
    Way{kLaunches, "bigtpu", "record the host too, and name its trace: --host-trace FILE"},
    Way{kLaunches, "", "PyTorch's profiler records them with ProfilerActivity.CPU and CUDA"},
    Way{kBlocks, "", "PyTorch's profiler records it for CUDA kernels; Nsight Compute records more"},
    Way{kRuns, "", "mark them: profiler.step() in PyTorch, or runs with vizd's capture writer"},
    Way{kOperators, "", "PyTorch's profiler records them with ProfilerActivity.CPU, and what torch.compile does"},
    Way{kGraphLaunches, "", "PyTorch's profiler records them, if kernels are launched as CUDA or HIP graphs"},
    Way{kServerSteps, "", "servers that mark their steps for PyTorch's profiler: vLLM, SGLang"},
    Way{kFlows, "perfetto-pytorch", kPyTorchsChrome},
    Way{kFlows, "", "PyTorch's profiler records which call launched what, with ProfilerActivity.CPU and CUDA"},
    Way{kCounters, "",
        "profile_memory=True in PyTorch's profiler records memory; vizd's capture writer records any quantity"},
    Way{kSamples, "", "record with a sampling profiler: py-spy record --format speedscope"},
    Way{kStacks, "torch-memory", "torch.cuda.memory._record_memory_history(stacks=\"all\")"},
    Way{kStacks, "", "with_stack=True in PyTorch's profiler, or a sampling profiler"},
    Way{kAllocations, "perfetto-pytorch", kPyTorchsOther},
    Way{kAllocations, "", "torch.cuda.memory._record_memory_history() and _dump_snapshot(), or profile_memory=True"},
    Way{kMemoryBytes, "perfetto-pytorch", kPyTorchsOther},
    Way{kMemoryBytes, "", "profile_memory=True in PyTorch's profiler, or torch.cuda.memory._dump_snapshot()"},
    Way{kAllocator, "",
        "record it with torch.cuda.memory._record_memory_history() and _dump_snapshot(); an out-of-memory observer can "
        "call _dump_snapshot() too"},
    Way{kRewrites, "tinygrad", "VIZ=1 records them, in rewrites.pkl: name that file too"},
    Way{kRewrites, "", "tinygrad records them with VIZ=1; other compilers with vizd's capture writer"},
    Way{kMatchTimes, "", "tinygrad times matches with VIZ=1; a graph that was recorded whole has none"},
    Way{kPrograms, "", "tinygrad records them with VIZ=1"},
    Way{kHardware, "", "tinygrad records them with VIZ=2: VIZ=2 python …"},
};

const RecordableInfo& info_of(Recordable what) { return kInfos[static_cast<std::size_t>(what)]; }

}  // namespace

std::span<const RecordableInfo> recordables() { return kInfos; }

bool is_recorded(const Capture& capture, Recordable what) { return info_of(what).is_in(capture); }

Absence not_recorded(const Capture& capture, Recordable what) {
  const Recordable recorded_by = what == kKernelTimes ? kDeviceWork : what;
  if (const std::string name = recorded_by == kDeviceWork ? device_like_track(capture) : ""; !name.empty()) {
    return {Nothing::kNotRecorded,
            fmt::format("'{}' looks like a device, but nothing says that its events are work", name),
            "label its process GPU (process_labels), or give its events the category kernel"};
  }
  const auto way = std::ranges::find_if(
      kWays, [&](const Way& each) { return each.what == recorded_by && capture.format.starts_with(each.format); });
  std::string how = way == kWays.end() ? "" : std::string(way->how);
  if (recorded_by == kDeviceWork && is_of_pytorch(capture)) how += "; vizd operators shows what the host did";
  return {Nothing::kNotRecorded, std::string(info_of(what).lacks), std::move(how)};
}

std::string_view told_by_chrome_trace(const Capture& capture) {
  return capture.format.starts_with("perfetto-pytorch") ? kPyTorchsChrome : "";
}

std::optional<Absence> if_not_recorded(const Capture& capture, Recordable what) {
  if (is_recorded(capture, what)) return std::nullopt;
  return not_recorded(capture, what);
}

}  // namespace vizd
