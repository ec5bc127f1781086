#include "derived/replayed_pass.h"

#include <chrono>

namespace vizd {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Error given_up() { return {ErrorKind::kBusy, "was given up", ""}; }

std::size_t bytes_of(const std::vector<EpochLayout>& layouts) {
  std::size_t bytes = 0;
  for (const EpochLayout& layout : layouts) bytes += sizeof(EpochLayout) + layout.memory_bytes();
  return bytes;
}

Result<std::shared_ptr<const ReplayedPass>> make_pass(std::shared_ptr<const LoadedCapture> capture, std::uint32_t pass,
                                                      const ReportProgress& progress, std::stop_token stop) {
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
  if (stop.stop_requested()) return given_up();
  return std::shared_ptr<const ReplayedPass>(std::move(result));
}

}  // namespace

std::size_t ReplayedPass::memory_bytes() const {
  return sizeof(ReplayedPass) + history.memory_bytes() + HistoryIndex::memory_bytes(history) + bytes_of(layouts);
}

const HistoryIndex& ReplayedPass::index() const {
  std::call_once(index_once_, [this] { index_.emplace(history); });
  return *index_;
}

Derived::Ticket<ReplayedPass> replay_pass(Derived& store, const std::shared_ptr<const LoadedCapture>& capture,
                                          std::uint32_t pass) {
  return store.get<ReplayedPass>(capture, std::to_string(pass),
                                 [capture, pass](const ReportProgress& report, std::stop_token stop) {
                                   return make_pass(capture, pass, report, std::move(stop));
                                 });
}

std::size_t BetterLayouts::memory_bytes() const { return sizeof(BetterLayouts) + bytes_of(layouts); }

Derived::Ticket<BetterLayouts> better_layouts(Derived& store, const std::shared_ptr<const ReplayedPass>& pass) {
  return store.get<BetterLayouts>(
      pass->capture, std::to_string(pass->pass),
      [pass](const ReportProgress&, std::stop_token stop) -> Result<std::shared_ptr<const BetterLayouts>> {
        const auto start = std::chrono::steady_clock::now();
        const auto ignore = [](std::size_t, std::size_t) {};
        auto better = std::make_shared<BetterLayouts>();
        better->layouts = improve_layouts(pass->history, pass->layouts, ignore, stop);
        better->layout_ms = milliseconds_since(start);
        if (stop.stop_requested()) return given_up();
        return std::shared_ptr<const BetterLayouts>(std::move(better));
      });
}

std::size_t LayoutsDown::memory_bytes() const { return sizeof(LayoutsDown) + bytes_of(layouts); }

Derived::Ticket<LayoutsDown> layouts_down(Derived& store, const std::shared_ptr<const ReplayedPass>& pass) {
  return store.get<LayoutsDown>(
      pass->capture, std::to_string(pass->pass),
      [pass](const ReportProgress&, std::stop_token stop) -> Result<std::shared_ptr<const LayoutsDown>> {
        const auto start = std::chrono::steady_clock::now();
        auto down = std::make_shared<LayoutsDown>();
        down->layouts = lay_out_down(pass->history, pass->layouts, stop);
        down->layout_ms = milliseconds_since(start);
        if (stop.stop_requested()) return given_up();
        return std::shared_ptr<const LayoutsDown>(std::move(down));
      });
}

}  // namespace vizd
