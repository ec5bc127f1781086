#include "cli/query/settled_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace vizd {
namespace {

// Whether a program of this machine has the file open to write it: only then is a lease to read it refused so. The
// lease itself is of no use here, and is given back at once; where the file system has none, age alone tells.
bool is_written(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return true;
  const bool is_refused = ::fcntl(fd, F_SETLEASE, F_RDLCK) != 0;
  const bool has_writer = is_refused && errno == EAGAIN;
  if (!is_refused) ::fcntl(fd, F_SETLEASE, F_UNLCK);
  ::close(fd);
  return has_writer;
}

}  // namespace

std::vector<std::string> SettledFiles::take() {
  look();
  std::vector<std::string> settled;
  for (auto& [path, seen] : files_) {
    if (seen.is_taken || Clock::now() < seen.due || is_written(path)) continue;
    seen.is_taken = true;
    settled.push_back(path);
  }
  return settled;
}

void SettledFiles::again(const std::string& path, std::chrono::milliseconds after) {
  const auto seen = files_.find(path);
  if (seen == files_.end()) return;
  seen->second.is_taken = false;
  seen->second.due = Clock::now() + after;
}

SettledFiles::Clock::duration SettledFiles::age(const std::string& path) const {
  const auto seen = files_.find(path);
  return seen == files_.end() ? Clock::duration::zero() : Clock::now() - seen->second.since;
}

void SettledFiles::look() {
  namespace fs = std::filesystem;
  for (auto& [_, seen] : files_) seen.is_there = false;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder_, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;  // a file may be, while one looks
    if (at->path().filename().string().starts_with('.')) {
      if (at->is_directory(gone)) at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file(gone)) continue;
    const std::string path = at->path().string();
    const auto signature = file_signature(path);
    if (!signature) continue;
    const auto [known, is_new] = files_.try_emplace(path);
    Seen& seen = known->second;
    if (is_new || seen.signature != *signature)
      seen = {.signature = *signature, .since = Clock::now(), .due = Clock::now() + settle_};
    seen.is_there = true;
  }
  std::erase_if(files_, [](const auto& file) { return !file.second.is_there; });
}

}  // namespace vizd
