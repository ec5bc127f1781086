// FlatBuffer: tables, vectors and texts of a flatbuffer that nobody vouches for. Every offset is checked before it is
// followed, and what lies outside the bytes is absent and told as damage, so that a file which a writer left broken
// gives what of it is whole. (The Verifier of the flatbuffers library refuses such a file as a whole.)
//
// Parts may be shared, so that a small file could stand for a huge one: each element of a vector and each byte of a
// text is counted when it is looked at, and beyond a multiple of the file's size there is nothing more. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace vizd::etdump {

// An offset that leads from one part of a buffer to another.
inline constexpr std::size_t kOffsetBytes = 4;

class FlatBuffer;

// A table of a buffer, which must outlive it; or nothing, which has no fields.
class FlatTable {
 public:
  FlatTable() = default;
  FlatTable(FlatBuffer* buffer, std::size_t at) : buffer_(buffer), at_(at) {}

  bool exists() const { return buffer_ != nullptr; }
  // Fields by their slot, the place in the schema's declaration; absent ones have the fallback.
  template <typename Number>
  Number number(unsigned slot, Number fallback) const;
  // Whether the field stands in the file, be it with its default.
  bool has(unsigned slot) const { return field(slot, 1).has_value(); }
  std::optional<std::string_view> text(unsigned slot) const;
  std::span<const std::byte> bytes(unsigned slot) const;
  FlatTable table(unsigned slot) const;

 private:
  friend class FlatVector;

  // Where the field's value lies, of so many bytes; none where the field is absent.
  std::optional<std::size_t> field(unsigned slot, std::size_t size) const;
  // Where what the field refers to lies.
  std::optional<std::size_t> target(unsigned slot) const;

  FlatBuffer* buffer_ = nullptr;
  std::size_t at_ = 0;
};

// A vector of tables or of numbers.
class FlatVector {
 public:
  // The field's elements; none where it is absent.
  FlatVector(const FlatTable& of, unsigned slot, std::size_t element_size);

  bool is_present() const { return is_present_; }
  std::size_t size() const { return size_; }
  FlatTable table(std::size_t i) const;
  template <typename Number>
  Number number(std::size_t i) const;

 private:
  FlatBuffer* buffer_ = nullptr;
  std::size_t at_ = 0, size_ = 0, element_size_ = 0;
  bool is_present_ = false;
};

class FlatBuffer {
 public:
  // bytes must outlive it: the buffer without a size before it, its root's offset first.
  explicit FlatBuffer(std::span<const std::byte> bytes) : bytes_(bytes) {}

  FlatTable root();
  // How often something was looked for that is not there as it should be.
  std::uint64_t damages() const { return damages_; }
  // Whether more was looked at than a file of this size stands for: from then on all is absent.
  bool is_spent() const { return spent_ > kMostPerByte * (bytes_.size() + kFreeBytes); }

 private:
  friend class FlatTable;
  friend class FlatVector;

  static constexpr std::uint64_t kMostPerByte = 16, kFreeBytes = 1024;

  bool holds(std::size_t at, std::size_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }
  template <typename Number>
  Number read(std::size_t at) const {
    Number value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  std::nullopt_t damage() {
    ++damages_;
    return std::nullopt;
  }
  // Counts what is looked at; whether there was enough left.
  bool spend(std::uint64_t amount) {
    spent_ += amount;
    if (!is_spent()) return true;
    damage();
    return false;
  }
  // Where the offset that stands at a place leads.
  std::optional<std::size_t> follow(std::size_t at);
  std::optional<FlatTable> table_at(std::size_t at);
  // The bytes after a length that stands at a place.
  std::optional<std::span<const std::byte>> block(std::size_t at, std::size_t element_size);

  std::span<const std::byte> bytes_;
  std::uint64_t damages_ = 0, spent_ = 0;
};

template <typename Number>
Number FlatTable::number(unsigned slot, Number fallback) const {
  const auto at = field(slot, sizeof(Number));
  return at ? buffer_->read<Number>(*at) : fallback;
}

template <typename Number>
Number FlatVector::number(std::size_t i) const {
  return buffer_->read<Number>(at_ + i * element_size_);
}

}  // namespace vizd::etdump
