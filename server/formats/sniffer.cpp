#include "formats/sniffer.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/log.h"
#include "formats/byte_stream.h"
#include "formats/file_beginning.h"
#include "formats/registry.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 3;  // as in DIR/plugins/profile/RUN

}  // namespace

const Format* Sniffer::format_of(const std::string& path) {
  const auto signature = file_signature(path);
  const auto [place, is_new] = sniffed_.try_emplace(path);
  Sniffed& sniffed = place->second;
  if (!sniffed.is_told && (is_new || sniffed.signature != signature)) {
    const std::vector<std::byte> beginning = stored_beginning(path);
    sniffed = {signature, find_format(beginning, path)};
    const auto bytes = sniffed.format == nullptr && !beginning.empty() ? ByteStream::open(path)
                                                                       : Error{ErrorKind::kBadInput, "", path};
    if (bytes) sniffed.format = find_format_further(**bytes);
  }
  return sniffed.format;
}

std::vector<std::string> files_in(const std::string& folder, std::size_t* beyond) {
  constexpr std::size_t kMostCounted = 100'000;  // a folder is looked at again and again
  std::vector<std::string> paths;
  std::size_t more = 0;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code unreadable;
    if (it->path().filename().string().starts_with('.') || !it->is_regular_file(unreadable)) continue;
    if (paths.size() < kMostFolderFiles) {
      paths.push_back(it->path().string());
    } else if (beyond == nullptr || ++more == kMostCounted) {
      break;
    }
  }
  if (beyond != nullptr) *beyond += more;
  std::sort(paths.begin(), paths.end());
  return paths;
}

namespace {

// The folders in a folder that are some format's, sorted by name.
std::vector<std::string> known_folders_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code unreadable;
    if (it->path().filename().string().starts_with('.') || !it->is_directory(unreadable)) continue;
    const std::string path = it->path().string();
    const auto knows = [&](const Format* format) {
      return format->knows_folder != nullptr && format->knows_folder(path);
    };
    if (std::ranges::any_of(formats(), knows)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Calls add(folder) for each of those, and for those in them, so many levels deep.
template <typename Add>
void add_known_folders(const std::string& folder, int levels, const Add& add) {
  if (levels == 0) return;
  for (const std::string& known : known_folders_in(folder)) {
    add(known);
    add_known_folders(known, levels - 1, add);
  }
}

bool is_made_of_others(const ListedFile& file, std::span<const ListedFile> listing) {
  return std::ranges::any_of(formats(), [&](const Format* format) {
    return format->is_made_of_others != nullptr && format->is_made_of_others(file, listing);
  });
}

}  // namespace

std::vector<ListedFile> list_folder(const std::string& folder, Sniffer& sniffer) {
  std::size_t beyond = 0;
  std::vector<std::string> paths = files_in(folder, &beyond);
  const auto add = [&](const std::string& known) {
    if (paths.size() < kMostFolderFiles) {
      std::ranges::copy(files_in(known, &beyond), std::back_inserter(paths));
    } else {
      ++beyond;
    }
  };
  add_known_folders(folder, kMostLevels, add);
  if (sniffer.leave_out(folder, beyond) && beyond > 0)
    log(LogLevel::kWarning, "{}: {} files or folders in it were not looked at, because it contains more than {}",
        folder, beyond, kMostFolderFiles);
  std::vector<ListedFile> listing;
  for (const std::string& path : paths) listing.push_back({path, sniffer.format_of(path)});
  const std::vector<ListedFile> all = listing;
  std::erase_if(listing, [&](const ListedFile& file) { return is_made_of_others(file, all); });
  return listing;
}

}  // namespace vizd
