#include "session/pass_cache.h"

#include <algorithm>
#include <new>

namespace vizd {
namespace {

Result<PassCache::Value> make_safely(const PassCache::Make& make, const PassProgress& progress, std::stop_token stop) {
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
struct PassCache::Making {
  PassKey key;
  Make make;
  std::stop_source stop;
  ProgressReport progress;
  std::optional<Result<Value>> result;
  std::size_t bytes = 0;
  unsigned waiters = 0;
};

PassCache::PassCache(Options options) : options_(options) {
  for (unsigned i = 0; i < options_.threads; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

PassCache::~PassCache() { end(); }

PassCache::Ticket PassCache::get(const std::shared_ptr<const LoadedCapture>& capture, std::uint32_t pass) {
  return get({capture->revision, pass}, [capture, pass](const PassProgress& progress, std::stop_token stop) {
    return replay_pass(capture, pass, progress, std::move(stop));
  });
}

PassCache::Ticket PassCache::get(const PassKey& key, Make make) {
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

void PassCache::work(const std::stop_token& stop) {
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

void PassCache::leave(const std::shared_ptr<Making>& making) {
  const std::lock_guard lock(mutex_);
  if (--making->waiters > 0 || making->result) return;
  making->stop.request_stop();
  recent_.remove(making);
  std::erase(waiting_, making);
}

void PassCache::shrink() {
  std::size_t bytes = 0;
  for (auto it = recent_.begin(); it != recent_.end();) {
    bytes += (*it)->bytes;
    const bool is_over = bytes > options_.most_bytes && it != recent_.begin() && (*it)->result;
    it = is_over ? recent_.erase(it) : std::next(it);
  }
}

void PassCache::end() {
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

PassCache::Ticket::~Ticket() {
  if (making_) cache_->leave(making_);
}

bool PassCache::Ticket::wait_for(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(cache_->mutex_);
  return cache_->settled_.wait_for(lock, timeout, [&] { return making_->result.has_value(); });
}

ProgressReport PassCache::Ticket::progress() const {
  const std::lock_guard lock(cache_->mutex_);
  return making_->progress;
}

Result<PassCache::Value> PassCache::Ticket::result() const {
  const std::lock_guard lock(cache_->mutex_);
  if (!making_->result) return Error{ErrorKind::kBusy, "is still being made; try again", ""};
  return *making_->result;
}

}  // namespace vizd
