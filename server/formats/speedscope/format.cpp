#include "formats/speedscope/format.h"

#include <algorithm>
#include <string_view>

namespace vizd::speedscope {

bool sniff(std::span<const std::byte> beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return holds("speedscope.app/file-format-schema.json") || (holds("\"shared\"") && holds("\"frames\""));
}

constinit const Format kFormat{
    .name = "speedscope",
    .suffix = ".speedscope.json",
    .hint = {.files = "a speedscope file"},
    .sniff = sniff,
    .read =
        [](OpenSet& set, Capture& capture) {
          return set.read_each([&](const FormatInput& input) { return read(input, capture); });
        },
};

}  // namespace vizd::speedscope
