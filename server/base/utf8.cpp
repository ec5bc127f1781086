#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace vizd {
namespace {

// Where the plain ASCII that begins at at ends: eight bytes at a time, since most text is nothing else.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  for (std::uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if ((word & 0x8080808080808080u) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = skip_ascii(text, 0); at < text.size(); at = skip_ascii(text, at)) {
    const std::size_t begin = at;
    const char32_t code_point = next_code_point(text, at);
    const std::size_t length = at - begin;
    const bool shortest = length == 2   ? code_point >= 0x80
                          : length == 3 ? code_point >= 0x800
                                        : code_point >= 0x10000 && code_point <= 0x10FFFF;
    if (length == 1 || !shortest) return false;  // a byte by itself is no ASCII here
  }
  return true;
}

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t first = byte(at++);
  const std::size_t more = first >= 0xF0 && first < 0xF8   ? 3
                           : first >= 0xE0 && first < 0xF0 ? 2
                           : first >= 0xC2 && first < 0xE0 ? 1
                                                           : 0;
  if (more == 0 || at + more > text.size()) return first;
  char32_t code_point = first & (0x3Fu >> more);
  for (std::size_t i = at; i < at + more; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return first;
    code_point = code_point << 6 | (byte(i) & 0x3F);
  }
  at += more;
  return code_point;
}

std::string_view cut_text(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0) == 0x80) --most_bytes;
  return text.substr(0, most_bytes);
}

void append_code_point(std::string& text, char32_t code_point) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

}  // namespace vizd
