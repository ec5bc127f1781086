#include "base/lines.h"

#include <cstddef>

namespace vizd {
namespace {

// The length in bytes of the line end at text[at], 0 where there is none.
std::size_t line_end_bytes(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  switch (rest[0]) {
    case '\r':
      return rest.starts_with("\r\n") ? 2 : 1;
    case '\n':
    case '\v':
    case '\f':
    case '\x1c':
    case '\x1d':
    case '\x1e':
      return 1;
    case '\xc2':
      return rest.starts_with("\xc2\x85") ? 2 : 0;
    case '\xe2':
      return rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9") ? 3 : 0;
    default:
      return 0;
  }
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end_bytes = line_end_bytes(text, at);
    if (end_bytes == 0) {
      ++at;
      continue;
    }
    lines.push_back(text.substr(begin, at - begin));
    begin = at += end_bytes;
  }
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

}  // namespace vizd
