#include "cli/agent/mcp_session.h"

#include <algorithm>
#include <utility>

namespace vizd {
namespace {

constexpr int kAtOnce = 4;
// A client that asks for more without waiting for answers is told to wait.
constexpr std::size_t kMostWaiting = 256;

}  // namespace

McpSession::McpSession(const McpServer& server, std::function<bool(std::string_view)> send)
    : server_(server), send_(std::move(send)) {
  for (int i = 0; i < kAtOnce; ++i) workers_.emplace_back([this] { work(); });
}

McpSession::~McpSession() {
  {
    const std::scoped_lock lock(guard_);
    has_ended_ = true;
    waiting_.clear();
    for (const auto& call : running_) call->left.request_stop();
  }
  changed_.notify_all();
}

void McpSession::finish(std::chrono::milliseconds most) {
  std::unique_lock lock(guard_);
  is_idle_.wait_for(lock, most, [&] { return running_.empty() && waiting_.empty(); });
}

bool McpSession::take(std::string message) {
  McpMessage read = read_message(message);
  if (read.kind == McpMessage::Kind::kCancellation) {
    cancel(read.id);
    return true;
  }
  if (read.kind == McpMessage::Kind::kCall) {
    const std::scoped_lock lock(guard_);
    if (waiting_.size() < kMostWaiting) {
      waiting_.push_back(std::make_shared<Call>(Call{std::move(read.id), std::move(message)}));
      changed_.notify_one();
      return true;
    }
  }
  std::stop_source none;
  none.request_stop();  // a call beyond those that may wait is answered without being run
  const auto answer = server_.answer(message, none.get_token());
  return !answer || send(*answer);
}

void McpSession::cancel(std::string_view id) {
  const std::scoped_lock lock(guard_);
  std::erase_if(waiting_, [&](const auto& call) { return call->id == id; });
  for (const auto& call : running_) {
    if (call->id == id) call->left.request_stop();
  }
}

void McpSession::work() {
  while (true) {
    std::shared_ptr<Call> call;
    {
      std::unique_lock lock(guard_);
      changed_.wait(lock, [&] { return has_ended_ || !waiting_.empty(); });
      if (has_ended_) return;
      call = std::move(waiting_.front());
      waiting_.pop_front();
      running_.push_back(call);
    }
    const auto answer = server_.answer(call->message, call->left.get_token());
    // The protocol has no answer to a request that was cancelled.
    if (answer && !call->left.stop_requested()) send(*answer);
    const std::scoped_lock lock(guard_);
    std::erase(running_, call);
    if (running_.empty() && waiting_.empty()) is_idle_.notify_all();
  }
}

bool McpSession::send(std::string_view answer) {
  const std::scoped_lock lock(sending_);
  is_read_ = is_read_ && send_(answer);
  return is_read_;
}

}  // namespace vizd
