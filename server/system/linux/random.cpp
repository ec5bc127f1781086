#include "system/random.h"

#include <sys/random.h>
#include <sys/types.h>

namespace vizd {

bool fill_with_random(void* bytes, std::size_t size_bytes) {
  return ::getrandom(bytes, size_bytes, 0) == static_cast<ssize_t>(size_bytes);
}

}  // namespace vizd
