#include "cli/command_line/terminal.h"

#include <unistd.h>

#include <cstdlib>

namespace vizd {

bool wants_colour(std::FILE* out) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == 0) && ::isatty(::fileno(out)) == 1;
}

}  // namespace vizd
