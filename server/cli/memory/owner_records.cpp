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

void tell_comparison(const Capture& before, const Capture& after, const RowIds& ids_of_after, const TakeRecord& take) {
  struct Pair {
    AllocationSum a, b;
  };
  const std::vector<Allocator> before_all = allocators_of(before), after_all = allocators_of(after);
  for (const bool is_peak : {false, true}) {
    std::map<std::pair<std::int64_t, std::string>, Pair> pairs;
    const auto sum_up = [&](const Capture& capture, const std::vector<Allocator>& all, AllocationSum Pair::*side) {
      for (const Allocator& of : all) {
        const AllocatorMoment moment = is_peak ? of.curve.allocated.moment : of.curve.changes().last_moment();
        for (const auto& [frame, sum] : sums_at(capture, of, "frame", moment))
          pairs[{of.log().device, frame}].*side = sum;
      }
    };
    sum_up(before, before_all, &Pair::a);
    sum_up(after, after_all, &Pair::b);
    // The greatest change first.
    std::vector<std::pair<std::pair<std::int64_t, std::string>, Pair>> sorted(pairs.begin(), pairs.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) {
      const std::uint64_t a = each.second.a.requested_bytes, b = each.second.b.requested_bytes;
      return std::max(a, b) - std::min(a, b);
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
      const auto memory =
          std::ranges::find(after_all, place.first, [](const Allocator& of) { return of.log().device; });
      if (memory != after_all.end()) add_row_id(record, ids_of_after.of(memory->id()));
      take(record);
    }
  }
}

}  // namespace vizd
