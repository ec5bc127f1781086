#include "formats/chrome_trace/format.h"

#include <string_view>

#include "formats/byte_stream.h"
#include "formats/chrome_trace/claim.h"
#include "formats/chrome_trace/trace_splitter.h"

namespace vizd::chrome_trace {
namespace {

constexpr Writer kWriter{.about = "a Chrome trace", .takes_part = true, .write = write};
// Looks for the list of events alone.
struct NoParts final : TraceParts {
  bool take_event(std::string_view) override { return true; }
  void take_stranger() override {}
  void take_member(std::string_view, std::string_view) override {}
};

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

// Other members may stand before the list of events, such as the sources that a trace brings along.
bool sniff_further(std::span<const std::byte> first_part, ByteStream& rest) {
  constexpr std::uint64_t kMost_bytes = std::uint64_t{1} << 30;
  const std::string_view text(reinterpret_cast<const char*>(first_part.data()), first_part.size());
  const auto first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  NoParts parts;
  TraceSplitter splitter(parts);
  for (auto part = first_part; !part.empty() && rest.unpacked_bytes() < kMost_bytes; part = rest.next()) {
    if (!splitter.feed(part) || splitter.has_list()) break;
  }
  return splitter.has_list();
}

constinit const Format kFormat{
    .name = "chrome",
    .suffix = ".json",
    .hint = {.files = "a trace of PyTorch's profiler, Chrome or another program that writes Chrome's format"},
    .examples = kExamples,
    .sniff = sniff,
    .sniff_further = sniff_further,
    .claim = [](std::span<const ListedFile> listing) { return claim(kFormat, listing); },
    .knows_folder = is_of_rank_or_step,
    .read = [](OpenSet& set, Capture& capture) { return read(set, 1, capture); },
    .read_beginning = read,
    .writer = &kWriter,
};

}  // namespace vizd::chrome_trace
