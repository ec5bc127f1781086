#include "formats/tinygrad/python/json_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace vizd::python {
namespace {

// The code point at the front of the text, and how many bytes it takes; a byte that begins none stands for itself.
std::pair<std::uint32_t, std::size_t> first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::size_t count = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC0 ? 2 : 1;
  if (count == 1 || count > text.size()) return {byte(0), 1};
  std::uint32_t code = byte(0) & (0x7Fu >> count);
  for (std::size_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {byte(0), 1};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  return {code, count};
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto [code, count] = first_code_point(text);
    text.remove_prefix(count);
    switch (code) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (code >= 0x20 && code < 0x7F) {
          out += static_cast<char>(code);
        } else if (code <= 0xFFFF) {
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
        } else {
          const std::uint32_t rest = code - 0x10000;
          fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
        }
    }
  }
  return out + "\"";
}

}  // namespace vizd::python
