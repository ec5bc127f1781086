// HeavyWork: answers that take long to make. Few are made at once, a few more wait for their turn, and each ends
// with its client or when its time is over: so that large questions neither fill the memory nor keep small ones
// waiting. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/budget.h"
#include "http/transport/message.h"

namespace vizd {

class HeavyWork {
 public:
  struct Options {
    unsigned at_once = 2;
    unsigned waiting = 10;  // a further one is told to come again
    std::chrono::milliseconds patience{30'000};
    std::chrono::milliseconds time{20'000};
  };

  HeavyWork() : HeavyWork(Options{}) {}
  explicit HeavyWork(const Options& options) : options_(options) {}

  // The right to work, as long as it lives.
  class Turn {
   public:
    Turn(HeavyWork& work, Budget turn_budget) : budget(std::move(turn_budget)), work_(&work) {}
    Turn(Turn&& other) noexcept : budget(std::move(other.budget)), work_(std::exchange(other.work_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (work_ != nullptr) work_->end();
    }
    Budget budget;

   private:
    HeavyWork* work_;
  };
  // Waits for its turn. Errors: too many wait, the turn does not come in time, the client has left.
  Result<Turn> begin(const Request& request);
  // How many wait for theirs now.
  unsigned waiting() const;

 private:
  void end();

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable_any ended_;
  unsigned waiting_ = 0;
  unsigned working_ = 0;
};

}  // namespace vizd
