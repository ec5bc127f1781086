// Reads the files of a set, one after another, and lays them on one time axis.
#include <fmt/format.h>

#include <cstdlib>

#include "formats/chrome_trace/align.h"
#include "formats/chrome_trace/format.h"
#include "formats/chrome_trace/trace_reader.h"
#include "formats/claims.h"
#include "formats/trace_words.h"

namespace vizd::chrome_trace {
namespace {

// Clocks further apart than this (about 9 years) are no clocks of one job.
constexpr std::int64_t kMostShift_ns = std::int64_t{1} << 58;
// The largest shift of a trace whose own times are that far apart.
constexpr std::int64_t kMostWideShift_ns = std::int64_t{1} << 56;

void warn_of_end(const FormatStream& stream, const TraceSplitter& splitter, const TraceReader& reader,
                 Capture& capture) {
  using End = ByteStream::End;
  const char* what = nullptr;
  if (splitter.is_cut()) what = "the trace ends in the middle: was the file cut, or is it still being written?";
  if (stream.bytes->end() == End::kCut) what = "the compressed data ends in the middle: was the file cut?";
  if (stream.bytes->end() == End::kDamaged) what = "the compressed data is damaged from here on: copy the file again";
  if (stream.bytes->end() == End::kTooLarge) what = "the compressed data unpacks to more than its size allows";
  if (what == nullptr) return;
  const std::uint64_t offset = splitter.is_cut() ? splitter.cut_offset() : stream.bytes->unpacked_bytes();
  capture.warnings.push_back(
      fmt::format("{}:{}: {} The {} events before that are shown", stream.name, offset, what, reader.event_count()));
}

// Where something follows the trace in its file, as a second one does; none where only blanks do.
std::optional<std::uint64_t> offset_of_next(FormatStream& stream, TraceSplitter& splitter) {
  if (!splitter.is_at_end()) return std::nullopt;
  if (const auto offset = splitter.next_offset()) return offset;
  while (true) {
    const std::uint64_t offset = stream.bytes->unpacked_bytes();
    const auto part = stream.bytes->next();
    if (part.empty()) return std::nullopt;
    const std::string_view text(reinterpret_cast<const char*>(part.data()), part.size());
    if (const auto at = text.find_first_not_of(" \t\r\n"); at != text.npos) return offset + at;
  }
}

// How much later the trace's times are on the capture's clock, which is the first trace's.
std::int64_t shift_of(const TraceFacts& facts, Capture& capture, const std::string& name) {
  Clock& clock = capture.profile.clock;
  // Times since 1970 say so by their size; smaller ones count from the base, or from nobody knows when.
  std::optional<std::int64_t> offset_ns;
  std::int64_t zero_ns = 0;
  if ((facts.base_time_ns || facts.origin_ns != 0) &&
      !__builtin_add_overflow(facts.base_time_ns.value_or(0), facts.origin_ns, &zero_ns) && is_possible_offset(zero_ns))
    offset_ns = zero_ns;
  if (!capture.has_profile) {
    clock.unix_offset_ns = offset_ns;
    return 0;
  }
  const std::int64_t shift_ns = offset_ns.value_or(0) - clock.unix_offset_ns.value_or(0);
  const bool is_known = offset_ns.has_value() == clock.unix_offset_ns.has_value();
  if (is_known && std::abs(shift_ns) < (facts.is_wide ? kMostWideShift_ns : kMostShift_ns)) return shift_ns;
  capture.notes.push_back(fmt::format("{}: its clock and that of the first trace have nothing in common", name));
  return 0;
}

// root_name: of the track that all of the trace hangs on, where it has no rank; empty where it needs none.
Result<void> read_stream(FormatStream& stream, unsigned parts, const std::string& root_name, Capture& capture) {
  TraceReader reader(capture);
  TraceSplitter splitter(reader);
  const std::uint64_t most_bytes = stream.bytes->all_stored_bytes() / parts;
  while (true) {
    const auto part = stream.bytes->next();
    if (part.empty() || !splitter.feed(part)) break;
    if (stream.progress) stream.progress(stream.bytes->stored_bytes());
    if (parts > 1 && stream.bytes->stored_bytes() > most_bytes) break;
  }
  splitter.finish();
  if (!splitter.has_list() || (reader.event_count() == 0 && splitter.is_cut())) {
    return Error{ErrorKind::kBadInput, "has no complete event, so it is not a trace; was the file cut?",
                 fmt::format("{}:{}", stream.name, splitter.cut_offset())};
  }
  if (const auto next = parts == 1 ? offset_of_next(stream, splitter) : std::nullopt) {
    capture.warnings.push_back(
        fmt::format("{}:{}: the data after the end of the trace is not read: are there two traces in one file?",
                    stream.name, *next));
  }
  warn_of_end(stream, splitter, reader, capture);
  if (const auto zero = splitter.zero_offset()) {
    capture.warnings.push_back(fmt::format(
        "{}:{}: zero bytes, which no trace contains: copy the file again, a part of it is lost", stream.name, *zero));
  }
  if (reader.facts().is_wide)
    capture.warnings.push_back(
        fmt::format("{}: its times are many years apart: some events have wrong times", stream.name));
  if (splitter.damaged_count() > 0) capture.skipped["events that are damaged"] += splitter.damaged_count();
  reader.finish(shift_of(reader.facts(), capture, stream.name), root_name);
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

}  // namespace

Result<void> read(OpenSet& set, unsigned parts, Capture& capture) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    auto stream = set.stream(i);
    if (!stream) return std::move(stream).error();
    const std::string root_name = set.size() > 1 ? set_name(stream->name) : "";
    if (auto done = read_stream(*stream, parts, root_name, capture); !done)
      return set.blame(i, std::move(done).error());
    set.close(i);
  }
  if (set.size() > 1) align_ranks(capture);
  return {};
}

}  // namespace vizd::chrome_trace
