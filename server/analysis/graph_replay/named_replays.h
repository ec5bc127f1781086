// NamedReplays: the replays of all ranks of a capture, with the work that they refer to. Made once; reading may be done
// by any thread.
#pragma once

#include <memory>
#include <vector>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {

struct NamedReplays {
  std::shared_ptr<const DeviceAnalysis> devices;
  std::vector<GraphReplays> ranks;
};

// read_sources(rank, root): what was read of the captures and annotations of a rank.
template <typename ReadSources>
std::shared_ptr<const NamedReplays> find_named_replays(const Capture& capture,
                                                       std::shared_ptr<const DeviceAnalysis> devices,
                                                       ReadSources&& read_sources) {
  auto found = std::make_shared<NamedReplays>();
  found->devices = std::move(devices);
  const std::vector<std::uint32_t> roots = rank_roots(capture);
  for (std::size_t rank = 0; rank < roots.size(); ++rank)
    found->ranks.push_back(find_graph_replays(capture, *found->devices, roots[rank], read_sources(rank, roots[rank])));
  return found;
}

}  // namespace vizd
