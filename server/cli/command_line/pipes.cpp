#include "cli/command_line/pipes.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "system/descriptors.h"

namespace vizd {
namespace {

constexpr const char* kStandardInput = "/dev/stdin";

// Whose way the path is; none of any other file.
std::optional<int> descriptor_of(std::string_view path) {
  if (path == kStandardInput) return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    path.remove_prefix(folder.size());
    int descriptor = 0;
    const auto [end, failed] = std::from_chars(path.data(), path.data() + path.size(), descriptor);
    if (failed == std::errc() && end == path.data() + path.size()) return descriptor;
  }
  return std::nullopt;
}

// How many bytes came; negative where reading or keeping them failed, with errno.
std::int64_t copy(int from, int to, std::uint64_t most_bytes) {
  std::vector<char> part(std::size_t{1} << 20);
  std::uint64_t size_bytes = 0;
  while (size_bytes <= most_bytes) {
    const ssize_t read = ::read(from, part.data(), part.size());
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return -1;
    if (read == 0) break;
    for (ssize_t kept = 0; kept < read;) {
      const ssize_t n = ::write(to, part.data() + kept, static_cast<std::size_t>(read - kept));
      if (n < 0 && errno != EINTR) return -1;
      if (n > 0) kept += n;
    }
    size_bytes += static_cast<std::uint64_t>(read);
  }
  return static_cast<std::int64_t>(size_bytes);
}

// Puts a file with what comes through the descriptor in its place. Returns the problem, or "".
std::string keep(int descriptor, const std::string& path, std::uint64_t most_bytes) {
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const auto failure = [&] { return fmt::format("{}: the input cannot be stored: {}", path, std::strerror(errno)); };
  const std::unique_ptr<std::FILE, FileCloser> file(std::tmpfile());
  if (!file) return failure();
  const std::int64_t size_bytes = copy(descriptor, ::fileno(file.get()), most_bytes);
  if (size_bytes < 0) return failure();
  if (size_bytes == 0) return fmt::format("{}: the pipe was empty; did the program that writes to it fail?", path);
  if (static_cast<std::uint64_t>(size_bytes) > most_bytes)
    return fmt::format("{}: more than {} GiB of input; write it to a file and name that", path, most_bytes >> 30);
  // A program that is started later has no part in it, but for standard input, without which none may be.
  const bool is_inherited = descriptor == STDIN_FILENO;
  return duplicate_to(::fileno(file.get()), descriptor, is_inherited) < 0 ? failure() : "";
}

}  // namespace

std::string take_pipes(const std::vector<std::reference_wrapper<std::string>>& paths, std::uint64_t most_bytes) {
  for (std::string& path : paths) {
    if (path == "-") path = kStandardInput;
    const auto descriptor = descriptor_of(path);
    struct stat info {};
    if (!descriptor || ::fstat(*descriptor, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) continue;
    if (::isatty(*descriptor) != 0) return fmt::format("{}: is a terminal; pipe a capture to it", path);
    if (std::string problem = keep(*descriptor, path, most_bytes); !problem.empty()) return problem;
  }
  return "";
}

}  // namespace vizd
