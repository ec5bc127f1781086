// SparseFile: a large file of which little is looked at, or each part once: mapped, so that it costs no more memory
// than what is read of it. Where it is cut meanwhile, what is gone reads as zeros and was_cut() says so
// (cut_mappings.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace vizd {

class SparseFile {
 public:
  // How it will be read: what lies around a read is not wanted, or is next.
  enum class Access { kHereAndThere, kInOrder };

  // Maps a regular file that is not empty. Errors: it cannot be opened or mapped, or too many are mapped already.
  static Result<SparseFile> open(const std::string& path, Access access = Access::kHereAndThere);

  SparseFile(SparseFile&& other) noexcept;
  SparseFile& operator=(SparseFile&& other) noexcept;
  SparseFile(const SparseFile&) = delete;
  SparseFile& operator=(const SparseFile&) = delete;
  ~SparseFile();

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(memory_), size_bytes_}; }
  bool was_cut() const;
  // Gives back the memory of everything read so far. Reading it again takes memory again.
  void let_go() const;

 private:
  SparseFile() = default;

  void* memory_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace vizd
