// ReplayedPass: everything about one pass that the page scrubs through: its history and where its nodes lie. Never
// changes, but for an index that is made when first asked for; shared between threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rewrite/history.h"
#include "rewrite/history_index.h"
#include "session/loaded_capture.h"
#include "session/pass_layout.h"

namespace vizd {

// What is being done, and how far it is.
struct ProgressReport {
  std::uint32_t done = 0;
  std::uint32_t of = 0;
  std::string_view what;  // "replaying", "laying out"; lives for ever
};
using PassProgress = std::function<void(const ProgressReport&)>;

struct ReplayedPass {
  ReplayedPass() = default;
  ReplayedPass(const ReplayedPass&) = delete;
  ReplayedPass& operator=(const ReplayedPass&) = delete;

  std::shared_ptr<const LoadedCapture> capture;
  std::uint32_t pass = 0;  // index into its rewrites.passes
  History history;
  std::vector<EpochLayout> layouts;  // one an epoch, in order; together of all its states
  double replay_ms = 0;
  double layout_ms = 0;

  const Pass& of() const { return capture->capture.rewrites.passes[pass]; }
  // Ways into the history, for questions about it.
  const HistoryIndex& index() const;
  // With room for the index, made or not.
  std::size_t memory_bytes() const;

 private:
  mutable std::once_flag index_once_;
  mutable std::optional<HistoryIndex> index_;
};

// Replays the pass of that index and lays it out. Errors: of the replay; kBusy where stop was requested.
Result<std::shared_ptr<const ReplayedPass>> replay_pass(std::shared_ptr<const LoadedCapture> capture,
                                                        std::uint32_t pass, const PassProgress& progress,
                                                        std::stop_token stop);

}  // namespace vizd
