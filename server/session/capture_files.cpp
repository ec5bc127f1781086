#include "session/capture_files.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>

#include "formats/registry.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRewrites = "rewrites";
constexpr std::string_view kProfile = "profile";
constexpr std::size_t kSniffedBytes = 64 * 1024;

// The path with the last `from` of its file name replaced by `to`; empty where the name has none.
std::string partner(const std::string& path, std::string_view from, std::string_view to) {
  const auto slash = path.rfind('/');
  const auto at = path.rfind(from);
  if (at == std::string::npos || (slash != std::string::npos && at < slash)) return "";
  return std::string(path).replace(at, from.size(), to);
}

// "ramp" for ".../ramp.rewrites.pkl"; where nothing is left of the name, that of its folder.
std::string display_name(const fs::path& path) {
  std::string name = path.filename().string();
  for (const std::string_view word : {kRewrites, kProfile, std::string_view(".pkl"), std::string_view(".bin"),
                                      std::string_view(".gz"), std::string_view(".zst")}) {
    if (const auto at = name.rfind(word); at != std::string::npos) name.erase(at, word.size());
  }
  const auto is_filler = [](char c) { return c == '.' || c == '_' || c == '-'; };
  while (!name.empty() && is_filler(name.front())) name.erase(0, 1);
  while (!name.empty() && is_filler(name.back())) name.pop_back();
  if (!name.empty()) return name;
  return path.has_parent_path() ? fs::absolute(path).parent_path().filename().string() : path.string();
}

// The first directory of Python's tempfile._candidate_tempdir_list that can be written to.
std::string temporary_folder() {
  for (const char* variable : {"TMPDIR", "TEMP", "TMP"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0' && ::access(value, W_OK | X_OK) == 0) return fs::absolute(value).string();
  }
  for (const char* folder : {"/tmp", "/var/tmp", "/usr/tmp"}) {
    if (::access(folder, W_OK | X_OK) == 0) return folder;
  }
  return ".";
}

// As Python's getpass.getuser.
std::string user_name() {
  for (const char* variable : {"LOGNAME", "USER", "LNAME", "USERNAME"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  const passwd* user = ::getpwuid(::getuid());
  return user != nullptr ? user->pw_name : std::to_string(::getuid());
}

}  // namespace

std::string_view role_name(FileRole role) {
  switch (role) {
    case FileRole::kKernels:
      return "kernels";
    case FileRole::kProfile:
      return "profile";
    case FileRole::kCapture:
      break;
  }
  return "capture";
}

CaptureFiles pair_files(const std::string& kernels_path, const std::string& profile_path) {
  CaptureFiles capture;
  capture.name = display_name(kernels_path.empty() ? profile_path : kernels_path);
  if (!kernels_path.empty()) capture.files.push_back({FileRole::kKernels, kernels_path});
  if (!profile_path.empty()) capture.files.push_back({FileRole::kProfile, profile_path});
  return capture;
}

std::vector<CaptureFiles> group_files(std::span<const std::string> paths) {
  const auto given = [&](const std::string& path) {
    return !path.empty() && std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  std::vector<CaptureFiles> captures;
  std::vector<std::string> taken;
  for (const std::string& path : paths) {
    if (std::find(taken.begin(), taken.end(), path) != taken.end()) continue;
    const std::string profile = partner(path, kRewrites, kProfile);
    const std::string kernels = partner(path, kProfile, kRewrites);
    if (given(profile)) {
      captures.push_back(pair_files(path, profile));
    } else if (given(kernels)) {
      captures.push_back(pair_files(kernels, path));
    } else {
      captures.push_back({display_name(path), {{FileRole::kCapture, path}}});
    }
    for (const CaptureFile& file : captures.back().files) taken.push_back(file.path);
  }
  return captures;
}

CaptureFiles found_file(const std::string& path) {
  if (const std::string profile = partner(path, kRewrites, kProfile); !profile.empty())
    return pair_files(path, profile);
  if (const std::string kernels = partner(path, kProfile, kRewrites); !kernels.empty())
    return pair_files(kernels, path);
  return {display_name(path), {{FileRole::kCapture, path}}};
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code unreadable;
    if (it->path().filename().string().starts_with('.') || !it->is_regular_file(unreadable)) continue;
    paths.push_back(it->path().string());
    if (paths.size() == kMostFolderFiles) break;
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool looks_like_capture(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  std::vector<std::byte> head(kSniffedBytes);
  struct stat info {};
  const bool regular = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  const ssize_t n = regular ? ::read(fd, head.data(), head.size()) : -1;
  ::close(fd);
  if (n <= 0) return false;
  head.resize(static_cast<std::size_t>(n));
  const auto known = formats();
  return std::any_of(known.begin(), known.end(), [&](const Format& format) { return format.sniff(head); });
}

CaptureFiles default_files() {
  const std::string folder = temporary_folder();
  const std::string user = user_name();
  CaptureFiles capture = pair_files(folder + "/rewrites.pkl." + user, folder + "/profile.pkl." + user);
  capture.name = "latest";
  return capture;
}

}  // namespace vizd
