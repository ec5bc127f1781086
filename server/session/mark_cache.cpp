#include "session/mark_cache.h"

#include <algorithm>

namespace vizd {

std::shared_ptr<const Marks> MarkCache::get(const std::shared_ptr<const LoadedCapture>& capture,
                                            const std::string& predicate, const std::function<Marks()>& make) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return entry.predicate == predicate && entry.capture.lock() == capture; });
    if (found != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, found);
      return found->marks;
    }
  }
  auto marks = std::make_shared<const Marks>(make());
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const Entry& entry) { return entry.capture.expired(); });
  entries_.push_front({capture, predicate, marks});
  if (entries_.size() > kMostEntries) entries_.pop_back();
  return marks;
}

}  // namespace vizd
