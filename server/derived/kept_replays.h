// KeptReplays: the named replays of a capture's graphs as the server keeps them, with the capture that they refer to.
// Made once; reading may be done by any thread.
#pragma once

#include <memory>

#include "analysis/graph_replay/named_replays.h"
#include "session/loaded_capture.h"

namespace vizd {

struct KeptReplays {
  std::shared_ptr<const LoadedCapture> loaded;
  std::shared_ptr<const NamedReplays> named;

  const std::vector<GraphReplays>& ranks() const { return named->ranks; }
  std::size_t memory_bytes() const;  // about
};

}  // namespace vizd
