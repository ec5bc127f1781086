#include "formats/native/capture_encoder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/native/dialect.h"
#include "vizd/capture_format.h"

namespace vizd::native {
namespace {

namespace column = capture::column;
using capture::ChunkBuilder;
using capture::ChunkType;
using capture::Coding;

constexpr std::size_t kMostStringBytes = std::size_t{16} << 20;  // in a chunk, but for a single longer one

// An id as an optional reference: 0 for none.
template <typename Id>
std::uint64_t optional(Id id) {
  return index(id) == kNoId ? 0 : index(id) + 1;
}

class Encoder {
 public:
  Encoder(const Capture& capture, const EncodeOptions& options, const std::function<void(std::string_view)>& write)
      : capture_(capture), options_(options), write_(write), packer_(options.level) {}

  void encode() {
    write_(capture::file_header());
    read_sources();
    write_strings();
    write_facts();
    if (capture_.has_rewrites) {
      write_locations();
      write_kinds();
      write_values();
      write_ops();
      write_contexts();
      write_passes();
    }
    if (capture_.has_profile) write_profile();
  }

 private:
  // Writes a chunk for each so many of count records; fill(chunk, first, count) adds the columns of a part of them.
  template <typename Fill>
  void in_parts(ChunkType type, std::size_t count, std::size_t first_number, Fill&& fill) {
    for (std::size_t begin = 0; begin < count; begin += capture::kWrittenRecords) {
      const std::size_t part = std::min(capture::kWrittenRecords, count - begin);
      ChunkBuilder chunk(type, part, first_number + begin);
      fill(chunk, begin, part);
      write_(chunk.finish(packer_));
    }
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
    for (const auto& [reason, count] : capture_.skipped) add_fact("skipped", reason, static_cast<std::int64_t>(count));
    for (const std::string& warning : capture_.warnings) add_fact("warning", warning, 0);
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
      write_(chunk.finish(packer_));
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
    const std::vector<OpKind>* kinds = kinds_of(*capture_.dialect);
    if (kinds == nullptr) return;
    in_parts(ChunkType::kKinds, kinds->size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      const auto kind = [&](std::size_t i) -> const OpKind& { return (*kinds)[begin + i]; };
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
               chunk.integers(column::Contexts::kName, count,
                              [&](std::size_t i) { return index(rewrites.contexts[begin + i].name); });
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
    std::vector<std::uint32_t> contexts;  // that made one
    for (std::uint32_t i = 0; i < rewrites.contexts.size(); ++i) {
      if (rewrites.contexts[i].program != ProgramId{kNoId}) contexts.push_back(i);
    }
    in_parts(ChunkType::kPrograms, contexts.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      const auto program = [&](std::size_t i) -> const Program& {
        return rewrites.programs[index(rewrites.contexts[contexts[begin + i]].program)];
      };
      using Column = column::Programs;
      chunk.integers(Column::kContext, count, [&](std::size_t i) { return contexts[begin + i]; });
      chunk.integers(Column::kName, count, [&](std::size_t i) { return index(program(i).name); });
      chunk.integers(Column::kSource, count, [&](std::size_t i) { return index(program(i).source); });
      chunk.integers(Column::kDevice, count, [&](std::size_t i) { return index(program(i).device); });
      chunk.integers(Column::kOrigin, count, [&](std::size_t i) { return index(program(i).origin); });
      chunk.integers(Column::kBinary, count, [&](std::size_t i) { return index(program(i).binary); });
    });
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
             (pass.whole_graphs ? capture::kPassWholeGraphs : 0);
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
    const bool has_times = std::ranges::any_of(rewrites.matches, [](const Match& m) { return m.dur_s != -1; });
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
               if (has_times) chunk.reals(Column::kSeconds, count, [&](std::size_t i) { return match(i).dur_s; });
             });
  }

  void write_profile() {
    const auto& lanes = capture_.profile.lanes;
    in_parts(ChunkType::kLanes, lanes.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      using Column = column::Lanes;
      const auto group = [&](std::size_t i) -> const LaneGroup& { return lanes[begin + i].group; };
      chunk.integers(Column::kName, count, [&](std::size_t i) { return index(lanes[begin + i].name); });
      chunk.integers(Column::kRank, count, [&](std::size_t i) { return index(group(i).rank); });
      chunk.integers(Column::kProcess, count, [&](std::size_t i) { return index(group(i).process); });
      chunk.integers(Column::kDevice, count, [&](std::size_t i) { return index(group(i).device); });
      chunk.integers(Column::kStream, count, [&](std::size_t i) { return index(group(i).stream); });
      chunk.reals(Column::kHertz, count, [&](std::size_t i) { return lanes[begin + i].cycles_per_second; });
    });
    write_counters();
    write_flows();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      write_events(lane);
      write_allocations(lane);
      write_uses(lane);
    }
    const auto& markers = capture_.profile.markers;
    in_parts(ChunkType::kMarkers, markers.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      const auto at = [&](std::size_t i) { return markers[begin + i].at_ns; };
      chunk.integers(column::Markers::kAt, count, at, Coding::kDifferences);
      chunk.integers(column::Markers::kName, count, [&](std::size_t i) { return index(markers[begin + i].name); });
      chunk.integers(column::Markers::kColour, count, [&](std::size_t i) { return index(markers[begin + i].colour); });
    });
  }

  void write_events(std::size_t lane) {
    const auto& events = capture_.profile.lanes[lane].events;
    in_parts(ChunkType::kEvents, events.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      using Column = column::Events;
      chunk.integers(Column::kLane, count, [&](std::size_t) { return lane; });
      const auto start = [&](std::size_t i) { return events[begin + i].start_ns; };
      chunk.integers(Column::kStart, count, start, Coding::kDifferences);
      chunk.integers(Column::kDuration, count, [&](std::size_t i) { return events[begin + i].dur_ns; });
      chunk.integers(Column::kName, count, [&](std::size_t i) { return index(events[begin + i].name); });
      chunk.integers(Column::kContext, count, [&](std::size_t i) { return optional(events[begin + i].context); });
      chunk.integers(Column::kInfo, count, [&](std::size_t i) { return index(events[begin + i].info); });
      chunk.integers(Column::kPicoseconds, count, [&](std::size_t i) { return events[begin + i].dur_ps; });
      std::string all_args;
      std::vector<std::size_t> args_lengths(count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::string_view args = args_of(events[begin + i]);
        args_lengths[i] = args.size();
        all_args += args;
      }
      if (!all_args.empty()) {
        chunk.integers(Column::kArgsLength, count, [&](std::size_t i) { return args_lengths[i]; });
        chunk.bytes(Column::kArgs, all_args);
      }
      const auto order = [&](std::size_t i) { return events[begin + i].order; };
      chunk.integers(Column::kOrder, count, order, Coding::kDifferences);
    });
  }

  std::string_view args_of(const Event& event) const {
    return event.args == 0 ? std::string_view() : capture_.profile.args.data() + event.args - 1;
  }

  void write_counters() {
    const auto& lanes = capture_.profile.lanes;
    struct Place {
      std::size_t lane;
      const Counter* counter;
    };
    std::vector<Place> counters;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      for (const Counter& counter : lanes[lane].counters) counters.push_back({lane, &counter});
    }
    in_parts(ChunkType::kCounters, counters.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      using Column = column::Counters;
      chunk.integers(Column::kName, count, [&](std::size_t i) { return index(counters[begin + i].counter->name); });
      chunk.integers(Column::kUnit, count, [&](std::size_t i) { return index(counters[begin + i].counter->unit); });
      chunk.integers(Column::kLane, count, [&](std::size_t i) { return counters[begin + i].lane; });
    });
    for (std::size_t number = 0; number < counters.size(); ++number) {
      const Counter& counter = *counters[number].counter;
      in_parts(ChunkType::kSamples, counter.at_ns.size(), 0,
               [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
                 using Column = column::Samples;
                 chunk.integers(Column::kCounter, count, [&](std::size_t) { return number; });
                 const auto at = [&](std::size_t i) { return counter.at_ns[begin + i]; };
                 chunk.integers(Column::kAt, count, at, Coding::kDifferences);
                 chunk.reals(Column::kValue, count, [&](std::size_t i) { return counter.value[begin + i]; });
               });
    }
  }

  void write_flows() {
    const auto flows = capture_.profile.flows.span();
    in_parts(ChunkType::kFlows, flows.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      using Column = column::Flows;
      const auto flow = [&](std::size_t i) -> const Flow& { return flows[begin + i]; };
      chunk.integers(Column::kFromLane, count, [&](std::size_t i) { return flow(i).from_lane; });
      chunk.integers(Column::kToLane, count, [&](std::size_t i) { return flow(i).to_lane; });
      const auto from = [&](std::size_t i) { return std::uint64_t{flow(i).from_event} + 1; };
      const auto to = [&](std::size_t i) { return std::uint64_t{flow(i).to_event} + 1; };
      chunk.integers(Column::kFromEvent, count, from, Coding::kDifferences);
      chunk.integers(Column::kToEvent, count, to, Coding::kDifferences);
    });
  }

  void write_uses(std::size_t memory_lane) {
    const auto uses = capture_.profile.lanes[memory_lane].uses.span();
    in_parts(ChunkType::kUses, uses.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      using Column = column::Uses;
      chunk.integers(Column::kMemoryLane, count, [&](std::size_t) { return memory_lane; });
      chunk.integers(Column::kAllocation, count, [&](std::size_t i) { return uses[begin + i].allocation; });
      chunk.integers(Column::kLane, count, [&](std::size_t i) { return uses[begin + i].lane; });
      chunk.integers(Column::kEvent, count, [&](std::size_t i) { return uses[begin + i].event; });
    });
  }

  void write_allocations(std::size_t lane) {
    const auto& allocations = capture_.profile.lanes[lane].allocations;
    in_parts(
        ChunkType::kAllocations, allocations.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          using Column = column::Allocations;
          const auto a = [&](std::size_t i) -> const Allocation& { return allocations[begin + i]; };
          const auto put = [&](std::uint16_t number, const auto& value, Coding coding = Coding::kPlain) {
            chunk.integers(number, count, value, coding);
          };
          put(Column::kLane, [&](std::size_t) { return lane; });
          put(
              Column::kKey, [&](std::size_t i) { return a(i).key; }, Coding::kDifferences);
          put(
              Column::kAt, [&](std::size_t i) { return a(i).birth_ns; }, Coding::kDifferences);
          put(Column::kCount, [&](std::size_t i) { return a(i).count; });
          put(Column::kItemSize, [&](std::size_t i) { return a(i).item_size_bytes; });
          put(Column::kDtype, [&](std::size_t i) { return index(a(i).dtype); });
          put(
              Column::kFreedAt, [&](std::size_t i) { return a(i).death_ns; }, Coding::kDifferences);
          put(
              Column::kBirthOrder, [&](std::size_t i) { return a(i).birth_order; }, Coding::kDifferences);
          put(
              Column::kDeathOrder, [&](std::size_t i) { return a(i).death_order; }, Coding::kDifferences);
          const auto flags = [&](std::size_t i) {
            const bool has_address = a(i).address != Allocation::kNoAddress;
            return (a(i).freed ? capture::kAllocationFreed : 0) | (has_address ? capture::kAllocationAddressed : 0);
          };
          put(Column::kFlags, flags);
          put(Column::kCategory, [&](std::size_t i) { return index(a(i).category); });
          put(Column::kContext, [&](std::size_t i) { return optional(a(i).context); });
          put(Column::kAddress,
              [&](std::size_t i) { return a(i).address == Allocation::kNoAddress ? 0 : a(i).address; });
        });
  }

  struct Fact {
    std::size_t key, text;
    std::int64_t number;
  };

  const Capture& capture_;
  const EncodeOptions& options_;
  const std::function<void(std::string_view)>& write_;
  capture::Packer packer_;
  std::unordered_map<std::string, std::size_t> added_numbers_;
  std::vector<std::string_view> added_;  // strings that the capture does not have
  std::vector<std::size_t> codes_;       // by location: 0, or one more than the number of its line
  std::vector<Fact> facts_;
};

}  // namespace

void encode_capture(const Capture& capture, const EncodeOptions& options,
                    const std::function<void(std::string_view part)>& write) {
  Encoder(capture, options, write).encode();
}

}  // namespace vizd::native
