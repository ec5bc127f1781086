#include "session/hints.h"

#include "formats/registry.h"

namespace vizd {

std::vector<std::string> how_to_make_captures() {
  std::vector<std::string> lines;
  for (const Format* format : formats()) {
    if (format->hint.how_to_make.empty()) continue;
    lines.emplace_back(format->hint.how_to_make);
    lines.push_back("  " + std::string(format->hint.command));
  }
  return lines;
}

}  // namespace vizd
