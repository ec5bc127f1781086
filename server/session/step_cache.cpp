#include "session/step_cache.h"

#include <algorithm>
#include <new>

namespace vizd {
namespace {

Result<StepCache::Value> make_safely(const StepCache::Make& make, const StepProgress& progress, std::stop_token stop) {
  try {
    return make(progress, std::move(stop));
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kTooLarge, "needs more memory than there is", ""};
  } catch (const std::exception& e) {
    return Error{ErrorKind::kInternal, std::string("failed: ") + e.what(), ""};
  }
}

}  // namespace

// Guarded by the cache's mutex, but for stop, which is safe by itself.
struct StepCache::Making {
  StepKey key;
  Make make;
  std::stop_source stop;
  ProgressReport progress;
  std::optional<Result<Value>> result;
  std::size_t bytes = 0;
  unsigned waiters = 0;
};

StepCache::StepCache(Options options) : options_(options) {
  for (unsigned i = 0; i < options_.threads; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

StepCache::~StepCache() { end(); }

StepCache::Ticket StepCache::get(const std::shared_ptr<const LoadedCapture>& capture, std::uint32_t step) {
  return get({capture->revision, step}, [capture, step](const StepProgress& progress, std::stop_token stop) {
    return replay_step(capture, step, progress, std::move(stop));
  });
}

StepCache::Ticket StepCache::get(const StepKey& key, Make make) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(recent_.begin(), recent_.end(), [&](const auto& m) { return m->key == key; });
  if (found != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, found);
  } else {
    recent_.push_front(std::make_shared<Making>());
    recent_.front()->key = key;
    recent_.front()->make = std::move(make);
    if (ended_) recent_.front()->result = Error{ErrorKind::kBusy, "vizd is ending", ""};
    waiting_.push_back(recent_.front());
    work_to_do_.notify_one();
  }
  const std::shared_ptr<Making>& making = recent_.front();
  ++making->waiters;
  return {this, making};
}

void StepCache::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (work_to_do_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    const std::shared_ptr<Making> making = std::move(waiting_.back());
    waiting_.pop_back();
    if (making->result || making->stop.stop_requested()) continue;
    lock.unlock();
    const auto progress = [&](const ProgressReport& report) {
      const std::lock_guard report_lock(mutex_);
      making->progress = report;
    };
    Result<Value> result = make_safely(making->make, progress, making->stop.get_token());
    lock.lock();
    making->make = nullptr;  // it holds what it is made from
    if (result) making->bytes = (*result)->memory_bytes();
    making->result = std::move(result);
    // An error is told to those who wait for it; whoever asks next may have better luck.
    if (!*making->result) recent_.remove(making);
    shrink();
    settled_.notify_all();
  }
}

void StepCache::leave(const std::shared_ptr<Making>& making) {
  const std::lock_guard lock(mutex_);
  if (--making->waiters > 0 || making->result) return;
  making->stop.request_stop();
  recent_.remove(making);
  std::erase(waiting_, making);
}

void StepCache::shrink() {
  std::size_t bytes = 0;
  for (auto it = recent_.begin(); it != recent_.end();) {
    bytes += (*it)->bytes;
    const bool is_over = bytes > options_.most_bytes && it != recent_.begin() && (*it)->result;
    it = is_over ? recent_.erase(it) : std::next(it);
  }
}

void StepCache::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (const auto& making : recent_) {
    making->stop.request_stop();
    if (!making->result) making->result = Error{ErrorKind::kBusy, "vizd is ending", ""};
  }
  waiting_.clear();
  for (std::jthread& thread : threads_) thread.request_stop();
  settled_.notify_all();
}

StepCache::Ticket::~Ticket() {
  if (making_) cache_->leave(making_);
}

bool StepCache::Ticket::wait_for(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(cache_->mutex_);
  return cache_->settled_.wait_for(lock, timeout, [&] { return making_->result.has_value(); });
}

ProgressReport StepCache::Ticket::progress() const {
  const std::lock_guard lock(cache_->mutex_);
  return making_->progress;
}

Result<StepCache::Value> StepCache::Ticket::result() const {
  const std::lock_guard lock(cache_->mutex_);
  if (!making_->result) return Error{ErrorKind::kBusy, "is still being made; try again", ""};
  return *making_->result;
}

}  // namespace vizd
