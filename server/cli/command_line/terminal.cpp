#include "cli/command_line/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace vizd {

std::size_t window_columns(std::FILE* out) {
  winsize window{};
  const int fd = ::fileno(out);
  return ::isatty(fd) == 1 && ::ioctl(fd, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

}  // namespace vizd
