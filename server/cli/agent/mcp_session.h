// McpSession: one client of `vizd mcp`. Calls of tools run beside one another on threads of their own, so that a ping,
// a cancellation and further calls are answered meanwhile; everything else is answered at once. When the session ends,
// so do its calls. take() is one thread's.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/agent/mcp_server.h"

namespace vizd {

class McpSession {
 public:
  // send: writes an answer, of one thread at a time; false once nobody reads any more. Both outlive the session.
  McpSession(const McpServer& server, std::function<bool(std::string_view)> send);
  McpSession(const McpSession&) = delete;
  McpSession& operator=(const McpSession&) = delete;
  // Ends the calls that run, and waits for them.
  ~McpSession();

  // Waits for the calls that run or wait, no longer than that.
  void finish(std::chrono::milliseconds most);

  // Answers a message, now or, where it calls a tool, later. False once nobody reads the answers.
  bool take(std::string message);

 private:
  struct Call {
    std::string id, message;
    std::stop_source left = {};
  };

  void work();
  bool send(std::string_view answer);
  void cancel(std::string_view id);

  const McpServer& server_;
  const std::function<bool(std::string_view)> send_;
  std::mutex sending_;
  bool is_read_ = true;  // guarded by sending_
  std::mutex guard_;     // of the four below it
  std::condition_variable changed_, is_idle_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::vector<std::shared_ptr<Call>> running_;
  bool has_ended_ = false;
  std::vector<std::jthread> workers_;  // the last member: it ends first
};

}  // namespace vizd
