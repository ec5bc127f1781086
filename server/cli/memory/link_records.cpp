#include "cli/memory/link_records.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/allocator/owners.h"
#include "cli/memory/owner_records.h"
#include "diagnosis/page_place.h"
#include "model/track_numbers.h"

namespace vizd {
namespace {

using torch_memory::Record;
using torch_memory::TakeRecord;
using torch_memory::Value;

Value entry_value(AllocatorMoment moment) {
  return moment == 0 || moment == kNeverDone ? Value() : Value(std::int64_t{moment} - 1);
}

}  // namespace

LinkedCaptures::LinkedCaptures(const Capture& snapshot, const Capture& trace)
    : snapshot_(snapshot), trace_(trace), links_(trace) {
  for (const Track& track : snapshot.profile.tracks) {
    if (track.allocator != nullptr) memories_.push_back({track, LinkedLives(snapshot, track, links_)});
  }
}

LinkedCaptures::Counts LinkedCaptures::counts() const {
  Counts counts;
  for (const Memory& of : memories_) {
    const AllocatorLives& lives = of.track.allocator->lives;
    for (std::uint32_t life = 0; life < lives.size(); ++life) {
      if (lives.born[life] == 0) continue;
      ++counts.allocations;
      counts.linked += of.links.of(life).event != kNoId;
    }
  }
  return counts;
}

Value LinkedCaptures::thread_of(std::uint32_t track) const {
  const auto number = track == kNoId ? std::nullopt : thread_number(trace_.profile.tracks, track);
  if (!number) return {};
  if (const auto* const text = std::get_if<StringId>(&*number)) return std::string(trace_.strings.get(*text));
  const auto* const integer = std::get_if<std::int64_t>(&*number);
  return integer == nullptr ? Value() : Value(*integer);
}

void LinkedCaptures::tell_allocations(const RowIds& ids_of_trace, const TakeRecord& take) const {
  const std::int64_t offset_ns = trace_.profile.clock.unix_offset_ns.value_or(0);
  for (const Memory& of : memories_) {
    const AllocatorLog& log = *of.track.allocator;
    for (std::uint32_t life = 0; life < log.lives.size(); ++life) {
      if (log.lives.born[life] == 0) continue;
      const AllocationLink& link = of.links.of(life);
      Value name, start_ns, maybe;
      if (link.event != kNoId) {
        const EventColumns& events = trace_.profile.tracks[link.track].events;
        (link.is_sure ? name : maybe) = std::string(trace_.strings.get(events.name(link.event)));
        if (link.is_sure) start_ns = events.start_ns(link.event) + offset_ns;
      }
      Record record{{"device", log.device},
                    {"born_event", entry_value(log.lives.born[life])},
                    {"operator", name},
                    {"operator_start_ns", start_ns},
                    {"thread", link.is_sure ? thread_of(link.track) : Value()},
                    {"operator_by_time", maybe},
                    {"block_bytes", of.track.allocations[life].size_bytes()}};
      if (link.event != kNoId) add_row_id(record, ids_of_trace.of(slice_id(trace_.profile, link.track, link.event)));
      take(record);
    }
  }
}

void LinkedCaptures::tell_operators(const TakeRecord& take) const {
  struct Sum {
    AllocationSum sum;
    std::uint64_t largest_bytes = 0;
  };
  std::map<std::pair<std::int64_t, std::string_view>, Sum> sums;  // by device and name
  for (const Memory& of : memories_) {
    const AllocatorLog& log = *of.track.allocator;
    for (std::uint32_t life = 0; life < log.lives.size(); ++life) {
      const AllocationLink& link = of.links.of(life);
      if (link.event == kNoId) continue;
      const StringId name = trace_.profile.tracks[link.track].events.name(link.event);
      Sum& into = sums[{log.device, trace_.strings.get(name)}];
      into.sum.add(of.track, life);
      into.largest_bytes = std::max(into.largest_bytes, of.track.allocations[life].size_bytes());
    }
  }
  std::vector<decltype(sums)::const_iterator> order;
  for (auto item = sums.begin(); item != sums.end(); ++item) order.push_back(item);
  std::ranges::stable_sort(order, std::greater(), [](const auto& item) { return item->second.sum.block_bytes; });
  for (const auto& item : order) {
    const auto& [sum, largest_bytes] = item->second;
    take({{"device", item->first.first},
          {"operator", std::string(item->first.second)},
          {"allocations", sum.count},
          {"requested_bytes", sum.requested_bytes},
          {"block_bytes", sum.block_bytes},
          {"largest_bytes", largest_bytes}});
  }
}

void LinkedCaptures::tell_kernels(const TakeRecord& take) const {
  struct Sum {
    std::uint64_t runs = 0;
    std::int64_t most_bytes = -1, least_bytes = 0, at_ns = 0;
  };
  std::map<std::pair<std::int64_t, std::string_view>, Sum> sums;  // by device and name
  for (const Memory& of : memories_) {
    const AllocatorLog& log = *of.track.allocator;
    if (!log.has_times) continue;
    const AllocatorCurve curve(of.track);
    for (std::uint32_t t = 0; t < trace_.profile.tracks.size(); ++t) {
      const EventColumns& events = trace_.profile.tracks[t].events;
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        if (!is_work(events.role(i)) || !may_use(trace_, t, i, log)) continue;
        const auto [from, to] = moments_of_trace(snapshot_, log, trace_, events.start_ns(i), events.end_ns(i));
        const std::int64_t bytes = curve.most_allocated(from, to).bytes;
        Sum& into = sums[{log.device, trace_.strings.get(events.name(i))}];
        into.least_bytes = into.runs++ == 0 ? bytes : std::min(into.least_bytes, bytes);
        if (bytes > into.most_bytes) into.most_bytes = bytes, into.at_ns = events.start_ns(i);
      }
    }
  }
  std::vector<decltype(sums)::const_iterator> order;
  for (auto item = sums.begin(); item != sums.end(); ++item) order.push_back(item);
  std::ranges::stable_sort(order, std::greater(), [](const auto& item) { return item->second.most_bytes; });
  for (const auto& item : order) {
    const Sum& sum = item->second;
    take({{"device", item->first.first},
          {"runs", sum.runs},
          {"most_allocated_bytes", sum.most_bytes},
          {"least_allocated_bytes", sum.least_bytes},
          {"most_at_ns", sum.at_ns + trace_.profile.clock.unix_offset_ns.value_or(0)},
          {"kernel", std::string(item->first.second)}});
  }
}

std::optional<LinkedCaptures::Run> LinkedCaptures::find_run(std::string_view name,
                                                            std::optional<std::size_t> run) const {
  const StringId wanted = trace_.strings.find(name);
  if (wanted == StringId{kNoId}) return std::nullopt;
  std::vector<Run> runs;
  for (std::uint32_t t = 0; t < trace_.profile.tracks.size(); ++t) {
    const EventColumns& events = trace_.profile.tracks[t].events;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.name(i) == wanted && events.kind(i) == EventKind::kSpan) runs.push_back({t, i});
    }
  }
  const auto events_of = [&](const Run& of) -> const EventColumns& { return trace_.profile.tracks[of.track].events; };
  std::ranges::stable_sort(runs, {}, [&](const Run& of) { return events_of(of).start_ns(of.event); });
  if (run) return *run < runs.size() ? std::optional(runs[*run]) : std::nullopt;
  const auto longest = std::ranges::max_element(
      runs, {}, [&](const Run& of) { return events_of(of).end_ns(of.event) - events_of(of).start_ns(of.event); });
  return longest == runs.end() ? std::nullopt : std::optional(*longest);
}

bool LinkedCaptures::tell_run(std::string_view name, std::optional<std::size_t> run, const TakeRecord& take) const {
  const auto found = find_run(name, run);
  if (!found) return false;
  std::vector<std::pair<const Memory*, std::uint32_t>> lives;
  for (const Memory& of : memories_) {
    for (const std::uint32_t life : lives_of_event(snapshot_, of.track, of.links, trace_, found->track, found->event))
      lives.emplace_back(&of, life);
  }
  std::ranges::stable_sort(lives, std::greater(),
                           [](const auto& item) { return item.first->track.allocations[item.second].size_bytes(); });
  for (const auto& [of, life] : lives) {
    const AllocatorLog& log = *of->track.allocator;
    take({{"device", log.device},
          {"born_event", entry_value(log.lives.born[life])},
          {"freed_event", entry_value(log.lives.done(life))},
          {"block_bytes", of->track.allocations[life].size_bytes()},
          {"requested_bytes", log.lives.requested_bytes[life]},
          {"address", of->track.allocations[life].address},
          {"line", line_of(snapshot_, log.sites[log.lives.site[life]])}});
  }
  return true;
}

}  // namespace vizd
