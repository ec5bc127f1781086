// AnswerCache: whole answers made from a capture, kept with their compressed copies for as long as the capture is
// loaded. Any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "http/body.h"
#include "session/loaded_capture.h"

namespace vizd {

class AnswerCache {
 public:
  // The answer of that name for the capture; made now where it is not there yet. Two threads may make the same.
  std::shared_ptr<const Body> get(const std::shared_ptr<const LoadedCapture>& capture, const std::string& name,
                                  const std::function<std::string()>& make);

 private:
  struct Entry {
    std::weak_ptr<const LoadedCapture> capture;
    std::shared_ptr<const Body> body;
  };
  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, std::string>, Entry> entries_;  // by revision and name
};

}  // namespace vizd
