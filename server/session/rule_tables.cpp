#include "session/rule_tables.h"

#include <sys/resource.h>
#include <unistd.h>

#include <new>

namespace vizd {
namespace {

// As nice(1) does by default: passes that somebody waits for come first.
constexpr int kNiceness = 10;

Error ending() { return {ErrorKind::kBusy, "vizd is ending", ""}; }

Result<std::shared_ptr<const RuleTable>> make_safely(const Capture& capture, const RuleTableOptions& options) {
  try {
    auto table = make_rule_table(capture, options);
    if (!table) return table.error();
    return std::shared_ptr<const RuleTable>(std::make_shared<RuleTable>(std::move(*table)));
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kTooLarge, "needs more memory than there is", ""};
  } catch (const std::exception& e) {
    return Error{ErrorKind::kInternal, std::string("failed: ") + e.what(), ""};
  }
}

}  // namespace

RuleTables::RuleTables() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

RuleTables::~RuleTables() { end(); }

Result<RuleTables::Answer> RuleTables::get(const std::shared_ptr<const LoadedCapture>& capture,
                                           std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (ended_) return ending();
  forget_unloaded();
  std::shared_ptr<Making>& entry = makings_[capture->revision];
  if (!entry) {
    entry = std::make_shared<Making>();
    entry->capture = capture;
    entry->of = static_cast<std::uint32_t>(capture->capture.rewrites.matches.size());
    waiting_.push_back(entry);
    work_to_do_.notify_one();
  }
  const std::shared_ptr<Making> making = entry;
  settled_.wait_for(lock, patience, [&] { return making->result || ended_; });
  if (!making->result && ended_) return ending();
  if (!making->result) return Answer{nullptr, making->done, making->of};
  if (!*making->result) return making->result->error();
  return Answer{**making->result, making->of, making->of};
}

void RuleTables::work(const std::stop_token& stop) {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
  std::unique_lock lock(mutex_);
  while (work_to_do_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    const std::shared_ptr<Making> making = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    make(making, stop);
    lock.lock();
    settled_.notify_all();
  }
}

// Holds on to the capture for as long as it is being read. That it is loaded no more shows in nobody else holding it.
void RuleTables::make(const std::shared_ptr<Making>& making, const std::stop_token& stop) {
  const std::shared_ptr<const LoadedCapture> capture = making->capture.lock();
  std::stop_source give_up;
  const std::stop_callback on_stop(stop, [&] { give_up.request_stop(); });
  const auto progress = [&](std::uint32_t done, std::uint32_t) {
    if (capture.use_count() == 1) give_up.request_stop();
    const std::lock_guard lock(mutex_);
    making->done = done;
  };
  Result<std::shared_ptr<const RuleTable>> result = Error{ErrorKind::kBusy, "the capture is loaded no more", ""};
  if (capture) result = make_safely(capture->capture, {give_up.get_token(), progress});
  const std::lock_guard lock(mutex_);
  making->result = std::move(result);
}

void RuleTables::forget_unloaded() {
  std::erase_if(makings_, [](const auto& entry) { return entry.second->capture.expired(); });
}

void RuleTables::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  waiting_.clear();
  thread_.request_stop();
  settled_.notify_all();
}

}  // namespace vizd
