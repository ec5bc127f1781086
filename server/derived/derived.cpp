#include "derived/derived.h"

#include <algorithm>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "system/process.h"

namespace vizd {
namespace {

Error ending() { return {ErrorKind::kBusy, "vizd is ending", ""}; }

}  // namespace

// Guarded by the store's mutex, but for stop, which is safe by itself.
struct Derived::Making {
  Making(Key its_key, MakeAny its_make, std::stop_token when_unloaded)
      : key(std::move(its_key)), make(std::move(its_make)), unloaded(std::move(when_unloaded)) {}

  const Key key;
  MakeAny make;
  const std::stop_token unloaded;  // of the capture
  std::stop_source stop;
  ProgressReport progress;
  std::optional<Result<Any>> result;
  std::size_t bytes = 0;  // while it is known and made
  unsigned askers = 0;
};

Derived::~Derived() {
  end();
  threads_.clear();
  // Not under the mutex: the end of a callback waits for the one that is running, and that for the mutex.
  std::unique_lock lock(mutex_);
  const auto captures = std::exchange(captures_, {});
  lock.unlock();
}

Derived::Interest Derived::find_or_start(const LoadedCapture& capture, Key key, MakeAny make) {
  hear_of_unloading(capture);
  const std::lock_guard lock(mutex_);
  auto found = known_.find(key);
  if (found == known_.end()) {
    recent_.push_front(std::make_shared<Making>(key, std::move(make), capture.unloaded.get_token()));
    found = known_.emplace(std::move(key), recent_.begin()).first;
    start(recent_.front());
  } else {
    recent_.splice(recent_.begin(), recent_, found->second);
  }
  const std::shared_ptr<Making> making = recent_.front();
  ++making->askers;
  // An error that nobody waited for: told now.
  if (making->result && !*making->result) forget(making);
  return {this, making};
}

void Derived::start(const std::shared_ptr<Making>& making) {
  if (ended_) {
    making->result = ending();
    return;
  }
  waiting_.push_back(making);
  work_to_do_.notify_one();
  if (waiting_.size() <= idle_threads_ || threads_.size() == options_.threads) return;
  try {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  } catch (const std::system_error&) {
    if (!threads_.empty()) return;  // one that runs comes to it
    waiting_.clear();
    making->result = Error{ErrorKind::kBusy, "no thread can be started for it; end other programs and try again", ""};
  }
}

void Derived::work(const std::stop_token& stop) {
  if (options_.niceness != 0) yield_to_other_threads(options_.niceness);
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_threads_;
    const bool has_work = work_to_do_.wait(lock, stop, [this] { return !waiting_.empty(); });
    --idle_threads_;
    if (!has_work) return;
    std::shared_ptr<Making> making = std::move(waiting_.back());
    waiting_.pop_back();
    MakeAny make = std::move(making->make);
    lock.unlock();
    const auto report = [&](const ProgressReport& now) {
      const std::lock_guard report_lock(mutex_);
      ProgressReport& known = making->progress;
      // Threads that share a making may report out of turn.
      std::shared_ptr<const void> so_far = now.so_far ? now.so_far : known.so_far;
      if (now.what != known.what || now.done > known.done) known = now;
      known.so_far.swap(so_far);
    };
    Result<Sized> result = make_safely(make, report, making->stop.get_token());
    // Large things are let go of without the mutex: what it was made from now, the rest below.
    make = nullptr;
    lock.lock();
    auto evicted = settle(making, std::move(result));
    lock.unlock();
    evicted.clear();
    making.reset();
    lock.lock();
  }
}

Result<Derived::Sized> Derived::make_safely(const MakeAny& make, const ReportProgress& report, std::stop_token stop) {
  try {
    return make(report, std::move(stop));
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kTooLarge, "needs more memory than there is", ""};
  } catch (const std::exception& e) {
    return Error{ErrorKind::kInternal, std::string("failed: ") + e.what(), ""};
  }
}

std::vector<std::shared_ptr<Derived::Making>> Derived::settle(const std::shared_ptr<Making>& making,
                                                              Result<Sized> result) {
  if (making->result) return {};  // the store has ended
  const std::size_t bytes = sizeof(Making) + std::get<std::string>(making->key).size() + (result ? result->bytes : 0);
  making->result = result ? Result<Any>(std::move(result->thing)) : std::move(result).error();
  if (making->unloaded.stop_requested() || (!*making->result && making->askers > 0)) {
    forget(making);
  } else if (is_known(making)) {
    making->bytes = bytes;
    bytes_ += bytes;
  }
  settled_.notify_all();
  return evict();
}

void Derived::leave(const std::shared_ptr<Making>& making) {
  const std::lock_guard lock(mutex_);
  if (--making->askers > 0 || making->result) return;
  if (!options_.finishes || making->unloaded.stop_requested()) give_up(making);
}

void Derived::give_up(const std::shared_ptr<Making>& making) {
  making->stop.request_stop();
  forget(making);
  std::erase(waiting_, making);
}

bool Derived::is_known(const std::shared_ptr<Making>& making) const {
  const auto found = known_.find(making->key);
  // It may have been given up, and another one been asked for in its place.
  return found != known_.end() && *found->second == making;
}

void Derived::forget(const std::shared_ptr<Making>& making) {
  if (!is_known(making)) return;
  bytes_ -= making->bytes;
  const auto found = known_.find(making->key);
  recent_.erase(found->second);
  known_.erase(found);
}

std::vector<std::shared_ptr<Derived::Making>> Derived::evict() {
  std::vector<std::shared_ptr<Making>> evicted;
  for (auto it = recent_.end(); bytes_ > options_.most_bytes && it != recent_.begin();) {
    --it;
    const std::shared_ptr<Making> making = *it;
    if (making == recent_.front() || !making->result) continue;
    ++it;
    forget(making);
    evicted.push_back(making);
  }
  return evicted;
}

// A capture is heard of once, by a callback that only forget_capture, which it calls, and the destructor take away.
void Derived::hear_of_unloading(const LoadedCapture& capture) {
  const std::uint64_t revision = capture.revision;
  {
    const std::lock_guard lock(mutex_);
    if (!captures_.try_emplace(revision).second) return;
  }
  // Without the mutex: where the capture is unloaded already, it is called now.
  auto callback =
      std::make_unique<WhenUnloaded>(capture.unloaded.get_token(), [this, revision] { forget_capture(revision); });
  const std::lock_guard lock(mutex_);
  if (const auto found = captures_.find(revision); found != captures_.end()) found->second = std::move(callback);
}

void Derived::forget_capture(std::uint64_t revision) {
  // Given back after the mutex: things may be large.
  std::vector<std::shared_ptr<Making>> forgotten;
  decltype(captures_)::node_type callback;
  const std::lock_guard lock(mutex_);
  callback = captures_.extract(revision);
  for (const auto& making : recent_) {
    if (std::get<std::uint64_t>(making->key) == revision) forgotten.push_back(making);
  }
  for (const auto& making : forgotten) {
    if (making->result) {
      forget(making);
    } else if (making->askers == 0) {
      give_up(making);
    }
  }
}

std::size_t Derived::kept_bytes() {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void Derived::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (const auto& making : recent_) {
    making->stop.request_stop();
    if (!making->result) making->result = ending();
  }
  waiting_.clear();
  for (std::jthread& thread : threads_) thread.request_stop();
  settled_.notify_all();
}

Derived::Interest::~Interest() {
  if (making_) store_->leave(making_);
}

bool Derived::Interest::wait_for(std::chrono::milliseconds timeout, const std::stop_token& stop) const {
  std::unique_lock lock(store_->mutex_);
  return store_->settled_.wait_for(lock, stop, timeout, [&] { return making_->result.has_value(); });
}

ProgressReport Derived::Interest::progress() const {
  const std::lock_guard lock(store_->mutex_);
  return making_->progress;
}

Result<Derived::Any> Derived::Interest::any_result() const {
  const std::lock_guard lock(store_->mutex_);
  if (!making_->result) return Error{ErrorKind::kBusy, "is still being made; try again", ""};
  return *making_->result;
}

}  // namespace vizd
