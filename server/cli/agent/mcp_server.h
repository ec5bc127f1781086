// McpServer: vizd's commands as tools of the Model Context Protocol, one JSON message a line: what each message is
// answered with. Speaks the revision 2026-07-28, in which every request says its own version, and the ones before it,
// which begin with a handshake. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cli/agent/tools.h"

namespace vizd {

struct ToolRun {
  int code = 0;
  std::string output, errors;
};
// Runs a command with these words, within so many bytes; ends it early once nobody waits for it. Any thread.
using RunTool = std::function<ToolRun(std::string_view command, const std::vector<std::string>& words,
                                      std::size_t most_bytes, const std::stop_token& left)>;

// As far as it decides who answers a message.
struct McpMessage {
  enum class Kind { kCall, kCancellation, kOther };
  Kind kind = Kind::kOther;
  std::string id;  // as JSON: of the call of a tool, or of the request that is cancelled
};
McpMessage read_message(std::string_view message);

// A message that is longer is refused, so nothing behind that needs to be kept.
inline constexpr std::size_t kMostMessage_bytes = 1 << 20;

class McpServer {
 public:
  // mark: what texts of captures are enclosed with; a text cannot know it.
  McpServer(Folders folders, RunTool run, std::string mark)
      : folders_(std::move(folders)), run_(std::move(run)), mark_(std::move(mark)) {}

  // The answer to a message, with its line end; none to a notification. left: requested once nobody waits for it.
  std::optional<std::string> answer(std::string_view message, const std::stop_token& left = {}) const;

 private:
  const Folders folders_;
  const RunTool run_;
  const std::string mark_;
};

}  // namespace vizd
