// KernelGraph: what the launches of a capture hand to one another: kernels as nodes, buffers as edges from the launch
// that wrote one last to those that then read it. Of captures whose launches tell their buffers (Track::launch_uses).
// Pure; any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <vector>

#include "model/capture.h"

namespace vizd {

// One launch of a kernel.
struct KernelRun {
  std::uint32_t track = 0;
  std::uint32_t launch = 0;     // place in the track's launches
  std::uint32_t event = kNoId;  // the first event that it led to, in the track; kNoId: none is known
  std::uint32_t events = 0;     // how many
  std::int64_t dur_ns = 0;      // of these together
  ContextId context{kNoId};     // whose code it ran
};

// A run's use of a buffer.
struct BufferUse {
  std::uint32_t run = 0;
  std::uint32_t track = 0;       // whose memory it lies in
  std::uint32_t allocation = 0;  // place in that track's allocations
  std::uint32_t argument = 0;
  bool reads = false;
  bool writes = false;
};

// run `to` reads what run `from` wrote last, as its argument `argument`.
struct BufferEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t use = 0;  // the reading one, in KernelGraph::uses
};

struct KernelGraph {
  std::vector<KernelRun> runs;    // by time
  std::vector<BufferUse> uses;    // by run, then argument
  std::vector<BufferEdge> edges;  // from an earlier run to a later one
  std::uint64_t left_out = 0;     // launches beyond most_runs

  // The uses of the run.
  std::pair<std::uint32_t, std::uint32_t> uses_of(std::uint32_t run) const;
};

inline constexpr std::size_t kMostKernelRuns = 5000;

KernelGraph kernel_graph(const Capture& capture, std::size_t most_runs = kMostKernelRuns);

}  // namespace vizd
