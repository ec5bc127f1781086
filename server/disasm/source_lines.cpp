#include "disasm/source_lines.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/mapped_file.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> kSuffixes{".py", ".c", ".h", ".cc", ".cpp", ".cu", ".cl", ".mlir", ".ll"};
constexpr std::size_t kMostFiles = 4096;  // unreadable ones cost no bytes but an entry

bool has_source_suffix(const fs::path& path) {
  const std::string suffix = path.extension().string();
  return std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
}

// path lies under folder; both are real paths.
bool is_under(const fs::path& path, const fs::path& folder) {
  const auto [folder_end, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return folder_end == folder.end();
}

}  // namespace

std::optional<std::string> SourceLines::allowed_path(std::string_view name) const {
  if (!options_.enabled || name.find('\0') != std::string_view::npos) return std::nullopt;
  fs::path path(name);
  if (path.is_relative()) {
    if (options_.root.empty()) return std::nullopt;
    path = options_.root / path;
  }
  if (!has_source_suffix(path)) return std::nullopt;
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed || !has_source_suffix(real)) return std::nullopt;
  if (!options_.root.empty() && !is_under(real, options_.root)) return std::nullopt;
  if (!fs::is_regular_file(real, failed) || fs::file_size(real, failed) > kMostFileBytes || failed) return std::nullopt;
  return real.string();
}

std::shared_ptr<const SourceLines::File> SourceLines::file(std::string_view path) {
  const std::lock_guard lock(mutex_);
  std::string key(path);
  if (const auto found = by_path_.find(key); found != by_path_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return found->second->second;
  }
  std::shared_ptr<File> read;
  if (const auto allowed = allowed_path(path)) {
    if (const auto bytes = MappedFile::open(*allowed); bytes && bytes->bytes().size() <= kMostFileBytes) {
      read = std::make_shared<File>();
      read->text.assign(reinterpret_cast<const char*>(bytes->bytes().data()), bytes->bytes().size());
      read->line_begin.push_back(0);
      for (std::size_t i = 0; i < read->text.size(); ++i) {
        if (read->text[i] == '\n') read->line_begin.push_back(static_cast<std::uint32_t>(i + 1));
      }
      if (read->line_begin.back() != read->text.size())
        read->line_begin.push_back(static_cast<std::uint32_t>(read->text.size()));
      kept_bytes_ += read->text.size();
    }
  }
  recent_.emplace_front(key, read);
  by_path_.emplace(std::move(key), recent_.begin());
  while (recent_.size() > 1 && (kept_bytes_ > kMostKeptBytes || recent_.size() > kMostFiles)) {
    if (const auto& oldest = recent_.back().second) kept_bytes_ -= oldest->text.size();
    by_path_.erase(recent_.back().first);
    recent_.pop_back();
  }
  return read;
}

std::optional<std::string> SourceLines::line(std::string_view path, std::uint32_t number) {
  const auto source = file(path);
  if (!source || number == 0 || number >= source->line_begin.size()) return std::nullopt;
  const std::uint32_t begin = source->line_begin[number - 1];
  std::string_view text = std::string_view(source->text).substr(begin, source->line_begin[number] - begin);
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

std::optional<std::string> SourceLines::line(const Capture& capture, const Location& location) {
  if (location.code != StringId{kNoId}) return std::string(capture.strings.get(location.code));
  return line(capture.strings.get(location.file), location.line);
}

void SourceLines::forget() {
  const std::lock_guard lock(mutex_);
  recent_.clear();
  by_path_.clear();
  kept_bytes_ = 0;
}

}  // namespace vizd
