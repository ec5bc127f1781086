// Columns: one unpacked chunk of a native capture as its columns of numbers. A column that is not there, or of a number
// that nobody asks for, costs nothing: readers take the first for zeros and pass over the second. A view: the bytes
// must outlive it. Belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vizd/capture_format.h"

namespace vizd::native {

class Columns {
 public:
  // An error is a text that says what is wrong with the columns; empty where nothing is.
  Columns(std::span<const std::byte> bytes, std::uint32_t count);

  std::string_view error() const { return error_; }
  // How many records there are.
  std::size_t count() const { return count_; }
  bool has(std::uint16_t number) const { return find(number) != nullptr; }
  // The numbers of a column of one a record; as many zeros where there is none, or one of another length.
  template <typename T>
  std::vector<T> read(std::uint16_t number) const {
    std::vector<T> values;
    read_into(values, number);
    return values;
  }
  // The same into a vector that is there, so that many chunks need its memory once.
  template <typename T>
  void read_into(std::vector<T>& values, std::uint16_t number) const {
    const Column* column = find(number);
    if (column != nullptr && column->count == count_) {
      values.resize(count_);
      decode(*column, values.data());
    } else {
      values.assign(count_, T{});
    }
  }
  // All numbers of a column that may be longer or shorter than the records are many.
  template <typename T>
  std::vector<T> read_all(std::uint16_t number) const {
    std::vector<T> values;
    read_all_into(values, number);
    return values;
  }
  template <typename T>
  void read_all_into(std::vector<T>& values, std::uint16_t number) const {
    const Column* column = find(number);
    values.resize(column == nullptr ? 0 : column->count);
    if (column != nullptr) decode(*column, values.data());
  }
  // A column of bytes as text.
  std::string_view text(std::uint16_t number) const;

 private:
  struct Column {
    std::uint16_t number = 0;
    capture::ColumnType type{};
    capture::Coding coding{};
    std::uint32_t count = 0;
    const std::byte* data = nullptr;
  };

  const Column* find(std::uint16_t number) const;
  // What is wrong, or "".
  std::string_view parse();

  template <typename Stored, typename T>
  static void convert(const Column& column, T* to) {
    using capture::Coding;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < column.count; ++i) {
      Stored stored;
      std::memcpy(&stored, column.data + i * sizeof stored, sizeof stored);
      if constexpr (std::is_integral_v<Stored> && std::is_integral_v<T>) {
        const auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(stored));
        sum = column.coding == Coding::kDifferences ? sum + value : value;
        to[i] = static_cast<T>(sum);
      } else if constexpr (std::is_floating_point_v<T>) {
        to[i] = static_cast<T>(stored);
      } else {
        to[i] = T{};  // a real where an integer is wanted
      }
    }
  }

  template <typename T>
  static void decode(const Column& column, T* to) {
    using capture::ColumnType;
    switch (column.type) {
      case ColumnType::kU8:
        return convert<std::uint8_t>(column, to);
      case ColumnType::kU16:
        return convert<std::uint16_t>(column, to);
      case ColumnType::kU32:
        return convert<std::uint32_t>(column, to);
      case ColumnType::kU64:
        return convert<std::uint64_t>(column, to);
      case ColumnType::kI8:
        return convert<std::int8_t>(column, to);
      case ColumnType::kI16:
        return convert<std::int16_t>(column, to);
      case ColumnType::kI32:
        return convert<std::int32_t>(column, to);
      case ColumnType::kI64:
        return convert<std::int64_t>(column, to);
      case ColumnType::kF32:
        return convert<float>(column, to);
      case ColumnType::kF64:
        return convert<double>(column, to);
    }
  }

  std::span<const std::byte> bytes_;
  std::size_t count_;
  std::vector<Column> columns_;  // by number
  std::string_view error_;
};

}  // namespace vizd::native
