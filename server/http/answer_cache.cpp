#include "http/answer_cache.h"

namespace vizd {

std::shared_ptr<const Body> AnswerCache::get(const std::shared_ptr<const LoadedCapture>& capture,
                                             const std::string& name, const std::function<std::string()>& make) {
  const std::pair key(capture->revision, name);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(key); found != entries_.end()) return found->second.body;
  }
  auto body = std::make_shared<const Body>(make());
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const auto& entry) { return entry.second.capture.expired(); });
  return entries_.try_emplace(key, Entry{capture, std::move(body)}).first->second.body;
}

}  // namespace vizd
