#include "cli/command_line/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace vizd {

bool wants_colour(std::FILE* out) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == 0) && ::isatty(::fileno(out)) == 1;
}

std::size_t window_columns(std::FILE* out) {
  winsize window{};
  const int fd = ::fileno(out);
  return ::isatty(fd) == 1 && ::ioctl(fd, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

}  // namespace vizd
