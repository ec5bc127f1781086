// Column<T>: very many plain values of one kind. Either its own memory, which grows while it is filled, or a view of
// memory that someone else keeps (a mapped file). SparseColumn<T>: one that is mostly, and often wholly, one value.
// Not thread-safe while it is changed; reading is.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "base/huge_pages.h"

namespace vizd {

template <typename T>
class Column {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  Column() = default;
  explicit Column(LargeVector<T> values) : own_(std::move(values)), data_(own_.data()), size_(own_.size()) {}
  // The owner is held for the life of the column.
  Column(std::span<const T> view, std::shared_ptr<const void> owner)
      : owner_(std::move(owner)), data_(view.data()), size_(view.size()) {}
  Column(Column&& other) noexcept { *this = std::move(other); }
  Column& operator=(Column&& other) noexcept {
    own_ = std::move(other.own_);
    owner_ = std::move(other.owner_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    other.own_.clear();
    return *this;
  }
  Column(const Column& other) { *this = other; }
  Column& operator=(const Column& other) {
    if (this == &other) return *this;
    own_ = other.own_;
    owner_ = other.owner_;
    data_ = owner_ ? other.data_ : own_.data();
    size_ = other.size_;
    return *this;
  }
  ~Column() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t i) const { return data_[i]; }
  const T* data() const { return data_; }
  std::span<const T> span() const { return {data_, size_}; }

  // Changing is for columns that are no views.
  void reserve(std::size_t size) {
    own().reserve(size);
    data_ = own_.data();
  }
  void push_back(T value) {
    own().push_back(value);
    data_ = own_.data();
    ++size_;
  }
  void resize(std::size_t size, T value) {
    own().resize(size, value);
    data_ = own_.data();
    size_ = size;
  }
  void set(std::size_t i, T value) { own()[i] = value; }

  // Bytes of the column's own memory.
  std::size_t owned_bytes() const { return own_.capacity() * sizeof(T); }

 private:
  LargeVector<T>& own() {
    VIZD_ASSERT(!owner_);
    return own_;
  }

  LargeVector<T> own_;
  std::shared_ptr<const void> owner_;
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <typename T, T kUsual>
class SparseColumn {
 public:
  SparseColumn() = default;
  explicit SparseColumn(Column<T> values) : values_(std::move(values)) {}

  // The usual value where nothing else was set.
  T operator[](std::size_t i) const { return i < values_.size() ? values_[i] : kUsual; }
  void set(std::size_t i, T value) {
    if (i < values_.size()) {
      values_.set(i, value);
    } else if (value != kUsual) {
      if (i > values_.size()) values_.resize(i, kUsual);
      values_.push_back(value);
    }
  }
  bool is_usual() const { return values_.empty(); }
  // The values up to the last that was set.
  const Column<T>& values() const { return values_; }

 private:
  Column<T> values_;
};

// The values of either kind of column as a Column.
template <typename T>
const Column<T>& column_values(const Column<T>& column) {
  return column;
}
template <typename T, T kUsual>
const Column<T>& column_values(const SparseColumn<T, kUsual>& column) {
  return column.values();
}

}  // namespace vizd
