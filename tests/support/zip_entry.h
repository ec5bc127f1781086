// A file of a zip archive, as a test reads what was written: found through the archive's directory, unpacked by zlib.
#pragma once

#include <zlib.h>

#include <cstring>
#include <string>
#include <string_view>

#include "support/catch.h"

namespace vizd {

inline std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, size);
  return number;
}

// A file of the zip archive, found through its directory at the end.
inline std::string unzipped(std::string_view zip, std::string_view name) {
  for (std::size_t at = zip.find("PK\1\2"); at != std::string_view::npos; at = zip.find("PK\1\2", at + 1)) {
    const std::size_t name_size = number_at(zip, at + 28, 2);
    if (zip.substr(at + 46, name_size) != name) continue;
    const std::size_t packed = number_at(zip, at + 20, 4), size = number_at(zip, at + 24, 4);
    const std::size_t local = number_at(zip, at + 42, 4);
    const std::size_t begin = local + 30 + number_at(zip, local + 26, 2) + number_at(zip, local + 28, 2);
    std::string text(size, '\0');
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zip.data() + begin));
    stream.avail_in = static_cast<uInt>(packed);
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(size);
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    inflateEnd(&stream);
    return text;
  }
  FAIL("no " << name);
  return "";
}

}  // namespace vizd
