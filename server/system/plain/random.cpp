#include "system/random.h"

#include <fcntl.h>
#include <unistd.h>

namespace vizd {

bool fill_with_random(void* bytes, std::size_t size_bytes) {
  const int fd = ::open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t count = ::read(fd, bytes, size_bytes);
  ::close(fd);
  return count == static_cast<ssize_t>(size_bytes);
}

}  // namespace vizd
