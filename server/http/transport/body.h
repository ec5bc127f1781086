// Body: the bytes of an answer with their compressed copies, each made when first asked for and kept, so that an
// answer that is cached or given to many clients is compressed once. Shared between threads; never changes.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <string_view>

#include "http/transport/encoding.h"

namespace vizd {

class Body {
 public:
  explicit Body(std::string bytes) : bytes_(std::move(bytes)) {}
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  std::string_view bytes() const { return bytes_; }
  // The encoding to send to a client that accepts `wanted`: that one, or none where it would not make it smaller.
  Encoding best(Encoding wanted) const;
  // Valid for the life of the body. The size of a copy is at least 1 where that of bytes() is.
  std::string_view encoded(Encoding encoding) const;
  // With room for the copies, made or not.
  std::size_t memory_bytes() const { return sizeof(Body) + 2 * bytes_.size(); }
  // Makes the copies now, as small as they get: for what is sent again and again.
  void compress_hard() const;

 private:
  struct Copy {
    std::once_flag once;
    std::string bytes;
  };
  const std::string& copy(Encoding encoding, CompressionEffort effort) const;

  std::string bytes_;
  mutable std::array<Copy, kEncodingCount> copies_;
};

}  // namespace vizd
