// ReadProgress: how far the reading of a capture is. The reading threads write it, any thread reads it.
#pragma once

#include <atomic>
#include <cstdint>

namespace vizd {

struct ReadProgress {
  std::atomic<std::uint64_t> events{0};    // in the files; 0 until they are read
  std::atomic<std::uint64_t> prepared{0};  // of those, sorted into rows and indexed
};

}  // namespace vizd
