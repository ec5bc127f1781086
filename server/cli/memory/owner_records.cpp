#include "cli/memory/owner_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/allocator/step_leaks.h"

namespace vizd {
namespace {

using torch_memory::Record;
using torch_memory::TakeRecord;

using OwnerSums = std::map<std::string, AllocationSum>;  // by the owner as JSON

struct Allocator {
  const Track& track;
  AllocatorCurve curve;

  std::uint32_t place;  // of the track

  const AllocatorLog& log() const { return *track.allocator; }
  std::string id() const { return fmt::format("memory:{}", place); }
};

std::vector<Allocator> allocators_of(const Capture& capture) {
  std::vector<Allocator> found;
  const auto& tracks = capture.profile.tracks;
  for (std::uint32_t place = 0; place < tracks.size(); ++place) {
    if (tracks[place].allocator != nullptr) found.push_back({tracks[place], AllocatorCurve(tracks[place]), place});
  }
  return found;
}

OwnerSums sums_at(const Capture& capture, const Allocator& of, std::string_view kind, AllocatorMoment moment) {
  const AllocationOwners owners = allocation_owners(capture, of.track, of.curve.changes(), kind);
  OwnerSums sums;
  for (std::uint32_t life = 0; life < of.log().lives.size(); ++life) {
    if (of.log().lives.is_allocated(life, moment)) sums[owners.names[owners.of_life[life]]].add(of.track, life);
  }
  return sums;
}

std::vector<std::pair<std::string, AllocationSum>> largest_first(const OwnerSums& sums) {
  std::vector<std::pair<std::string, AllocationSum>> sorted(sums.begin(), sums.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) { return each.second.block_bytes; });
  return sorted;
}

void add_sum(Record& record, const AllocationSum& sum) {
  record.push_back({"count", sum.count});
  record.push_back({"requested_bytes", sum.requested_bytes});
  record.push_back({"block_bytes", sum.block_bytes});
}

}  // namespace

void add_row_id(Record& record, const RowId& id) {
  if (!wants_links() || id.id.empty()) return;
  record.push_back({"id", id.id});
  if (!id.link.empty()) record.push_back({"link", id.link});
}

void tell_owners(const Capture& capture, std::span<const std::string> kinds, const RowIds& ids,
                 const TakeRecord& take) {
  for (const Allocator& of : allocators_of(capture)) {
    for (const std::string& kind : kinds) {
      for (const auto& [owner, sum] : largest_first(sums_at(capture, of, kind, of.curve.allocated.moment))) {
        // A stream is a text on the page alone, where it may be beyond what a number can be.
        const bool is_quoted = kind == "stream" && owner.size() > 2;
        Record record{{"device", of.log().device},
                      {"by", kind},
                      {"owner", torch_memory::Json{is_quoted ? owner.substr(1, owner.size() - 2) : owner}}};
        add_sum(record, sum);
        add_row_id(record, ids.of(of.id()));
        take(record);
      }
    }
  }
}

void tell_leaks(const Capture& capture, std::string_view name_begins, const RowIds& ids, const TakeRecord& take) {
  for (const Allocator& of : allocators_of(capture)) {
    const StepLeaks leaks(of.track, NamedRanges(capture, of.log().device).ends(name_begins));
    const AllocationOwners owners = allocation_owners(capture, of.track, of.curve.changes(), "frame");
    std::map<std::pair<std::size_t, std::string>, AllocationSum> sums;
    leaks.for_each([&](std::uint32_t life, std::size_t step) {
      sums[{step, owners.names[owners.of_life[life]]}].add(of.track, life);
    });
    for (const auto& [place, sum] : sums) {
      Record record{{"device", of.log().device},
                    {"step", static_cast<std::uint64_t>(place.first)},
                    {"frame", torch_memory::Json{place.second}}};
      add_sum(record, sum);
      add_row_id(record, ids.of(of.id()));
      take(record);
    }
  }
}

Result<std::vector<ComparedPeak>> tell_comparison(const ComparedParts& parts, const RowIds& ids_of_after,
                                                  const TakeRecord& take) {
  struct Pair {
    AllocationSum a, b;
  };
  std::map<std::pair<std::int64_t, std::string>, Pair> at_end, at_peak;  // by device and frame
  std::map<std::int64_t, ComparedPeak> peaks;
  std::map<std::int64_t, std::string> ids;  // of the memories after, by device
  const auto add = [&](const Capture& capture, const MemoryChoice& choice, AllocationSum Pair::*side,
                       std::int64_t ComparedPeak::*peak_bytes) -> Result<void> {
    bool is_found = false;
    for (const Allocator& of : allocators_of(capture)) {
      if (choice.device.value_or(of.log().device) != of.log().device) continue;
      is_found = true;
      const auto part = memory_part(capture, of.track, of.curve, choice.range);
      if (!part) return part.error();
      // Two devices stand side by side under the number of the one after.
      const std::int64_t device = choice.device && parts.after_part.device ? *parts.after_part.device : of.log().device;
      for (const auto& [frame, sum] : sums_at(capture, of, "frame", part->end)) at_end[{device, frame}].*side = sum;
      for (const auto& [frame, sum] : sums_at(capture, of, "frame", part->peak)) at_peak[{device, frame}].*side = sum;
      if (side == &Pair::b) ids[device] = of.id();
      peaks[device].device = device;
      peaks[device].*peak_bytes = part->peak_bytes;
    }
    if (is_found) return {};
    return Error{ErrorKind::kNotFound, "no allocator of this device was recorded",
                 choice.device ? std::to_string(*choice.device) : ""};
  };
  if (const auto done = add(parts.before, parts.before_part, &Pair::a, &ComparedPeak::before_bytes); !done)
    return done.error();
  if (const auto done = add(parts.after, parts.after_part, &Pair::b, &ComparedPeak::after_bytes); !done)
    return done.error();
  for (const bool is_peak : {false, true}) {
    // The greatest change first.
    const auto& pairs = is_peak ? at_peak : at_end;
    std::vector<std::pair<std::pair<std::int64_t, std::string>, Pair>> sorted(pairs.begin(), pairs.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) {
      const std::uint64_t before = each.second.a.requested_bytes, after = each.second.b.requested_bytes;
      return std::max(before, after) - std::min(before, after);
    });
    for (const auto& [place, pair] : sorted) {
      const std::string_view state = pair.a.count == 0 ? "added" : pair.b.count == 0 ? "removed" : "both";
      Record record{
          {"moment", std::string(is_peak ? "peak" : "end")},
          {"device", place.first},
          {"frame", torch_memory::Json{place.second}},
          {"a_count", pair.a.count},
          {"b_count", pair.b.count},
          {"a_requested_bytes", pair.a.requested_bytes},
          {"b_requested_bytes", pair.b.requested_bytes},
          {"delta_requested_bytes", static_cast<std::int64_t>(pair.b.requested_bytes - pair.a.requested_bytes)},
          {"state", std::string(state)}};
      if (const auto memory = ids.find(place.first); memory != ids.end())
        add_row_id(record, ids_of_after.of(memory->second));
      take(record);
    }
  }
  std::vector<ComparedPeak> told;
  for (const auto& [device, peak] : peaks) told.push_back(peak);
  return told;
}

}  // namespace vizd
