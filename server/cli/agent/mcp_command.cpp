// vizd mcp [FOLDER …]: vizd's commands as tools of the Model Context Protocol, over stdin and stdout. Each runs as a
// child that may read these folders and nothing else, and reaches no network, as far as the kernel can keep it.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/standard_streams.h"
#include "cli/agent/mcp_server.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "disasm/child_program.h"
#include "http/transport/token_file.h"
#include "system/process.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostErrors_bytes = 2000;

class ToolRunner {
 public:
  explicit ToolRunner(const Folders& folders) : program_(own_program()) {
    options_.wall_time = std::chrono::minutes(5);
    options_.cpu_s = 600;
    options_.memory_bytes = std::uint64_t{64} << 30;
    options_.files = folders;
    options_.environment = {"VIZD_AGENT=1"};
  }

  ToolRun run(std::string_view command, const std::vector<std::string>& words, std::size_t most_bytes) {
    std::vector<std::string> argv{program_, std::string(command)};
    argv.insert(argv.end(), words.begin(), words.end());
    if (command != "help") argv.push_back("--budget=" + std::to_string(most_bytes));
    auto run = children_.run(argv, "", options_);
    if (!run) return {1, "", run.error().text() + "\n"};
    if (run->timed_out) run->errors += "It took too long, and was ended.\n";
    if (run->errors.size() > kMostErrors_bytes) run->errors = run->errors.substr(0, kMostErrors_bytes) + "…\n";
    return {run->exit_code, std::move(run->output), std::move(run->errors)};
  }

 private:
  const std::string program_;
  ChildPrograms children_;
  ChildOptions options_;
};

}  // namespace

int run_mcp(int argc, const char* const* argv) {
  CommandLine line(
      "vizd mcp",
      "Serves the commands that only ask as tools of the Model Context Protocol, over stdin and stdout. They\n"
      "read these folders and nothing else, and reach no network. Texts of captures are marked as data.");
  std::vector<std::string> named;
  line.positional("folders", "[FOLDER ..., or .]", named, "The folders, or files, that may be read");
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
  McpServer server(
      folders, [&](auto command, const auto& words, auto most_bytes) { return runner.run(command, words, most_bytes); },
      make_token().substr(0, 16));
  for (std::string message; std::getline(std::cin, message);) {
    if (message.empty()) continue;
    if (const auto answer = server.answer(message)) print_answer("{}", *answer);
    if (!flush_output()) return kExitFailure;
  }
  return kExitOk;
}

}  // namespace vizd
