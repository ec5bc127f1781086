// Snapshot: what torch.cuda.memory._snapshot() tells of PyTorch's caching allocator, as columns: the entries of each
// device's trace, the segments and blocks at the end, stacks each once, annotations, and the allocator's settings.
// Plain data, made by read_snapshot(); read-only from then on, by any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/huge_pages.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/sequence_table.h"
#include "base/string_table.h"
#include "formats/open_set.h"

namespace vizd::torch_memory {

// What an entry tells. Actions that vizd does not know are numbered from kOther on.
enum class Action : std::uint8_t {
  kAlloc,
  kFreeRequested,
  kFreeCompleted,
  kSegmentAlloc,
  kSegmentFree,
  kSegmentMap,
  kSegmentUnmap,
  kSnapshot,
  kOom,
  kAnnotate,
  kOther,
};

// A cudaStream_t as a whole number, which may be written with a sign.
struct Stream {
  std::uint64_t magnitude = 0;
  bool is_negative = false;
  bool operator==(const Stream&) const = default;
};

struct Pool {
  std::int64_t first = 0, second = 0;
  auto operator<=>(const Pool&) const = default;
};

// What else an entry says in words; "" where it says nothing.
struct EntryWords {
  StringId compile_context{}, user_metadata{}, category{};
  std::uint32_t forward = 0;  // of a backward pass, where its forward was: a place in Snapshot::forward_stacks
  bool operator==(const EntryWords&) const = default;
};

inline constexpr std::int64_t kNoTime = INT64_MIN;
inline constexpr std::uint32_t kNoPool = kNoId;

// One row an entry, those of a device's trace one after another.
struct Entries {
  static constexpr std::uint8_t kHasPool = 1, kHasAddress = 2;

  LargeVector<Action> action;
  LargeVector<std::uint8_t> flags;
  LargeVector<std::uint64_t> address;     // of an out of memory what is free on the device, where kHasAddress
  LargeVector<std::uint64_t> size_bytes;  // as the action has it: of allocations what was requested
  LargeVector<std::int64_t> time_ns;      // kNoTime where it has none
  LargeVector<std::uint32_t> stream, pool, stack, words;

  std::size_t size() const { return action.size(); }
  bool has(std::size_t row, std::uint8_t flag) const { return (flags[row] & flag) != 0; }
};

enum class SegmentSize : std::uint8_t { kUnknown, kSmall, kLarge };
enum class BlockState : std::uint8_t { kInactive, kActive, kPendingFree };

struct Block {
  std::uint64_t address = 0, size_bytes = 0, requested_bytes = 0;
  std::uint32_t stack = 0, words = 0;
  BlockState state = BlockState::kInactive;
};

// As the allocator has it at the end, with its sums.
struct Segment {
  std::int64_t device = 0;
  std::uint64_t address = 0, size_bytes = 0;
  std::uint64_t allocated_bytes = 0, active_bytes = 0, requested_bytes = 0;
  std::uint32_t stream = 0;
  std::uint32_t pool = kNoPool;
  std::uint32_t stack = 0;
  SegmentSize type = SegmentSize::kUnknown;
  bool is_expandable = false;
  std::uint32_t first_block = 0, end_block = 0;  // in Snapshot::blocks, by address
};

struct Frame {
  StringId name{}, file{};
  std::uint32_t line = 0;
  bool operator==(const Frame&) const = default;
};

enum class Stage : std::uint8_t { kOther, kStart, kEnd };

// The begin or the end of a range that the program named.
struct Annotation {
  Stage stage = Stage::kOther;
  StringId name{};
  std::optional<std::int64_t> device;
  std::int64_t time_ns = kNoTime;
};

// The rows of one device's trace.
struct Trace {
  std::uint32_t first = 0, end = 0;
  std::uint32_t size() const { return end - first; }
};

struct Snapshot {
  Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  unsigned protocol = 0;
  StringTable strings;
  Entries entries;
  std::vector<Trace> traces;      // by the device's number
  std::vector<StringId> actions;  // names, by Action
  std::vector<Segment> segments;  // by device, then address
  std::vector<Block> blocks;
  std::vector<Frame> frames;     // each once
  SequenceTable stacks;          // of places in frames, innermost first; 0 is the empty one
  SequenceTable forward_stacks;  // of lines in strings, as Python formats a stack: outermost first
  std::vector<Stream> streams;
  std::vector<Pool> pools;
  std::vector<EntryWords> words;  // 0 says nothing
  std::vector<Annotation> annotations;
  std::array<std::uint64_t, 16> roundup_divisions{};  // of 1 MiB and less, 2 MiB, 4 MiB, …
  std::optional<std::uint64_t> max_split_bytes;       // none: blocks of any size are split
  bool has_times = false, has_pools = false;
  std::vector<std::string> unknown_keys;         // of the top, sorted
  std::map<std::string, std::uint64_t> skipped;  // what was left out, by why
  std::vector<std::string> warnings, notes;

  // Returns the devices with a segment or an entry, in order.
  std::vector<std::int64_t> devices() const;
  Trace trace_of(std::int64_t device) const;
  std::span<const Segment> segments_of(std::int64_t device) const;
  std::span<const Block> blocks_of(const Segment& segment) const {
    return std::span(blocks).subspan(segment.first_block, segment.end_block - segment.first_block);
  }
};

// Errors: it is no pickle, names a class, is cut or damaged, or is no snapshot. What makes no sense in one is left out
// and counted.
Result<std::unique_ptr<Snapshot>> read_snapshot(const FormatInput& input);

// Reads only the entries of the file's first 1 / parts. Memory that was allocated before the first of them, and not
// freed by the last, is not known by then.
Result<std::unique_ptr<Snapshot>> read_first_entries(const FormatInput& input, unsigned parts);

}  // namespace vizd::torch_memory
