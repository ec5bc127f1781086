#include "formats/unread.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "base/ascii_case.h"

namespace vizd {
namespace {

struct UnknownKind {
  bool (*is)(std::string_view beginning);
  std::string_view what;  // and what to do
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// An object in JSON that has these keys, and is no trace.
bool is_object_with(std::string_view text, std::initializer_list<std::string_view> keys) {
  text = without_blanks(text);
  if (!text.starts_with('{') || holds(text, "\"traceEvents\"") || holds(text, "\"ph\"")) return false;
  return std::ranges::all_of(keys, [&](std::string_view key) { return holds(text, key); });
}

bool is_flight_recorder(std::string_view text) {
  if (is_object_with(text, {"\"entries\"", "\"pg_config\""})) return true;
  return text.starts_with('\x80') && holds(text, "entries") && holds(text, "pg_config") && holds(text, "pg_status");
}

bool is_hatchet(std::string_view text) {
  text = without_blanks(text);
  return text.starts_with('[') && holds(text, "\"frame\"") && holds(text, "\"metrics\"") && !holds(text, "\"ph\"");
}

bool is_html(std::string_view text) {
  const std::string beginning = ascii_lower(without_blanks(text).substr(0, 256));
  return beginning.starts_with("<!doctype html") || beginning.starts_with("<html");
}

// [[times], [sizes, …]]: the times as whole or decimal numbers, each moment's sizes as a list.
bool is_memory_timeline(std::string_view text) {
  text = without_blanks(text);
  if (!text.starts_with('[')) return false;
  text = without_blanks(text.substr(1));
  if (!text.starts_with('[') || text.size() < 2) return false;
  const std::size_t end = text.find_first_not_of("0123456789.,+-eE \t\r\n", 1);
  return end != std::string_view::npos && end > 1 && (text[end] == ']' || text[end] == '[');
}

constexpr UnknownKind kUnknown[] = {
    {[](std::string_view text) { return text.starts_with("PK\x03\x04"); },
     "is a zip archive that contains nothing vizd reads; unpack it and name the files in it"},
    {[](std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); },
     "is text in UTF-16, which vizd does not read; write it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW"},
    {is_html, "is an HTML page, which vizd does not read; name the capture that it was made from"},
    {[](std::string_view text) {
       return text.starts_with(
           "\xFD"
           "7zXZ");
     },
     "is packed with xz, which vizd does not unpack; unpack it: xz -dk FILE"},
    {[](std::string_view text) { return text.starts_with("BZh"); },
     "is packed with bzip2, which vizd does not unpack; unpack it: bunzip2 -k FILE"},
    {[](std::string_view text) {
       return is_object_with(text, {"\"nodes\"", "\"callFrame\""});
     },
     "is a CPU profile of Chrome or Node.js (.cpuprofile), which vizd does not read; record a trace instead, or "
     "convert "
     "it to speedscope's format"},
    {is_flight_recorder,
     "is a file of NCCL's flight recorder in PyTorch, which vizd does not read; PyTorch's tools/flight_recorder does"},
    {is_hatchet,
     "is a profile of Triton's Proton (hatchet), which vizd does not read; proton-viewer does, and Proton writes a "
     "trace "
     "that vizd reads with data=\"trace\""},
    {[](std::string_view text) {
       return is_object_with(text, {"\"schema\"", "\"nodes\""});
     },
     "is an execution trace of PyTorch (ExecutionTraceObserver), which vizd does not read; open the profiler's trace "
     "of "
     "the same run"},
    {[](std::string_view text) { return is_object_with(text, {"\"rocprofiler-sdk-tool\""}); },
     "is rocprofv3's own JSON, which vizd does not read; record with rocprofv3 --output-format pftrace"},
    {is_memory_timeline,
     "looks like a memory timeline of PyTorch's profiler, which vizd does not read; record with profile_memory=True "
     "and open the "
     "trace, or take a snapshot: torch.cuda.memory._dump_snapshot()"},
};

}  // namespace

std::string_view unknown_kind(std::span<const std::byte> beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  const auto found = std::ranges::find_if(kUnknown, [&](const UnknownKind& kind) { return kind.is(text); });
  return found == std::end(kUnknown) ? std::string_view() : found->what;
}

}  // namespace vizd
