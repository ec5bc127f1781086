// ReplayedStep: everything about one step that the page scrubs through: its history and where its nodes lie. Never
// changes; shared between threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rewrite/history.h"
#include "session/loaded_capture.h"
#include "session/step_layout.h"

namespace vizd {

// What is being done, and how far it is.
struct ProgressReport {
  std::uint32_t done = 0;
  std::uint32_t of = 0;
  std::string_view what;  // "replaying", "laying out"; lives for ever
};
using StepProgress = std::function<void(const ProgressReport&)>;

struct ReplayedStep {
  std::shared_ptr<const LoadedCapture> capture;
  std::uint32_t step = 0;  // index into its rewrites.steps
  History history;
  std::vector<EpochLayout> layouts;  // one an epoch, in order; together of all its states
  double replay_ms = 0;
  double layout_ms = 0;

  std::size_t memory_bytes() const;
};

// Replays the step of that index and lays it out. Errors: of the replay; kBusy where stop was requested.
Result<std::shared_ptr<const ReplayedStep>> replay_step(std::shared_ptr<const LoadedCapture> capture,
                                                        std::uint32_t step, const StepProgress& progress,
                                                        std::stop_token stop);

}  // namespace vizd
