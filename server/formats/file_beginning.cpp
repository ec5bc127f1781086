#include "formats/file_beginning.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "formats/byte_stream.h"
#include "formats/registry.h"
#include "formats/unpack.h"

namespace vizd {
namespace {

// Enough of a compressed file to have its first block whole: blocks of zstd have up to 128 KiB.
constexpr std::size_t kPackedBytes = 256 * 1024;

}  // namespace

std::vector<std::byte> stored_beginning(const std::string& path) {
  std::vector<std::byte> bytes(kPackedBytes);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return {};
  struct stat info {};
  const bool regular = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  ssize_t size = regular ? ::read(fd, bytes.data(), kSniffedBytes) : -1;
  if (size > 0 && packing_of({bytes.data(), static_cast<std::size_t>(size)}) != Packing::kNone) {
    const auto begun = static_cast<std::size_t>(size);
    size += std::max<ssize_t>(::read(fd, bytes.data() + begun, bytes.size() - begun), 0);
  }
  ::close(fd);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return bytes;
}

bool holds_nothing(const std::string& path) {
  const auto stream = ByteStream::open(path);
  return stream && (*stream)->next().empty() && (*stream)->end() == ByteStream::End::kWhole;
}

}  // namespace vizd
