#include "formats/torch_memory/formatted_stack.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace vizd::torch_memory {
namespace {

std::string_view without_space(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// None of a line that names no file.
std::optional<FormattedFrame> frame_in(std::string_view line) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kIn = ", in ";
  const std::size_t after_file = line.rfind(kLine);
  if (!line.starts_with(kFile) || after_file == std::string_view::npos || after_file < kFile.size())
    return std::nullopt;
  FormattedFrame frame{
      .function = {}, .file = line.substr(kFile.size(), after_file - kFile.size()), .line = 0, .code = {}};
  const std::string_view rest = line.substr(after_file + kLine.size());
  if (std::from_chars(rest.data(), rest.data() + rest.size(), frame.line).ec != std::errc()) frame.line = 0;
  const std::size_t in = rest.find(kIn);
  if (in != std::string_view::npos) frame.function = rest.substr(in + kIn.size());
  return frame;
}

// What Python draws below the part of a line that it means.
bool is_underline(std::string_view line) { return line.find_first_not_of("~^ ") == std::string_view::npos; }

}  // namespace

std::vector<FormattedFrame> parse_formatted_stack(std::span<const std::string_view> texts) {
  std::vector<FormattedFrame> frames;
  bool may_be_code = false;
  for (const std::string_view text : texts) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_space(text.substr(0, end)),
                           below = text.substr(std::min(end + 1, text.size()));
    if (is_underline(line)) continue;
    if (const auto frame = frame_in(line)) {
      frames.push_back(*frame);
      frames.back().code = without_space(below.substr(0, below.find('\n')));
      may_be_code = frames.back().code.empty();
    } else if (std::exchange(may_be_code, false)) {
      frames.back().code = line;
    } else {
      frames.push_back({.function = line, .file = {}, .line = 0, .code = {}});
    }
  }
  return frames;
}

}  // namespace vizd::torch_memory
