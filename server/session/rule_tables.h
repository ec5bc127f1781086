// RuleTables: the table of rules of each capture that somebody asked for, made once a reading on one thread in the
// background, at a low priority so that passes on screen come first. A making goes on though its asker has left, since
// it serves the next one too, but not past its capture: a reload ends it. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "rewrite/rule_table.h"
#include "session/loaded_capture.h"

namespace vizd {

class RuleTables {
 public:
  RuleTables();
  RuleTables(const RuleTables&) = delete;
  RuleTables& operator=(const RuleTables&) = delete;
  ~RuleTables();

  struct Answer {
    std::shared_ptr<const RuleTable> table;  // null while it is being made
    std::uint32_t done = 0;                  // matches so far
    std::uint32_t of = 0;
  };
  // The table, waiting for it a while. Errors: it could not be made; vizd is ending.
  Result<Answer> get(const std::shared_ptr<const LoadedCapture>& capture, std::chrono::milliseconds patience);

  // Gives up what is being made and all waiting, so that the server can stop.
  void end();

 private:
  struct Making {
    std::weak_ptr<const LoadedCapture> capture;
    std::uint32_t done = 0;
    std::uint32_t of = 0;
    std::optional<Result<std::shared_ptr<const RuleTable>>> result;
  };

  void work(const std::stop_token& stop);
  void make(const std::shared_ptr<Making>& making, const std::stop_token& stop);
  void forget_unloaded();  // mutex_ is held

  std::mutex mutex_;
  std::condition_variable_any work_to_do_;
  std::condition_variable settled_;
  std::map<std::uint64_t, std::shared_ptr<Making>> makings_;  // by revision
  std::deque<std::shared_ptr<Making>> waiting_;
  bool ended_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace vizd
