// vizd mcp [FOLDER …]: vizd's commands as tools of the Model Context Protocol, over stdin and stdout. Each runs as a
// child that may read these folders and nothing else, and reaches no network, as far as the kernel can keep it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/standard_streams.h"
#include "cli/agent/mcp_server.h"
#include "cli/agent/mcp_session.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "disasm/child_program.h"
#include "http/transport/token_file.h"
#include "system/process.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostErrors_bytes = 2000;
constexpr std::chrono::minutes kMostOfCall{5};
constexpr std::chrono::seconds kAfterClient{1};

class ToolRunner {
 public:
  explicit ToolRunner(const Folders& folders) : program_(own_program()) {
    options_.wall_time = kMostOfCall;
    options_.cpu_s = 600;
    options_.memory_bytes = std::uint64_t{64} << 30;
    options_.files = folders;
    options_.environment = {"VIZD_AGENT=1"};
  }

  ToolRun run(std::string_view command, const std::vector<std::string>& words, std::size_t most_bytes,
              const std::stop_token& left) {
    std::vector<std::string> argv{program_, std::string(command)};
    argv.insert(argv.end(), words.begin(), words.end());
    if (command != "help") argv.push_back("--budget=" + std::to_string(most_bytes));
    ChildOptions options = options_;
    options.left = left;
    auto run = children_.run(argv, "", options);
    if (!run) return {1, "", run.error().text() + "\n"};
    if (run->was_left) run->errors += "It was cancelled.\n";
    if (run->timed_out) run->errors += "It took too long and was stopped.\n";
    if (run->errors.size() > kMostErrors_bytes) run->errors = run->errors.substr(0, kMostErrors_bytes) + "…\n";
    return {run->exit_code, std::move(run->output), std::move(run->errors)};
  }

 private:
  const std::string program_;
  ChildPrograms children_;
  ChildOptions options_;
};

// Lines of a stream. Of one that is longer than so many bytes the first of these, and one more: its reader refuses it.
class LineReader {
 public:
  LineReader(int fd, std::size_t most_bytes) : fd_(fd), most_bytes_(most_bytes) {}

  // None at the end of the stream.
  std::optional<std::string> next() {
    std::string line;
    while (true) {
      const auto end = std::find(unread_.begin() + static_cast<std::ptrdiff_t>(at_), unread_.end(), '\n');
      const std::size_t begin = std::exchange(at_, static_cast<std::size_t>(end - unread_.begin()));
      line.append(unread_, begin, std::min(at_ - begin, most_bytes_ + 1 - line.size()));
      if (end != unread_.end()) {
        ++at_;
        return line;
      }
      if (!read()) return line.empty() ? std::nullopt : std::optional(line);
    }
  }

 private:
  bool read() {
    unread_.resize(kAtOnce_bytes);
    ssize_t bytes = 0;
    do bytes = ::read(fd_, unread_.data(), unread_.size());
    while (bytes < 0 && errno == EINTR);
    unread_.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
    at_ = 0;
    return bytes > 0;
  }

  static constexpr std::size_t kAtOnce_bytes = 1 << 16;

  const int fd_;
  const std::size_t most_bytes_;
  std::string unread_;  // the last part that was read
  std::size_t at_ = 0;  // how much of it was handed out
};

}  // namespace

int run_mcp(int argc, const char* const* argv) {
  CommandLine line("vizd mcp",
                   "Serves the read-only commands as tools of the Model Context Protocol, over stdin and stdout. They "
                   "read only\nthese folders, and use no network. Text from captures is marked as data.");
  std::vector<std::string> named;
  line.positional("folders", "[FOLDER ..., or .]", named, "Folders or files that the tools may read");
  if (const auto code = line.parse(argc, argv)) return *code;
  Folders folders;
  for (const std::string& folder : named.empty() ? std::vector<std::string>{"."} : named) {
    std::error_code failed;
    folders.push_back(fs::canonical(folder, failed).string());
    if (!failed) continue;
    print_error("vizd mcp: {}: {}\n", folder, failed.message());
    return kExitFailure;
  }
  ToolRunner runner(folders);
  const McpServer server(
      folders,
      [&](auto command, const auto& words, auto most_bytes, const auto& left) {
        return runner.run(command, words, most_bytes, left);
      },
      make_token().substr(0, 16));
  McpSession session(server, [](std::string_view answer) {
    print_answer("{}", answer);
    return flush_output();
  });
  LineReader lines(STDIN_FILENO, kMostMessage_bytes);
  while (const auto message = lines.next()) {
    if (!message->empty() && !session.take(*message)) return kExitFailure;
  }
  // A client that has left is given the answers that are nearly there; from a file all messages are answered.
  struct stat input {};
  const bool is_file = ::fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode);
  session.finish(is_file ? kMostOfCall : kAfterClient);
  return kExitOk;
}

}  // namespace vizd
