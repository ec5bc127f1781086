#include "session/replayed_step.h"

#include <chrono>

namespace vizd {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

Result<std::shared_ptr<const ReplayedStep>> replay_step(std::shared_ptr<const LoadedCapture> capture,
                                                        std::uint32_t step, const StepProgress& progress,
                                                        std::stop_token stop) {
  const auto replay_start = Clock::now();
  auto history = build_history(capture->capture, capture->capture.rewrites.steps[step],
                               {.stop = stop, .progress = [&](std::uint32_t done, std::uint32_t of) {
                                  progress({done, of, "replaying"});
                                }});
  if (!history) return std::move(history).error();
  auto result = std::make_shared<ReplayedStep>();
  result->capture = std::move(capture);
  result->step = step;
  result->history = std::move(*history);
  result->replay_ms = milliseconds_since(replay_start);

  const auto layout_start = Clock::now();
  progress({0, 1, "laying out"});
  result->layout = lay_out_states(result->history, 0, result->history.state_count - 1, stop);
  result->layout_ms = milliseconds_since(layout_start);
  if (stop.stop_requested()) return Error{ErrorKind::kBusy, "was given up", ""};
  return std::shared_ptr<const ReplayedStep>(std::move(result));
}

}  // namespace vizd
