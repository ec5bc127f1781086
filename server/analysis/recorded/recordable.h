// Recordable: kinds of things that a capture may tell of; whether one does; and where it does not, what to record it
// with. This is the one place that knows what an answer needs recorded: commands, SQL's tables, findings and the page's
// empty views ask here, so that nothing is said to be none which nobody looked at. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/nothing.h"
#include "model/capture.h"

namespace vizd {

enum class Recordable : std::uint8_t {
  kEvents,         // what happened when
  kDeviceWork,     // kernels and copies with their times
  kKernelTimes,    // kernels with theirs: some ways of recording time copies alone
  kLaunches,       // the host's calls that launched them
  kBlocks,         // how many blocks of threads a kernel has
  kRuns,           // steps, iterations, calls
  kOperators,      // PyTorch's, and so what torch.compile did
  kGraphLaunches,  // replays of CUDA and HIP graphs
  kServerSteps,    // of a server of models
  kFlows,          // arrows from event to event
  kCounters,       // quantities over time
  kSamples,        // stacks at times
  kStacks,         // of samples, allocations and contexts
  kAllocations,    // births and deaths in a memory
  kMemoryBytes,    // how much an allocator has allocated and reserved
  kAllocator,      // what an allocator was asked for, and how its memory lies
  kRewrites,       // what a compiler did to graphs
  kMatchTimes,     // how long each match took
  kPrograms,       // what was compiled for devices
  kHardware,       // waves, instructions and counters, of a GPU's own recorders
};
inline constexpr std::size_t kRecordables = 20;

struct RecordableInfo {
  Recordable what;
  std::string_view word;   // "device_work": as JSON names it
  std::string_view lacks;  // "no work of a device is in the capture": where a capture tells nothing of it
  bool (*is_in)(const Capture&);
};
// All, in that order.
std::span<const RecordableInfo> recordables();

bool is_recorded(const Capture& capture, Recordable what);
// What to say where the capture tells nothing of it, with what records it in captures of its kind.
Absence not_recorded(const Capture& capture, Recordable what);
// The same, where that is so.
std::optional<Absence> if_not_recorded(const Capture& capture, Recordable what);

// Where the capture is of a kind of file that leaves out what PyTorch's Chrome traces have, as the rank, the devices'
// properties and autograd's flows: a sentence that says so, and how to write the other. "" of all other captures.
std::string_view told_by_chrome_trace(const Capture& capture);

}  // namespace vizd
