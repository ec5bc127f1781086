#include "formats/native/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/dialects.h"
#include "formats/native/capture_encoder.h"
#include "formats/native/chunks.h"
#include "formats/native/columns.h"
#include "formats/native/facts_reader.h"
#include "formats/native/profile_reader.h"
#include "formats/native/restore.h"
#include "formats/native/rewrites_reader.h"
#include "formats/native/tables.h"
#include "formats/told_dialect.h"
#include "formats/trace_words.h"
#include "formats/unended.h"

namespace vizd::native {
namespace {

namespace column = capture::column;
using capture::ChunkType;

constexpr std::string_view kFormat = "vizd";  // of captures that bring their ops' meaning themselves
// A few bytes can unpack to gigabytes: beyond the free bytes no more than so many times the file.
constexpr std::uint64_t kFreeUnpackedBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostUnpackedRatio = 200;
constexpr std::size_t kMostWarnings = 8;
constexpr std::size_t kMostSections = 4096;  // each run that appends begins one

// What a section says of itself.
struct Facts {
  std::string format{kFormat};
  bool has_rewrites = false;
  bool has_profile = false;
  bool is_unique = false;  // no two values and no two ops are alike
  std::optional<std::int64_t> start_ns, end_ns;
  Clock clock;
};

class Reader {
 public:
  // parts: of the events the first 1 / parts; with more than 1 also nothing but what they need.
  Reader(const FormatInput& input, unsigned parts, Capture& capture)
      : input_(input), parts_(parts), capture_(capture) {}

  Result<void> read() {
    const auto list = find_chunks(input_.bytes, input_.name);
    if (!list) return list.error();
    unpackable_bytes_ = std::max(kFreeUnpackedBytes, input_.bytes.size() * kMostUnpackedRatio);
    bool has_rewrites = false, has_profile = false, has_extent = false;
    std::size_t sections = 0;
    for (const Section& section : list->sections) {
      if (section.chunks.empty()) continue;
      if (++sections > kMostSections) {
        warn(fmt::format("{}: has more than {} parts; the rest is left out", input_.name, kMostSections));
        break;
      }
      const Facts facts = read_section(section);
      has_rewrites = has_rewrites || facts.has_rewrites;
      has_profile = has_profile || facts.has_profile;
      has_extent = facts.start_ns && facts.end_ns && list->sections.size() == 1;
      capture_.profile.start_ns = facts.start_ns.value_or(0);
      capture_.profile.end_ns = facts.end_ns.value_or(0);
      if (facts.has_profile) capture_.profile.clock = facts.clock;
    }
    for (const Gap& gap : list->gaps) warn_of(gap);
    check_ends(*list);
    if (!has_rewrites && !has_profile) {
      return Error{ErrorKind::kBadInput, "contains no complete chunk of a capture; is it still being written?",
                   input_.name};
    }
    if ((has_rewrites && capture_.has_rewrites) || (has_profile && capture_.has_profile)) {
      return Error{ErrorKind::kBadInput, "a second file of its kind for one capture; open it as a capture of its own",
                   input_.name};
    }
    if (capture_.format.empty()) capture_.format = kFormat;
    if (!capture_.profile.is_trace) trace::restore_trace(capture_);
    if (has_rewrites) {
      capture_.dialect = is_known_dialect(capture_.format) ? make_known_dialect(capture_)
                                                           : told::make_dialect(capture_, std::move(kinds_));
    }
    if (has_profile && !has_extent) set_extent(capture_.profile);
    capture_.has_rewrites = capture_.has_rewrites || has_rewrites;
    capture_.has_profile = capture_.has_profile || has_profile;
    return {};
  }

 private:
  void warn(std::string text) {
    if (++warning_count_ <= kMostWarnings) capture_.warnings.push_back(std::move(text));
  }

  void warn_of(const Gap& gap) {
    warn(gap.at_end ? fmt::format("{}:{}: the last {} bytes are not a complete chunk (still being written, or cut "
                                  "off); their contents are left out",
                                  input_.name, gap.offset, gap.size_bytes)
                    : fmt::format("{}:{}: {} bytes are damaged; their contents are left out", input_.name, gap.offset,
                                  gap.size_bytes));
  }

  // Says of each part that it has no end, or other chunks than that counts, where no gap has said so already. Gaps and
  // parts come in the file's order.
  void check_ends(const ChunkList& list) {
    auto gap = list.gaps.begin();
    bool is_unknown = false;
    for (std::size_t i = 0; i < list.sections.size(); ++i) {
      const Section& section = list.sections[i];
      const std::uint64_t end = i + 1 < list.sections.size() ? list.sections[i + 1].offset : input_.bytes.size();
      const bool has_gap = gap != list.gaps.end() && gap->offset < end;
      while (gap != list.gaps.end() && gap->offset < end) ++gap;
      const auto is_end = [](const Chunk& chunk) { return chunk.header.type == ChunkType::kEnd; };
      const auto chunks =
          section.chunks.size() - static_cast<std::size_t>(std::ranges::count_if(section.chunks, is_end));
      std::optional<std::uint64_t> counted;
      for_each(section, ChunkType::kEnd, [&](const Columns& columns, std::uint64_t) {
        if (columns.count() == 1) counted = columns.read<std::uint64_t>(column::End::kChunks)[0];
      });
      if (!counted && (section.flags & capture::kEnds) == 0) {
        is_unknown = is_unknown || !section.chunks.empty();
      } else if (!counted && !has_gap) {
        warn(unended_warning(input_.name, end));
      } else if (counted && *counted != chunks && !has_gap) {
        warn(fmt::format("{}:{}: the part that begins here has {} chunks, but its writer wrote {}", input_.name,
                         section.offset, chunks, *counted));
      }
    }
    if (is_unknown) {
      capture_.notes.push_back(fmt::format(
          "{}: its writer does not mark the end of the file, so missing data cannot be detected", input_.name));
    }
  }

  // Calls visit(columns, number of the first record) for each chunk of that type, or for the first so many.
  template <typename Visit>
  void for_each(const Section& section, ChunkType type, Visit&& visit, std::size_t most = ~std::size_t{0}) {
    for (const Chunk& chunk : section.chunks) {
      if (chunk.header.type != type) continue;
      if (most-- == 0) return;
      const auto columns = unpack(chunk, [&](std::string_view why) {
        warn(fmt::format("{}:{}: a chunk is left out: {}", input_.name, chunk.offset, why));
      });
      if (columns) visit(*columns, chunk.header.first);
    }
  }

  // The chunk's columns, until the next is unpacked; none, and a call of on_failure, where it cannot be.
  template <typename OnFailure>
  std::optional<Columns> unpack(const Chunk& chunk, OnFailure&& on_failure) {
    const auto refuse = [&](std::string_view why) {
      on_failure(why);
      return std::nullopt;
    };
    const std::uint64_t size = chunk.header.unpacked_bytes;
    if (size > capture::kMostUnpackedBytes || chunk.header.count > capture::kMostRecords || size > unpackable_bytes_) {
      return refuse(fmt::format("it would unpack to more than {} MiB, or the file to more than {} times its size",
                                capture::kMostUnpackedBytes >> 20, kMostUnpackedRatio));
    }
    unpackable_bytes_ -= size;
    done_bytes_ += chunk.stored.size();
    if (input_.progress) input_.progress(done_bytes_);
    const auto bytes = unpacker_.unpack(chunk);
    if (!bytes) return refuse("it does not unpack");
    Columns columns(*bytes, chunk.header.count);
    if (!columns.error().empty()) return refuse(columns.error());
    return columns;
  }

  Facts read_section(const Section& section) {
    Tables tables(capture_, kinds_, lost_records_);
    for_each(section, ChunkType::kStrings, [&](const Columns& c, std::uint64_t n) { tables.add_strings(c, n); });
    Facts facts = read_facts(section, tables);
    const bool is_readable = capture_.format.empty() || capture_.format == facts.format;
    if (is_readable) {
      capture_.format = facts.format;
      tables.set_own_kinds(!is_known_dialect(facts.format));
      const std::size_t first_context = capture_.rewrites.contexts.size();
      FactsReader about(capture_, tables);
      for_each(section, ChunkType::kStacks, [&](const Columns& c, std::uint64_t n) { about.add_stacks(c, n); });
      for_each(section, ChunkType::kCaptureFacts, [&](const Columns& c, std::uint64_t) { about.add_facts(c); });
      RewritesReader rewrites(capture_, tables, about);
      if (parts_ == 1) read_rewrites(section, tables, facts.is_unique, rewrites);
      facts.has_rewrites = parts_ == 1 && (facts.has_rewrites || !rewrites.is_empty());
      tables.finish(first_context);
      rewrites.finish();
      for_each(section, ChunkType::kMeasures, [&](const Columns& c, std::uint64_t n) { about.add_measures(c, n); });
      for_each(section, ChunkType::kOpValues, [&](const Columns& c, std::uint64_t) { about.add_op_values(c); });
      read_profile(section, tables, rewrites, about, facts);
    } else {
      warn(fmt::format("{}: a part of format {} is left out of a capture of format {}", input_.name, facts.format,
                       capture_.format));
    }
    return facts;
  }

  Facts read_facts(const Section& section, const Tables& tables) {
    Facts facts;
    for_each(section, ChunkType::kFacts, [&](const Columns& columns, std::uint64_t) {
      const auto keys = columns.read<std::uint32_t>(column::Facts::kKey);
      const auto texts = columns.read<std::uint32_t>(column::Facts::kText);
      const auto numbers = columns.read<std::int64_t>(column::Facts::kNumber);
      for (std::size_t i = 0; i < columns.count(); ++i) {
        const std::string key(capture_.strings.get(tables.string(keys[i])));
        const std::string text(capture_.strings.get(tables.string(texts[i])));
        if (key == "format") facts.format = text;
        if (key == "rewrites") facts.has_rewrites = true;
        if (key == "profile") facts.has_profile = true;
        if (key == "unique") facts.is_unique = true;
        if (key == "start_ns" && is_time(numbers[i])) facts.start_ns = numbers[i];
        if (key == "end_ns" && is_time(numbers[i])) facts.end_ns = numbers[i];
        if (key == "numbered_launches") capture_.profile.numbers_launches = true;
        if (key == "clock") facts.clock.name = tables.string(texts[i]);
        if (key == "unix_offset_ns" && is_possible_offset(numbers[i])) facts.clock.unix_offset_ns = numbers[i];
        if (key == "skipped") capture_.skipped[text] += static_cast<std::uint64_t>(numbers[i]);
        if (key == "warning") capture_.warnings.push_back(text);
        if (key == "note") capture_.notes.push_back(text);
      }
    });
    return facts;
  }

  static bool is_time(std::int64_t ns) { return ns > -kTimeBound_ns && ns < kTimeBound_ns; }

  // Puts values and ops in as they stand. False where they are to be read one by one instead: nothing was done then.
  bool restore(const Section& section, Tables& tables) {
    if (capture_.ops.size() != 0 || capture_.values.size() != 1) return false;
    Restore::Counts counts;
    for (const Chunk& chunk : section.chunks) {
      if (chunk.header.type == ChunkType::kValues) counts.values += chunk.header.count;
      if (chunk.header.type == ChunkType::kOps) counts.ops += chunk.header.count;
    }
    const std::uint64_t unpackable_bytes = unpackable_bytes_, done_bytes = done_bytes_;
    Restore restore(capture_, tables, counts, input_.bytes.size());
    const auto add_all = [&](ChunkType type, bool (Restore::*add)(const Columns&, std::uint64_t)) {
      for (const Chunk& chunk : section.chunks) {
        if (chunk.header.type != type) continue;
        const auto columns = unpack(chunk, [](std::string_view) {});
        if (!columns || !(restore.*add)(*columns, chunk.header.first)) return false;
      }
      return true;
    };
    if (add_all(ChunkType::kValues, &Restore::add_values) && add_all(ChunkType::kOps, &Restore::add_ops) &&
        restore.finish()) {
      return true;
    }
    unpackable_bytes_ = unpackable_bytes;
    done_bytes_ = done_bytes;
    restore.undo();
    return false;
  }

  void read_rewrites(const Section& section, Tables& tables, bool is_unique, RewritesReader& rewrites) {
    for_each(section, ChunkType::kLocations, [&](const Columns& c, std::uint64_t n) { tables.add_locations(c, n); });
    for_each(section, ChunkType::kKinds, [&](const Columns& c, std::uint64_t n) { tables.add_kinds(c, n); });
    if (is_unique && restore(section, tables)) {
      tables.set_restored();
    } else {
      for_each(section, ChunkType::kValues, [&](const Columns& c, std::uint64_t n) { tables.add_values(c, n); });
      for_each(section, ChunkType::kOps, [&](const Columns& c, std::uint64_t n) { tables.add_ops(c, n); });
    }
    for_each(section, ChunkType::kContexts, [&](const Columns& c, std::uint64_t n) { rewrites.add_contexts(c, n); });
    for_each(section, ChunkType::kLinks, [&](const Columns& c, std::uint64_t) { rewrites.add_links(c); });
    for_each(section, ChunkType::kPrograms, [&](const Columns& c, std::uint64_t) { rewrites.add_programs(c); });
    for_each(section, ChunkType::kPasses, [&](const Columns& c, std::uint64_t n) { rewrites.add_passes(c, n); });
    for_each(section, ChunkType::kMatches, [&](const Columns& c, std::uint64_t) { rewrites.add_matches(c); });
  }

  void read_profile(const Section& section, Tables& tables, const RewritesReader& rewrites, const FactsReader& about,
                    Facts& facts) {
    ProfileReader profile(capture_, tables, about, known_tracks_, section.version,
                          [&](std::uint64_t number) { return rewrites.context(number); });
    for_each(section, ChunkType::kLanes, [&](const Columns& c, std::uint64_t n) { profile.add_lanes(c, n); });
    for_each(section, ChunkType::kTracks, [&](const Columns& c, std::uint64_t n) { profile.add_tracks(c, n); });
    for_each(section, ChunkType::kArguments, [&](const Columns& c, std::uint64_t n) { profile.add_arguments(c, n); });
    for_each(section, ChunkType::kRuns, [&](const Columns& c, std::uint64_t) { profile.add_runs(c); });
    read_events(section, profile);
    for_each(section, ChunkType::kMarkers, [&](const Columns& c, std::uint64_t) { profile.add_markers(c); });
    if (parts_ == 1) read_other_records(section, profile);
    profile.finish();
    facts.has_profile = facts.has_profile || !profile.is_empty();
  }

  void read_events(const Section& section, ProfileReader& profile) {
    const auto chunks = static_cast<std::size_t>(std::ranges::count_if(
        section.chunks, [](const Chunk& chunk) { return chunk.header.type == ChunkType::kEvents; }));
    const auto add = [&](const Columns& columns, std::uint64_t) { profile.add_events(columns); };
    for_each(section, ChunkType::kEvents, add, (chunks + parts_ - 1) / parts_);
  }

  void read_other_records(const Section& section, ProfileReader& profile) {
    std::uint64_t allocations = 0;
    bool has_frees = false;
    for (const Chunk& chunk : section.chunks) {
      if (chunk.header.type == ChunkType::kAllocations) allocations += chunk.header.count;
      has_frees = has_frees || chunk.header.type == ChunkType::kFrees;
    }
    // A file only claims so many: no more room is made than it has bytes.
    profile.expect_memory(std::min<std::uint64_t>(allocations, input_.bytes.size()), has_frees);
    for_each(section, ChunkType::kAllocations, [&](const Columns& c, std::uint64_t) { profile.add_allocations(c); });
    for_each(section, ChunkType::kFrees, [&](const Columns& c, std::uint64_t) { profile.add_frees(c); });
    for_each(section, ChunkType::kCounters, [&](const Columns& c, std::uint64_t n) { profile.add_counters(c, n); });
    for_each(section, ChunkType::kSamples, [&](const Columns& c, std::uint64_t) { profile.add_samples(c); });
    for_each(section, ChunkType::kStackSamples, [&](const Columns& c, std::uint64_t) { profile.add_stack_samples(c); });
    for_each(section, ChunkType::kFlows, [&](const Columns& c, std::uint64_t) { profile.add_flows(c); });
    for_each(section, ChunkType::kFlowEnds, [&](const Columns& c, std::uint64_t) { profile.add_flow_ends(c); });
    for_each(section, ChunkType::kUses, [&](const Columns& c, std::uint64_t) { profile.add_uses(c); });
    for_each(section, ChunkType::kLaunches, [&](const Columns& c, std::uint64_t) { profile.add_launches(c); });
    for_each(section, ChunkType::kLaunchUses, [&](const Columns& c, std::uint64_t) { profile.add_launch_uses(c); });
    for (const AllocatorReader::Part& part : AllocatorReader::kParts)
      for_each(section, part.type, [&](const Columns& c, std::uint64_t) { profile.add_allocator(part, c); });
  }

  const FormatInput& input_;
  const unsigned parts_;
  Capture& capture_;
  std::vector<told::OpKind> kinds_;
  std::uint64_t unpackable_bytes_ = 0;
  std::uint64_t lost_records_ = kMostLostRecords;
  KnownTracks known_tracks_;
  std::uint64_t done_bytes_ = 0;  // of the chunks that were unpacked
  std::size_t warning_count_ = 0;
  Unpacker unpacker_;
};

}  // namespace

bool sniff(const FileBeginning& beginning) { return begins_with_header(beginning.bytes); }

Result<void> read(const FormatInput& input, Capture& capture) { return Reader(input, 1, capture).read(); }

Result<void> read_beginning(const FormatInput& input, unsigned parts, Capture& capture) {
  return Reader(input, parts, capture).read();
}

namespace {

constexpr Writer kWriter{.about = "a file of vizd's own, which opens fastest",
                         .takes_level = true,
                         .takes_sources = true,
                         .write = [](const Capture& capture, const WriteOptions& options, const WriteText& write) {
                           encode_capture(capture, {.source_line = options.source_line, .level = options.level}, write);
                         }};
constexpr std::string_view kExamples[] = {"golden/native/written_by_cpp/input/", "golden/native/converted/input/"};

}  // namespace

constinit const Format kFormat{
    .name = "vizd",
    .suffix = ".bin",
    .hint = {.files = "a .bin of `vizd convert` or of a program that records with vizd's capture writer"},
    .examples = kExamples,
    .sniff = sniff,
    .never_repeats = true,
    .read =
        [](OpenSet& set, Capture& capture) {
          return set.read_each([&](const FormatInput& input) { return read(input, capture); });
        },
    .read_beginning =
        [](OpenSet& set, unsigned parts, Capture& capture) {
          return set.read_each([&](const FormatInput& input) { return read_beginning(input, parts, capture); });
        },
    .writer = &kWriter,
};

}  // namespace vizd::native
