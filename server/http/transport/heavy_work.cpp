#include "http/transport/heavy_work.h"

namespace vizd {

Result<HeavyWork::Turn> HeavyWork::begin(const Request& request) {
  std::unique_lock lock(mutex_);
  if (working_ >= options_.at_once && waiting_ >= options_.waiting)
    return Error{ErrorKind::kBusy, "too many large answers are being computed; try again", request.path};
  ++waiting_;
  const bool is_free =
      ended_.wait_for(lock, request.left, options_.patience, [&] { return working_ < options_.at_once; });
  --waiting_;
  if (!is_free || request.left.stop_requested()) {
    // It may have been woken for a turn that another one may have now.
    ended_.notify_one();
    return Error{ErrorKind::kBusy, "other large answers are still being computed; try again", request.path};
  }
  ++working_;
  return Turn(*this, Budget(request.left, options_.time));
}

unsigned HeavyWork::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

void HeavyWork::end() {
  const std::lock_guard lock(mutex_);
  --working_;
  ended_.notify_one();
}

}  // namespace vizd
