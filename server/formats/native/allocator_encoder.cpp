#include "formats/native/allocator_encoder.h"

#include "model/allocator_log.h"

namespace vizd::native {
namespace {

namespace column = capture::column;
using capture::ChunkBuilder;
using capture::ChunkType;
using capture::Coding;

// The chunks of one allocator's log; number: the allocator's.
class LogEncoder {
 public:
  LogEncoder(const AllocatorLog& log, std::size_t number, ChunkWriter& chunks)
      : log_(log), number_(number), chunks_(chunks) {}

  void encode() {
    write_actions();
    write_pools();
    write_sites();
    write_entries();
    write_lives();
    write_segments();
  }

 private:
  // Columns of so many records: put(column, value) adds one, value(i) is of the i-th record.
  template <typename Write>
  void write(ChunkType type, std::size_t records, Write&& write_columns) {
    chunks_.in_parts(type, records, 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
      const auto put = [&](std::uint16_t number, const auto& value, Coding coding = Coding::kPlain) {
        chunk.integers(
            number, count, [&](std::size_t i) { return value(begin + i); }, coding);
      };
      put(1, [&](std::size_t) { return number_; });  // the allocator
      write_columns(put);
    });
  }

  void write_actions() {
    write(ChunkType::kAllocatorActions, log_.actions.size(), [&](const auto& put) {
      put(column::AllocatorActions::kName, [&](std::size_t i) { return index(log_.actions[i]); });
    });
  }

  void write_pools() {
    write(ChunkType::kAllocatorPools, log_.pools.size(), [&](const auto& put) {
      using Column = column::AllocatorPools;
      put(Column::kStream, [&](std::size_t i) { return log_.pools[i].stream; });
      put(Column::kFirst, [&](std::size_t i) { return log_.pools[i].first; });
      put(Column::kSecond, [&](std::size_t i) { return log_.pools[i].second; });
      put(Column::kFlags, [&](std::size_t i) {
        return (log_.pools[i].is_stream_negative ? capture::kPoolStreamNegative : 0) |
               (log_.pools[i].is_known ? capture::kPoolKnown : 0);
      });
    });
  }

  void write_sites() {
    write(ChunkType::kAllocationSites, log_.sites.size(), [&](const auto& put) {
      using Column = column::AllocationSites;
      const auto text = [&](std::uint16_t number, StringId AllocationSite::*member) {
        put(number, [&](std::size_t i) { return index(log_.sites[i].*member); });
      };
      put(Column::kStack, [&](std::size_t i) { return optional_number(log_.sites[i].stack); });
      put(Column::kDepth, [&](std::size_t i) { return log_.sites[i].depth; });
      text(Column::kFrame, &AllocationSite::frame);
      text(Column::kFile, &AllocationSite::file);
      text(Column::kOperation, &AllocationSite::operation);
      text(Column::kPhase, &AllocationSite::phase);
      text(Column::kCompileContext, &AllocationSite::compile_context);
      text(Column::kMetadata, &AllocationSite::metadata);
      text(Column::kCategory, &AllocationSite::category);
      put(Column::kForward, [&](std::size_t i) { return optional_number(log_.sites[i].forward); });
      text(Column::kForwardFrame, &AllocationSite::forward_frame);
    });
  }

  void write_entries() {
    write(ChunkType::kAllocatorEntries, log_.entries.size(), [&](const auto& put) {
      using Column = column::AllocatorEntries;
      const AllocatorEntries& of = log_.entries;
      put(Column::kAction, [&](std::size_t i) { return static_cast<unsigned>(of.action[i]); });
      put(
          Column::kAt, [&](std::size_t i) { return of.at_ns[i]; }, Coding::kDifferences);
      put(
          Column::kAddress, [&](std::size_t i) { return of.address[i]; }, Coding::kDifferences);
      put(Column::kSize, [&](std::size_t i) { return of.size_bytes[i]; });
    });
  }

  void write_lives() {
    write(ChunkType::kAllocationLives, log_.lives.size(), [&](const auto& put) {
      using Column = column::AllocationLives;
      const AllocatorLives& of = log_.lives;
      put(Column::kRequested, [&](std::size_t i) { return of.requested_bytes[i]; });
      put(
          Column::kBorn, [&](std::size_t i) { return of.born[i]; }, Coding::kDifferences);
      put(
          Column::kFreed, [&](std::size_t i) { return of.freed[i]; }, Coding::kDifferences);
      put(
          Column::kCompleted, [&](std::size_t i) { return of.completed[i]; }, Coding::kDifferences);
      put(Column::kPool, [&](std::size_t i) { return of.pool[i]; });
      put(Column::kSite, [&](std::size_t i) { return of.site[i]; });
      put(Column::kFlags,
          [&](std::size_t i) { return (of.flags[i] & AllocatorLives::kLost) != 0 ? capture::kLifeLost : 0; });
    });
  }

  void write_segments() {
    write(ChunkType::kAllocatorSegments, log_.segments.size(), [&](const auto& put) {
      using Column = column::AllocatorSegments;
      const auto segments = log_.segments.span();
      put(
          Column::kAddress, [&](std::size_t i) { return segments[i].address; }, Coding::kDifferences);
      put(Column::kSize, [&](std::size_t i) { return segments[i].size_bytes; });
      put(
          Column::kFrom, [&](std::size_t i) { return segments[i].from; }, Coding::kDifferences);
      put(
          Column::kTo, [&](std::size_t i) { return segments[i].to; }, Coding::kDifferences);
      put(Column::kPool, [&](std::size_t i) { return segments[i].pool; });
      put(Column::kFlags, [&](std::size_t i) {
        return (segments[i].is_expandable ? capture::kSegmentExpandable : 0) |
               (segments[i].has_large_pages ? capture::kSegmentLargePages : 0);
      });
    });
  }

  const AllocatorLog& log_;
  const std::size_t number_;
  ChunkWriter& chunks_;
};

}  // namespace

void encode_allocators(const std::vector<Track>& tracks, ChunkWriter& chunks) {
  std::vector<std::size_t> places;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    if (tracks[t].allocator != nullptr) places.push_back(t);
  }
  chunks.in_parts(
      ChunkType::kAllocators, places.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
        using Column = column::Allocators;
        const auto log = [&](std::size_t i) -> const AllocatorLog& { return *tracks[places[begin + i]].allocator; };
        chunk.integers(Column::kTrack, count, [&](std::size_t i) { return places[begin + i]; });
        chunk.integers(Column::kDevice, count, [&](std::size_t i) { return log(i).device; });
        chunk.integers(Column::kFlags, count, [&](std::size_t i) {
          return (log(i).has_times ? capture::kAllocatorTimed : 0) | (log(i).is_exact ? capture::kAllocatorExact : 0);
        });
        chunk.integers(Column::kMismatched, count, [&](std::size_t i) { return log(i).mismatched; });
      });
  for (std::size_t i = 0; i < places.size(); ++i) LogEncoder(*tracks[places[i]].allocator, i, chunks).encode();
}

}  // namespace vizd::native
