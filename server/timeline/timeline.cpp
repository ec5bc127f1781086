#include "timeline/timeline.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/content_hash.h"
#include "base/parallel.h"
#include "timeline/lane_rows.h"

namespace vizd {
namespace {

// Raised when an answer under a key changes its form: browsers keep those of an older vizd.
constexpr std::uint64_t kAnswersVersion = 4;

// Where the events lie: places[i] is which of the recorded events becomes event i.
struct Numbering {
  LargeVector<std::uint32_t> places;
  Column<std::uint32_t> row_begin;
  bool is_identity = true;
};

Numbering number_by_row(const LaneRows& rows) {
  Numbering numbering;
  std::vector<std::uint32_t> next(rows.row_count + std::size_t{1}, 0);
  for (const std::uint32_t row : rows.row) ++next[row + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  numbering.row_begin = Column<std::uint32_t>(LargeVector<std::uint32_t>(next.begin(), next.end()));
  numbering.places.resize(rows.row.size());
  for (const std::uint32_t event : rows.order) {
    const std::uint32_t place = next[rows.row[event]]++;
    numbering.places[place] = event;
    numbering.is_identity &= place == event;
  }
  return numbering;
}

void set_links(const EventColumns& events, const LaneRows& rows, const Rewrites& rewrites,
               const LargeVector<std::uint32_t>& places, LaneIndex& lane) {
  if (rewrites.contexts.empty()) return;
  const std::vector<EventLink> links = event_links(events, rows, rewrites);
  for (std::size_t i = 0; i < places.size(); ++i) {
    lane.link_context.set(i, static_cast<std::uint32_t>(links[places[i]].context));
    lane.link_pass.set(i, links[places[i]].pass);
  }
}

void build_nodes(const EventColumns& events, LaneIndex& lane) {
  LargeVector<std::uint64_t> node_begin{0};
  for (std::uint32_t row = 0; row < lane.row_count(); ++row)
    node_begin.push_back(node_begin.back() + row_node_count(lane.row_begin[row + 1] - lane.row_begin[row]));
  LargeVector<RowNode> nodes(static_cast<std::size_t>(node_begin.back()));
  for (std::uint32_t row = 0; row < lane.row_count(); ++row) {
    const auto first = static_cast<std::size_t>(node_begin[row]);
    const auto count = static_cast<std::size_t>(node_begin[row + 1]) - first;
    build_row_nodes(events, lane.row_begin[row], lane.row_begin[row + 1], std::span(nodes).subspan(first, count));
  }
  lane.node_begin = Column<std::uint64_t>(std::move(node_begin));
  lane.nodes = Column<RowNode>(std::move(nodes));
}

void set_extent(const EventColumns& events, LaneIndex& lane) {
  if (events.empty()) return;
  lane.first_ns = events.start_ns(0);
  lane.last_ns = events.end_ns(0);
  for (std::uint32_t row = 0; row < lane.row_count(); ++row) {
    lane.first_ns = std::min(lane.first_ns, events.start_ns(lane.row_begin[row]));
    lane.last_ns = std::max(lane.last_ns, events.end_ns(lane.row_begin[row + 1] - 1));
  }
}

// Returns where each recorded event went, where it did not stay; empty where all did, or nobody asks.
Column<std::uint32_t> prepare_lane(EventColumns& events, const Rewrites& rewrites, bool is_referred_to,
                                   LaneIndex& lane) {
  Numbering numbering;
  {
    LaneRows rows = lane_rows(events);
    lane.relaned = rows.relaned;
    lane.busy_ns = rows.busy_ns;
    numbering = number_by_row(rows);
    set_links(events, rows, rewrites, numbering.places, lane);
  }
  lane.row_begin = std::move(numbering.row_begin);
  LargeVector<std::uint32_t> now_at;
  if (!numbering.is_identity) {
    events.permute(numbering.places);
    if (is_referred_to) {
      now_at.resize(numbering.places.size());
      for (std::uint32_t i = 0; i < now_at.size(); ++i) now_at[numbering.places[i]] = i;
    }
  }
  build_nodes(events, lane);
  set_extent(events, lane);
  return Column<std::uint32_t>(std::move(now_at));
}

using Moves = std::vector<Column<std::uint32_t>>;  // by lane

bool is_referred_to(const Profile& profile) {
  return !profile.flows.empty() ||
         std::ranges::any_of(profile.tracks, [](const Track& track) { return !track.uses.empty(); });
}

// Uses and flows name events by where they were; those that name none are left out.
void renumber_references(Profile& profile, const Moves& moves) {
  const auto exists = [&](std::uint32_t track, std::uint32_t event) {
    return track < profile.tracks.size() && event < profile.tracks[track].events.size();
  };
  const auto moved = [&](std::uint32_t track, std::uint32_t event) {
    return moves[track].empty() ? event : moves[track][event];
  };
  Column<Flow> flows;
  for (Flow flow : profile.flows.span()) {
    if (!exists(flow.from_track, flow.from_event) || !exists(flow.to_track, flow.to_event)) continue;
    flow.from_event = moved(flow.from_track, flow.from_event);
    flow.to_event = moved(flow.to_track, flow.to_event);
    flows.push_back(flow);
  }
  LargeVector<Flow> sorted(flows.span().begin(), flows.span().end());
  std::ranges::stable_sort(sorted, {}, [](const Flow& f) { return std::pair(f.from_track, f.from_event); });
  profile.flows = Column<Flow>(std::move(sorted));
  for (Track& track : profile.tracks) {
    LargeVector<Use> uses;
    for (Use use : track.uses.span()) {
      if (use.allocation >= track.allocations.size() || !exists(use.track, use.event)) continue;
      use.event = moved(use.track, use.event);
      uses.push_back(use);
    }
    std::ranges::stable_sort(uses, {}, &Use::allocation);
    track.uses = Column<Use>(std::move(uses));
  }
}

// The places of the items by what key says of them.
template <typename T, typename Key>
Column<std::uint32_t> places_by(const Column<T>& items, Key key) {
  LargeVector<std::uint32_t> places(items.size());
  std::iota(places.begin(), places.end(), 0u);
  std::ranges::stable_sort(places, {}, [&](std::uint32_t i) { return key(items[i]); });
  return Column<std::uint32_t>(std::move(places));
}

// The names by the time that events of them take, the first used first where that is the same.
void rank_names(const Capture& capture, unsigned threads, Timeline& timeline) {
  const std::vector<Track>& lanes = capture.profile.tracks;
  const std::size_t strings = capture.strings.size();
  struct NameUse {
    std::int64_t time_ns = 0;
    bool is_used = false;
  };
  std::vector<std::vector<NameUse>> parts(threads, std::vector<NameUse>(strings));  // by thread and StringId
  std::atomic<std::size_t> next = 0;
  for_each_index(threads, threads, [&](std::size_t part) {
    for (std::size_t l; (l = next++) < lanes.size();) {
      const EventColumns& events = lanes[l].events;
      for (std::size_t i = 0; i < events.size(); ++i) {
        NameUse& use = parts[part][index(events.name(i))];
        use.time_ns += events.length_ns(i);
        use.is_used = true;
      }
    }
  });
  std::vector<std::int64_t> sums(strings, 0);
  for (std::size_t i = 0; i < strings; ++i) {
    bool is_used = false;
    for (const std::vector<NameUse>& part : parts) {
      sums[i] += part[i].time_ns;
      is_used |= part[i].is_used;
    }
    if (is_used) timeline.names.push_back(to_id<StringId>(i));
  }
  std::ranges::stable_sort(timeline.names, std::greater(), [&](StringId name) { return sums[index(name)]; });
  timeline.name_number.assign(strings, kNoId);
  for (std::uint32_t i = 0; i < timeline.names.size(); ++i) timeline.name_number[index(timeline.names[i])] = i;
}

std::uint64_t events_hash(const EventColumns& events) {
  ContentHash hash;
  events.for_each_column([&](const auto& column) { hash.add(column_values(column).span()); });
  return hash.value();
}

// Which strings are referred to, by id: each is hashed once, however many values it is. Any thread.
class StringsUsed {
 public:
  explicit StringsUsed(std::size_t strings) : is_used_(strings) {}

  void add(StringId id) { std::atomic_ref(is_used_[index(id)]).store(1, std::memory_order_relaxed); }

  void add_to(ContentHash& hash, const StringTable& strings) const {
    for (std::uint32_t id = 0; id < is_used_.size(); ++id) {
      if (is_used_[id] == 0) continue;
      hash.add(std::uint64_t{id});
      hash.add(strings.get(StringId{id}));
    }
  }

 private:
  std::vector<std::uint8_t> is_used_;
};

// Adds a column that was shrunk.
void add_packed(ContentHash& hash, const PackedIntegers& values) {
  hash.add(values.blocks());
  hash.add(values.words());
}

std::uint64_t track_hash(const Track& lane, const StringTable& strings, StringsUsed& used) {
  ContentHash hash;
  hash.add(strings.get(lane.name));
  for (const std::uint64_t word : {std::uint64_t{lane.parent}, static_cast<std::uint64_t>(lane.kind)}) hash.add(word);
  hash.add(events_hash(lane.events));
  for (const ArgumentColumn& argument : lane.arguments) {
    hash.add(strings.get(argument.name));
    hash.add(strings.get(argument.unit));
    add_packed(hash, argument.events);
    add_packed(hash, argument.numbers);
    add_packed(hash, argument.reals.packed());
    hash.add(argument.reals.powers());
    if (argument.type != ArgumentType::kText) continue;
    argument.numbers.for_each([&](std::int64_t id) { used.add(to_id<StringId>(static_cast<std::size_t>(id))); });
  }
  hash.add(lane.samples.at_ns.span());
  hash.add(lane.samples.stack.span());
  for (const Counter& counter : lane.counters) {
    hash.add(strings.get(counter.name));
    hash.add(counter.at_ns.span());
    hash.add(counter.value.span());
  }
  for (const Allocation& a : lane.allocations) {
    const std::uint64_t orders = (std::uint64_t{a.birth_order} << 32) | a.death_order;
    for (const std::uint64_t word : {a.key, a.size_bytes(), a.address, orders, std::uint64_t{a.freed},
                                     static_cast<std::uint64_t>(a.birth_ns), static_cast<std::uint64_t>(a.death_ns)})
      hash.add(word);
    hash.add(std::uint64_t{index(a.dtype)} << 32 | index(a.category));
    hash.add(std::uint64_t{a.asked_by} << 1 | std::uint64_t{a.is_earlier});
    used.add(a.dtype);
    used.add(a.category);
  }
  return hash.value();
}

std::uint64_t content_key(const Capture& capture, const Timeline& timeline, unsigned threads) {
  const std::vector<Track>& lanes = capture.profile.tracks;
  std::vector<std::uint64_t> hashes(lanes.size());
  StringsUsed used(capture.strings.size());
  for_each_index(lanes.size(), threads,
                 [&](std::size_t i) { hashes[i] = track_hash(lanes[i], capture.strings, used); });
  ContentHash hash;
  hash.add(kAnswersVersion);
  hash.add(std::span<const std::uint64_t>(hashes));
  used.add_to(hash, capture.strings);
  for (const StringId name : timeline.names) {
    hash.add(std::uint64_t{index(name)});
    hash.add(capture.strings.get(name));
  }
  hash.add(static_cast<std::uint64_t>(capture.profile.start_ns));
  hash.add(static_cast<std::uint64_t>(capture.profile.end_ns));
  return hash.value();
}

}  // namespace

std::uint32_t LaneIndex::row_of(std::uint32_t event) const {
  const auto begins = row_begin.span();
  return static_cast<std::uint32_t>(std::ranges::upper_bound(begins, event) - begins.begin()) - 1;
}

Timeline prepare_timeline(Capture& capture, unsigned threads, const TimelineProgress& progress) {
  Profile& profile = capture.profile;
  Timeline timeline;
  timeline.lanes.resize(profile.tracks.size());
  Moves moves(profile.tracks.size());
  const bool referred_to = is_referred_to(profile);
  std::atomic<std::uint64_t> done = 0;
  for_each_index(profile.tracks.size(), threads, [&](std::size_t i) {
    Track& track = profile.tracks[i];
    timeline.lanes[i].memory = lane_memory(track);
    const bool keeps_moves = referred_to || !track.arguments.empty();
    moves[i] = prepare_lane(track.events, capture.rewrites, keeps_moves, timeline.lanes[i]);
    done += track.events.size();
    if (progress) progress(done);
  });
  if (referred_to) renumber_references(profile, moves);
  timeline.flows_by_target = places_by(profile.flows, [](const Flow& f) { return std::pair(f.to_track, f.to_event); });
  for_each_index(profile.tracks.size(), threads, [&](std::size_t i) {
    Track& track = profile.tracks[i];
    renumber_arguments(track.arguments, moves[i].span(), track.events.size());
    timeline.lanes[i].uses_by_event =
        places_by(track.uses, [](const Use& use) { return std::pair(use.track, use.event); });
  });
  rank_names(capture, threads, timeline);
  timeline.key = content_key(capture, timeline, threads);
  return timeline;
}

}  // namespace vizd
