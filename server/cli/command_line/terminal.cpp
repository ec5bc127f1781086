#include "cli/command_line/terminal.h"

#include <unistd.h>

#include <cstdlib>

#include "base/utf8.h"
#include "layout/label_size.h"

namespace vizd {
namespace {

constexpr char kEscape = '\x1B';

}  // namespace

bool wants_colour(std::FILE* out) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == 0) && ::isatty(::fileno(out)) == 1;
}

std::size_t columns_on_screen(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == kEscape) {
      at += std::max<std::size_t>(colour_length(line.substr(at)), 1);
    } else {
      columns += columns_of(next_code_point(line, at));
    }
  }
  return columns;
}

}  // namespace vizd
