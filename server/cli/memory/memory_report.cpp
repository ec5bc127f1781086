#include "cli/memory/memory_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "analysis/allocator/allocator_shape.h"
#include "analysis/allocator/owners.h"
#include "cli/devices/answer_records.h"
#include "cli/memory/memory_inputs.h"
#include "reference/torch_memory/records.h"
#include "reference/torch_memory/replayed_shape.h"

namespace vizd {
namespace {

using torch_memory::Life;
using torch_memory::MemoryFile;
using torch_memory::Quantity;
using torch_memory::Replay;

constexpr std::size_t kShownOwners = 5, kShownOoms = 3, kShownLeft = 3;

std::string whole_bytes_text(std::uint64_t bytes) { return bytes_text(static_cast<std::int64_t>(bytes)); }

struct Holder {
  std::string name;
  AllocationSum sum;
};

// The largest by bytes of their blocks.
template <typename IsWanted>
std::vector<Holder> holders(const MemoryFile& file, const Replay& replay, IsWanted&& is_wanted) {
  std::map<std::string, AllocationSum> sums;
  for (const Life& life : replay.lives()) {
    if (!is_wanted(life)) continue;
    const auto frame = file.words().user_frame(life.stack);
    const std::string_view asked_by = file.words().of(life.stack).operator_name;
    const std::string name = frame               ? *frame
                             : !asked_by.empty() ? fmt::format("aten::{}, no line of the user's", asked_by)
                             : life.stack != 0   ? std::string("no line of the user's")
                                                 : std::string("no stack recorded");
    AllocationSum& sum = sums[name];
    ++sum.count;
    sum.requested_bytes += life.requested_bytes;
    sum.block_bytes += life.block_bytes;
  }
  std::vector<Holder> all;
  for (const auto& [name, sum] : sums) all.push_back({name, sum});
  std::ranges::stable_sort(all, std::greater(), [](const Holder& holder) { return holder.sum.block_bytes; });
  return all;
}

class Report {
 public:
  explicit Report(MemoryFile& file) : file_(file) {}

  std::string text(const std::string& name) {
    const torch_memory::Snapshot& snapshot = file_.snapshot();
    is_alone_ = file_.replays().size() == 1;
    text_ = fmt::format("{}: {} entries, {} segments", name, snapshot.entries.size(), snapshot.segments.size());
    if (!is_alone_) line("; {} devices", file_.replays().size());
    for (const auto& replay : file_.replays()) tell_device(*replay);
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  std::string when(const Replay& replay, std::int64_t entry) const {
    if (entry < 0) return "before the first entry";
    const std::int64_t time_ns = replay.time_ns(entry), first_ns = replay.time_ns(0);
    const bool has_time = time_ns != torch_memory::kNoTime && first_ns != torch_memory::kNoTime;
    return fmt::format("at entry {}{}", entry,
                       has_time ? ", " + duration_text(static_cast<double>(time_ns - first_ns)) + " in" : "");
  }

  void tell_device(Replay& replay) {
    if (is_alone_) {
      line("; device {}{}", replay.device(), exactness(replay));
    } else {
      line("\nDevice {}: {} entries{}", replay.device(), replay.entries(), exactness(replay));
    }
    for (const Quantity quantity :
         {Quantity::kAllocated, Quantity::kActive, Quantity::kReserved, Quantity::kRequested}) {
      line("  {:<9} peak {:>8} {}; {} at the start, {} at the end",
           torch_memory::kCounterNames[static_cast<std::size_t>(quantity)], bytes_text(replay.peak()[quantity]),
           when(replay, replay.peak_moment(quantity)), bytes_text(replay.start()[quantity]),
           bytes_text(replay.end()[quantity]));
    }
    tell_owners(replay);
    tell_states(replay);
    tell_left(replay);
  }

  static std::string exactness(const Replay& replay) {
    if (replay.is_exact()) return ", replayed exactly: its end is the snapshot's own";
    return fmt::format(", the replay is not exact: {} blocks have another size in the snapshot",
                       replay.mismatched_blocks());
  }

  void tell_owners(const Replay& replay) {
    const std::int64_t peak = replay.peak_moment(Quantity::kAllocated);
    const auto all = holders(file_, replay, [&](const Life& life) { return life.is_allocated_at(peak); });
    if (all.empty()) return;
    line("  At the peak of allocated, by the user's line: {} owners{}", all.size(),
         all.size() > kShownOwners ? ", these hold the most" : "");
    tell_holders(all, kShownOwners, replay.peak()[Quantity::kAllocated]);
  }

  // The largest of them.
  void tell_holders(const std::vector<Holder>& all, std::size_t most, std::int64_t whole) {
    for (std::size_t i = 0; i < all.size() && i < most; ++i) {
      const double percent =
          whole == 0 ? 0 : 100 * static_cast<double>(all[i].sum.block_bytes) / static_cast<double>(whole);
      line("    {:>8} {:>5.1f} % in {:>4}  {}", whole_bytes_text(all[i].sum.block_bytes), percent, all[i].sum.count,
           all[i].name);
    }
  }

  void tell_states(Replay& replay) {
    std::vector<std::int64_t> moments;
    for (std::int64_t entry = 0; entry < replay.entries(); ++entry) {
      if (replay.action(entry) == torch_memory::Action::kOom) moments.push_back(entry);
    }
    const std::size_t ooms = moments.size();
    const std::int64_t last = replay.last_moment();
    if (moments.empty() || moments.back() != last) moments.push_back(last);
    AllocatorShape end;
    std::string told;
    std::size_t shown = 0;
    replay.run(moments, [&](const Replay::State& state) {
      if (state.moment == last) end = shape_of(state);
      const bool is_oom = state.moment >= 0 && replay.action(state.moment) == torch_memory::Action::kOom;
      if (is_oom && ++shown <= kShownOoms) told += "    " + oom_text(state) + "\n";
    });
    line(
        "  Fragmentation at the end: of {} reserved, {} are free in {} pieces, the largest {}; empty_cache() would "
        "give "
        "back {}; {} are lost to rounding",
        bytes_text(replay.end()[Quantity::kReserved]), whole_bytes_text(end.inactive_bytes), end.free_blocks,
        whole_bytes_text(end.largest_free_bytes), whole_bytes_text(end.releasable_bytes),
        whole_bytes_text(end.internal_bytes));
    if (ooms == 0) return line("  Out of memory: never");
    line("  Out of memory: {}{}", ooms == 1 ? "once" : fmt::format("{} times", ooms),
         ooms > kShownOoms ? fmt::format("; the first {}:", kShownOoms) : ":");
    text_ += told;
  }

  std::string oom_text(const Replay::State& state) const {
    const torch_memory::Entries& entries = file_.snapshot().entries;
    const std::size_t row = state.replay.row(state.moment);
    const std::uint64_t asked = entries.size_bytes[row], device_free = entries.address[row];
    const AllocatorShape shape = shape_of(state);
    return fmt::format("{}: asked {}, {} free in segments, {} in one piece: {}", when(state.replay, state.moment),
                       whole_bytes_text(asked), whole_bytes_text(shape.inactive_bytes),
                       whole_bytes_text(shape.largest_free_bytes),
                       oom_reason_text(oom_reason(asked, shape.inactive_bytes, shape.largest_free_bytes, device_free)));
  }

  // What the last step made and left, or else all that was made while it was recorded.
  void tell_left(const Replay& replay) {
    const std::int64_t last = replay.last_moment();
    const std::vector<std::int64_t> ends = file_.range_ends(replay.device(), "ProfilerStep#");
    const bool has_steps = ends.size() >= 2;
    const auto is_left = [&](const Life& life) {
      if (!life.is_born() || !life.is_allocated_at(last)) return false;
      return !has_steps || replay.time_ns(life.born) > ends[ends.size() - 2];
    };
    const auto all = holders(file_, replay, is_left);
    std::uint64_t bytes = 0;
    std::int64_t count = 0;
    for (const Holder& holder : all)
      bytes += holder.sum.block_bytes, count += static_cast<std::int64_t>(holder.sum.count);
    line("  Still alive of {}: {} in {}{}", has_steps ? "the last step" : "what was made meanwhile",
         whole_bytes_text(bytes), count, all.size() > kShownLeft ? ", most of it" : "");
    tell_holders(all, kShownLeft, static_cast<std::int64_t>(bytes));
  }

  MemoryFile& file_;
  std::string text_;
  bool is_alone_ = true;  // the only device
};

}  // namespace

std::string memory_report(MemoryFile& file, const std::string& name) { return Report(file).text(name); }

}  // namespace vizd
