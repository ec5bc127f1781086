// ProtobufFields: the fields of one protobuf message, one after another, where they lie. For formats whose messages are
// read by field number without a schema. It throws nothing and copies nothing: a broken message ends the fields, and
// is_broken() says so. Owns nothing: the bytes must outlive it and the texts it gives out. One thread an object.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace vizd {

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// Takes a varint off the front of the bytes, modulo 2^64. False where it does not end within ten bytes.
inline bool take_protobuf_varint(std::string_view& bytes, std::uint64_t& value) {
  value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= std::uint64_t{byte & 0x7Fu} << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

class ProtobufFields {
 public:
  explicit ProtobufFields(std::string_view message) : rest_(message) {}

  // Moves to the next field. False at the end of the message, and where it is broken.
  bool next() {
    if (rest_.empty() || is_broken_) return false;
    std::uint64_t tag = 0;
    if (!take_protobuf_varint(rest_, tag) || tag >> 3 == 0) return fail();
    number_ = tag >> 3;
    type_ = static_cast<WireType>(tag & 7);
    switch (type_) {
      case WireType::kVarint:
        return take_protobuf_varint(rest_, value_) || fail();
      case WireType::kBytes:
        return (take_protobuf_varint(rest_, value_) && take(value_)) || fail();
      case WireType::kFixed64:
        return take(8) || fail();
      case WireType::kFixed32:
        return take(4) || fail();
    }
    return fail();
  }

  std::uint64_t number() const { return number_; }
  WireType type() const { return type_; }
  bool is(std::uint64_t number, WireType type) const { return number_ == number && type_ == type; }
  // Value of a varint field.
  std::uint64_t value() const { return value_; }
  std::int64_t integer() const { return static_cast<std::int64_t>(value_); }
  // Bytes of any other field.
  std::string_view bytes() const { return bytes_; }
  // Value of a fixed field of 64 bits.
  double real() const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes_.data(), sizeof bits);  // vizd runs on little-endian machines only
    return std::bit_cast<double>(bits);
  }

  // How many bytes of the message are not read yet.
  std::size_t rest_bytes() const { return rest_.size(); }
  bool is_broken() const { return is_broken_; }

 private:
  bool take(std::uint64_t size_bytes) {
    if (size_bytes > rest_.size()) return false;
    bytes_ = rest_.substr(0, static_cast<std::size_t>(size_bytes));
    rest_.remove_prefix(static_cast<std::size_t>(size_bytes));
    return true;
  }
  bool fail() {
    is_broken_ = true;
    return false;
  }

  std::string_view rest_, bytes_;
  std::uint64_t number_ = 0, value_ = 0;
  WireType type_ = WireType::kVarint;
  bool is_broken_ = false;
};

}  // namespace vizd
