// ByteCursor: little-endian numbers out of bytes that nobody vouches for. What lies outside reads as 0 and sets
// failed(), so that a reader checks once, at the end of a record. One thread at a time; does not own the bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vizd {

class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::byte> bytes, std::uint64_t at = 0) : bytes_(bytes) { seek(at); }

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  // size_bytes is at most 8.
  std::uint64_t number(std::size_t size_bytes) {
    std::uint64_t value = 0;
    const auto read = take(size_bytes);
    for (std::size_t i = read.size(); i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(read[i]);
    return value;
  }
  // LEB128, as DWARF has it. Bits beyond 64 are lost.
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !failed_; shift += 7) {
      const std::uint8_t byte = u8();
      if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) break;
    }
    return value;
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (std::uint8_t byte = 0x80; (byte & 0x80U) != 0 && !failed_;) {
      byte = u8();
      if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
      shift += 7;
      if ((byte & 0xC0U) == 0x40 && shift < 64) value |= ~std::uint64_t{0} << shift;
    }
    return static_cast<std::int64_t>(value);
  }
  // Up to the next 0, which is read too, or to the most bytes a name may have: many records may name one long text.
  // Valid as long as the bytes.
  std::string_view text() {
    constexpr std::size_t kMostBytes = 4096;
    const auto name = view(bytes_.subspan(at_, std::min(kMostBytes, bytes_.size() - at_)));
    const std::size_t end = name.find('\0');
    take(end == std::string_view::npos ? name.size() : end + 1);
    return failed_ ? std::string_view() : name.substr(0, end);
  }
  // Empty where there are not so many.
  std::span<const std::byte> take(std::uint64_t size_bytes) {
    if (failed_ || size_bytes > bytes_.size() - at_) {
      failed_ = true;
      return {};
    }
    const auto taken = bytes_.subspan(at_, static_cast<std::size_t>(size_bytes));
    at_ += taken.size();
    return taken;
  }
  void seek(std::uint64_t at) {
    failed_ = failed_ || at > bytes_.size();
    if (!failed_) at_ = static_cast<std::size_t>(at);
  }

  std::size_t at() const { return at_; }
  bool at_end() const { return failed_ || at_ == bytes_.size(); }
  bool failed() const { return failed_; }

  static std::string_view view(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace vizd
