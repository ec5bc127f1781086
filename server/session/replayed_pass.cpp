#include "session/replayed_pass.h"

#include <chrono>

namespace vizd {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::size_t ReplayedPass::memory_bytes() const {
  std::size_t bytes = sizeof(ReplayedPass) + history.memory_bytes() + HistoryIndex::memory_bytes(history);
  for (const EpochLayout& layout : layouts) bytes += sizeof(EpochLayout) + layout.memory_bytes();
  return bytes;
}

const HistoryIndex& ReplayedPass::index() const {
  std::call_once(index_once_, [this] { index_.emplace(history); });
  return *index_;
}

Result<std::shared_ptr<const ReplayedPass>> replay_pass(std::shared_ptr<const LoadedCapture> capture,
                                                        std::uint32_t pass, const PassProgress& progress,
                                                        std::stop_token stop) {
  const auto replay_start = std::chrono::steady_clock::now();
  auto history = build_history(capture->capture, capture->capture.rewrites.passes[pass],
                               {.stop = stop, .progress = [&](std::uint32_t done, std::uint32_t of) {
                                  progress({done, of, "replaying"});
                                }});
  if (!history) return std::move(history).error();
  auto result = std::make_shared<ReplayedPass>();
  result->capture = std::move(capture);
  result->pass = pass;
  result->history = std::move(*history);
  result->replay_ms = milliseconds_since(replay_start);

  const auto layout_start = std::chrono::steady_clock::now();
  const auto report = [&](std::size_t done, std::size_t of) {
    progress({static_cast<std::uint32_t>(done), static_cast<std::uint32_t>(of), "laying out"});
  };
  result->layouts = lay_out_pass(result->history, report, stop);
  result->layout_ms = milliseconds_since(layout_start);
  if (stop.stop_requested()) return Error{ErrorKind::kBusy, "was given up", ""};
  return std::shared_ptr<const ReplayedPass>(std::move(result));
}

}  // namespace vizd
