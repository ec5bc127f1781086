#include "formats/native/allocator_reader.h"

#include <algorithm>

namespace vizd::native {
namespace {

namespace column = capture::column;
using capture::ChunkType;

}  // namespace

constinit const std::array<AllocatorReader::Part, 7> AllocatorReader::kParts{{
    {ChunkType::kAllocators, &AllocatorReader::add_allocators},
    {ChunkType::kAllocatorActions, &AllocatorReader::add_actions},
    {ChunkType::kAllocatorPools, &AllocatorReader::add_pools},
    {ChunkType::kAllocationSites, &AllocatorReader::add_sites},
    {ChunkType::kAllocatorEntries, &AllocatorReader::add_entries},
    {ChunkType::kAllocationLives, &AllocatorReader::add_lives},
    {ChunkType::kAllocatorSegments, &AllocatorReader::add_segments},
}};

template <typename Add>
void AllocatorReader::for_each(const Columns& columns, Tables& tables, Add&& add) {
  const auto allocators = columns.read<std::uint64_t>(1);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    allocators[i] < read_.size() ? add(*read_[allocators[i]].log, i)
                                 : tables.skip("record of an allocator that is missing");
  }
}

void AllocatorReader::add_allocators(const Columns& columns, Tables&, const FactsReader&) {
  using Column = column::Allocators;
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack);
  const auto devices = columns.read<std::int64_t>(Column::kDevice);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  const auto mismatched = columns.read<std::uint64_t>(Column::kMismatched);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Read& made = read_.emplace_back(Read{tracks[i], std::make_shared<AllocatorLog>()});
    made.log->device = devices[i];
    made.log->has_times = (flags[i] & capture::kAllocatorTimed) != 0;
    made.log->is_exact = (flags[i] & capture::kAllocatorExact) != 0;
    made.log->mismatched = mismatched[i];
  }
}

void AllocatorReader::add_actions(const Columns& columns, Tables& tables, const FactsReader&) {
  const auto names = columns.read<std::uint64_t>(column::AllocatorActions::kName);
  for_each(columns, tables, [&](AllocatorLog& log, std::size_t i) { log.actions.push_back(tables.string(names[i])); });
}

void AllocatorReader::add_pools(const Columns& columns, Tables& tables, const FactsReader&) {
  using Column = column::AllocatorPools;
  const auto streams = columns.read<std::uint64_t>(Column::kStream);
  const auto firsts = columns.read<std::int64_t>(Column::kFirst), seconds = columns.read<std::int64_t>(Column::kSecond);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  for_each(columns, tables, [&](AllocatorLog& log, std::size_t i) {
    log.pools.push_back({.stream = streams[i],
                         .first = firsts[i],
                         .second = seconds[i],
                         .is_stream_negative = (flags[i] & capture::kPoolStreamNegative) != 0,
                         .is_known = (flags[i] & capture::kPoolKnown) != 0});
  });
}

void AllocatorReader::add_sites(const Columns& columns, Tables& tables, const FactsReader& facts) {
  using Column = column::AllocationSites;
  const auto stacks = columns.read<std::uint64_t>(Column::kStack);
  const auto depths = columns.read<std::uint32_t>(Column::kDepth);
  const auto frames = columns.read<std::uint64_t>(Column::kFrame), files = columns.read<std::uint64_t>(Column::kFile),
             operations = columns.read<std::uint64_t>(Column::kOperation),
             phases = columns.read<std::uint64_t>(Column::kPhase),
             contexts = columns.read<std::uint64_t>(Column::kCompileContext),
             metadata = columns.read<std::uint64_t>(Column::kMetadata),
             categories = columns.read<std::uint64_t>(Column::kCategory),
             forwards = columns.read<std::uint64_t>(Column::kForward),
             forward_frames = columns.read<std::uint64_t>(Column::kForwardFrame);
  for_each(columns, tables, [&](AllocatorLog& log, std::size_t i) {
    log.sites.push_back({.stack = facts.stack(stacks[i]),
                         .forward = facts.stack(forwards[i]),
                         .depth = depths[i],
                         .frame = tables.string(frames[i]),
                         .file = tables.string(files[i]),
                         .forward_frame = tables.string(forward_frames[i]),
                         .operation = tables.string(operations[i]),
                         .phase = tables.string(phases[i]),
                         .compile_context = tables.string(contexts[i]),
                         .metadata = tables.string(metadata[i]),
                         .category = tables.string(categories[i])});
  });
}

void AllocatorReader::add_entries(const Columns& columns, Tables& tables, const FactsReader&) {
  using Column = column::AllocatorEntries;
  const auto actions = columns.read<std::uint8_t>(Column::kAction);
  const auto times = columns.read<std::int64_t>(Column::kAt);
  const auto addresses = columns.read<std::uint64_t>(Column::kAddress),
             sizes = columns.read<std::uint64_t>(Column::kSize);
  for_each(columns, tables, [&](AllocatorLog& log, std::size_t i) {
    log.entries.action.push_back(static_cast<AllocatorAction>(actions[i]));
    log.entries.at_ns.push_back(times[i]);
    log.entries.address.push_back(addresses[i]);
    log.entries.size_bytes.push_back(sizes[i]);
  });
}

void AllocatorReader::add_lives(const Columns& columns, Tables& tables, const FactsReader&) {
  using Column = column::AllocationLives;
  const auto requests = columns.read<std::uint64_t>(Column::kRequested);
  const auto born = columns.read<std::uint32_t>(Column::kBorn), freed = columns.read<std::uint32_t>(Column::kFreed),
             completed = columns.read<std::uint32_t>(Column::kCompleted),
             pools = columns.read<std::uint32_t>(Column::kPool), sites = columns.read<std::uint32_t>(Column::kSite),
             flags = columns.read<std::uint32_t>(Column::kFlags);
  for_each(columns, tables, [&](AllocatorLog& log, std::size_t i) {
    log.lives.requested_bytes.push_back(requests[i]);
    log.lives.born.push_back(born[i]);
    log.lives.freed.push_back(freed[i]);
    log.lives.completed.push_back(completed[i]);
    log.lives.pool.push_back(pools[i]);
    log.lives.site.push_back(sites[i]);
    log.lives.flags.push_back((flags[i] & capture::kLifeLost) != 0 ? AllocatorLives::kLost : 0);
  });
}

void AllocatorReader::add_segments(const Columns& columns, Tables& tables, const FactsReader&) {
  using Column = column::AllocatorSegments;
  const auto addresses = columns.read<std::uint64_t>(Column::kAddress),
             sizes = columns.read<std::uint64_t>(Column::kSize);
  const auto from = columns.read<std::uint32_t>(Column::kFrom), to = columns.read<std::uint32_t>(Column::kTo),
             pools = columns.read<std::uint32_t>(Column::kPool), flags = columns.read<std::uint32_t>(Column::kFlags);
  for_each(columns, tables, [&](AllocatorLog& log, std::size_t i) {
    log.segments.push_back({.address = addresses[i],
                            .size_bytes = sizes[i],
                            .from = from[i],
                            .to = to[i],
                            .pool = pools[i],
                            .is_expandable = (flags[i] & capture::kSegmentExpandable) != 0,
                            .has_large_pages = (flags[i] & capture::kSegmentLargePages) != 0});
  });
}

bool AllocatorReader::is_whole(const AllocatorLog& log, std::size_t allocations) {
  const auto is_below = [](std::span<const std::uint32_t> places, std::size_t size) {
    return std::ranges::all_of(places, [&](std::uint32_t place) { return place < size; });
  };
  const auto in_time = [&](std::int64_t at_ns) { return at_ns > -kTimeBound_ns && at_ns < kTimeBound_ns; };
  const auto is_moment = [&](AllocatorMoment moment) { return moment <= log.entries.size(); };
  const auto is_moment_or_never = [&](AllocatorMoment moment) { return moment == kNeverDone || is_moment(moment); };
  const auto is_in_trace = [&](const AllocatorSegment& segment) {
    return is_moment(segment.from) && is_moment_or_never(segment.to) && segment.pool < log.pools.size();
  };
  return log.lives.size() == allocations && std::ranges::all_of(log.lives.born.span(), is_moment) &&
         std::ranges::all_of(log.lives.freed.span(), is_moment_or_never) &&
         std::ranges::all_of(log.lives.completed.span(), is_moment_or_never) &&
         std::ranges::all_of(log.segments.span(), is_in_trace) && is_below(log.lives.pool.span(), log.pools.size()) &&
         is_below(log.lives.site.span(), log.sites.size()) && std::ranges::is_sorted(log.lives.born.span()) &&
         std::ranges::is_sorted(log.entries.at_ns.span()) && std::ranges::all_of(log.entries.at_ns.span(), in_time) &&
         std::ranges::is_sorted(log.segments.span(), {}, &AllocatorSegment::from);
}

void AllocatorReader::finish(TrackTable& tracks, Tables& tables) {
  for (const Read& read : read_) {
    Track* const track = tracks.track(read.track);
    if (track == nullptr || track->allocator != nullptr || tracks.first_allocation(read.track) != 0 ||
        !is_whole(*read.log, track->allocations.size())) {
      tables.skip("log of an allocator that is not whole, or of a track that is missing or has one");
      continue;
    }
    track->allocator = read.log;
  }
}

}  // namespace vizd::native
