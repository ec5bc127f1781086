// PythonFrames: which modules and lines of Python a moment of a thread lies in, as PyTorch's profiler recorded them
// (with_stack, with_modules). Refers to the capture. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd {

class PythonFrames {
 public:
  PythonFrames(const Track& track, const StringTable& strings);

  bool empty() const { return frames_.empty(); }
  // The innermost frame around the moment, as a number of these frames; kNoId: none. Moments do not go back.
  std::uint32_t at(std::int64_t at_ns);

  // The modules of a frame and those around it, "Model_0 / Layer_3 / Linear_12"; "" if there are none, and for kNoId.
  std::string modules(std::uint32_t frame) const;
  // The innermost line of the program; where all are PyTorch's own, the innermost of these; "" where there is none.
  std::string_view line(std::uint32_t frame) const;
  // The innermost frames, at most so many, the innermost first.
  std::vector<std::string_view> stack(std::uint32_t frame, std::size_t most) const;

 private:
  struct Frame {
    std::int64_t start_ns = 0, end_ns = 0;
    std::uint32_t parent = kNoId;
    std::string_view name;
  };

  std::vector<Frame> frames_;  // in order of time, parents first
  std::size_t next_ = 0;
  std::uint32_t open_ = kNoId;
};

}  // namespace vizd
