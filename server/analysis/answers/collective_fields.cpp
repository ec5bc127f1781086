// Fields of collectives: by kind, each by itself, and of the ranks that others waited for.
#include <fmt/format.h>

#include "analysis/answers/device_answers.h"
#include "analysis/answers/field_values.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

using enum Unit;

using Profiles = std::span<const ProfiledRank>;

const WorkItem& item_of(Profiles profiles, const CollectiveLaunch& launch) {
  return profiles[launch.profile].work.items[launch.item];
}

// The rank of a launch, as its capture has it; none where that does not tell.
std::optional<std::string> rank_of(Profiles profiles, const CollectiveLaunch& launch) {
  const ProfiledRank& profile = profiles[launch.profile];
  const WorkDevice& device = profile.work.device_of(item_of(profiles, launch));
  return device.rank ? std::optional(value_text(*device.rank, profile.capture.strings)) : std::nullopt;
}

std::optional<std::string> last_rank(const CollectiveLine& line) {
  return line.row.last ? rank_of(line.profiles, *line.row.last) : std::nullopt;
}

std::optional<std::string> came_last(const CollectiveLine& line) {
  const std::optional<std::string> rank = last_rank(line);
  if (!rank) return std::nullopt;
  return fmt::format("rank {}, {} of {}", *rank, line.row.last_count, line.row.count);
}

std::optional<std::int64_t> if_waited(const CollectiveLine& line, std::int64_t value) {
  return line.row.last ? std::optional(value) : std::nullopt;
}

template <typename T>
std::optional<T> if_skewed(const CollectiveLine& line, T value) {
  return line.row.has_skew() ? std::optional(value) : std::nullopt;
}

const CollectiveLaunch* last_of(const CollectiveInstanceLine& line) {
  return line.collective.last ? &line.collective.launches[*line.collective.last] : nullptr;
}

bool has_skew(const CollectiveInstanceLine& line) { return line.collective.launches.size() > 1; }

std::optional<double> bus_bytes_per_s(const CollectiveInstanceLine& line) {
  CollectiveRow one = line.row;
  one.count = 1;
  one.transfer_ns = line.collective.shortest_ns;
  return one.bus_bytes_per_s();
}

// The name of the work that the last rank did before; none where it did none, or no rank came last.
std::optional<std::string> before_of(const CollectiveInstanceLine& line) {
  if (!line.instance.before) return std::nullopt;
  const ProfiledRank& profile = line.profiles[last_of(line)->profile];
  const WorkItem& item = profile.work.items[*line.instance.before];
  return std::string(profile.capture.strings.get(profile.capture.profile.tracks[item.track].events.name(item.event)));
}

}  // namespace

Fields<CollectiveLine> collective_fields() {
  using L = CollectiveLine;
  using R = CollectiveRow;
  return {
      {text_field("collective", "collective", "all_reduce, all_gather, …"),
       [](const L& l) { return collective_kind_name(l.row.kind); }},
      {text_field("name", "name", "The kernel's family"), [](const L& l) { return std::string_view(l.row.name); }},
      {text_field("group", "group", "The process group's name").or_null(),
       [](const L& l) { return text_or_none(l.row.group); }},
      {count_field("ranks", "ranks", "Of the group").or_null(), &R::ranks},
      {count_field("bytes", "size", "Of one: what goes in or comes out on a rank, the larger", kBytes).or_null(),
       &R::bytes},
      {count_field("count", "count", "How many there were"), &R::count},
      {count_field("seen_ranks", "seen ranks", "On how many ranks they are seen"), &R::seen_ranks},
      {time_field("transfer_ns", "time", "Of all of them, without waiting for other ranks as far as these are seen"),
       &R::transfer_ns},
      {time_field("total_ns", "total", "Of all ranks' kernels"), &R::total_ns},
      {real_field("algorithm_bytes_per_s", "algorithm", kBytesPerSecond, "Size by transfer time").or_null(),
       &R::algorithm_bytes_per_s},
      {real_field("bus_bytes_per_s", "bus", kBytesPerSecond,
                  "What goes over each rank's links, by NCCL's factors: to be held against the hardware")
           .or_null(),
       &R::bus_bytes_per_s},
      {time_field("skew_total_ns", "waiting", "How much longer the first rank was in it than the last, added up")
           .or_null(),
       [](const L& l) { return if_skewed(l, l.row.skew_total_ns); }},
      {time_field("skew_max_ns", "longest wait", "The same of the one whose ranks differ most").or_null(),
       [](const L& l) { return if_skewed(l, l.row.skew_most_ns); }},
      {text_field("last_rank", "late rank", "The rank that the others waited for longest").or_null(),
       [](const L& l) { return last_rank(l); }},
      {count_field("last_count", "times late", "How often they waited for it").or_null(),
       [](const L& l) { return if_waited(l, l.row.last_count); }},
      {time_field("last_waited_ns", "made others wait", "How much later than the rank in the middle it came, added up")
           .or_null(),
       [](const L& l) { return if_waited(l, l.row.last_waited_ns); }},
      {text_field("came_last", "late rank", "The rank that the others waited for longest").or_null().extra(),
       [](const L& l) { return came_last(l); }},
  };
}

Fields<StragglerLine> straggler_fields() {
  using L = StragglerLine;
  using R = Straggler;
  return {
      {text_field("rank", "rank", "As its capture has it").or_null(),
       [](const L& l) { return rank_of(l.profiles, l.row.launch); }},
      {time_field("waited_ns", "waited for", "How much later than the rank in the middle it came, added up"),
       &R::waited_ns},
      {count_field("times", "times late", "How often it came later than that one"), &R::times},
      {count_field("of", "of", "In how many collectives it took part with others"), &R::of},
      {time_field("longest_wait_ns", "longest wait", "Of the one in which the others waited longest"),
       &R::longest_wait_ns},
  };
}

Fields<CollectiveInstanceLine> collective_instance_fields() {
  using L = CollectiveInstanceLine;
  return {
      {text_field("collective", "collective", "all_reduce, all_gather, …"),
       [](const L& l) { return collective_kind_name(l.row.kind); }},
      {text_field("name", "name", "The kernel's family"), [](const L& l) { return std::string_view(l.row.name); }},
      {text_field("group", "group", "The process group's name").or_null(),
       [](const L& l) { return text_or_none(l.row.group); }},
      {count_field("number", "number", "It is that one of its kernel and group, from 0"),
       [](const L& l) { return l.collective.number; }},
      {count_field("bytes", "size", "What goes in or comes out on a rank, the larger", kBytes).or_null(),
       [](const L& l) { return l.row.bytes; }},
      {count_field("seen_ranks", "seen ranks", "On how many ranks it is seen"),
       [](const L& l) { return l.collective.launches.size(); }},
      {time_field("transfer_ns", "time",
                  "Of the rank that came last: without waiting for others as far as these are seen"),
       [](const L& l) { return l.collective.shortest_ns; }},
      {real_field("bus_bytes_per_s", "bus", kBytesPerSecond, "What goes over each rank's links, by NCCL's factors")
           .or_null(),
       bus_bytes_per_s},
      {time_field("skew_ns", "longest wait", "How much longer the first rank was in it than the last").or_null(),
       [](const L& l) { return has_skew(l) ? std::optional(l.collective.skew_ns()) : std::nullopt; }},
      {time_field("waiting_ns", "waiting", "Of all ranks, added up").or_null(),
       [](const L& l) { return has_skew(l) ? std::optional(l.instance.waiting_ns) : std::nullopt; }},
      {text_field("first_rank", "first rank", "The one that waited longest").or_null(),
       [](const L& l) { return has_skew(l) ? rank_of(l.profiles, l.instance.longest) : std::nullopt; }},
      {text_field("last_rank", "last rank", "The one that the others waited for; none where two came together")
           .or_null(),
       [](const L& l) { return last_of(l) ? rank_of(l.profiles, *last_of(l)) : std::nullopt; }},
      {text_field("before", "before it came", "The work that the last rank had done last before").or_null(),
       [](const L& l) { return before_of(l); }},
      {time_field("idle_before_ns", "idle before", "How long its device did nothing between that work and this")
           .or_null(),
       [](const L& l) { return l.instance.before ? std::optional(l.instance.idle_before_ns) : std::nullopt; }},
  };
}

}  // namespace vizd
