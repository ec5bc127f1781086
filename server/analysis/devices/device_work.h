// DeviceWork: what kept a profile's devices busy, on which of their streams, and the calls of the host that launched
// it: the base of all sums over kernels. Refers to the capture. Made once; reading may be done by any thread.
//
// In a trace, work is what its events say (EventColumns::role). In any other profile it is the spans in lanes of
// devices, engines and streams: asynchronous events, waits for one, keep nothing busy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/huge_pages.h"
#include "model/capture.h"
#include "model/track_numbers.h"

namespace vizd {

// A number or text as the capture has it; none where it has none.
using FileValue = std::optional<ArgumentValue>;

// In the profile's times; its end is outside.
struct TimeSpan {
  std::int64_t from_ns = 0, to_ns = 0;
};

// An event of a profile.
struct ProfileEvent {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t track = 0, event = 0;  // places
  std::uint32_t order = 0;             // in the file
};

struct WorkItem : ProfileEvent {
  std::uint32_t stream = 0;           // place in DeviceWork::streams
  std::uint32_t call = kNoId;         // place in DeviceWork::calls
  EventRole work = EventRole::kNone;  // kKernel, kMemcpy or kMemset
  bool is_communication = false;      // a kernel that moves data between ranks

  bool is_compute() const { return work == EventRole::kKernel && !is_communication; }
};
static_assert(sizeof(WorkItem) == 40);  // there are many millions of them

// A part of a profile's time that answers are about.
struct WorkRange : TimeSpan {
  bool with_end = false;  // it reaches the profile's end: what begins at that moment lies in it too

  // Whether what lasts so long lies in it, at least in part; a moment lies in it or not.
  bool holds(std::int64_t start_ns, std::int64_t end_ns) const {
    return (start_ns < to_ns || (with_end && start_ns == to_ns)) && (end_ns > from_ns || start_ns >= from_ns);
  }
  std::int64_t nearest(std::int64_t at_ns) const { return std::clamp(at_ns, from_ns, to_ns); }
  void cut(ProfileEvent& event) const {
    event.start_ns = nearest(event.start_ns);
    event.end_ns = nearest(event.end_ns);
  }
};

struct WorkDevice {
  std::uint32_t root = kNoId;  // the rank's track; kNoId where the capture is one
  FileValue rank;
  FileValue number;            // what the system calls it; its name where it has no number
  std::string name;            // "NVIDIA H100 80GB HBM3"; "" where the capture does not tell
  std::int64_t offset_ns = 0;  // to be added to the profile's times for the file's own
  std::string listed = {};     // where it has no name: that of the devices that are listed, if all have one

  // What its peaks are known by: devices of a machine are of one kind unless the capture says otherwise.
  const std::string& kind() const { return name.empty() ? listed : name; }
};

struct WorkStream {
  std::uint32_t device = 0;  // place in DeviceWork::devices
  FileValue number;          // likewise
};

// When work ran whose record the profiler lost, as the capture of its graph tells: its stream seems to do nothing then.
struct LostWork : TimeSpan {
  std::uint32_t stream = 0;  // place in DeviceWork::streams
};

// A step of the workload as it took place on the host and on its rank's devices: it ends when the host's part and the
// work launched in it have ended, and begins when the host did or, where that is later, the step before it ended. So
// the steps of a rank follow one another, and none overlap.
struct StepTime : TimeSpan {
  std::uint32_t run = 0;       // place in Profile::runs, which tells the host's part
  std::uint32_t root = kNoId;  // the rank's track
  std::int64_t number = 0;     // Run::number
};

struct DeviceWork {
  std::vector<WorkDevice> devices;   // by rank's track, then numbers before names
  std::vector<WorkStream> streams;   // likewise by device
  LargeVector<WorkItem> items;       // rank by rank, in the order of the file
  std::vector<ProfileEvent> calls;   // those that launched any of it, and others with a correlation
  std::vector<LostWork> lost = {};   // none where no capture is known
  std::vector<StepTime> steps = {};  // rank by rank, in order of time

  const WorkDevice& device_of(const WorkItem& item) const { return devices[streams[item.stream].device]; }
};

// Finds the work of the tracks that belong to root; kNoId: of all, which are one rank.
DeviceWork find_device_work(const Capture& capture, std::uint32_t root = kNoId);
// Finds the work of each rank separately.
DeviceWork find_work_of_ranks(const Capture& capture);

// The tracks that are ranks of a trace; {kNoId} where the capture is one.
std::vector<std::uint32_t> rank_roots(const Capture& capture);

}  // namespace vizd
