#include "derived/kept_replays.h"

namespace vizd {

std::size_t KeptReplays::memory_bytes() const {
  std::size_t bytes = sizeof(*this);
  for (const GraphReplays& rank : ranks()) {
    bytes += rank.work.capacity() * sizeof(NamedWork) + rank.said.capacity() * sizeof(SaidOfWork);
    for (const GraphReplay& replay : rank.replays)
      bytes += sizeof(replay) + replay.items.capacity() * sizeof(std::uint32_t);
    for (const CapturedRange& range : rank.sources->ranges) {
      bytes += sizeof(range) + range.launches.capacity() * sizeof(CapturedLaunch);
      for (const CapturedLaunch& launch : range.launches)
        bytes += (launch.says.operators.capacity() + launch.says.stack.capacity()) * sizeof(StringId);
    }
  }
  return bytes;
}

}  // namespace vizd
