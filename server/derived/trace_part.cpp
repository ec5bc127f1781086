#include "derived/trace_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/devices/cut.h"
#include "formats/registry.h"

namespace vizd {
namespace {

const Format* format_of(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> kTraceSuffixes[] = {
      {"pftrace", ".pftrace"}, {"chrome", ".json"}, {"bin", ".bin"}};
  for (const auto& [name, suffix] : kTraceSuffixes) {
    if (name != word) continue;
    for (const Format* format : formats()) {
      if (format->suffix == suffix && format->writer != nullptr) return format;
    }
  }
  return nullptr;
}

// The file's name, made of the capture's name and the scope, in characters that every system accepts.
std::string file_name(std::string_view capture, const WorkScope& scope, std::string_view suffix) {
  std::string name(capture);
  if (scope.rank) name += " rank " + *scope.rank;
  if (scope.step) name += fmt::format(" step {}", *scope.step);
  if (scope.from_ns || scope.to_ns)
    name += fmt::format(" {}-{} ns", scope.from_ns.value_or(0), scope.to_ns ? std::to_string(*scope.to_ns) : "end");
  for (char& c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_plain && std::string_view(" -_.+").find(c) == std::string_view::npos) c = '_';
  }
  return name + std::string(suffix);
}

}  // namespace

Result<TraceFile> trace_part(const LoadedCapture& loaded, const WorkScope& scope, std::string_view word,
                             const Budget& budget, const TraceLimits& limits) {
  const Format* const format = format_of(word);
  if (format == nullptr) return Error{ErrorKind::kBadInput, "take pftrace, chrome or bin", "to_format"};
  const auto too_large = [&](std::string_view what) {
    return Error{ErrorKind::kTooLarge, fmt::format("{}; `vizd cut` has no such limit", what), loaded.name};
  };
  std::uint64_t events = 0;
  for (const Track& track : loaded.capture.profile.tracks) events += track.events.size();
  if (events > limits.most_events)
    return too_large(fmt::format("the capture has more than {} events", limits.most_events));
  Reading reading = load_recorded(loaded.set);
  for (const auto& error : reading.errors) {
    if (error) return *error;
  }
  if (!reading.loaded || !reading.loaded->capture.has_profile)
    return Error{ErrorKind::kNotFound, "the capture's files are gone or have no profile any more", loaded.name};
  if (budget.is_over()) return budget.error();
  Capture& capture = reading.loaded->capture;
  const std::vector<CutRange> ranges = cut_ranges(capture, scope);
  if (ranges.empty()) return Error{ErrorKind::kNotFound, "there is no such step or rank", loaded.name};
  cut_profile(capture, ranges);
  if (budget.is_over()) return budget.error();
  TraceFile file{file_name(loaded.name, scope, format->suffix), {}};
  bool is_full = false;
  format->writer->write(capture, {}, [&](std::string_view part) {
    is_full = is_full || budget.is_over() || file.bytes.size() + part.size() > limits.most_bytes;
    if (!is_full) file.bytes += part;
  });
  if (budget.is_over()) return budget.error();
  if (is_full) return too_large(fmt::format("the part is larger than {} MiB", limits.most_bytes >> 20));
  return file;
}

}  // namespace vizd
