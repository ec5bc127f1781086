// MarkCache: sets of marked events (timeline/marks.h), kept for as long as their capture is loaded and a few others
// were not asked for since, so that one search of a large capture serves all tiles and jumps to hits that follow. Any
// thread.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "session/loaded_capture.h"
#include "timeline/marks.h"

namespace vizd {

class MarkCache {
 public:
  static constexpr std::size_t kMostEntries = 8;

  // The marks of that predicate; made now where they are not there yet. Two threads may make the same.
  std::shared_ptr<const Marks> get(const std::shared_ptr<const LoadedCapture>& capture, const std::string& predicate,
                                   const std::function<Marks()>& make);

 private:
  struct Entry {
    std::weak_ptr<const LoadedCapture> capture;
    std::string predicate;
    std::shared_ptr<const Marks> marks;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // the last asked for first
};

}  // namespace vizd
