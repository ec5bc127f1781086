// LaunchCall: a call that launches a kernel, as those who count launches without one see it. A runtime's call may hold
// the driver's call that does the launching (cudaLaunchKernelExC around cuLaunchKernelEx), and only one of the two is
// told to have launched the kernel: they are one launch. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace vizd {

struct LaunchCall {
  std::uint32_t track = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::size_t call = 0;  // which it is, for whoever counts
  bool has_work = false;
};

// Makes one of each call and those within it on its track: the outermost, which has work if one of them has. Leaves
// them by track and start.
inline void merge_nested(std::vector<LaunchCall>& calls) {
  std::ranges::sort(calls, {},
                    [](const LaunchCall& call) { return std::tuple(call.track, call.start_ns, -call.end_ns); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (kept > 0 && calls[kept - 1].track == calls[i].track && calls[i].end_ns <= calls[kept - 1].end_ns) {
      calls[kept - 1].has_work = calls[kept - 1].has_work || calls[i].has_work;
    } else {
      calls[kept++] = calls[i];
    }
  }
  calls.resize(kept);
}

}  // namespace vizd
