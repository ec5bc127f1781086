// AllocatorLog: what the allocator of a memory did, entry by entry, as it recorded it; and of the track's allocations
// what it knows beyond their times: what was asked for, the entries that made and ended each, its pool and who asked.
// Plain data beside Track::allocations, for those formats whose allocator tells of itself; read-only, by any thread.
//
// A moment is the number of entries that are done: 0 is before the first one, and entry k is done from moment k + 1 on.
#pragma once

#include <cstdint>
#include <vector>

#include "base/column.h"
#include "base/ids.h"
#include "base/string_table.h"
#include "model/stacks.h"

namespace vizd {

using AllocatorMoment = std::uint32_t;
inline constexpr AllocatorMoment kNeverDone = kNoId;

// What an entry tells. Those that vizd does not know are numbered from kOther on.
enum class AllocatorAction : std::uint8_t {
  kAlloc,
  kFreeRequested,  // the program is done with it
  kFreeCompleted,  // so is every stream that used it
  kSegmentAlloc,
  kSegmentFree,
  kSegmentMap,
  kSegmentUnmap,
  kSnapshot,
  kOom,  // size: what was asked for; address: what was free on the device
  kAnnotate,
  kOther,
};

struct AllocatorEntries {
  Column<AllocatorAction> action;
  Column<std::int64_t> at_ns;     // never before the one before it
  Column<std::uint64_t> address;  // Allocation::kNoAddress where none was told
  Column<std::uint64_t> size_bytes;

  std::size_t size() const { return action.size(); }
};

// Free blocks are used again only within their pool and stream.
struct AllocatorPool {
  std::uint64_t stream = 0;
  std::int64_t first = 0, second = 0;  // the pool's name, where it is known; (0, 0) is the usual one
  bool is_stream_negative = false;
  bool is_known = false;
};

// Whose an allocation is, each once. "" where nothing was recorded.
struct AllocationSite {
  StackId stack{kNoId};
  StackId forward{kNoId};    // of a backward pass: where its forward was
  std::uint32_t depth = 0;   // frames of the stack
  StringId frame{};          // the user's own line, "FILE:LINE:FUNCTION"
  StringId file{};           // that line's
  StringId forward_frame{};  // the user's own line in the forward stack
  StringId operation{};      // the operator that asked
  StringId phase{};          // "forward", "backward", "optimizer", …
  StringId compile_context{}, metadata{}, category{};
};

// By place in Track::allocations: those from before the first entry come first, the others in order of birth.
struct AllocatorLives {
  static constexpr std::uint8_t kLost = 1;  // it ended without an entry that says so

  Column<std::uint64_t> requested_bytes;
  Column<AllocatorMoment> born, freed, completed;  // freed: allocated until then; completed: active until then
  Column<std::uint32_t> pool, site;                // places in AllocatorLog::pools and sites
  Column<std::uint8_t> flags;

  std::size_t size() const { return born.size(); }
  bool is_active(std::size_t life, AllocatorMoment at) const { return born[life] <= at && completed[life] > at; }
  // When the program was done with it.
  AllocatorMoment done(std::size_t life) const { return freed[life] != kNeverDone ? freed[life] : completed[life]; }
  bool is_allocated(std::size_t life, AllocatorMoment at) const { return born[life] <= at && done(life) > at; }
};

// Memory that the allocator holds of the device, as it was from one moment to another: one that grows or is cut is
// told of as several.
struct AllocatorSegment {
  std::uint64_t address = 0, size_bytes = 0;
  AllocatorMoment from = 0, to = kNeverDone;
  std::uint32_t pool = 0;  // a place in AllocatorLog::pools
  bool is_expandable = false;
  bool has_large_pages = false;  // of an expandable one: it is given back in pages of 20 MiB, else of 2 MiB
};

struct AllocatorLog {
  std::int64_t device = 0;
  AllocatorEntries entries;
  std::vector<StringId> actions;  // names, by AllocatorAction
  AllocatorLives lives;
  Column<AllocatorSegment> segments;  // by the moment from which they were
  std::vector<AllocatorPool> pools;
  std::vector<AllocationSite> sites;
  bool has_times = false;        // else an entry is drawn as a nanosecond
  bool is_exact = false;         // the entries lead to what the allocator itself had at the end
  std::uint64_t mismatched = 0;  // blocks whose size is not as the allocator had it at the end
};

}  // namespace vizd
