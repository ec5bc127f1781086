// ByteStream: a file's bytes, unpacked, part after part: for formats whose files may be larger than memory, or worth
// reading as far as they go. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/huge_pages.h"
#include "base/result.h"
#include "formats/unpack.h"

namespace vizd {

class ByteStream {
 public:
  // Why no more parts come: all were there; the packed data stops in the middle, is damaged, or unpacks to more than
  // its size allows.
  enum class End { kWhole, kCut, kDamaged, kTooLarge };

  // Errors: it does not exist, may not be read, is no regular file.
  static Result<std::unique_ptr<ByteStream>> open(const std::string& path);
  // Reads bytes that outlive it.
  static std::unique_ptr<ByteStream> of(std::span<const std::byte> stored);

  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // The next part, valid until the next call; empty at the end.
  std::span<const std::byte> next();
  End end() const { return end_; }

  std::uint64_t stored_bytes() const { return stored_bytes_; }          // read so far
  std::uint64_t unpacked_bytes() const { return unpacked_bytes_; }      // handed out so far
  std::uint64_t all_stored_bytes() const { return all_stored_bytes_; }  // when it was opened
  bool is_packed() const { return unpacking_ != nullptr; }

 private:
  ByteStream() = default;
  void begin();
  std::span<const std::byte> read_stored();
  std::span<const std::byte> unpack();

  int fd_ = -1;
  std::span<const std::byte> memory_;  // where there is no file: what is left of it
  LargeVector<std::byte> stored_, unpacked_;
  std::span<const std::byte> waiting_;  // read and not handed out or unpacked yet
  std::unique_ptr<Unpacking> unpacking_;
  bool is_in_part_ = false;
  std::uint64_t stored_bytes_ = 0, unpacked_bytes_ = 0, all_stored_bytes_ = 0;
  End end_ = End::kWhole;
};

}  // namespace vizd
