#include "formats/speedscope/format.h"

#include <algorithm>
#include <string_view>

namespace vizd::speedscope {

bool sniff(const FileBeginning& beginning) {
  const std::string_view text = beginning.text();
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  // In some files the member that says so stands behind the profiles.
  if (beginning.name.ends_with(kFormat.suffix)) return true;
  const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return holds("speedscope.app/file-format-schema.json") || (holds("\"shared\"") && holds("\"frames\""));
}

constexpr std::string_view kExamples[] = {"golden/speedscope/sampled/input/", "golden/speedscope/evented/input/"};

constinit const Format kFormat{
    .name = "speedscope",
    .suffix = ".speedscope.json",
    .hint = {.files = "a speedscope file"},
    .examples = kExamples,
    .sniff = sniff,
    .read =
        [](OpenSet& set, Capture& capture) {
          return set.read_each([&](const FormatInput& input) { return read(input, capture); });
        },
};

}  // namespace vizd::speedscope
