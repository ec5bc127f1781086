#include "formats/native/profile_encoder.h"

#include "formats/native/allocator_encoder.h"
#include "formats/native/argument_encoder.h"

namespace vizd::native {
namespace {

namespace column = capture::column;
using capture::ChunkBuilder;
using capture::ChunkType;
using capture::Coding;

class ProfileEncoder {
 public:
  ProfileEncoder(const Profile& profile, const TrackKindNumbers& kinds, const NameNumbers& names, ChunkWriter& chunks)
      : profile_(profile), kinds_(kinds), names_(names), chunks_(chunks) {}

  void encode() {
    write_tracks();
    arguments_.write_list(profile_.tracks, names_, chunks_);
    write_runs();
    write_counters();
    write_flows();
    write_flow_ends();
    for (std::size_t track = 0; track < profile_.tracks.size(); ++track) {
      write_events(track);
      write_samples(track);
      write_allocations(track);
      write_uses(track);
      write_launches(track);
      write_launch_uses(track);
    }
    write_markers();
    encode_allocators(profile_.tracks, chunks_);
  }

 private:
  void write_tracks() {
    const std::vector<Track>& tracks = profile_.tracks;
    chunks_.in_parts(
        ChunkType::kTracks, tracks.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          using Column = column::Tracks;
          const auto track = [&](std::size_t i) -> const Track& { return tracks[begin + i]; };
          const auto kind = [&](std::size_t i) { return kinds_[static_cast<std::size_t>(track(i).kind)]; };
          const auto parent = [&](std::size_t i) { return track(i).parent == kNoId ? 0 : track(i).parent + 1; };
          chunk.integers(Column::kName, count, [&](std::size_t i) { return index(track(i).name); });
          chunk.integers(Column::kKind, count, kind);
          chunk.integers(Column::kParent, count, parent);
          chunk.integers(Column::kSort, count, [&](std::size_t i) { return track(i).sort; });
          chunk.reals(Column::kHertz, count, [&](std::size_t i) { return track(i).cycles_per_second; });
          const auto number_type = [&](std::size_t i) {
            return track(i).number ? static_cast<unsigned>(type_of(*track(i).number)) : 0u;
          };
          const auto number = [&](std::size_t i) { return track(i).number ? integer_of(*track(i).number) : 0; };
          chunk.integers(Column::kNumberType, count, number_type);
          chunk.integers(Column::kNumber, count, number);
        });
  }

  void write_runs() {
    const std::vector<Run>& runs = profile_.runs;
    chunks_.in_parts(ChunkType::kRuns, runs.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      using Column = column::Runs;
      const auto run = [&](std::size_t i) -> const Run& { return runs[begin + i]; };
      const auto track = [&](std::size_t i) { return run(i).track == kNoId ? 0 : run(i).track + 1; };
      chunk.integers(Column::kTrack, count, track);
      chunk.integers(Column::kKind, count, [&](std::size_t i) { return index(run(i).kind); });
      chunk.integers(Column::kName, count, [&](std::size_t i) { return index(run(i).name); });
      chunk.integers(Column::kNumber, count, [&](std::size_t i) { return run(i).number; });
      const auto from = [&](std::size_t i) { return run(i).from_ns; };
      const auto to = [&](std::size_t i) { return run(i).to_ns; };
      chunk.integers(Column::kFrom, count, from, Coding::kDifferences);
      chunk.integers(Column::kTo, count, to, Coding::kDifferences);
    });
  }

  void write_markers() {
    const std::vector<Marker>& markers = profile_.markers;
    chunks_.in_parts(
        ChunkType::kMarkers, markers.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          const auto at = [&](std::size_t i) { return markers[begin + i].at_ns; };
          chunk.integers(column::Markers::kAt, count, at, Coding::kDifferences);
          chunk.integers(column::Markers::kName, count, [&](std::size_t i) { return index(markers[begin + i].name); });
          chunk.integers(column::Markers::kColour, count,
                         [&](std::size_t i) { return index(markers[begin + i].colour); });
        });
  }

  void write_samples(std::size_t track) {
    const StackSamples& samples = profile_.tracks[track].samples;
    chunks_.in_parts(ChunkType::kStackSamples, samples.size(), 0,
                     [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
                       using Column = column::StackSamples;
                       const auto at = [&](std::size_t i) { return samples.at_ns[begin + i]; };
                       chunk.integers(Column::kTrack, count, [&](std::size_t) { return track; });
                       chunk.integers(Column::kAt, count, at, Coding::kDifferences);
                       chunk.integers(Column::kStack, count, [&](std::size_t i) { return samples.stack[begin + i]; });
                       chunk.reals(Column::kWeight, count, [&](std::size_t i) { return samples.weight[begin + i]; });
                     });
  }

  void write_events(std::size_t track) {
    const EventColumns& events = profile_.tracks[track].events;
    chunks_.in_parts(
        ChunkType::kEvents, events.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          using Column = column::Events;
          chunk.integers(Column::kLane, count, [&](std::size_t) { return track; });
          const auto start = [&](std::size_t i) { return events.start_ns(begin + i); };
          chunk.integers(Column::kStart, count, start, Coding::kDifferences);
          chunk.integers(Column::kDuration, count, [&](std::size_t i) { return events.dur_ns(begin + i); });
          chunk.integers(Column::kName, count, [&](std::size_t i) { return index(events.name(begin + i)); });
          chunk.integers(Column::kContext, count,
                         [&](std::size_t i) { return optional_number(events.context(begin + i)); });
          chunk.integers(Column::kPicoseconds, count, [&](std::size_t i) { return events[begin + i].dur_ps; });
          const auto order = [&](std::size_t i) { return events[begin + i].order; };
          chunk.integers(Column::kOrder, count, order, Coding::kDifferences);
          chunk.integers(Column::kKind, count,
                         [&](std::size_t i) { return static_cast<unsigned>(events.kind(begin + i)); });
          chunk.integers(Column::kCategory, count, [&](std::size_t i) { return index(events.category(begin + i)); });
          chunk.integers(Column::kFlags, count,
                         [&](std::size_t i) { return events.is_error(begin + i) ? capture::kEventError : 0; });
          arguments_.write_values(chunk, profile_.tracks[track].arguments, begin, count);
        });
  }

  void write_counters() {
    const std::vector<Track>& tracks = profile_.tracks;
    struct Place {
      std::size_t track;
      const Counter* counter;
    };
    std::vector<Place> counters;
    for (std::size_t track = 0; track < tracks.size(); ++track) {
      for (const Counter& counter : tracks[track].counters) counters.push_back({track, &counter});
    }
    chunks_.in_parts(
        ChunkType::kCounters, counters.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          using Column = column::Counters;
          chunk.integers(Column::kName, count, [&](std::size_t i) { return index(counters[begin + i].counter->name); });
          chunk.integers(Column::kUnit, count, [&](std::size_t i) { return index(counters[begin + i].counter->unit); });
          chunk.integers(Column::kLane, count, [&](std::size_t i) { return counters[begin + i].track; });
          const auto series = [&](std::size_t i) { return index(counters[begin + i].counter->series); };
          const auto category = [&](std::size_t i) { return index(counters[begin + i].counter->category); };
          chunk.integers(Column::kSeries, count, series);
          chunk.integers(Column::kCategory, count, category);
        });
    for (std::size_t number = 0; number < counters.size(); ++number) {
      const Counter& counter = *counters[number].counter;
      chunks_.in_parts(ChunkType::kSamples, counter.at_ns.size(), 0,
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
    const auto flows = profile_.flows.span();
    chunks_.in_parts(ChunkType::kFlows, flows.size(), 0,
                     [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
                       using Column = column::Flows;
                       const auto flow = [&](std::size_t i) -> const Flow& { return flows[begin + i]; };
                       chunk.integers(Column::kFromLane, count, [&](std::size_t i) { return flow(i).from_track; });
                       chunk.integers(Column::kToLane, count, [&](std::size_t i) { return flow(i).to_track; });
                       const auto from = [&](std::size_t i) { return std::uint64_t{flow(i).from_event} + 1; };
                       const auto to = [&](std::size_t i) { return std::uint64_t{flow(i).to_event} + 1; };
                       chunk.integers(Column::kFromEvent, count, from, Coding::kDifferences);
                       chunk.integers(Column::kToEvent, count, to, Coding::kDifferences);
                     });
  }

  void write_flow_ends() {
    const FlowEnds& ends = profile_.flow_ends;
    chunks_.in_parts(
        ChunkType::kFlowEnds, ends.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          using Column = column::FlowEnds;
          const auto flags = [&](std::size_t i) {
            const FlowEnd end = ends[begin + i];
            return static_cast<unsigned>(end.kind) | static_cast<unsigned>(end.id_type) << 2 |
                   (end.is_of_enclosing ? capture::kFlowEndOfEnclosing : 0u);
          };
          const auto at = [&](std::size_t i) { return ends[begin + i].at_ns; };
          const auto id = [&](std::size_t i) { return ends[begin + i].id; };
          chunk.integers(Column::kLane, count, [&](std::size_t i) { return ends[begin + i].track; });
          chunk.integers(Column::kAt, count, at, Coding::kDifferences);
          chunk.integers(Column::kId, count, id, Coding::kDifferences);
          chunk.integers(Column::kCategory, count, [&](std::size_t i) { return index(ends[begin + i].category); });
          chunk.integers(Column::kFlags, count, flags);
        });
  }

  void write_uses(std::size_t memory_track) {
    const auto uses = profile_.tracks[memory_track].uses.span();
    chunks_.in_parts(ChunkType::kUses, uses.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      using Column = column::Uses;
      chunk.integers(Column::kMemoryLane, count, [&](std::size_t) { return memory_track; });
      chunk.integers(Column::kAllocation, count, [&](std::size_t i) { return uses[begin + i].allocation; });
      chunk.integers(Column::kLane, count, [&](std::size_t i) { return uses[begin + i].track; });
      chunk.integers(Column::kEvent, count, [&](std::size_t i) { return uses[begin + i].event; });
    });
  }

  void write_launches(std::size_t track) {
    const auto& launches = profile_.tracks[track].launches;
    chunks_.in_parts(ChunkType::kLaunches, launches.size(), 0,
                     [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
                       using Column = column::Launches;
                       const auto launch = [&](std::size_t i) -> const Launch& { return launches[begin + i]; };
                       const auto number = [&](std::size_t i) { return launch(i).number; };
                       chunk.integers(Column::kTrack, count, [&](std::size_t) { return track; });
                       chunk.integers(Column::kNumber, count, number, Coding::kDifferences);
                       chunk.integers(
                           Column::kAt, count, [&](std::size_t i) { return launch(i).at_ns; }, Coding::kDifferences);
                       chunk.integers(Column::kName, count, [&](std::size_t i) { return index(launch(i).name); });
                     });
  }

  void write_launch_uses(std::size_t track) {
    const auto& uses = profile_.tracks[track].launch_uses;
    chunks_.in_parts(ChunkType::kLaunchUses, uses.size(), 0,
                     [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
                       using Column = column::LaunchUses;
                       const auto use = [&](std::size_t i) -> const LaunchUse& { return uses[begin + i]; };
                       const auto flags = [&](std::size_t i) {
                         return (use(i).reads ? capture::kUseReads : 0) | (use(i).writes ? capture::kUseWrites : 0);
                       };
                       chunk.integers(Column::kTrack, count, [&](std::size_t) { return track; });
                       chunk.integers(Column::kAllocation, count, [&](std::size_t i) { return use(i).allocation; });
                       chunk.integers(Column::kLaunch, count, [&](std::size_t i) { return use(i).launch; });
                       chunk.integers(Column::kArgument, count, [&](std::size_t i) { return use(i).argument; });
                       chunk.integers(Column::kFlags, count, flags);
                     });
  }

  void write_allocations(std::size_t track) {
    const auto& allocations = profile_.tracks[track].allocations;
    chunks_.in_parts(
        ChunkType::kAllocations, allocations.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
          using Column = column::Allocations;
          const auto a = [&](std::size_t i) -> const Allocation& { return allocations[begin + i]; };
          const auto put = [&](std::uint16_t number, const auto& value, Coding coding = Coding::kPlain) {
            chunk.integers(number, count, value, coding);
          };
          put(Column::kLane, [&](std::size_t) { return track; });
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
            return (a(i).freed ? capture::kAllocationFreed : 0) | (has_address ? capture::kAllocationAddressed : 0) |
                   (a(i).is_earlier ? capture::kAllocationEarlier : 0);
          };
          put(Column::kFlags, flags);
          put(Column::kCategory, [&](std::size_t i) { return index(a(i).category); });
          put(Column::kContext, [&](std::size_t i) { return optional_number(a(i).context); });
          put(Column::kAddress,
              [&](std::size_t i) { return a(i).address == Allocation::kNoAddress ? 0 : a(i).address; });
          put(Column::kAskedBy,
              [&](std::size_t i) { return a(i).asked_by == kNoId ? 0 : std::uint64_t{a(i).asked_by} + 1; });
        });
  }

  const Profile& profile_;
  const TrackKindNumbers& kinds_;
  const NameNumbers& names_;
  ChunkWriter& chunks_;
  ArgumentEncoder arguments_;
};

}  // namespace

void encode_stacks(const Stacks& stacks, ChunkWriter& chunks) {
  chunks.in_parts(ChunkType::kStacks, stacks.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
    using Column = column::Stacks;
    const auto frame = [&](std::size_t i) -> const Frame& { return stacks[begin + i].frame; };
    chunk.integers(Column::kFunction, count, [&](std::size_t i) { return index(frame(i).function); });
    chunk.integers(Column::kFile, count, [&](std::size_t i) { return index(frame(i).file); });
    chunk.integers(Column::kLine, count, [&](std::size_t i) { return frame(i).line; });
    chunk.integers(Column::kCaller, count, [&](std::size_t i) { return optional_number(stacks[begin + i].caller); });
    chunk.integers(Column::kCode, count, [&](std::size_t i) { return index(frame(i).code); });
  });
}

void encode_facts(const std::vector<Fact>& facts, const NameNumbers& names, ChunkWriter& chunks) {
  chunks.in_parts(ChunkType::kCaptureFacts, facts.size(), 0,
                  [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
                    using Column = column::CaptureFacts;
                    const auto fact = [&](std::size_t i) -> const Fact& { return facts[begin + i]; };
                    const auto type = [&](std::size_t i) { return static_cast<unsigned>(type_of(fact(i).value)); };
                    chunk.integers(Column::kSubject, count, [&](std::size_t i) { return index(fact(i).subject); });
                    const auto name = [&](std::size_t i) { return names.of(fact(i).name, fact(i).is_hidden); };
                    chunk.integers(Column::kName, count, name);
                    chunk.integers(Column::kUnit, count, [&](std::size_t i) { return index(fact(i).unit); });
                    chunk.integers(Column::kType, count, type);
                    chunk.integers(Column::kInteger, count, [&](std::size_t i) { return integer_of(fact(i).value); });
                    chunk.reals(Column::kReal, count, [&](std::size_t i) { return real_of(fact(i).value); });
                    const auto track = [&](std::size_t i) { return fact(i).track == kNoId ? 0 : fact(i).track + 1; };
                    chunk.integers(Column::kTrack, count, track);
                    chunk.integers(Column::kMoreTimes, count, [&](std::size_t i) { return fact(i).times - 1; });
                  });
}

void encode_profile(const Capture& capture, const TrackKindNumbers& kinds, const NameNumbers& names,
                    ChunkWriter& chunks) {
  ProfileEncoder(capture.profile, kinds, names, chunks).encode();
}

}  // namespace vizd::native
