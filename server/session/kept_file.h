// KeptWriter, KeptReader: columns kept in a file of the cache folder, and taken from there where they are wanted again.
// A file is a head of small things and sections, which are used where they lie once the file was read. It is written
// beside its place and renamed, and is believed only where it is the user's own and its version, key, size and all
// checksums are right; anything else counts as not there. All of it is read into memory before it is checked: what
// somebody does to the file from then on changes nothing of what was believed. A writer or a reader belongs to one
// thread; several programs may share the folder.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/column.h"
#include "base/result.h"

namespace vizd {

// Whether that is a file that a KeptWriter made, whole or not: the only ones that are ever removed.
bool is_kept_file(const std::string& path);

class KeptBytes {
 public:
  // Null where there is no such file, others could have written it, or it cannot be read.
  static std::shared_ptr<const KeptBytes> read(const std::string& path, unsigned threads);
  KeptBytes(const KeptBytes&) = delete;
  KeptBytes& operator=(const KeptBytes&) = delete;
  ~KeptBytes();

  std::string_view bytes() const { return {static_cast<const char*>(memory_), size_bytes_}; }

 private:
  KeptBytes(void* memory, std::size_t size_bytes) : memory_(memory), size_bytes_(size_bytes) {}
  void* memory_;
  std::size_t size_bytes_;
};

struct KeptSection {
  std::uint64_t offset = 0, size_bytes = 0, hash = 0;
};

// A KeptReader gives back in the same order what is put in.
class KeptWriter {
 public:
  // Once it is asked to stop, nothing more can be written.
  KeptWriter(std::string path, std::uint64_t key, std::stop_token stop = {});
  KeptWriter(const KeptWriter&) = delete;
  KeptWriter& operator=(const KeptWriter&) = delete;
  // Removes what was not finished.
  ~KeptWriter();

  template <typename T>
  void number(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    head_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    head_ += value;
  }
  template <typename T>
  void values(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    number(values.size());
    if (!values.empty()) write_section({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }

  // Puts the file in its place. Errors: it cannot be written; nothing is left of it then.
  Result<void> finish();

 private:
  void write_section(std::string_view bytes);
  void write(std::string_view bytes);
  Error failure(std::string_view what) const;

  const std::string path_, unfinished_;
  const std::uint64_t key_;
  const std::stop_token stop_;
  int fd_;
  int error_ = 0;  // errno of what failed first
  std::uint64_t at_ = 0;
  std::string head_;
  std::vector<KeptSection> sections_;
};

class KeptReader {
 public:
  // None where there is no good file of that key.
  static std::optional<KeptReader> open(const std::string& path, std::uint64_t key, unsigned threads);

  template <typename T>
  void number(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::string_view bytes = take(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
  }
  std::string_view text() { return take(count()); }
  // How many of something follow; 0 where something was missing.
  std::size_t count() {
    std::size_t count = 0;
    number(count);
    return is_good_ ? count : 0;
  }
  // The same of things that each take some bytes of the head: what is left of it may not be fewer.
  std::size_t count_in_head() {
    const std::size_t items = count();
    if (items > head_.size()) is_good_ = false;
    return is_good_ ? items : 0;
  }
  // Marks the file as not as it was written.
  void refuse() { is_good_ = false; }
  // Where they lie in memory().
  template <typename T>
  std::span<const T> values() {
    const std::size_t size = count();
    const std::string_view bytes = size == 0 ? std::string_view() : take_section();
    if (bytes.size() % sizeof(T) != 0 || bytes.size() / sizeof(T) != size) is_good_ = false;
    return is_good_ ? std::span(reinterpret_cast<const T*>(bytes.data()), size) : std::span<const T>();
  }

  const std::shared_ptr<const KeptBytes>& memory() const { return file_; }
  // Whether nothing was missing, and nothing is left.
  bool is_at_end() const { return is_good_ && head_.empty() && next_ == sections_.size(); }

 private:
  explicit KeptReader(std::shared_ptr<const KeptBytes> file) : file_(std::move(file)) {}
  bool check(std::uint64_t key, unsigned threads);
  std::string_view take(std::size_t size);
  std::string_view take_section();
  std::string_view bytes_of(const KeptSection& section) const {
    return file_->bytes().substr(section.offset, section.size_bytes);
  }

  std::shared_ptr<const KeptBytes> file_;
  std::vector<KeptSection> sections_;
  std::string_view head_;  // what is left of it
  std::size_t next_ = 0;   // section
  bool is_good_ = true;
};

}  // namespace vizd
