// ReplayedPass: everything about one pass that the page scrubs through: its history and where its nodes lie. Never
// changes, but for an index that is made when first asked for; shared between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "derived/derived.h"
#include "derived/pass_layout.h"
#include "rewrite/history.h"
#include "rewrite/history_index.h"
#include "session/loaded_capture.h"

namespace vizd {

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

// The pass of that index, replayed and laid out. Errors: of the replay.
Derived::Ticket<ReplayedPass> replay_pass(Derived& store, const std::shared_ptr<const LoadedCapture>& capture,
                                          std::uint32_t pass);

// The layouts of a pass, done again with time (improve_layouts).
struct BetterLayouts {
  std::vector<EpochLayout> layouts;
  double layout_ms = 0;

  std::size_t memory_bytes() const;
};
Derived::Ticket<BetterLayouts> better_layouts(Derived& store, const std::shared_ptr<const ReplayedPass>& pass);

// The layouts of a pass from top to bottom (lay_out_down).
struct LayoutsDown {
  std::vector<EpochLayout> layouts;
  double layout_ms = 0;

  std::size_t memory_bytes() const;
};
Derived::Ticket<LayoutsDown> layouts_down(Derived& store, const std::shared_ptr<const ReplayedPass>& pass);

}  // namespace vizd
