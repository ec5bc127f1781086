// Budget: what the making of an answer may still take. It is over when nobody waits for the answer any more, or when
// its time is. Loops that may go on for long ask it as they go and stop when it is over; what they leave then is no
// answer, so whoever began the work asks is_over() before he uses what came of it. One thread; threads that share the
// work take a copy each.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>

#include "base/result.h"

namespace vizd {

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  // Without an end.
  Budget() = default;
  explicit Budget(std::stop_token left) : left_(std::move(left)) {}
  Budget(std::stop_token left, std::chrono::milliseconds time) : left_(std::move(left)), until_(Clock::now() + time) {}

  // Whether to go on. Costs next to nothing: only now and then is the clock looked at.
  bool goes_on() const { return !over_ && (++asked_ % kAskedAtOnce != 0 || look()); }
  bool is_over() const { return !look(); }
  Error error() const {
    if (left_.stop_requested()) return {ErrorKind::kBusy, "whoever asked has left", ""};
    return {ErrorKind::kTooLarge, "takes longer than an answer may; ask for less of it", ""};
  }
  const std::stop_token& left() const { return left_; }

 private:
  static constexpr std::uint32_t kAskedAtOnce = 1024;

  bool look() const {
    over_ = over_ || left_.stop_requested() || Clock::now() > until_;
    return !over_;
  }

  std::stop_token left_;
  Clock::time_point until_ = Clock::time_point::max();
  mutable std::uint32_t asked_ = 0;
  mutable bool over_ = false;
};

// Calls work(i) for every i below count, or until the budget is over, which is asked once for many of them.
template <typename Index, typename Work>
void for_each_within(const Budget& budget, Index count, Work&& work) {
  constexpr Index kAtOnce = 1 << 15;
  for (Index begin = 0; begin < count && !budget.is_over();) {
    const Index end = begin + std::min<Index>(kAtOnce, count - begin);
    for (; begin < end; ++begin) work(begin);
  }
}

}  // namespace vizd
