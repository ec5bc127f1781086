#include "reference/inspector/comparator.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/inspector/npy.h"
#include "system/descriptors.h"

extern char** environ;

namespace vizd::inspector {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutputBytes = std::size_t{1} << 20;

struct Ended {
  int code = -1;  // -1: a signal ended it
  bool timed_out = false;
  std::string output, errors;
};

struct Pipe {
  std::array<int, 2> ends{-1, -1};

  Pipe() {
    if (!make_pipe(ends)) ends = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (int& end : ends) close(end);
  }
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// Takes what both pipes have until they end; false where time is up.
bool read_both(Pipe& output, Pipe& errors, Clock::time_point until, Ended& ended) {
  while (output.ends[0] >= 0 || errors.ends[0] >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> polled{{{output.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), static_cast<int>(left)) < 0 && errno != EINTR) return false;
    const auto take = [](const pollfd& from, int& end, std::string& text) {
      if (from.fd < 0 || from.revents == 0) return;
      std::array<char, 4096> part{};
      const ssize_t size = ::read(from.fd, part.data(), part.size());
      if (size <= 0) return Pipe::close(end);
      if (text.size() < kMostOutputBytes) text.append(part.data(), static_cast<std::size_t>(size));
    };
    take(polled[0], output.ends[0], ended.output);
    take(polled[1], errors.ends[0], ended.errors);
  }
  return true;
}

// Waits for the child until then; false where it still runs.
bool wait_for(pid_t child, Clock::time_point until, int& status) {
  constexpr useconds_t kPause_us = 2000;
  while (true) {
    const pid_t done = ::waitpid(child, &status, WNOHANG);
    if (done == child || (done < 0 && errno != EINTR)) return true;
    if (Clock::now() >= until) return false;
    ::usleep(kPause_us);
  }
}

Result<Ended> run(std::vector<std::string> arguments, Clock::duration limit) {
  Pipe output, errors;
  if (output.ends[0] < 0 || errors.ends[0] < 0)
    return Error{ErrorKind::kBadInput, fmt::format("no pipe: {}", std::strerror(errno)), ""};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // so that what it starts ends with it
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0)
    return Error{ErrorKind::kBadInput, fmt::format("cannot be started: {}", std::strerror(failed)), arguments[0]};
  Pipe::close(output.ends[1]);
  Pipe::close(errors.ends[1]);
  const Clock::time_point until = Clock::now() + limit;
  Ended ended;
  int status = 0;
  if (!read_both(output, errors, until, ended) || !wait_for(child, until, status)) {
    ended.timed_out = true;
    ::kill(-child, SIGKILL);
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  return ended;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// What it said last, which is the reason as a rule.
std::string_view last_line(std::string_view text) {
  text = trimmed(text);
  const auto end = text.rfind('\n');
  return end == text.npos ? text : text.substr(end + 1);
}

Result<void> save(const std::string& path, const etdump::Tensor& tensor) {
  std::ofstream file(path, std::ios::binary);
  const std::string bytes = write_npy(tensor);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) return Error{ErrorKind::kBadInput, "cannot be written", path};
  return {};
}

}  // namespace

Result<Comparator> Comparator::make(std::string program, Limits limits) {
  std::error_code failed;
  const auto parent = std::filesystem::temp_directory_path(failed);
  if (failed) return Error{ErrorKind::kBadInput, "there is no folder for temporary files; set TMPDIR", ""};
  auto folder = OwnFolder::make(parent.string(), "vizd-comparator-");
  if (!folder) return std::move(folder).error();
  return Comparator(std::move(program), limits, std::move(*folder));
}

std::string Comparator::name() const { return std::filesystem::path(program_).filename().string(); }

Result<double> Comparator::gap(const etdump::Tensor& reference, const etdump::Tensor& runtime) {
  const auto fails = [&](std::string what) { return Error{ErrorKind::kBadInput, std::move(what), program_}; };
  if (spent_ >= limits_.all)
    return fails(fmt::format("is not run any more: all pairs together took {} s", limits_.all.count() / 1000));
  const std::string before = folder_->contents() + "/reference.npy", after = folder_->contents() + "/runtime.npy";
  VIZD_TRY(save(before, reference));
  VIZD_TRY(save(after, runtime));
  const Clock::time_point begin = Clock::now();
  const auto ended = run({program_, before, after}, std::min<Clock::duration>(limits_.pair, limits_.all - spent_));
  spent_ += Clock::now() - begin;
  if (!ended) return ended.error();
  if (ended->timed_out) return fails(fmt::format("was ended after {} ms", limits_.pair.count()));
  if (ended->code != 0) {
    const std::string how = ended->code < 0 ? "by a signal" : fmt::format("with code {}", ended->code);
    return fails(fmt::format("ended {}: {}", how, last_line(ended->errors)));
  }
  const std::string_view text = trimmed(ended->output);
  double gap = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), gap);
  if (wrong != std::errc() || end != text.data() + text.size())
    return fails(fmt::format("printed '{}', which is no number", text.substr(0, 80)));
  return gap;
}

Result<std::optional<Comparator>> make_comparator(const std::string& program) {
  if (program.empty()) return std::optional<Comparator>();
  auto made = Comparator::make(program);
  if (!made) return std::move(made).error();
  return std::optional<Comparator>(std::move(*made));
}

}  // namespace vizd::inspector
