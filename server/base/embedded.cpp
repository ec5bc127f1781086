#include "base/embedded.h"

#include <zlib.h>

#include "base/assert.h"

namespace vizd {

std::vector<std::pair<std::string, std::string>> unpack(const EmbeddedFiles& embedded) {
  std::size_t whole = 0;
  for (const EmbeddedFile& file : embedded.files) whole += file.bytes;
  std::string all(whole, '\0');
  uLongf unpacked = static_cast<uLongf>(whole);
  const int status = ::uncompress(reinterpret_cast<Bytef*>(all.data()), &unpacked, embedded.packed.data(),
                                  static_cast<uLong>(embedded.packed.size()));
  VIZD_ASSERT(status == Z_OK && unpacked == whole);
  std::vector<std::pair<std::string, std::string>> files;
  std::size_t at = 0;
  for (const EmbeddedFile& file : embedded.files) {
    files.emplace_back(file.name, all.substr(at, file.bytes));
    at += file.bytes;
  }
  return files;
}

}  // namespace vizd
