// MemoryFile: a snapshot with its devices replayed, for whoever asks of it: the terminal's commands, the figures of
// `vizd summary`, and the format's reader. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/torch_memory/answers/record.h"
#include "formats/torch_memory/replay.h"
#include "formats/torch_memory/snapshot.h"
#include "formats/torch_memory/stack_words.h"
#include "model/memory.h"

namespace vizd::torch_memory {

// A range that the program named.
struct NamedRange {
  std::string_view name;
  std::optional<std::int64_t> device;
  std::int64_t start_ns = 0;
  std::optional<std::int64_t> end_ns;  // none: it was still open
};

class MemoryFile {
 public:
  static Result<std::unique_ptr<MemoryFile>> open(const FormatInput& input);
  // kLater: whoever asks runs each replay first, so that what it wants of all entries costs no run of its own.
  enum class Run : std::uint8_t { kNow, kLater };
  explicit MemoryFile(std::unique_ptr<Snapshot> snapshot, Run run = Run::kNow);

  const Snapshot& snapshot() const { return *snapshot_; }
  const StackWords& words() const { return words_; }
  // One a device that has a segment or an entry. Each has run once; they may run again.
  std::vector<std::unique_ptr<Replay>>& replays() { return replays_; }
  const std::vector<std::unique_ptr<Replay>>& replays() const { return replays_; }
  // For whoever keeps them, once all replays have run: the entries are of no use to any answer from then on.
  Entries take_entries() { return std::move(snapshot_->entries); }
  // Takes the entries' times; may be called at any time.
  LargeVector<std::int64_t> take_times() { return std::move(snapshot_->entries.time_ns); }
  // In the order of their begins as recorded. An end closes the last that is open of its name and device.
  const std::vector<NamedRange>& ranges() const { return ranges_; }

  // As records have it.
  Value stream(std::uint32_t stream) const;
  Value pool(std::uint32_t pool) const;
  Value text(StringId id) const;  // nothing for ""
  static Value time(std::int64_t time_ns) { return time_ns == kNoTime ? Value() : Value(time_ns); }

 private:
  void pair_annotations();

  std::unique_ptr<Snapshot> snapshot_;
  StackWords words_;
  std::vector<std::unique_ptr<Replay>> replays_;
  std::vector<NamedRange> ranges_;
};

// The four counters as fields "reserved_bytes", "allocated_bytes", …, in that order.
inline constexpr std::string_view kCounterNames[] = {"reserved", kAllocatedCounter, "active", "requested"};
inline constexpr std::string_view kCounterFields[] = {"reserved_bytes", "allocated_bytes", "active_bytes",
                                                      "requested_bytes"};
void add_counters(Record& record, const Counters& counters);

}  // namespace vizd::torch_memory
