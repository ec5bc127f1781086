#include "http/transport/token_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/assert.h"
#include "base/private_files.h"
#include "system/random.h"

namespace vizd {
namespace {

constexpr std::size_t kTokenBytes = 16;
constexpr std::size_t kTokenLetters = 2 * kTokenBytes;

Error system_error(const std::string& path, std::string_view what) {
  return {ErrorKind::kForbidden, fmt::format("{}: {}", what, std::strerror(errno)), path};
}

// The token in the file, or none where the file is not to be trusted with it.
std::optional<std::string> read_token(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  struct stat info {};
  std::string token(kTokenLetters, '\0');
  const bool ours =
      ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && (info.st_mode & 077) == 0;
  const ssize_t n = ours ? ::read(fd, token.data(), token.size()) : -1;
  ::close(fd);
  const bool is_hex =
      std::all_of(token.begin(), token.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (n != static_cast<ssize_t>(kTokenLetters) || !is_hex) return std::nullopt;
  return token;
}

}  // namespace

std::string default_state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/vizd";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.local/state/vizd" : "";
}

std::string make_token() {
  std::array<unsigned char, kTokenBytes> random;
  const bool is_filled = fill_with_random(random.data(), random.size());
  VIZD_ASSERT(is_filled);
  std::string token;
  for (const unsigned byte : random) token += fmt::format("{:02x}", byte);
  return token;
}

Result<std::string> load_token(const std::string& folder) {
  if (folder.empty()) return Error{ErrorKind::kForbidden, "there is no folder for it; set HOME or XDG_STATE_HOME", ""};
  const std::string path = folder + "/token";
  if (auto token = read_token(path)) return *token;
  VIZD_TRY(take_private_folder(folder));

  // Written under a name of its own first: another vizd that starts now finds a whole token or none.
  const std::string token = make_token();
  const std::string draft = fmt::format("{}.{}", path, make_token());
  const int fd = make_private_file(draft);
  if (fd < 0) return system_error(draft, "cannot be written");
  const bool written = ::write(fd, token.data(), token.size()) == static_cast<ssize_t>(token.size());
  ::close(fd);
  if (!written || ::rename(draft.c_str(), path.c_str()) != 0) {
    ::unlink(draft.c_str());
    return system_error(path, "cannot be written");
  }
  // The last of several that started together wins; all of them use what is there now.
  return read_token(path).value_or(token);
}

}  // namespace vizd
