// ThreadTime: where the time of a host's threads went: computing, loading data, collecting garbage, in code around
// these, communicating and waiting. Of captures in which no device worked, the threads are what a breakdown is of.
// docs/figures.md has the definitions. Refers to the capture. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/devices/work_scope.h"

namespace vizd {

// The state of a thread at a moment. Several threads together are in the first of these states that any of them is in.
enum class Doing : std::uint8_t { kComputing, kLoading, kCollecting, kOther, kCommunicating, kWaiting };
inline constexpr std::size_t kDoings = 6;

struct ThreadTime {
  std::uint32_t root = kNoId;  // the rank's track; kNoId where the capture is one
  FileValue rank;
  std::uint32_t track = kNoId;                   // the thread's; kNoId: all threads of the rank together
  std::int64_t events = 0;                       // that the time is taken from
  std::int64_t start_ns = 0, end_ns = 0;         // of these, in the profile's time
  std::array<std::int64_t, kDoings> doing_ns{};  // by Doing
  std::optional<std::int64_t> alone_ns = {};     // it computed and no other thread did; none where there is one thread
  std::optional<double> threads_at_work = {};    // of all threads: how many neither communicated nor waited, on average

  std::int64_t span_ns() const { return end_ns - start_ns; }
  std::int64_t of(Doing doing) const { return doing_ns[static_cast<std::size_t>(doing)]; }
  std::int64_t idle_ns() const;
};

// Rank by rank: all threads together, then each that has events in the scope, in the order of their tracks. What
// reaches beyond the scope's range or step is cut to it; the scope's device and kernel are ignored.
std::vector<ThreadTime> make_thread_times(const Capture& capture, const WorkScope& scope);

}  // namespace vizd
