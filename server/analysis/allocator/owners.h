// AllocationOwners: whose the allocations of a memory with an allocator log are, by one of several kinds: the user's
// line, the operator, the pool, … Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/allocator/allocator_changes.h"
#include "base/huge_pages.h"
#include "model/allocator_log.h"
#include "model/capture.h"

namespace vizd {

// "line": the user's line, or else what is known in its place; "frame": the line alone; "way": all of the user's lines
// from the outermost down, a list; "stack": the frames from the innermost on, a list, without those of the interpreter
// and the dispatcher; "file", "operator", "node" of autograd, "phase", "size", "pool", "stream", "annotation",
// "metadata", "compile", "category".
std::span<const std::string_view> allocation_owner_kinds();

// What the first owners had allocated at the first moment of each block of AllocatorChanges.
struct OwnerLevels {
  static constexpr std::size_t kMostOwners = 16;
  std::size_t owners = 0;
  LargeVector<std::uint64_t> bytes;  // owner by owner, block by block

  std::uint64_t at(std::size_t block, std::uint32_t owner) const { return bytes[block * owners + owner]; }
};

// The owners of all lives of a track: those that ever held the most first.
struct AllocationOwners {
  std::vector<std::string> names;         // as JSON; "null" where there is none
  std::vector<std::uint64_t> peak_bytes;  // the most that each had allocated at once
  LargeVector<std::uint32_t> of_life;     // a place in names, by the life's place
  OwnerLevels levels;

  std::size_t memory_bytes() const;
};
// kind: one of allocation_owner_kinds(). The changes are of the track's allocated bytes.
AllocationOwners allocation_owners(const Capture& capture, const Track& track, const AllocatorChanges& changes,
                                   std::string_view kind);

// The user's line of a site, or else autograd's node and the operator, the phase, or that there is no stack.
std::string line_of(const Capture& capture, const AllocationSite& site);

// The node of autograd that ran when it was made: "MmBackward0". "": none did, or the stack does not tell. Autograd
// runs a backward pass on threads of its own, where there is no Python and so no line of the user's.
std::string_view autograd_node_of(const Capture& capture, const AllocationSite& site);

// The allocator's pool and stream as JSON: [0,0], and a whole number. "null": it was not recorded.
std::string pool_json(const AllocatorPool& pool);
std::string stream_json(const AllocatorPool& pool);

// Tracks whose name begins so have ranges that the program named, as an allocator recorded them, of the device that is
// their number; of any where they have none.
inline constexpr std::string_view kAnnotationsTrack = "annotations";

// Ranges that the program named, which may cross one another: the innermost is the one that began last.
class NamedRanges {
 public:
  struct Range {
    std::string_view name;
    std::int64_t from_ns = 0, to_ns = 0;  // to_ns: INT64_MAX where it was still open
  };
  // device: of the allocator (AllocatorLog::device).
  NamedRanges(const Capture& capture, std::int64_t device);

  std::span<const Range> ranges() const { return ranges_; }  // by begin
  // "" where none is open then.
  std::string_view at(std::int64_t at_ns) const;
  // When those end whose names begin so, ascending.
  std::vector<std::int64_t> ends(std::string_view name_begins) const;

 private:
  std::vector<Range> ranges_;
  std::vector<std::int64_t> latest_to_ns_;  // of all up to each
};

// Sums over allocations that have one owner.
struct AllocationSum {
  std::uint64_t count = 0, requested_bytes = 0, block_bytes = 0;

  void add(const Track& track, std::uint32_t life) {
    ++count;
    requested_bytes += track.allocator->lives.requested_bytes[life];
    block_bytes += track.allocations[life].size_bytes();
  }
};

}  // namespace vizd
