#include "formats/chrome_trace/item_scan.h"

#include <algorithm>
#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace vizd::chrome_trace {
namespace {

constexpr std::size_t kBlock_bytes = 64;

}  // namespace

std::optional<std::size_t> ItemScan::find_end(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.front() != '{' && text.front() != '[') return find_scalar_end(text);
#ifdef __SSE2__
  while (at_ + kBlock_bytes <= text.size()) {
    if (const auto end = scan_block(text)) return end;
  }
#endif
  return scan_bytes(text, text.size());
}

std::optional<std::size_t> ItemScan::find_scalar_end(std::string_view text) {
  if (text.front() != '"') {
    at_ = std::min(text.find_first_of(",]} \t\r\n", at_), text.size());
    return at_ < text.size() ? std::optional(at_) : std::nullopt;
  }
  for (at_ = std::max<std::size_t>(at_, 1); at_ < text.size(); ++at_) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (text[at_] == '\\') {
      is_escaped_ = true;
    } else if (text[at_] == '"') {
      return at_ + 1;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> ItemScan::scan_bytes(std::string_view text, std::size_t end) {
  for (; at_ < end; ++at_) {
    const char c = text[at_];
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (is_in_text_) {
      if (c == '\\') is_escaped_ = true;
      if (c == '"') is_in_text_ = false;
    } else if (c == '"') {
      is_in_text_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      if (--depth_ <= 0) return at_ + 1;
    }
  }
  return std::nullopt;
}

#ifdef __SSE2__
std::optional<std::size_t> ItemScan::scan_block(std::string_view text) {
  std::uint64_t quotes = 0, backslashes = 0, opens = 0, closes = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at_ + 16 * part));
    const auto folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));  // '[' is '{' then, and ']' '}'
    const auto where = [&](__m128i in, char c) {
      return std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(in, _mm_set1_epi8(c))))}
             << (16 * part);
    };
    quotes |= where(bytes, '"');
    backslashes |= where(bytes, '\\');
    opens |= where(folded, '{');
    closes |= where(folded, '}');
  }
  // Escapes mean something within texts only; elsewhere there are none, but for damage.
  if (backslashes != 0 || is_escaped_) return scan_bytes(text, at_ + kBlock_bytes);
  std::uint64_t inside = quotes;  // each bit becomes the parity of the quotes up to it
  for (unsigned shift = 1; shift < 64; shift *= 2) inside ^= inside << shift;
  if (is_in_text_) inside = ~inside;
  is_in_text_ = (inside >> 63) != 0;
  opens &= ~inside;
  closes &= ~inside;
  if (std::popcount(closes) >= depth_) {
    for (std::uint64_t brackets = opens | closes; brackets != 0; brackets &= brackets - 1) {
      const int bit = std::countr_zero(brackets);
      depth_ += (opens >> bit & 1u) != 0 ? 1 : -1;
      if (depth_ <= 0) return at_ + static_cast<std::size_t>(bit) + 1;
    }
  } else {
    depth_ += std::popcount(opens) - std::popcount(closes);
  }
  at_ += kBlock_bytes;
  return std::nullopt;
}
#endif

}  // namespace vizd::chrome_trace
