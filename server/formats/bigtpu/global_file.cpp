#include "formats/bigtpu/global_file.h"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <set>

namespace vizd::bigtpu {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::optional<std::int64_t> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::string_view> GlobalFile::value(std::string_view key) const {
  const auto found =
      std::find_if(lines.rbegin(), lines.rend(), [&](const Line& line) { return line.has_value && line.key == key; });
  if (found == lines.rend()) return std::nullopt;
  return found->value;
}

std::optional<std::int64_t> GlobalFile::number(std::string_view key) const {
  const auto text = value(key);
  return text ? parse_number(*text) : std::nullopt;
}

std::string GlobalFile::repeated_key() const {
  std::set<std::string_view> keys;
  for (const Line& line : lines) {
    if (line.has_value && !keys.insert(line.key).second) return line.key;
  }
  return "";
}

GlobalFile read_global_file(std::span<const std::byte> file) {
  GlobalFile global;
  std::string_view left = text_of(file);
  global.is_text = left.find('\0') == std::string_view::npos;
  global.is_cut = !left.empty() && left.back() != '\n';
  while (!left.empty()) {
    const auto end = left.find('\n');
    const std::string_view line = trimmed(left.substr(0, end));
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    if (line.empty()) {
      global.has_empty_lines = true;
    } else if (line.find("bmodel") != std::string_view::npos) {
      global.is_bmodel = true;
    } else if (const auto equals = line.find('='); equals == std::string_view::npos) {
      global.lines.push_back({std::string(line), "", false});
    } else {
      global.lines.push_back(
          {std::string(trimmed(line.substr(0, equals))), std::string(trimmed(line.substr(equals + 1))), true});
    }
  }
  return global;
}

bool looks_like_global_file(std::span<const std::byte> beginning) {
  constexpr std::size_t kMostLooked = 4096;
  const std::string_view text = text_of(beginning.first(std::min(beginning.size(), kMostLooked)));
  if (text.find('\0') != std::string_view::npos) return false;
  const GlobalFile global = read_global_file(std::as_bytes(std::span(text)));
  const auto is_ours = [](const GlobalFile::Line& line) {
    return line.has_value && (line.key == "arch" || line.key == "max_record_num" || line.key == "tpu_freq" ||
                              line.key.ends_with("_record"));
  };
  // One line may be cut, or damaged.
  const auto others = std::ranges::count(global.lines, false, &GlobalFile::Line::has_value);
  return others <= 1 && std::ranges::any_of(global.lines, is_ours);
}

}  // namespace vizd::bigtpu
