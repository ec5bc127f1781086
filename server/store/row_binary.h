// RowBinaryWriter: ClickHouse's rows as bytes: little-endian numbers, texts behind their length, arrays behind their
// size, a byte before a value that may be null. One thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace vizd::store {

// Appends values to a string, which must outlive it.
class RowBinaryWriter {
 public:
  explicit RowBinaryWriter(std::string& out) : out_(out) {}

  void present() { out_ += '\0'; }  // before a value that might have been null
  void null() { out_ += '\1'; }
  void unsigned8(std::uint8_t value) { out_ += static_cast<char>(value); }
  void unsigned32(std::uint32_t value) { append(value); }
  void unsigned64(std::uint64_t value) { append(value); }
  void integer(std::int64_t value) { append(value); }
  void real(double value) { append(value); }
  void text(std::string_view value) {
    length(value.size());
    out_ += value;
  }
  void array(std::size_t size) { length(size); }  // so many values come after it

 private:
  template <typename Value>
  void append(Value value) {
    char bytes[sizeof(Value)];
    std::memcpy(bytes, &value, sizeof(Value));
    out_.append(bytes, sizeof(Value));
  }
  void length(std::uint64_t size) {
    for (; size >= 0x80; size >>= 7) out_ += static_cast<char>((size & 0x7F) | 0x80);
    out_ += static_cast<char>(size);
  }

  std::string& out_;
};

// Takes values off bytes, which must outlive it. Whatever is asked of bytes that are too few is none, from then on.
class RowBinaryReader {
 public:
  explicit RowBinaryReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  std::optional<std::uint32_t> unsigned32() { return take<std::uint32_t>(); }
  std::optional<std::string_view> text() {
    std::uint64_t size = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (!byte) return std::nullopt;
      size |= std::uint64_t{*byte & 0x7Fu} << shift;
      if (*byte < 0x80) return bytes(size);
    }
    return fail();
  }

 private:
  std::nullopt_t fail() {
    rest_ = {};
    return std::nullopt;
  }
  template <typename Value>
  std::optional<Value> take() {
    if (rest_.size() < sizeof(Value)) return fail();
    Value value;
    std::memcpy(&value, rest_.data(), sizeof(Value));
    rest_.remove_prefix(sizeof(Value));
    return value;
  }
  std::optional<std::string_view> bytes(std::uint64_t size) {
    if (rest_.size() < size) return fail();
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  std::string_view rest_;
};

// The bytes as one frame of ClickHouse's own compression, whose length is told first: the server takes it whole or,
// where the connection is cut anywhere in it, not at all.
std::string framed(std::string_view bytes);

}  // namespace vizd::store
