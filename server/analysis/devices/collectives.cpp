#include "analysis/devices/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "analysis/devices/collective_calls.h"
#include "analysis/devices/collective_pairing.h"
#include "analysis/devices/items_by_track.h"
#include "analysis/devices/kernel_names.h"
#include "analysis/figures/argument_cursor.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

// The facts that a launch or its operator tells of the collective.
struct Told {
  std::string name, group, members;  // members: the group's ranks, as written
  std::optional<std::int64_t> ranks, bytes;
};

// PyTorch's names of scalar types, as it writes them beside collectives: "BFloat16", "Long".
std::optional<std::int64_t> scalar_size_bytes(std::string_view type) {
  constexpr std::pair<std::string_view, std::int64_t> kSizes[] = {
      {"Byte", 1}, {"Char", 1}, {"Bool", 1},  {"Short", 2},  {"Half", 2},         {"BFloat16", 2},
      {"Int", 4},  {"Long", 8}, {"Float", 4}, {"Double", 8}, {"ComplexFloat", 8}, {"ComplexDouble", 16}};
  if (type.starts_with("Float8")) return 1;
  const auto found = std::ranges::find(kSizes, type, &std::pair<std::string_view, std::int64_t>::first);
  return found == std::end(kSizes) ? std::nullopt : std::optional(found->second);
}

// NCCL's names of them, without "nccl" before: "Bfloat16", "Int8".
std::optional<std::int64_t> nccl_size_bytes(std::string_view type) {
  constexpr std::pair<std::string_view, std::int64_t> kSizes[] = {
      {"Int8", 1},    {"Char", 1},  {"Uint8", 1},   {"Int32", 4},   {"Int", 4},
      {"Uint32", 4},  {"Int64", 8}, {"Uint64", 8},  {"Float16", 2}, {"Half", 2},
      {"Float32", 4}, {"Float", 4}, {"Float64", 8}, {"Double", 8},  {"Bfloat16", 2}};
  if (type.starts_with("Float8")) return 1;
  const auto found = std::ranges::find(kSizes, type, &std::pair<std::string_view, std::int64_t>::first);
  return found == std::end(kSizes) ? std::nullopt : std::optional(found->second);
}

// The arguments of one track's events that tell of collectives.
class CollectiveArguments {
 public:
  CollectiveArguments(const Track& track, const StringTable& strings)
      : strings_(strings),
        name_(track, "Collective name", strings),
        group_(track, "Process Group Name", strings),
        description_(track, "Process Group Description", strings),
        members_(track, "Process Group Ranks", strings),
        ranks_(track, "Group size", strings),
        in_(track, "In msg nelems", strings),
        out_(track, "Out msg nelems", strings),
        type_(track, "dtype", strings),
        plugin_(track, strings) {}

  bool empty() const { return name_.empty() && plugin_.empty(); }

  std::optional<Told> at(std::uint32_t event) {
    const std::string name = text(name_, event);
    if (name.empty()) return told_by_plugin(event);
    Told told{.name = name,
              .group = text(group_, event),
              .members = text(members_, event),
              .ranks = number(ranks_, event),
              .bytes = std::nullopt};
    const std::string description = text(description_, event);
    if (!description.empty() && description != "undefined") told.group = description;
    const auto in = number(in_, event), out = number(out_, event);
    const auto size = scalar_size_bytes(text(type_, event));
    const std::int64_t items = std::max(in.value_or(0), out.value_or(0));
    if (size && items > 0 && items < kMostItems) told.bytes = items * *size;
    return told;
  }

 private:
  std::string text(ArgumentCursor& cursor, std::uint32_t event) const {
    const auto value = cursor.at(event);
    if (!value) return "";
    if (const auto* const id = std::get_if<StringId>(&*value)) return std::string(strings_.get(*id));
    const auto* const integer = std::get_if<std::int64_t>(&*value);
    return integer == nullptr ? "" : std::to_string(*integer);
  }
  static std::optional<std::int64_t> number(ArgumentCursor& cursor, std::uint32_t event) {
    const auto value = cursor.at(event);
    const auto* const integer = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    return integer == nullptr ? std::nullopt : std::optional(*integer);
  }

  // What NCCL's own plugin tells of a launch. Its counts are of one rank's part where ranks exchange parts: how much
  // that is in all depends on how many they are, which it does not tell.
  struct PluginArguments {
    PluginArguments(const Track& track, const StringTable& strings)
        : function(track, "func", strings), count(track, "count", strings), type(track, "datatype", strings) {}
    bool empty() const { return function.empty() || count.empty() || type.empty(); }
    ArgumentCursor function, count, type;
  };

  std::optional<Told> told_by_plugin(std::uint32_t event) {
    if (plugin_.empty()) return std::nullopt;
    Told told{.name = text(plugin_.function, event), .group = {}, .members = {}, .ranks = {}, .bytes = {}};
    const CollectiveKind kind = collective_kind(told.name);
    if (told.name.empty() || kind == CollectiveKind::kOther) return std::nullopt;
    const bool is_of_parts = kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter ||
                             kind == CollectiveKind::kAllToAll;
    const auto count = number(plugin_.count, event);
    std::string type = text(plugin_.type, event);
    if (type.starts_with("nccl")) type.erase(0, 4);
    const auto size = nccl_size_bytes(type);
    if (!is_of_parts && count && size && *count > 0 && *count < kMostItems) told.bytes = *count * *size;
    return told;
  }

  static constexpr std::int64_t kMostItems = std::int64_t{1} << 50;

  const StringTable& strings_;
  ArgumentCursor name_, group_, description_, members_, ranks_, in_, out_, type_;
  PluginArguments plugin_;
};

class CollectiveFinder {
 public:
  explicit CollectiveFinder(std::span<const ProfiledRank> profiles) : profiles_(profiles) {}

  Collectives find() {
    for (std::uint32_t p = 0; p < profiles_.size(); ++p) read_profile(p);
    join();
    keep_chosen();
    for (Collective& collective : found_.all) finish(collective);
    find_stragglers();
    sort_rows();
    found_.world_size = world_size();
    return std::move(found_);
  }

 private:
  using RowKey = std::tuple<CollectiveKind, std::string, std::string, std::int64_t, std::int64_t>;
  // Kernel's family where that alone tells what it is, group, members, kind.
  using NameKey = std::tuple<std::string, std::string, std::string, CollectiveKind>;
  using RankKey = std::pair<std::uint32_t, std::uint32_t>;  // profile, root

  struct Seen {
    NameKey key;
    RankKey rank;
    CollectiveLaunch launch;
    std::string family;
    Told told;
  };

  void read_profile(std::uint32_t p) {
    const auto& [capture, work, operators, chosen] = profiles_[p];
    std::vector<std::uint32_t> items;
    for (std::uint32_t i = 0; i < work.items.size(); ++i) {
      if (work.items[i].is_communication) items.push_back(i);
    }
    const std::map<std::uint32_t, Told> told = read(p, items);
    std::ranges::stable_sort(items, {}, [&](std::uint32_t i) { return work.items[i].start_ns; });
    std::map<StringId, std::string> families;
    for (const std::uint32_t i : items) {
      const WorkItem& item = work.items[i];
      const StringId name = capture.profile.tracks[item.track].events.name(item.event);
      const auto [family, is_new] = families.try_emplace(name);
      if (is_new) family->second = kernel_family(capture.strings.get(name));
      const auto known = told.find(i);
      Told of = known == told.end() ? Told{} : known->second;
      const CollectiveKind kind = kind_of(of, family->second);
      const NameKey key{kind == CollectiveKind::kOther ? family->second : "", of.group, of.members, kind};
      seen_.push_back({key, {p, work.device_of(item).root}, {p, i}, family->second, std::move(of)});
    }
  }

  void join() {
    std::map<NameKey, std::uint32_t> keys;
    std::map<RankKey, std::uint32_t> ranks;
    std::vector<EndOfLaunch> ends;
    for (const Seen& seen : seen_) {
      const auto rank = ranks.try_emplace(seen.rank, static_cast<std::uint32_t>(ranks.size())).first;
      const auto key = keys.try_emplace(seen.key, static_cast<std::uint32_t>(keys.size())).first;
      // In an all-to-all each rank sends as much as it likes.
      const bool is_even = std::get<CollectiveKind>(seen.key) != CollectiveKind::kAllToAll;
      ends.push_back({rank->second, key->second, is_even ? seen.told.bytes : std::nullopt, common_end_ns(seen.launch)});
    }
    const PairedLaunches paired = pair_launches(ends);
    for (const auto& [rank, number] : ranks) {
      if (std::ranges::find(paired.not_comparable, number) != paired.not_comparable.end())
        found_.not_comparable.push_back(first_launch_of(rank));
    }
    found_.ranks_here = static_cast<std::int64_t>(ranks.size());
    std::vector<std::uint32_t> place_of(paired.collectives, kNoId);
    std::map<NameKey, std::uint32_t> first_of_key;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const std::uint32_t of = paired.collective_of[i];
      const auto first = first_of_key.try_emplace(seen_[i].key, of).first;
      first->second = std::min(first->second, of);
      if (place_of[of] == kNoId) {
        place_of[of] = static_cast<std::uint32_t>(found_.all.size());
        found_.all.emplace_back().row = row_of(seen_[i].told, seen_[i].family);
      }
      found_.all[place_of[of]].launches.push_back(seen_[i].launch);
    }
    for (std::size_t i = 0; i < seen_.size(); ++i)
      found_.all[place_of[paired.collective_of[i]]].number = paired.collective_of[i] - first_of_key[seen_[i].key];
  }

  // Ranks of one capture were put on one clock; those of several have that of their files.
  std::int64_t common_end_ns(const CollectiveLaunch& launch) const {
    return item_of(launch).end_ns + profiles_[launch.profile].work.devices.front().offset_ns;
  }

  CollectiveLaunch first_launch_of(const RankKey& rank) const {
    return std::ranges::find(seen_, rank, &Seen::rank)->launch;
  }

  void keep_chosen() {
    const auto is_chosen = [&](const CollectiveLaunch& launch) {
      const std::vector<bool>& chosen = profiles_[launch.profile].chosen;
      return chosen.empty() || chosen[launch.item];
    };
    std::erase_if(found_.all, [&](const Collective& of) { return std::ranges::none_of(of.launches, is_chosen); });
  }

  // Takes the facts of the kernels themselves, or else those of their operators, or else of what was around the call.
  std::map<std::uint32_t, Told> read(std::uint32_t p, const std::vector<std::uint32_t>& items) const {
    const auto& [capture, work, operators, chosen] = profiles_[p];
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> kernels, by_operator;  // by track
    for (const std::uint32_t i : items) {
      kernels[work.items[i].track].emplace_back(work.items[i].event, i);
      if (const std::uint32_t of = operators.of_item[i]; of != kNoId)
        by_operator[operators.all[of].track].emplace_back(operators.all[of].event, i);
    }
    std::map<std::uint32_t, Told> told;
    for (auto* const tracks : {&kernels, &by_operator}) {
      for (auto& [track, events] : *tracks) {
        CollectiveArguments arguments(capture.profile.tracks[track], capture.strings);
        if (arguments.empty()) continue;
        std::ranges::sort(events);
        for (const auto& [event, i] : events) {
          if (auto of = arguments.at(event)) told.try_emplace(i, std::move(*of));
        }
      }
    }
    std::vector<std::uint32_t> untold;
    for (const std::uint32_t i : items) {
      if (!told.contains(i)) untold.push_back(i);
    }
    for (auto& [i, call] : find_collective_calls(capture, work, untold))
      told.emplace(i, Told{.name = call.name, .group = {}, .members = {}, .ranks = {}, .bytes = call.bytes});
    return told;
  }

  static CollectiveKind kind_of(const Told& told, const std::string& family) {
    return collective_kind(told.name.empty() ? family : told.name);
  }

  std::uint32_t row_of(const Told& told, const std::string& family) {
    const CollectiveKind kind = kind_of(told, family);
    const auto [found, is_new] =
        rows_.try_emplace({kind, family, told.group, told.ranks.value_or(-1), told.bytes.value_or(-1)},
                          static_cast<std::uint32_t>(found_.rows.size()));
    if (is_new)
      found_.rows.push_back(
          {.kind = kind, .name = family, .group = told.group, .ranks = told.ranks, .bytes = told.bytes});
    return found->second;
  }

  // The job's, where any capture has it.
  std::optional<std::int64_t> world_size() const {
    std::optional<std::int64_t> most;
    for (const ProfiledRank& profile : profiles_) {
      const StringTable& strings = profile.capture.strings;
      for (const Fact& fact : profile.capture.facts) {
        const auto* const value = std::get_if<std::int64_t>(&fact.value);
        if (value == nullptr || strings.get(fact.name) != "world_size") continue;
        most = std::max(most.value_or(*value), *value);
      }
    }
    return most;
  }

  const WorkItem& item_of(const CollectiveLaunch& launch) const {
    return profiles_[launch.profile].work.items[launch.item];
  }
  std::int64_t length_of(const CollectiveLaunch& launch) const {
    return item_of(launch).end_ns - item_of(launch).start_ns;
  }

  void finish(Collective& collective) {
    CollectiveRow& row = found_.rows[collective.row];
    const auto place = static_cast<std::uint32_t>(&collective - found_.all.data());
    const auto shortest =
        std::ranges::min_element(collective.launches, {}, [this](const auto& launch) { return length_of(launch); });
    collective.shortest_ns = length_of(*shortest);
    const auto is_shortest = [&](const auto& launch) { return length_of(launch) == collective.shortest_ns; };
    if (collective.launches.size() > 1 && std::ranges::count_if(collective.launches, is_shortest) == 1)
      collective.last = static_cast<std::uint32_t>(shortest - collective.launches.begin());
    for (const CollectiveLaunch& launch : collective.launches) {
      collective.longest_ns = std::max(collective.longest_ns, length_of(launch));
      row.total_ns += length_of(launch);
    }
    row.seen_ranks = std::max(row.seen_ranks, static_cast<std::int64_t>(collective.launches.size()));
    if (row.count++ == 0 || collective.skew_ns() > row.skew_most_ns) {
      row.skew_most_ns = collective.skew_ns();
      row.most_skewed = place;
    }
    row.transfer_ns += collective.shortest_ns;
    row.skew_total_ns += collective.skew_ns();
  }

  RankKey rank_of(const CollectiveLaunch& launch) const {
    return {launch.profile, profiles_[launch.profile].work.device_of(item_of(launch)).root};
  }

  // The median length of its ranks' kernels; of two the longer.
  std::int64_t middle_length(const Collective& collective) const {
    std::vector<std::int64_t> lengths;
    for (const CollectiveLaunch& launch : collective.launches) lengths.push_back(length_of(launch));
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    return *middle;
  }

  // Who made others wait counts by how long they did, not by how often: some rank always comes last, by next to
  // nothing. A rank kept the others for as long as it came later than the rank in the middle.
  void find_stragglers() {
    std::map<std::pair<std::uint32_t, RankKey>, Straggler> of_rows;
    std::map<RankKey, Straggler> of_all;
    for (std::uint32_t place = 0; place < found_.all.size(); ++place) {
      const Collective& collective = found_.all[place];
      if (collective.launches.size() < 2) continue;
      for (const CollectiveLaunch& launch : collective.launches) ++of_all[rank_of(launch)].of;
      const std::int64_t middle_ns = middle_length(collective);
      for (const CollectiveLaunch& launch : collective.launches) {
        const std::int64_t wait_ns = middle_ns - length_of(launch);
        if (wait_ns <= 0) continue;
        for (Straggler* const straggler : {&of_rows[{collective.row, rank_of(launch)}], &of_all[rank_of(launch)]}) {
          if (straggler->times++ == 0 || wait_ns > straggler->longest_wait_ns) {
            straggler->longest_wait_ns = wait_ns;
            straggler->worst = place;
            straggler->launch = launch;
          }
          straggler->waited_ns += wait_ns;
        }
      }
    }
    for (const auto& [key, straggler] : of_rows) {
      CollectiveRow& row = found_.rows[key.first];
      if (straggler.waited_ns <= row.last_waited_ns) continue;
      row.last = straggler.launch;
      row.last_waited_ns = straggler.waited_ns;
      row.last_count = straggler.times;
    }
    for (const auto& [rank, straggler] : of_all) {
      if (straggler.times > 0) found_.stragglers.push_back(straggler);
    }
    std::ranges::stable_sort(found_.stragglers, std::greater(), &Straggler::waited_ns);
  }

  void sort_rows() {
    std::vector<std::uint32_t> order(found_.rows.size()), now_at(found_.rows.size());
    for (std::uint32_t r = 0; r < order.size(); ++r) order[r] = r;
    std::ranges::stable_sort(order, std::greater(), [this](std::uint32_t r) { return found_.rows[r].total_ns; });
    std::vector<CollectiveRow> sorted;
    for (const std::uint32_t r : order) {
      if (found_.rows[r].count == 0) continue;  // none of it is chosen
      now_at[r] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(std::move(found_.rows[r]));
    }
    found_.rows = std::move(sorted);
    for (Collective& collective : found_.all) collective.row = now_at[collective.row];
  }

  const std::span<const ProfiledRank> profiles_;
  Collectives found_;
  std::vector<Seen> seen_;  // of each profile in order of time
  std::map<RowKey, std::uint32_t> rows_;
};

}  // namespace

std::optional<double> CollectiveRow::algorithm_bytes_per_s() const {
  if (!bytes || transfer_ns == 0) return std::nullopt;
  return static_cast<double>(*bytes) * static_cast<double>(count) / (static_cast<double>(transfer_ns) * 1e-9);
}

std::optional<double> CollectiveRow::bus_bytes_per_s() const {
  const auto algorithm = algorithm_bytes_per_s();
  if (!algorithm || !ranks || kind == CollectiveKind::kOther) return std::nullopt;
  return *algorithm * bus_factor(kind, *ranks);
}

Collectives find_collectives(std::span<const ProfiledRank> profiles) { return CollectiveFinder(profiles).find(); }

std::vector<std::string> pairing_notes(std::span<const ProfiledRank> profiles, const Collectives& found) {
  std::vector<std::string> notes;
  if (found.all.empty()) return notes;
  if (found.world_size && *found.world_size > found.ranks_here)
    notes.push_back(fmt::format("{} of the job's {} ranks {} here", found.ranks_here, *found.world_size,
                                found.ranks_here == 1 ? "is" : "are"));
  for (const CollectiveLaunch& launch : found.not_comparable) {
    const auto& [capture, work, operators, chosen] = profiles[launch.profile];
    const FileValue& rank = work.device_of(work.items[launch.item]).rank;
    notes.push_back(fmt::format(
        "not comparable: the collectives of {} do not line up with those of the other ranks: they end at other times",
        rank ? "rank " + value_text(*rank, capture.strings) : "a rank"));
  }
  const auto alone = std::ranges::count_if(found.all, [](const Collective& of) { return of.launches.size() == 1; });
  if (found.ranks_here > 1 && alone > 0)
    notes.push_back(fmt::format(
        "{} of {} collectives are unpaired: none of the same group, kind and size ends with them on another "
        "rank that is here",
        alone, found.all.size()));
  return notes;
}

}  // namespace vizd
