// PassCache: replayed passes, made in the background by a few threads and kept while memory allows. Requests for the
// same pass share one making; one that nobody waits for any more is given up, so that a user who runs through a list
// of passes leaves no work behind. Every public function may be called by any thread.
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
#include "session/replayed_pass.h"

namespace vizd {

struct PassKey {
  std::uint64_t revision = 0;  // of the capture
  std::uint32_t pass = 0;      // index into its rewrites.passes
  bool operator==(const PassKey&) const = default;
};

class PassCache {
 public:
  using Value = std::shared_ptr<const ReplayedPass>;
  // Makes the value; ends early, with any error, once stop is requested.
  using Make = std::function<Result<Value>(const PassProgress& progress, std::stop_token stop)>;

  struct Options {
    unsigned threads = 2;
    std::size_t most_bytes = std::size_t{512} << 20;  // kept; what is in use by requests comes on top
  };

  explicit PassCache(Options options);
  PassCache(const PassCache&) = delete;
  PassCache& operator=(const PassCache&) = delete;
  ~PassCache();

 private:
  struct Making;

 public:
  // One request's interest in a pass. As long as one is held, the making goes on.
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
    friend class PassCache;
    Ticket(PassCache* cache, std::shared_ptr<Making> making) : cache_(cache), making_(std::move(making)) {}
    PassCache* cache_;
    std::shared_ptr<Making> making_;
  };

  // Joins the making of a pass, or starts it. pass is an index into the capture's rewrites.passes.
  Ticket get(const std::shared_ptr<const LoadedCapture>& capture, std::uint32_t pass);
  // The same with any making.
  Ticket get(const PassKey& key, Make make);

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
