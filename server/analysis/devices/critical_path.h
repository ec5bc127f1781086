// CriticalPath: the chain of work without which a rank would have been done sooner, from its last work back to its
// first: kernels, the time between two of them, launches, and the host before these. Its parts follow one another
// without gap or overlap, so that their shares add up. Refers to the capture. Pure.
//
// A piece of work was held up by the later of two: the work before it on its stream, and the call that launched it.
// Where it began more than 30 us after both, and work of another stream ended within 30 us before it, it is that.
// Before a call is what its thread did, back to a call there that waited for the device (its name says that it
// synchronizes, or the copy it made ended in it): then it is the work that ended last within. Where a thread has
// nothing recorded for 30 us and longer, it is the thread of its process that did something last.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_work.h"
#include "analysis/devices/work_scope.h"

namespace vizd {

enum class PathKind : std::uint8_t { kDevice, kBetween, kLaunch, kHost };
inline constexpr std::string_view kPathKindNames[] = {"device", "between kernels", "launch", "host"};
inline std::string_view path_kind_name(PathKind kind) { return kPathKindNames[static_cast<std::size_t>(kind)]; }

struct PathPart {
  PathKind kind = PathKind::kDevice;
  // The work; the call that launched; what the host was in, kNoId where nothing is recorded; between two kernels the
  // later one.
  std::uint32_t track = 0, event = kNoId;
  std::int64_t from_ns = 0, to_ns = 0;
};

struct CriticalPath {
  std::uint32_t root = kNoId;   // the rank's track
  std::vector<PathPart> parts;  // in order of time
  std::int64_t from_ns = 0, to_ns = 0;
};

// Returns a path for each rank that did any work in the scope: from the last of it back to where the scope's step and
// range begin. Any work of the rank may be on the path; it is shown whole.
std::vector<CriticalPath> find_critical_paths(const Capture& capture, const DeviceWork& work,
                                              const WorkScope& scope = {});

// A path's time by what it went to.
struct PathShare {
  PathKind kind = PathKind::kDevice;
  std::string name;  // "" where nothing is recorded
  std::int64_t parts = 0, total_ns = 0;
  PathPart longest;
};

// The most time first.
std::vector<PathShare> path_shares(const Capture& capture, const CriticalPath& path);

}  // namespace vizd
