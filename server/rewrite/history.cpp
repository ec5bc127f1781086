#include "rewrite/history.h"

#include "rewrite/history_builder.h"
#include "rewrite/replay.h"

namespace vizd {
namespace {

// Asked for now and then: after so many states.
constexpr std::uint32_t kReportStates = 64;

}  // namespace

std::size_t History::memory_bytes() const {
  std::size_t text = 0;
  for (const std::string& label : labels) text += sizeof(label) + (label.capacity() > 15 ? label.capacity() + 1 : 0);
  return sizeof(*this) + text + nodes.capacity() * sizeof(nodes[0]) + versions.capacity() * sizeof(versions[0]) +
         edges.capacity() * sizeof(edges[0]) + roots.capacity() * sizeof(roots[0]) +
         errors.capacity() * sizeof(errors[0]);
}

Result<History> build_history(const Capture& capture, const Pass& pass, const HistoryOptions& options) {
  Replay replay(capture, pass);
  HistoryBuilder builder(capture, replay, options.labels);
  builder.add_state();
  while (!replay.at_end()) {
    if (options.stop.stop_requested()) return Error{ErrorKind::kBusy, "the replay was stopped", ""};
    if (options.progress && replay.state() % kReportStates == 0) options.progress(replay.state(), pass.match_count);
    replay.advance();
    builder.add_state();
  }
  return std::move(builder).take();
}

}  // namespace vizd
