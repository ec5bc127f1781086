#include "base/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace vizd {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void append_escape(std::string& out, unsigned unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 0xF];
}

// The length of the UTF-8 sequence at text[i], 0 where it is none; code is its code point. Surrogates count as valid.
std::size_t sequence_length(std::string_view text, std::size_t i, unsigned& code) {
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
  const auto continues = [&](std::size_t at) { return (byte(at) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(i);
  if (lead >= 0xC2 && lead < 0xE0 && continues(i + 1)) {
    code = (lead & 0x1Fu) << 6 | (byte(i + 1) & 0x3Fu);
    return 2;
  }
  if (lead >= 0xE0 && lead < 0xF0 && continues(i + 1) && continues(i + 2)) {
    code = (lead & 0x0Fu) << 12 | (byte(i + 1) & 0x3Fu) << 6 | (byte(i + 2) & 0x3Fu);
    return code >= 0x800 ? 3 : 0;
  }
  if (lead >= 0xF0 && lead < 0xF5 && continues(i + 1) && continues(i + 2) && continues(i + 3)) {
    code = (lead & 0x07u) << 18 | (byte(i + 1) & 0x3Fu) << 12 | (byte(i + 2) & 0x3Fu) << 6 | (byte(i + 3) & 0x3Fu);
    return code >= 0x10000 && code < 0x110000 ? 4 : 0;
  }
  return 0;
}

// Where text[i] begins no valid sequence: how many bytes could have begun one. They count as one mistake.
std::size_t broken_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
  const unsigned lead = byte(i), second = byte(i + 1);
  if (lead < 0xE0 || lead > 0xF4) return 1;
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (second < least || second > most) return 1;
  return lead >= 0xF0 && (byte(i + 2) & 0xC0u) == 0x80u ? 3 : 2;
}

// C1 controls, which a terminal may obey; what some programs take for the end of a line; what turns the direction of
// text.
bool is_unsafe(unsigned code) {
  return (code >= 0x80 && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

template <typename Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[i++];
    } else if (byte == '\n') {
      out += "\\n";
      ++i;
    } else if (byte < 0x20 || byte == 0x7F) {
      append_escape(out, byte);
      ++i;
    } else if (byte < 0x80) {
      out += text[i++];
    } else {
      unsigned code = 0;
      const std::size_t length = sequence_length(text, i, code);
      if (length == 0) {
        append_escape(out, 0xFFFD);
      } else if ((code >= 0xD800 && code < 0xE000) || is_unsafe(code)) {
        append_escape(out, code);
      } else {
        out.append(text, i, length);
      }
      i += length == 0 ? broken_length(text, i) : length;
    }
  }
  out += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  append_json_string(out_, value);
  return *this;
}

JsonWriter& JsonWriter::real(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  append_number(out_, value);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::signed_number(std::int64_t value) {
  separate();
  append_number(out_, value);
  return *this;
}

JsonWriter& JsonWriter::unsigned_number(std::uint64_t value) {
  separate();
  append_number(out_, value);
  return *this;
}

void JsonWriter::separate() {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
}

}  // namespace vizd
