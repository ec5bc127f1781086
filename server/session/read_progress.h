// ReadProgress: how far the reading of a capture is. The reading threads write it, any thread reads it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace vizd {

struct ReadProgress {
  std::atomic<std::uint64_t> size_bytes{0};  // of the files together
  std::atomic<std::uint64_t> read_bytes{0};  // of those
  std::atomic<std::uint64_t> events{0};      // in the files; 0 until they are read
  std::atomic<std::uint64_t> prepared{0};    // of those, sorted into rows and indexed
};

// The work that is being done now, in words for people.
struct ReadPhase {
  std::string_view what;
  std::string_view unit;
  std::uint64_t done = 0, of = 0;  // of: 0 where that is not known
};

inline ReadPhase phase_of(const ReadProgress& progress) {
  if (progress.events == 0) return {"reading the files", "bytes", progress.read_bytes, progress.size_bytes};
  return {"sorting events", "events", progress.prepared, progress.events};
}

}  // namespace vizd
