#include "cli/memory/memory_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/allocator/out_of_memory.h"
#include "analysis/allocator/owners.h"
#include "analysis/allocator/step_leaks.h"
#include "analysis/allocator/step_names.h"
#include "base/amount_text.h"
#include "cli/devices/answer_records.h"
#include "cli/memory/memory_inputs.h"

namespace vizd {
namespace {

constexpr std::size_t kShownOwners = 5, kShownOoms = 3, kShownLeft = 2;

struct Holder {
  std::string name;
  AllocationSum sum;
};

class Report {
 public:
  explicit Report(const Capture& capture) : capture_(capture) {}

  std::string text(const std::string& name) {
    std::vector<const Track*> memories;
    for (const Track& track : capture_.profile.tracks) {
      if (track.allocator != nullptr) memories.push_back(&track);
    }
    is_alone_ = memories.size() == 1;
    std::size_t entries = 0;
    for (const Track* const track : memories) entries += track->allocator->entries.size();
    text_ = fmt::format("{}: {} entries", name, entries);
    if (!is_alone_) line("; {} devices", memories.size());
    for (const Track* const track : memories) Device(*this, *track).tell();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  // One memory.
  class Device {
   public:
    Device(Report& report, const Track& track)
        : report_(report),
          track_(track),
          log_(*track.allocator),
          curve_(track),
          states_(track),
          ranges_(report.capture_, log_.device) {
      for (const AllocationSite& site : log_.sites) sites_.push_back(line_of(report.capture_, site));
    }

    void tell() {
      const std::size_t segments = states_.at(states_.last_moment()).segments.size();
      if (report_.is_alone_) {
        report_.line(", {} segments; device {}{}", segments, log_.device, exactness());
      } else {
        report_.line("\nDevice {}: {} entries, {} segments{}", log_.device, log_.entries.size(), segments, exactness());
      }
      tell_counter("allocated", curve_.allocated, &AllocatorBytes::allocated);
      tell_counter("active", curve_.active, &AllocatorBytes::active);
      tell_counter("reserved", curve_.reserved, &AllocatorBytes::reserved);
      tell_counter("requested", curve_.requested, &AllocatorBytes::requested);
      tell_owners();
      tell_fragmentation();
      tell_ooms();
      tell_steps();
    }

   private:
    std::string exactness() const {
      if (log_.is_exact) return ", replayed exactly: its end equals the snapshot";
      return fmt::format(", the replay is not exact: {} blocks have another size in the snapshot", log_.mismatched);
    }

    std::string when(AllocatorMoment moment) const {
      if (moment == 0) return "before the first entry";
      const std::int64_t since_ns = time_of(log_, moment) - time_of(log_, 0);
      return fmt::format("at entry {}{}", moment - 1,
                         log_.has_times ? ", " + duration_text(static_cast<double>(since_ns)) + " in" : "");
    }

    void tell_counter(std::string_view name, const AllocatorCurve::Peak& peak, std::int64_t AllocatorBytes::*bytes) {
      report_.line("  {:<9} peak {:>8} {}; {} at the start, {} at the end", name, bytes_text(peak.bytes),
                   when(peak.moment), bytes_text(curve_.start.*bytes), bytes_text(curve_.end.*bytes));
    }

    // By the user's line, the largest by bytes of their blocks first.
    template <typename IsWanted>
    std::vector<Holder> holders(IsWanted&& is_wanted) const {
      std::map<std::string_view, AllocationSum> sums;
      for (std::uint32_t life = 0; life < log_.lives.size(); ++life) {
        if (is_wanted(life)) sums[sites_[log_.lives.site[life]]].add(track_, life);
      }
      std::vector<Holder> all;
      for (const auto& [name, sum] : sums) all.push_back({std::string(name), sum});
      std::ranges::stable_sort(all, std::greater(), [](const Holder& holder) { return holder.sum.block_bytes; });
      return all;
    }

    void tell_owners() {
      const AllocatorMoment peak = curve_.allocated.moment;
      const auto all = holders([&](std::uint32_t life) { return log_.lives.is_allocated(life, peak); });
      if (all.empty()) return;
      const auto lacks_line = [&](const AllocationSite& site) {
        return report_.capture_.strings.get(site.frame).empty() &&
               report_.capture_.strings.get(site.phase) == "backward";
      };
      report_.line("  At the peak of allocated, by line of the user's code: {} {}{}{}", all.size(),
                   all.size() == 1 ? "owner" : "owners", all.size() > kShownOwners ? ", the largest owners are" : "",
                   std::ranges::any_of(log_.sites, lacks_line)
                       ? "; autograd's backward has no line: it runs on a thread without Python"
                       : "");
      tell_holders(all, kShownOwners);
    }

    void tell_holders(const std::vector<Holder>& all, std::size_t most) {
      double whole = 0;
      for (const Holder& holder : all) whole += static_cast<double>(holder.sum.block_bytes);
      for (std::size_t i = 0; i < all.size() && i < most; ++i) {
        const double percent = whole == 0 ? 0 : 100 * static_cast<double>(all[i].sum.block_bytes) / whole;
        report_.line("    {:>8} {:>5.1f} % in {:>4}  {}", bytes_text(all[i].sum.block_bytes), percent, all[i].sum.count,
                     all[i].name);
      }
    }

    void tell_fragmentation() {
      const AllocatorShape end = allocator_shape(track_, states_, states_.at(states_.last_moment()));
      report_.line(
          "  Fragmentation at the end: {1} of {0} reserved are free in {2} pieces, the largest {3}; empty_cache() "
          "would give back {4}; {5} are lost to rounding",
          bytes_text(curve_.end.reserved), bytes_text(end.inactive_bytes), end.free_blocks,
          bytes_text(end.largest_free_bytes), bytes_text(end.releasable_bytes), bytes_text(end.internal_bytes));
    }

    void tell_ooms() {
      const std::vector<AllocatorMoment> ooms = moments_out_of_memory(log_);
      if (ooms.empty()) return report_.line("  Out of memory: never");
      report_.line("  Out of memory: {}{}", ooms.size() == 1 ? "once" : fmt::format("{} times", ooms.size()),
                   ooms.size() > kShownOoms ? fmt::format("; the first {}:", kShownOoms) : ":");
      for (std::size_t i = 0; i < ooms.size() && i < kShownOoms; ++i) {
        const OutOfMemory oom = out_of_memory(track_, states_, ooms[i]);
        const std::string device_free =
            oom.device_free_bytes ? ", " + bytes_text(*oom.device_free_bytes) + " on the device" : "";
        const bool is_limited_too = oom.is_limited && oom.reason != OomReason::kLimit;
        report_.line("    {}: requested {}; {} free in segments, {} in one piece{}: {}{}", when(oom.moment),
                     bytes_text(oom.asked_bytes), bytes_text(oom.shape.inactive_bytes),
                     bytes_text(oom.shape.largest_free_bytes), device_free, oom_reason_text(oom.reason),
                     is_limited_too ? fmt::format("; and {}", oom_reason_text(OomReason::kLimit)) : "");
      }
    }

    // What leaks from step to step, and what the last step made and left, or else all that was made meanwhile.
    void tell_steps() {
      const auto repeated = step_names(ranges_);
      const std::string name = repeated.empty() || !log_.has_times ? "" : repeated.front().name;
      const std::vector<std::int64_t> ends = name.empty() ? std::vector<std::int64_t>() : ranges_.ends(name);
      tell_leaks();
      const AllocatorMoment since = ends.size() < 2 ? 0 : moment_at(log_, ends[ends.size() - 2]);
      const AllocatorMoment last = states_.last_moment();
      const auto all = holders(
          [&](std::uint32_t life) { return log_.lives.born[life] > since && log_.lives.is_allocated(life, last); });
      AllocationSum sum;
      for (const Holder& holder : all) sum.count += holder.sum.count, sum.block_bytes += holder.sum.block_bytes;
      report_.line("  Still alive from {}: {} in {}{}",
                   ends.size() < 2 ? "what was allocated meanwhile" : "the last step", bytes_text(sum.block_bytes),
                   sum.count, all.size() > kShownLeft ? ", most of it" : "");
      tell_holders(all, kShownLeft);
    }

    void tell_leaks() {
      const auto leaks = sum_step_leaks(report_.capture_, track_);
      if (!leaks) return;
      const bool is_none = leaks->lines.empty();
      report_.line("  Leaks: {}{}{}", is_none ? "none: " : "", leaks->text(),
                   is_none ? "" : fmt::format("; --leaks {} lists them", leaks->steps_begin));
    }

    Report& report_;
    const Track& track_;
    const AllocatorLog& log_;
    const AllocatorCurve curve_;
    const AllocatorStates states_;
    std::vector<std::string> sites_;  // the lines, by site
    const NamedRanges ranges_;
  };

  const Capture& capture_;
  std::string text_;
  bool is_alone_ = true;  // the only memory
};

}  // namespace

std::string memory_report(const Capture& capture, const std::string& name) { return Report(capture).text(name); }

}  // namespace vizd
