// StepCache: replayed steps, made in the background by a few threads and kept while memory allows. Requests for the
// same step share one making; one that nobody waits for any more is given up, so that a user who runs through a list
// of steps leaves no work behind. Every public function may be called by any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "session/replayed_step.h"

namespace vizd {

struct StepKey {
  std::uint64_t revision = 0;  // of the capture
  std::uint32_t step = 0;      // index into its rewrites.steps
  bool operator==(const StepKey&) const = default;
};

class StepCache {
 public:
  using Value = std::shared_ptr<const ReplayedStep>;
  // Makes the value; ends early, with any error, once stop is requested.
  using Make = std::function<Result<Value>(const StepProgress& progress, std::stop_token stop)>;

  struct Options {
    unsigned threads = 2;
    std::size_t most_bytes = std::size_t{512} << 20;  // kept; what is in use by requests comes on top
  };

  explicit StepCache(Options options);
  StepCache(const StepCache&) = delete;
  StepCache& operator=(const StepCache&) = delete;
  ~StepCache();

 private:
  struct Making;

 public:
  // One request's interest in a step. As long as one is held, the making goes on.
  class Ticket {
   public:
    Ticket(Ticket&&) = default;
    Ticket& operator=(Ticket&&) = delete;
    ~Ticket();

    // True once there is a result or an error; false at the timeout.
    bool wait_for(std::chrono::milliseconds timeout) const;
    // Of the making so far.
    ProgressReport progress() const;
    // The result; kBusy where there is none yet. Valid after the ticket too.
    Result<Value> result() const;

   private:
    friend class StepCache;
    Ticket(StepCache* cache, std::shared_ptr<Making> making) : cache_(cache), making_(std::move(making)) {}
    StepCache* cache_;
    std::shared_ptr<Making> making_;
  };

  // Joins the making of a step, or starts it. step is an index into the capture's rewrites.steps.
  Ticket get(const std::shared_ptr<const LoadedCapture>& capture, std::uint32_t step);
  // The same with any making.
  Ticket get(const StepKey& key, Make make);

  // Gives up all that is being made, and whatever is asked from now on, so that the server can stop.
  void end();

 private:
  void work(const std::stop_token& stop);
  void leave(const std::shared_ptr<Making>& making);
  void shrink();  // mutex_ is held

  const Options options_;
  std::mutex mutex_;
  std::condition_variable_any work_to_do_;
  std::condition_variable settled_;
  std::list<std::shared_ptr<Making>> recent_;    // all that is known, the last asked for first
  std::deque<std::shared_ptr<Making>> waiting_;  // the last asked for is made first
  bool ended_ = false;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace vizd
