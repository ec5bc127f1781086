#include "formats/chrome_trace/format.h"

#include <string_view>

#include "formats/chrome_trace/claim.h"

namespace vizd::chrome_trace {
namespace {

constexpr Writer kWriter{.about = "a Chrome trace", .takes_part = true, .write = write};
constexpr std::string_view kExamples[] = {"golden/chrome/launches/input/"};

}  // namespace

bool sniff(const FileBeginning& beginning) {
  const std::string_view text = beginning.text();
  const auto first = text.find_first_of("{[");
  if (first == std::string_view::npos || first > text.find_first_not_of("\xEF\xBB\xBF \t\r\n")) return false;
  const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (text[first] == '{' && (holds("\"traceEvents\"") || holds("\"deviceProperties\""))) return true;
  return holds("\"ph\"") && (holds("\"ts\"") || holds("\"pid\""));
}

constinit const Format kFormat{
    .name = "chrome",
    .suffix = ".json",
    .hint = {.files = "a trace of PyTorch's profiler, Chrome or another program that writes Chrome's format"},
    .examples = kExamples,
    .sniff = sniff,
    .claim = [](std::span<const ListedFile> listing) { return claim(kFormat, listing); },
    .knows_folder = is_of_rank_or_step,
    .read = [](OpenSet& set, Capture& capture) { return read(set, 1, capture); },
    .read_beginning = read,
    .writer = &kWriter,
};

}  // namespace vizd::chrome_trace
