#include "formats/bigtpu/profile_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/ascii_case.h"
#include "base/file_signature.h"

namespace vizd::bigtpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".profile";

// The name without the suffixes of packed files.
std::string_view unpacked_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name;
}

std::string folder_of(const std::string& path) { return fs::path(path).parent_path().string(); }
std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

std::int64_t last_number(const std::string& path) {
  const auto numbers = numbers_in(unpacked_name(name_of(path)));
  return numbers.empty() ? 0 : numbers.back();
}

template <typename Files>
void sort_by_numbers(Files& files) {
  std::ranges::stable_sort(files, {}, [](const auto& file) {
    const std::string name = name_of(file.path);
    return std::pair(numbers_in(name), name);
  });
}

// How many of a folder's cores are read.
Result<std::size_t> core_limit(const OpenSet& set) {
  const auto text = set.setting(kCoresOption);
  if (!text) return std::numeric_limits<std::size_t>::max();
  const auto count = parse_number(*text);
  if (!count || *count < 1)
    return Error{ErrorKind::kBadInput, fmt::format("--{} {}: must be a number of cores", kCoresOption, *text), ""};
  return static_cast<std::size_t>(*count);
}

}  // namespace

std::string folder_name(const std::string& folder) {
  const fs::path path = fs::path(folder).lexically_normal();
  std::string name = path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
  return name.empty() || name == "." ? "profile" : name;
}

std::vector<std::int64_t> numbers_in(std::string_view name) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end > i) numbers.push_back(parse_number(name.substr(i, end - i)).value_or(INT64_MAX));
    i = end + 1;
  }
  return numbers;
}

std::string_view role_of_name(std::string_view file_name) {
  std::string_view name = unpacked_name(file_name);
  if (name == "global.profile") return kGlobalRole;
  if (!name.ends_with(kSuffix)) return "";
  name.remove_suffix(kSuffix.size());
  if (name.starts_with("cdmlib")) return kCoreRole;
  if (!name.starts_with("cdma") || name.empty() || !is_digit(name.back())) return "";
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  return name.ends_with('_') ? kPortRole : std::string_view();
}

std::vector<std::vector<std::size_t>> files_by_folder(const OpenSet& set) {
  std::vector<std::vector<std::size_t>> files;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const std::string path = folder_of(set.file(i).path);
    const auto place = static_cast<std::size_t>(std::ranges::find(paths, path) - paths.begin());
    if (place == paths.size()) {
      paths.push_back(path);
      files.emplace_back();
    }
    files[place].push_back(i);
  }
  return files;
}

Result<ProfileFolder> open_folder(OpenSet& set, std::span<const std::size_t> files) {
  ProfileFolder folder{
      .name = folder_name(folder_of(set.file(files.front()).path)), .global = {}, .cores = {}, .ports = {}};
  for (const std::size_t i : files) {
    const InputFile& file = set.file(i);
    std::span<const std::byte> bytes;
    // A core that never ran may leave an empty file, and keeps its place.
    const auto signature = file_signature(file.path);
    if (!signature || signature->size_bytes > 0 || file.role != kCoreRole) {
      const auto input = set.open(i);
      if (!input) return input.error();
      bytes = input->bytes;
    }
    if (file.role == kGlobalRole || (file.role.empty() && looks_like_global_file(bytes))) {
      folder.global = read_global_file(bytes);
    } else if (file.role == kPortRole) {
      folder.ports.push_back({file.path, last_number(file.path), read_blocks(bytes)});
    } else {
      folder.cores.push_back({file.path, last_number(file.path), read_blocks(bytes)});
    }
  }
  sort_by_numbers(folder.cores);
  sort_by_numbers(folder.ports);
  const auto most_cores = core_limit(set);
  if (!most_cores) return most_cores.error();
  folder.has_all_cores = *most_cores >= folder.cores.size();
  if (!folder.has_all_cores)
    folder.cores.erase(folder.cores.begin() + static_cast<std::ptrdiff_t>(*most_cores), folder.cores.end());
  if (folder.global) folder.chip = find_chip(folder.global->value("arch").value_or(""));
  return folder;
}

Result<std::vector<ProfileFolder>> open_folders(OpenSet& set) {
  std::vector<ProfileFolder> folders;
  for (const std::vector<std::size_t>& files : files_by_folder(set)) {
    auto folder = open_folder(set, files);
    if (!folder) return folder.error();
    folders.push_back(*std::move(folder));
  }
  return folders;
}

}  // namespace vizd::bigtpu
