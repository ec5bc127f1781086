// Devices of traces whose writers do not say by an event's category what is work, but by what processes and threads are
// called: TensorFlow, JAX, Ascend's, Intel's and AMD's tools, MXNet, and whoever labels a process as a GPU. Shared by
// the formats that traces are read from. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/capture.h"

namespace vizd::trace {

// What a process of a trace is, by its name and labels.
struct NamedProcess {
  enum class Kind : std::uint8_t {
    kOther,
    kDevice,        // all of its threads hold work
    kStreams,       // only those called streams do
    kXla,           // a device as XLA's profiler draws it: streams, and lines that sum them up
    kCopies,        // all that it holds is copies
    kSummed,        // a device's work once more, all streams of it together
    kSummedCopies,  // its copies once more
    kCalls,         // the host's calls that launch work
    kOperators,     // the host's operators
  };

  Kind kind = Kind::kOther;
  std::optional<std::int64_t> number = {};  // the device's, where the name tells it

  bool is_device() const { return kind != Kind::kOther && kind != Kind::kCalls && kind != Kind::kOperators; }
};

NamedProcess named_process(std::string_view name, std::string_view labels);

// Says of the events in processes that are devices by name what work they are, on the tracks from the first on, unless
// events of such a process say it by their category. Facts tell the names.
void mark_named_devices(Capture& capture, std::uint32_t first_track);

}  // namespace vizd::trace
