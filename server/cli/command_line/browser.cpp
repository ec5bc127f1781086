#include "cli/command_line/browser.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/log.h"
#include "base/private_files.h"

extern char** environ;

namespace vizd {
namespace {

// A page that leads on to the URL; its path, or "" where it cannot be written.
std::string write_redirect(const std::string& url, const std::string& folder) {
  if (folder.empty()) return "";
  const std::string path = folder + "/open.html";
  ::unlink(path.c_str());
  const int fd = make_private_file(path);
  if (fd < 0) return "";
  const std::string page = fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={}\">\n", url);
  const bool written = ::write(fd, page.data(), page.size()) == static_cast<ssize_t>(page.size());
  ::close(fd);
  return written ? path : "";
}

bool start(const char* program, const std::string& argument) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // stdout is for the URL alone.
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::array<char*, 3> arguments{const_cast<char*>(program), const_cast<char*>(argument.c_str()), nullptr};
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, program, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0;
}

}  // namespace

void open_browser(const std::string& url, bool has_token, const std::string& state_folder) {
  const std::string target = has_token ? write_redirect(url, state_folder) : url;
  const char* wanted = std::getenv("BROWSER");
  const bool started = !target.empty() && ((wanted != nullptr && start(wanted, target)) || start("xdg-open", target));
  if (!started) log(LogLevel::kWarning, "no browser could be started; open the URL yourself");
}

}  // namespace vizd
