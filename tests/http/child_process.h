// ChildProcess: the built vizd with its own arguments and environment, its two outputs collected, nothing to read.
// Ended with the object.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "http/raw_client.h"
#include "support/places.h"

namespace vizd {

class ChildProcess {
 public:
  // environment: NAME=VALUE, all there is but what sanitizers are told. before: a shell does that first, in the same
  // process.
  ChildProcess(std::vector<std::string> arguments, std::vector<std::string> environment,
               const std::string& before = "") {
    const std::string program = before.empty() ? vizd_binary() : "/bin/sh";
    arguments.insert(arguments.begin(), vizd_binary());
    if (!before.empty()) arguments.insert(arguments.begin(), {"sh", "-c", before + "; exec \"$0\" \"$@\""});
    // A test reads whole tables, unless it asks as an agent does.
    if (std::ranges::none_of(environment, [](const std::string& set) { return set.starts_with("VIZD_AGENT="); }))
      environment.emplace_back("VIZD_AGENT=0");
    for (const char* name : {"TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
      if (const char* const value = std::getenv(name)) environment.push_back(std::string(name) + "=" + value);
    }
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    ::posix_spawn(&pid_, program.c_str(), &actions, nullptr, pointers(arguments).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    if (pid_ > 0 && !ended_) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(out_);
    ::close(err_);
  }

  // Reads both outputs until the first holds a whole line; false at the deadline.
  bool wait_for_line() {
    return wait_until([this] { return collect(), standard_output.find('\n') != std::string::npos; });
  }
  // Reads both outputs until the second holds the text; false at the deadline.
  bool wait_for_log(std::string_view text) {
    return wait_until([&] { return collect(), standard_error.find(text) != std::string::npos; });
  }
  void send_signal(int number) const { ::kill(pid_, number); }
  // The exit code; -1 at the deadline, or where a signal ended it.
  int wait_for_end() {
    int status = 0;
    const bool in_time = wait_until([&] { return collect(), ::waitpid(pid_, &status, WNOHANG) == pid_; });
    if (!in_time) return -1;
    ended_ = true;
    collect();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string standard_output;
  std::string standard_error;

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }
  void collect() {
    const auto read_all = [](int fd, std::string& text) {
      pollfd ready{fd, POLLIN, 0};
      std::array<char, 4096> buffer;
      while (::poll(&ready, 1, 0) > 0) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(n));
      }
    };
    read_all(out_, standard_output);
    read_all(err_, standard_error);
  }

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  bool ended_ = false;
};

}  // namespace vizd
