// Bytes as gzip and zstd pack them.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <string>

#include "support/catch.h"

namespace vizd {

inline std::string gzipped(const std::string& plain) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(::deflateBound(&stream, static_cast<uLong>(plain.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

inline std::string zstd_packed(const std::string& plain) {
  std::string packed(::ZSTD_compressBound(plain.size()), '\0');
  packed.resize(::ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 19));
  return packed;
}

}  // namespace vizd
