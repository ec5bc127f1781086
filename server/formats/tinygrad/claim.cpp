#include "formats/tinygrad/claim.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "formats/claims.h"

namespace vizd::tinygrad {
namespace {

constexpr std::array kNameWords{kRewrites, kProfile, std::string_view(".pkl")};

// The path with the last `from` of its file name replaced by `to`; empty where the name has none, or is no pickle's.
std::string partner(const std::string& path, std::string_view from, std::string_view to) {
  const auto slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  const auto at = path.rfind(from);
  if (at == std::string::npos || at < name || path.find(".pkl", name) == std::string::npos) return "";
  return std::string(path).replace(at, from.size(), to);
}

// Either path may be empty.
InputSet pair(const Format& own, const std::string& rewrites, const std::string& profile) {
  InputSet set{&own, set_name(rewrites.empty() ? profile : rewrites, kNameWords), {}};
  if (!rewrites.empty()) set.files.push_back({std::string(kRewrites), rewrites});
  if (!profile.empty()) set.files.push_back({std::string(kProfile), profile});
  return set;
}

// The first directory of Python's tempfile._candidate_tempdir_list that can be written to.
std::string temporary_folder() {
  for (const char* variable : {"TMPDIR", "TEMP", "TMP"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0' && ::access(value, W_OK | X_OK) == 0)
      return std::filesystem::absolute(value).string();
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

std::vector<InputSet> claim(const Format& own, std::span<const ListedFile> listing) {
  std::vector<InputSet> sets;
  std::string given_rewrites, given_profile;
  std::unordered_map<std::string_view, const ListedFile*> left;
  for (const ListedFile& file : listing) {
    const bool is_ours = file.format == &own;
    if (is_ours && file.role == kRewrites) {
      given_rewrites = file.path;
    } else if (is_ours && file.role == kProfile) {
      given_profile = file.path;
    } else if (is_ours || file.format == nullptr) {
      left.emplace(file.path, &file);
    }
  }
  if (!given_rewrites.empty() || !given_profile.empty()) sets.push_back(pair(own, given_rewrites, given_profile));
  for (const ListedFile& file : listing) {
    if (!left.contains(file.path)) continue;
    const std::string profile = partner(file.path, kRewrites, kProfile);
    const std::string rewrites = partner(file.path, kProfile, kRewrites);
    if (left.contains(profile)) {
      sets.push_back(pair(own, file.path, profile));
    } else if (left.contains(rewrites)) {
      sets.push_back(pair(own, rewrites, file.path));
    } else if (file.format == nullptr) {
      continue;
    } else if (!profile.empty() || !rewrites.empty()) {
      sets.push_back(rewrites.empty() ? pair(own, file.path, "") : pair(own, "", file.path));
    } else {
      sets.push_back({&own, set_name(file.path, kNameWords), {{"capture", file.path}}});
    }
    for (const InputFile& taken : sets.back().files) left.erase(taken.path);
  }
  return sets;
}

InputSet default_set(const Format& own) {
  const std::string folder = temporary_folder(), user = user_name();
  InputSet set = pair(own, folder + "/rewrites.pkl." + user, folder + "/profile.pkl." + user);
  set.name = "latest";
  return set;
}

}  // namespace vizd::tinygrad
