// MappedFile: a whole file as read-only bytes. Captures are rewritten in place while vizd runs, so files up to
// kCopyLimitBytes, or another limit, are read into memory; larger ones are mapped, and where such a file is cut while
// it is read, what is gone reads as zeros and was_cut() says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace vizd {

class MappedFile {
 public:
  static constexpr std::size_t kCopyLimitBytes = std::size_t{1} << 30;

  // Opens a regular file. Errors: it does not exist, may not be read, is a folder, or is cut while it is read.
  static Result<MappedFile> open(const std::string& path, std::size_t copy_limit_bytes = kCopyLimitBytes);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const;
  // For a mapped file: the part before that takes no memory from now on, until it is read again.
  void let_go(std::size_t end_bytes);
  // Whether some of the bytes were gone when they were read: whoever made something of them should drop it.
  bool was_cut() const;

 private:
  MappedFile() = default;

  void* memory_ = nullptr;  // the copy, or the mapping of the file; both are the system's to unmap
  std::size_t size_bytes_ = 0;
  std::size_t gone_bytes_ = 0;  // let go of
  bool is_mapped_ = false;      // the file, not memory
};

}  // namespace vizd
