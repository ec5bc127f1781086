#include "formats/native/capture_encoder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/native/chunk_writer.h"
#include "formats/native/profile_encoder.h"
#include "formats/told_dialect.h"
#include "formats/trace_words.h"
#include "vizd/capture_format.h"

namespace vizd::native {
namespace {

namespace column = capture::column;
using capture::ChunkBuilder;
using capture::ChunkType;
using capture::Coding;

constexpr std::size_t kMostStringBytes = std::size_t{16} << 20;  // in a chunk, but for a single longer one

class Encoder {
 public:
  Encoder(const Capture& capture, const EncodeOptions& options, const std::function<void(std::string_view)>& write)
      : capture_(capture), options_(options), chunks_(write, options.level) {}

  void encode() {
    chunks_.write(capture::file_header(capture::kEnds));
    read_sources();
    write_strings();
    write_facts();
    encode_stacks(capture_.stacks, chunks_);
    encode_facts(capture_.facts, names_, chunks_);
    if (capture_.has_rewrites) {
      write_locations();
      write_kinds();
      write_values();
      write_ops();
      write_contexts();
      write_passes();
      write_measures();
    }
    if (capture_.has_profile) encode_profile(capture_, track_kinds_, names_, chunks_);
    chunks_.end();
  }

 private:
  template <typename Fill>
  void in_parts(ChunkType type, std::size_t count, std::size_t first_number, Fill&& fill) {
    chunks_.in_parts(type, count, first_number, fill);
  }

  // The number of a string beyond the capture's own.
  std::size_t add_string(std::string_view text) {
    if (const StringId known = capture_.strings.find(text); known != StringId{kNoId}) return index(known);
    const auto [found, is_new] = added_numbers_.try_emplace(std::string(text), capture_.strings.size() + added_.size());
    if (is_new) added_.push_back(found->first);
    return found->second;
  }
  std::string_view string(std::size_t number) const {
    if (number < capture_.strings.size()) return capture_.strings.get(to_id<StringId>(number));
    return added_[number - capture_.strings.size()];
  }

  void read_sources() {
    for (const Location& location : capture_.rewrites.locations) {
      std::optional<std::string> line;
      if (location.code != StringId{kNoId}) line = capture_.strings.get(location.code);
      if (!line && options_.source_line) line = options_.source_line(location);
      codes_.push_back(line ? add_string(*line) + 1 : 0);
    }
    const auto add_fact = [&](std::string_view key, std::string_view text, std::int64_t number) {
      facts_.push_back({add_string(key), add_string(text), number});
    };
    add_fact("format", capture_.format, 0);
    if (capture_.has_rewrites) {
      add_fact("rewrites", "", 1);
      add_fact("unique", "", 1);
    }
    if (capture_.has_profile) add_fact("profile", "", 1);
    add_fact("start_ns", "", capture_.profile.start_ns);
    add_fact("end_ns", "", capture_.profile.end_ns);
    const Clock& clock = capture_.profile.clock;
    if (capture_.profile.numbers_launches) add_fact("numbered_launches", "", 1);
    if (clock.name != StringId{}) add_fact("clock", capture_.strings.get(clock.name), 0);
    if (clock.unix_offset_ns) add_fact("unix_offset_ns", "", *clock.unix_offset_ns);
    for (const Track& track : capture_.profile.tracks)
      track_kinds_[static_cast<std::size_t>(track.kind)] = add_string(track_kind_name(track.kind));
    if (capture_.profile.is_trace) find_names();
    for (const auto& [reason, count] : capture_.skipped) add_fact("skipped", reason, static_cast<std::int64_t>(count));
    for (const std::string& warning : capture_.warnings) add_fact("warning", warning, 0);
    for (const std::string& note : capture_.notes) add_fact("note", note, 0);
  }

  // Finds the names of a trace that are not written as they are.
  void find_names() {
    const auto find = [&](StringId name, bool is_hidden) {
      const std::string_view text = capture_.strings.get(name);
      const std::string written = trace::written_name(text, is_hidden);
      if (written != text) names_.add(name, add_string(written));
    };
    for (const Fact& fact : capture_.facts) find(fact.name, fact.is_hidden);
    for (const Track& track : capture_.profile.tracks) {
      for (const ArgumentColumn& column : track.arguments) find(column.name, column.is_hidden);
    }
  }

  void write_strings() {
    const std::size_t count = capture_.strings.size() + added_.size();
    std::size_t begin = 1;
    std::string bytes;
    for (std::size_t i = 1; i < count; ++i) {
      bytes += string(i);
      if (bytes.size() < kMostStringBytes && i + 1 - begin < capture::kWrittenRecords && i + 1 < count) continue;
      ChunkBuilder chunk(ChunkType::kStrings, i + 1 - begin, begin);
      chunk.integers(column::Strings::kLength, i + 1 - begin, [&](std::size_t k) { return string(begin + k).size(); });
      chunk.bytes(column::Strings::kBytes, bytes);
      chunks_.write(chunk);
      begin = i + 1;
      bytes.clear();
    }
  }

  void write_facts() {
    in_parts(ChunkType::kFacts, facts_.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      chunk.integers(column::Facts::kKey, count, [&](std::size_t i) { return facts_[begin + i].key; });
      chunk.integers(column::Facts::kText, count, [&](std::size_t i) { return facts_[begin + i].text; });
      chunk.integers(column::Facts::kNumber, count, [&](std::size_t i) { return facts_[begin + i].number; });
    });
  }

  void write_locations() {
    const auto& locations = capture_.rewrites.locations;
    in_parts(
        ChunkType::kLocations, locations.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          const auto file = [&](std::size_t i) { return index(locations[begin + i].file); };
          chunk.integers(column::Locations::kFile, count, file);
          chunk.integers(column::Locations::kLine, count, [&](std::size_t i) { return locations[begin + i].line; });
          chunk.integers(column::Locations::kCode, count, [&](std::size_t i) { return codes_[begin + i]; });
        });
  }

  void write_kinds() {
    const std::vector<told::OpKind>* kinds = told::kinds_of(*capture_.dialect);
    if (kinds == nullptr) return;
    in_parts(ChunkType::kKinds, kinds->size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      const auto kind = [&](std::size_t i) -> const told::OpKind& { return (*kinds)[begin + i]; };
      chunk.integers(column::Kinds::kName, count, [&](std::size_t i) { return index(kind(i).name); });
      chunk.integers(column::Kinds::kColour, count, [&](std::size_t i) { return index(kind(i).colour); });
      chunk.integers(column::Kinds::kFlags, count,
                     [&](std::size_t i) { return kind(i).inlined ? capture::kKindInlined : 0; });
    });
  }

  // What a value is besides its items: a number, a string's number, an op's.
  std::int64_t value_number(ValueId id) const {
    const ValueTable& values = capture_.values;
    const auto string_number = [&](std::string_view text) {
      return static_cast<std::int64_t>(index(capture_.strings.find(text)));
    };
    switch (values.kind(id)) {
      case ValueKind::kBool:
        return values.as_bool(id) ? 1 : 0;
      case ValueKind::kInt:
        return values.as_int(id);
      case ValueKind::kBigInt:
      case ValueKind::kString:
      case ValueKind::kBytes:
        return string_number(values.text(id));
      case ValueKind::kEnum:
      case ValueKind::kObject:
        return string_number(values.type_name(id));
      case ValueKind::kOp:
        return static_cast<std::int64_t>(index(values.as_op(id)));
      default:
        return 0;
    }
  }

  void write_values() {
    using Column = column::Values;
    const ValueTable& values = capture_.values;
    in_parts(ChunkType::kValues, values.size() - 1, 1, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      const auto id = [&](std::size_t i) { return to_id<ValueId>(begin + 1 + i); };
      std::vector<double> reals;
      std::vector<std::uint64_t> distances;
      for (std::size_t i = 0; i < count; ++i) {
        if (values.kind(id(i)) == ValueKind::kFloat) reals.push_back(values.as_real(id(i)));
        for (const ValueId item : values.items(id(i))) distances.push_back(index(id(i)) - index(item));
      }
      chunk.integers(Column::kKind, count, [&](std::size_t i) { return static_cast<unsigned>(values.kind(id(i))); });
      chunk.integers(Column::kNumber, count, [&](std::size_t i) { return value_number(id(i)); });
      chunk.integers(Column::kItemCount, count, [&](std::size_t i) { return values.items(id(i)).size(); });
      chunk.integers(Column::kItem, distances.size(), [&](std::size_t i) { return distances[i]; });
      chunk.reals(Column::kReal, reals.size(), [&](std::size_t i) { return reals[i]; });
    });
  }

  void write_ops() {
    using Column = column::Ops;
    const OpGraph& ops = capture_.ops;
    in_parts(ChunkType::kOps, ops.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      const auto id = [&](std::size_t i) { return to_id<OpId>(begin + i); };
      std::vector<std::uint64_t> distances;
      for (std::size_t i = 0; i < count; ++i) {
        for (const OpId source : ops.src(id(i))) distances.push_back(index(id(i)) - index(source));
      }
      chunk.integers(Column::kKind, count, [&](std::size_t i) { return ops.kind(id(i)); });
      chunk.integers(Column::kSourceCount, count, [&](std::size_t i) { return ops.src(id(i)).size(); });
      chunk.integers(Column::kSource, distances.size(), [&](std::size_t i) { return distances[i]; });
      chunk.integers(Column::kDtypeValue, count, [&](std::size_t i) { return index(ops.op(id(i)).dtype); });
      chunk.integers(Column::kArgumentValue, count, [&](std::size_t i) { return index(ops.op(id(i)).arg); });
      chunk.integers(Column::kTagValue, count, [&](std::size_t i) { return index(ops.op(id(i)).tag); });
    });
  }

  void write_contexts() {
    const Rewrites& rewrites = capture_.rewrites;
    in_parts(ChunkType::kContexts, rewrites.contexts.size(), 0,
             [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
               const auto context = [&](std::size_t i) -> const Context& { return rewrites.contexts[begin + i]; };
               chunk.integers(column::Contexts::kName, count, [&](std::size_t i) { return index(context(i).name); });
               chunk.integers(column::Contexts::kStack, count,
                              [&](std::size_t i) { return optional_number(context(i).stack); });
             });
    struct Link {
      std::uint64_t context, op, name;
    };
    std::vector<Link> links;
    for (const auto& [op, context] : rewrites.context_by_op) links.push_back({index(context), index(op) + 1, 0});
    for (const auto& [name, context] : rewrites.context_by_name) links.push_back({index(context), 0, index(name)});
    std::ranges::sort(links, {}, [](const Link& link) { return std::tuple(link.context, link.op, link.name); });
    in_parts(ChunkType::kLinks, links.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      chunk.integers(column::Links::kContext, count, [&](std::size_t i) { return links[begin + i].context; });
      chunk.integers(column::Links::kOp, count, [&](std::size_t i) { return links[begin + i].op; });
      chunk.integers(column::Links::kName, count, [&](std::size_t i) { return links[begin + i].name; });
    });
    write_programs();
  }

  void write_programs() {
    const Rewrites& rewrites = capture_.rewrites;
    std::vector<std::uint32_t> context_of(rewrites.programs.size(), kNoId);
    for (std::uint32_t i = 0; i < rewrites.contexts.size(); ++i) {
      if (const ProgramId program = rewrites.contexts[i].program; program != ProgramId{kNoId})
        context_of[index(program)] = i;
    }
    in_parts(
        ChunkType::kPrograms, context_of.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          const auto program = [&](std::size_t i) -> const Program& { return rewrites.programs[begin + i]; };
          const auto context = [&](std::size_t i) { return context_of[begin + i]; };
          using Column = column::Programs;
          chunk.integers(Column::kContext, count, [&](std::size_t i) { return context(i) == kNoId ? 0 : context(i); });
          chunk.integers(Column::kName, count, [&](std::size_t i) { return index(program(i).name); });
          chunk.integers(Column::kSource, count, [&](std::size_t i) { return index(program(i).source); });
          chunk.integers(Column::kDevice, count, [&](std::size_t i) { return index(program(i).device); });
          chunk.integers(Column::kOrigin, count, [&](std::size_t i) { return index(program(i).origin); });
          chunk.integers(Column::kBinary, count, [&](std::size_t i) { return index(program(i).binary); });
          chunk.integers(Column::kFlags, count,
                         [&](std::size_t i) { return context(i) == kNoId ? capture::kProgramAlone : 0; });
        });
  }

  void write_measures() {
    const std::vector<OpMeasure>& measures = capture_.rewrites.measures;
    in_parts(ChunkType::kMeasures, measures.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      chunk.integers(column::Measures::kName, count, [&](std::size_t i) { return index(measures[begin + i].name); });
      chunk.integers(column::Measures::kUnit, count, [&](std::size_t i) { return index(measures[begin + i].unit); });
    });
    for (std::size_t number = 0; number < measures.size(); ++number) {
      const auto& values = measures[number].values;
      in_parts(ChunkType::kOpValues, values.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
        using Column = column::OpValues;
        const auto op = [&](std::size_t i) { return index(values[begin + i].first); };
        chunk.integers(Column::kMeasure, count, [&](std::size_t) { return number; });
        chunk.integers(Column::kOp, count, op, Coding::kDifferences);
        chunk.reals(Column::kValue, count, [&](std::size_t i) { return values[begin + i].second; });
      });
    }
  }

  void write_passes() {
    const Rewrites& rewrites = capture_.rewrites;
    std::vector<std::uint32_t> context_of(rewrites.passes.size()), pass_of(rewrites.matches.size());
    for (std::uint32_t i = 0; i < rewrites.contexts.size(); ++i) {
      const Context& context = rewrites.contexts[i];
      std::fill_n(context_of.begin() + context.first_pass, context.pass_count, i);
    }
    for (std::uint32_t i = 0; i < rewrites.passes.size(); ++i) {
      std::fill_n(pass_of.begin() + rewrites.passes[i].first_match, rewrites.passes[i].match_count, i);
    }
    const auto flags = [](const Pass& pass) {
      return (pass.unnamed ? capture::kPassUnnamed : 0) | (pass.restarts_from_sink ? capture::kPassRestarts : 0) |
             (pass.whole_graphs ? capture::kPassWholeGraphs : 0) | (pass.walks_once ? capture::kPassWalksOnce : 0) |
             (pass.enters_calls ? capture::kPassEntersCalls : 0) | (pass.meets_calls ? capture::kPassMeetsCalls : 0);
    };
    in_parts(ChunkType::kPasses, rewrites.passes.size(), 0,
             [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
               using Column = column::Passes;
               const auto pass = [&](std::size_t i) -> const Pass& { return rewrites.passes[begin + i]; };
               chunk.integers(Column::kContext, count, [&](std::size_t i) { return context_of[begin + i]; });
               chunk.integers(Column::kName, count, [&](std::size_t i) { return index(pass(i).name); });
               chunk.integers(Column::kLocation, count, [&](std::size_t i) { return index(pass(i).location); });
               chunk.integers(Column::kGraph, count, [&](std::size_t i) { return index(pass(i).sink); });
               chunk.integers(Column::kDepth, count, [&](std::size_t i) { return pass(i).depth; });
               chunk.integers(Column::kFlags, count, [&](std::size_t i) { return flags(pass(i)); });
             });
    const auto& matches = rewrites.matches;
    const bool has_times = std::ranges::any_of(matches, [](const Match& m) { return m.dur_s != -1; });
    // Half as many bytes where the times have no more digits.
    const bool are_floats = std::ranges::all_of(
        matches, [](const Match& m) { return m.dur_s == static_cast<double>(static_cast<float>(m.dur_s)); });
    in_parts(ChunkType::kMatches, rewrites.matches.size(), 0,
             [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
               using Column = column::Matches;
               const auto match = [&](std::size_t i) -> const Match& { return rewrites.matches[begin + i]; };
               const auto differences = Coding::kDifferences;
               chunk.integers(
                   Column::kPass, count, [&](std::size_t i) { return pass_of[begin + i]; }, differences);
               chunk.integers(
                   Column::kBefore, count, [&](std::size_t i) { return index(match(i).before); }, differences);
               chunk.integers(
                   Column::kAfter, count, [&](std::size_t i) { return index(match(i).after); }, differences);
               chunk.integers(Column::kRule, count, [&](std::size_t i) { return index(match(i).rule); });
               if (has_times && are_floats) {
                 chunk.reals(Column::kSeconds, count,
                             [&](std::size_t i) { return static_cast<float>(match(i).dur_s); });
               } else if (has_times) {
                 chunk.reals(Column::kSeconds, count, [&](std::size_t i) { return double{match(i).dur_s}; });
               }
             });
  }

  struct FileFact {
    std::size_t key, text;
    std::int64_t number;
  };

  const Capture& capture_;
  const EncodeOptions& options_;
  ChunkWriter chunks_;
  std::unordered_map<std::string, std::size_t> added_numbers_;
  std::vector<std::string_view> added_;  // strings that the capture does not have
  std::vector<std::size_t> codes_;       // by location: 0, or one more than the number of its line
  std::vector<FileFact> facts_;
  TrackKindNumbers track_kinds_{};
  NameNumbers names_;
};

}  // namespace

void encode_capture(const Capture& capture, const EncodeOptions& options,
                    const std::function<void(std::string_view part)>& write) {
  Encoder(capture, options, write).encode();
}

}  // namespace vizd::native
