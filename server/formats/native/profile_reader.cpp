#include "formats/native/profile_reader.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "formats/native/old_arguments.h"

namespace vizd::native {
namespace {

namespace column = capture::column;

}  // namespace

void ProfileReader::add_tracks(const Columns& columns, std::uint64_t first) {
  is_empty_ = false;
  tracks_.add_tracks(columns, first);
}

void ProfileReader::add_lanes(const Columns& columns, std::uint64_t first) {
  is_empty_ = false;
  tracks_.add_lanes(columns, first);
}

void ProfileReader::add_arguments(const Columns& columns, std::uint64_t first) {
  using Column = column::Arguments;
  if (first != arguments_.size()) return tables_.skip("arguments out of order", columns.count());
  const auto names = columns.read<std::uint32_t>(Column::kName), units = columns.read<std::uint32_t>(Column::kUnit);
  const auto types = columns.read<std::uint32_t>(Column::kType);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (arguments_.size() >= ArgumentPlaces::kMost) return tables_.skip("argument beyond the number that vizd keeps");
    arguments_.push_back({tables_.string(names[i]), tables_.string(units[i]), types[i]});
  }
}

bool ProfileReader::is_time(std::int64_t ns) {
  if (ns > -kTimeBound_ns && ns < kTimeBound_ns) return true;
  tables_.skip("time beyond 36 years");
  return false;
}

void ProfileReader::EventRecords::read(const Columns& columns) {
  using Column = column::Events;
  columns.read_into(track, Column::kLane);
  columns.read_into(start_ns, Column::kStart);
  columns.read_into(dur_ns, Column::kDuration);
  columns.read_into(name, Column::kName);
  columns.read_into(info, Column::kInfo);
  columns.read_into(context, Column::kContext);
  columns.read_into(order, Column::kOrder);
  columns.read_into(picoseconds, Column::kPicoseconds);
  columns.read_into(json_length, Column::kArgsLength);
  columns.read_into(kind, Column::kKind);
  columns.read_into(category, Column::kCategory);
  columns.read_into(flags, Column::kFlags);
  columns.read_into(argument_count, Column::kArgumentCount);
  columns.read_all_into(argument, Column::kArgument);
  columns.read_all_into(integer, Column::kInteger);
  columns.read_all_into(real, Column::kReal);
  // A column of zeros may be missing; where all arguments are number 0, no event has two.
  if (argument.empty()) {
    const auto count = std::accumulate(argument_count.begin(), argument_count.end(), std::uint64_t{0});
    argument.resize(std::min<std::uint64_t>(count, columns.count()));
  }
  integer.resize(argument.size());
  real.resize(argument.size());
}

EventKind ProfileReader::kind_of(std::size_t record) const {
  const EventRecords& r = records_;
  if (version_ == 1)
    return r.dur_ns[record] == 0 && r.picoseconds[record] == 0 ? EventKind::kInstant : EventKind::kSpan;
  return r.kind[record] < kEventKinds ? static_cast<EventKind>(r.kind[record]) : EventKind::kSpan;
}

Track* ProfileReader::add_event(std::size_t record) {
  const EventRecords& r = records_;
  Track* const track = this->track(r.track[record]);
  if (track == nullptr || track->events.size() >= EventColumns::kMostEvents) {
    tables_.skip("event of a track that is missing, or has too many");
    return nullptr;
  }
  if (!is_time(r.start_ns[record]) || !is_time(r.dur_ns[record])) return nullptr;
  track->events.push_back({.start_ns = r.start_ns[record],
                           .dur_ns = r.dur_ns[record],
                           .name = tables_.string(r.name[record]),
                           .context = r.context[record] == 0 ? ContextId{kNoId} : find_context_(r.context[record]),
                           .category = tables_.string(r.category[record]),
                           .kind = kind_of(record),
                           .is_error = (r.flags[record] & capture::kEventError) != 0,
                           .order = r.order[record],
                           .dur_ps = std::min(r.picoseconds[record], 999u)});
  return track;
}

void ProfileReader::add_events(const Columns& columns) {
  is_empty_ = false;
  EventRecords& r = records_;
  r.read(columns);
  r.event.assign(columns.count(), kNoId);
  std::string_view all_json = columns.text(column::Events::kArgs);
  std::size_t argument = 0;
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const std::string_view json = all_json.substr(0, r.json_length[i]);
    all_json.remove_prefix(json.size());
    const std::size_t first_argument = argument;
    argument += r.argument_count[i];
    Track* const track = add_event(i);
    if (track == nullptr) continue;
    r.event[i] = static_cast<std::uint32_t>(track->events.size() - 1);
    if (r.argument_count[i] != 0 || r.info[i] != 0 || !json.empty()) keep_arguments(i, first_argument, json, *track);
  }
  r.are_of_one_track = columns.count() != 0 && r.event.front() != kNoId;
  for (std::size_t i = 0; r.are_of_one_track && i < columns.count(); ++i)
    r.are_of_one_track = r.track[i] == r.track.front() && r.event[i] == r.event.front() + i;
  add_argument_columns(columns);
}

void ProfileReader::add_argument_columns(const Columns& columns) {
  const auto numbers = columns.read_all<std::uint32_t>(column::Events::kArgumentColumns);
  if (numbers.size() > capture::kMostArgumentColumns)
    return tables_.skip("argument beyond the number that vizd keeps", numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) add_argument_column(columns, k, numbers[k] - 1);
}

void ProfileReader::add_argument_column(const Columns& columns, std::size_t k, std::uint32_t number) {
  using Column = column::Events;
  const auto records = static_cast<std::uint16_t>(Column::kFirstRecords + 2 * k);
  const auto values = static_cast<std::uint16_t>(Column::kFirstValues + 2 * k);
  const Argument* const argument = number < arguments_.size() ? &arguments_[number] : nullptr;
  const bool is_known = argument != nullptr && argument->type >= 1 && argument->type <= 3;
  const auto type = is_known ? static_cast<ArgumentType>(argument->type) : ArgumentType::kInteger;
  value_numbers_.clear();
  value_reals_.clear();
  if (type == ArgumentType::kReal) {
    columns.read_all_into(value_reals_, values);
  } else {
    columns.read_all_into(value_numbers_, values);
  }
  const std::size_t count = std::max(value_numbers_.size(), value_reals_.size());
  const bool have_all = !columns.has(records);
  columns.read_all_into(value_records_, records);
  if (!is_known || count == 0 || count != (have_all ? columns.count() : value_records_.size()))
    return tables_.skip("event's argument that is missing", std::max<std::size_t>(count, 1));
  if (!append_values(*argument, type, have_all)) push_values(*argument, type, have_all);
}

bool ProfileReader::append_values(const Argument& argument, ArgumentType type, bool have_all) {
  const EventRecords& r = records_;
  const auto is_there = [&](std::uint32_t record) { return record - 1u < r.event.size(); };
  if (!r.are_of_one_track || (!have_all && !std::ranges::all_of(value_records_, is_there))) return false;
  ArgumentColumn* const column =
      argument_places_.find_or_add(*track(r.track.front()), argument.name, argument.unit, type);
  if (column == nullptr) return false;
  if (have_all) {
    column->events.append_counting(r.event.front(), r.event.size());
  } else {
    value_events_.resize(value_records_.size());
    std::ranges::transform(value_records_, value_events_.begin(),
                           [&](std::uint32_t record) { return std::int64_t{r.event.front()} + record - 1; });
    column->events.append(value_events_);
  }
  if (type == ArgumentType::kText) {
    for (std::int64_t& number : value_numbers_)
      number = static_cast<std::int64_t>(index(tables_.string(static_cast<std::uint64_t>(number))));
  }
  column->numbers.append(value_numbers_);
  column->reals.append(value_reals_);
  return true;
}

void ProfileReader::push_values(const Argument& argument, ArgumentType type, bool have_all) {
  const EventRecords& r = records_;
  const Track* track = nullptr;
  ArgumentColumn* column = nullptr;  // the track's
  for (std::size_t i = 0; i < std::max(value_numbers_.size(), value_reals_.size()); ++i) {
    const std::size_t record = have_all ? i : value_records_[i] - std::size_t{1};
    const std::uint32_t event = record < r.event.size() ? r.event[record] : kNoId;
    if (event == kNoId) {
      tables_.skip("event's argument that is missing");
      continue;
    }
    if (Track* const now = this->track(r.track[record]); now != track) {
      track = now;
      column = argument_places_.find_or_add(*now, argument.name, argument.unit, type);
    }
    if (column == nullptr) {
      tables_.skip("argument beyond the number that vizd keeps");
    } else if (type == ArgumentType::kReal) {
      column->push_real(event, value_reals_[i]);
    } else if (type == ArgumentType::kInteger) {
      column->push_number(event, value_numbers_[i]);
    } else {
      column->push_number(
          event, static_cast<std::int64_t>(index(tables_.string(static_cast<std::uint64_t>(value_numbers_[i])))));
    }
  }
}

void ProfileReader::keep_arguments(std::size_t i, std::size_t at, std::string_view json, Track& track) {
  const EventRecords& r = records_;
  const auto event = static_cast<std::uint32_t>(track.events.size() - 1);
  last_places_.resize(arguments_.size());
  // A record may tell of more than there are, by billions.
  const std::size_t told_end = at + r.argument_count[i], end = std::min(told_end, r.argument.size());
  if (told_end > end) tables_.skip("event's argument that is missing", told_end - std::max(at, end));
  for (; at < end; ++at) {
    const std::uint32_t number = r.argument[at];
    const Argument* const argument = number < arguments_.size() ? &arguments_[number] : nullptr;
    const auto value =
        argument == nullptr ? std::nullopt : argument_value(tables_, argument->type, r.integer[at], r.real[at]);
    if (!value) {
      tables_.skip("event's argument that is missing");
      continue;
    }
    LastPlace& last = last_places_[number];
    if (last.track != &track) {
      const ArgumentColumn* const column =
          argument_places_.find_or_add(track, argument->name, argument->unit, type_of(*value));
      if (column == nullptr) {
        tables_.skip("argument beyond the number that vizd keeps");
        continue;
      }
      last = {&track, static_cast<std::uint32_t>(column - track.arguments.data())};
    }
    track.arguments[last.place].push_back(event, *value);
  }
  if (r.info[i] != 0) {
    ArgumentColumn* const column =
        argument_places_.find_or_add(track, capture_.strings.add(argument::kInfo), StringId{}, ArgumentType::kText);
    if (column != nullptr) column->push_back(event, tables_.string(r.info[i]));
  }
  if (!json.empty() && !add_old_arguments(json, event, track, argument_places_, capture_.strings))
    tables_.skip("event's arguments that are no JSON object");
}

void ProfileReader::add_allocations(const Columns& columns) {
  using Column = column::Allocations;
  is_empty_ = false;
  const auto lanes = columns.read<std::uint32_t>(Column::kLane), dtypes = columns.read<std::uint32_t>(Column::kDtype);
  const auto keys = columns.read<std::uint64_t>(Column::kKey), counts = columns.read<std::uint64_t>(Column::kCount);
  const auto item_sizes = columns.read<std::uint32_t>(Column::kItemSize);
  const auto births = columns.read<std::int64_t>(Column::kAt), deaths = columns.read<std::int64_t>(Column::kFreedAt);
  const auto birth_orders = columns.read<std::uint32_t>(Column::kBirthOrder);
  const auto death_orders = columns.read<std::uint32_t>(Column::kDeathOrder);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  const auto categories = columns.read<std::uint32_t>(Column::kCategory);
  const auto contexts = columns.read<std::uint64_t>(Column::kContext);
  const auto addresses = columns.read<std::uint64_t>(Column::kAddress);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (track(lanes[i]) == nullptr) {
      tables_.skip("allocation of a track that is missing");
      continue;
    }
    if (item_sizes[i] != 0 && counts[i] > std::numeric_limits<std::int64_t>::max() / item_sizes[i]) {
      tables_.skip("allocation larger than any memory");
      continue;
    }
    if (!is_time(births[i]) || !is_time(deaths[i])) continue;
    Allocation made;
    made.key = keys[i];
    made.count = counts[i];
    made.item_size_bytes = item_sizes[i];
    made.dtype = tables_.string(dtypes[i]);
    made.birth_ns = births[i];
    made.death_ns = deaths[i];
    made.birth_order = birth_orders[i];
    made.death_order = death_orders[i];
    made.category = tables_.string(categories[i]);
    made.context = find_context_(contexts[i]);
    if ((flags[i] & capture::kAllocationAddressed) != 0) made.address = addresses[i];
    made.freed = (flags[i] & capture::kAllocationFreed) != 0;
    if (made.freed && made.death_order <= made.birth_order) {
      tables_.skip("allocation that is freed before it is made");
      continue;
    }
    if (has_frees_) {
      memory_.push_back({lanes[i], births[i], false, made});
    } else {
      keep_allocation(lanes[i], made);
    }
  }
}

void ProfileReader::add_frees(const Columns& columns) {
  const auto lanes = columns.read<std::uint32_t>(column::Frees::kLane);
  const auto keys = columns.read<std::uint64_t>(column::Frees::kKey);
  const auto times = columns.read<std::int64_t>(column::Frees::kAt);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (track(lanes[i]) == nullptr || !is_time(times[i])) {
      tables_.skip("free of a track that is missing");
      continue;
    }
    Allocation freed;
    freed.key = keys[i];
    memory_.push_back({lanes[i], times[i], true, freed});
  }
}

void ProfileReader::add_markers(const Columns& columns) {
  is_empty_ = false;
  const auto times = columns.read<std::int64_t>(column::Markers::kAt);
  const auto names = columns.read<std::uint32_t>(column::Markers::kName);
  const auto colours = columns.read<std::uint32_t>(column::Markers::kColour);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (!is_time(times[i])) continue;
    capture_.profile.markers.push_back({times[i], tables_.string(names[i]), tables_.string(colours[i])});
  }
}

void ProfileReader::add_runs(const Columns& columns) {
  using Column = column::Runs;
  is_empty_ = false;
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack);
  const auto kinds = columns.read<std::uint32_t>(Column::kKind), names = columns.read<std::uint32_t>(Column::kName);
  const auto numbers = columns.read<std::int64_t>(Column::kNumber), from = columns.read<std::int64_t>(Column::kFrom);
  const auto to = columns.read<std::int64_t>(Column::kTo);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (tracks[i] > tracks_.size()) {
      tables_.skip("run of a track that is missing");
    } else if (is_time(from[i]) && is_time(to[i])) {
      const std::uint32_t track = tracks[i] == 0 ? Track::kNoParent : tracks_.place(tracks[i] - 1);
      capture_.profile.runs.push_back(
          {track, tables_.string(kinds[i]), tables_.string(names[i]), numbers[i], from[i], std::max(from[i], to[i])});
    }
  }
}

void ProfileReader::add_stack_samples(const Columns& columns) {
  using Column = column::StackSamples;
  is_empty_ = false;
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack), stacks = columns.read<std::uint64_t>(Column::kStack);
  const auto times = columns.read<std::int64_t>(Column::kAt);
  const auto weights =
      columns.has(Column::kWeight) ? columns.read<double>(Column::kWeight) : std::vector<double>(columns.count(), 1);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Track* const track = this->track(tracks[i]);
    const StackId stack = facts_.stack(stacks[i] + 1);
    if (track == nullptr || stack == StackId{kNoId}) {
      tables_.skip("sample of a track or a stack that is missing");
    } else if (is_time(times[i])) {
      track->samples.push_back(times[i], stack, weights[i]);
    }
  }
}

void ProfileReader::add_counters(const Columns& columns, std::uint64_t first) {
  if (first != counters_.size()) return tables_.skip("counters out of order", columns.count());
  const auto names = columns.read<std::uint32_t>(column::Counters::kName);
  const auto units = columns.read<std::uint32_t>(column::Counters::kUnit);
  const auto lanes = columns.read<std::uint64_t>(column::Counters::kLane);
  const auto series = columns.read<std::uint32_t>(column::Counters::kSeries);
  const auto categories = columns.read<std::uint32_t>(column::Counters::kCategory);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Track* const track = this->track(lanes[i]);
    if (track == nullptr) {
      tables_.skip("counter of a track that is missing");
      counters_.emplace_back(kNoId, 0);
      continue;
    }
    counters_.emplace_back(tracks_.place(lanes[i]), track->counters.size());
    track->counters.push_back({.name = tables_.string(names[i]),
                               .unit = tables_.string(units[i]),
                               .series = tables_.string(series[i]),
                               .category = tables_.string(categories[i]),
                               .at_ns = {},
                               .value = {}});
  }
}

void ProfileReader::add_samples(const Columns& columns) {
  const auto counters = columns.read<std::uint32_t>(column::Samples::kCounter);
  const auto times = columns.read<std::int64_t>(column::Samples::kAt);
  const auto values = columns.read<double>(column::Samples::kValue);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (counters[i] >= counters_.size() || counters_[counters[i]].first == kNoId) {
      tables_.skip("sample of a counter that is missing");
    } else if (is_time(times[i])) {
      const auto& [track, place] = counters_[counters[i]];
      Counter& counter = capture_.profile.tracks[track].counters[place];
      counter.at_ns.push_back(times[i]);
      counter.value.push_back(values[i]);
    }
  }
}

void ProfileReader::add_flows(const Columns& columns) {
  using Column = column::Flows;
  const auto from_lanes = columns.read<std::uint64_t>(Column::kFromLane),
             to_lanes = columns.read<std::uint64_t>(Column::kToLane);
  const auto from_times = columns.read<std::int64_t>(Column::kFrom), to_times = columns.read<std::int64_t>(Column::kTo);
  const auto from_events = columns.read<std::uint64_t>(Column::kFromEvent);
  const auto to_events = columns.read<std::uint64_t>(Column::kToEvent);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    flows_.push_back({{from_lanes[i], from_times[i], from_events[i]}, {to_lanes[i], to_times[i], to_events[i]}});
  }
}

void ProfileReader::add_flow_ends(const Columns& columns) {
  using Column = column::FlowEnds;
  const auto lanes = columns.read<std::uint64_t>(Column::kLane);
  const auto times = columns.read<std::int64_t>(Column::kAt), ids = columns.read<std::int64_t>(Column::kId);
  const auto categories = columns.read<std::uint32_t>(Column::kCategory);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const std::uint32_t kind = flags[i] & 3u, id_type = flags[i] >> 2 & 3u;
    if (track(lanes[i]) == nullptr || kind > 2 || id_type > 2) {
      tables_.skip("flow end of a track that is missing, or of an unknown kind");
    } else if (is_time(times[i])) {
      const auto type = static_cast<FlowEnd::IdType>(id_type);
      const bool is_text = type == FlowEnd::IdType::kText;
      capture_.profile.flow_ends.push_back(
          {.at_ns = times[i],
           .track = tracks_.place(lanes[i]),
           .category = tables_.string(categories[i]),
           .id =
               is_text ? static_cast<std::int64_t>(index(tables_.string(static_cast<std::uint64_t>(ids[i])))) : ids[i],
           .id_type = type,
           .kind = static_cast<FlowEnd::Kind>(kind),
           .is_of_enclosing = (flags[i] & capture::kFlowEndOfEnclosing) != 0});
    }
  }
}

void ProfileReader::add_uses(const Columns& columns) {
  using Column = column::Uses;
  const auto memory_lanes = columns.read<std::uint64_t>(Column::kMemoryLane);
  const auto allocations = columns.read<std::uint64_t>(Column::kAllocation);
  const auto lanes = columns.read<std::uint64_t>(Column::kLane), events = columns.read<std::uint64_t>(Column::kEvent);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    uses_.push_back({memory_lanes[i], allocations[i], lanes[i], events[i]});
  }
}

std::optional<std::uint32_t> ProfileReader::event_of(const FlowPlace& end) {
  const Track* const track = this->track(end.track);
  if (track == nullptr) return std::nullopt;
  const EventColumns& events = track->events;
  if (end.event != 0) {
    const std::uint64_t place = tracks_.first_event(end.track) + end.event - 1;
    return place < events.size() ? std::optional(static_cast<std::uint32_t>(place)) : std::nullopt;
  }
  std::vector<std::uint32_t>& by_start = by_start_[end.track];
  if (by_start.empty()) {
    by_start.resize(events.size());
    std::iota(by_start.begin(), by_start.end(), 0u);
    std::ranges::stable_sort(by_start, {}, [&](std::uint32_t i) { return events.start_ns(i); });
  }
  const auto after =
      std::ranges::upper_bound(by_start, end.at_ns, {}, [&](std::uint32_t i) { return events.start_ns(i); });
  if (after == by_start.begin()) return std::nullopt;
  const std::uint32_t found = *std::prev(after);
  return events.end_ns(found) >= end.at_ns ? std::optional(found) : std::nullopt;
}

void ProfileReader::finish() {
  finish_memory();
  Profile& profile = capture_.profile;
  for (const auto& [fact, number] : facts_.facts_of_tracks()) {
    if (track(number) == nullptr) {
      tables_.skip("fact of a track that is missing");
    } else {
      capture_.facts[fact].track = tracks_.place(number);
    }
  }
  profile.flows.reserve(profile.flows.size() + flows_.size());
  for (const auto& [from, to] : flows_) {
    const auto from_event = event_of(from), to_event = event_of(to);
    if (!from_event || !to_event) {
      tables_.skip("flow between events that are missing");
      continue;
    }
    profile.flows.push_back({tracks_.place(from.track), *from_event, tracks_.place(to.track), *to_event});
  }
  for (const UseRecord& use : uses_) {
    Track* const memory = track(use.memory_track);
    const auto event = event_of({use.track, 0, use.event + 1});
    const std::uint64_t allocation =
        memory == nullptr ? 0 : tracks_.first_allocation(use.memory_track) + use.allocation;
    if (memory == nullptr || !event || allocation >= memory->allocations.size()) {
      tables_.skip("use of an allocation, or by an event, that is missing");
      continue;
    }
    memory->uses.push_back({static_cast<std::uint32_t>(allocation), tracks_.place(use.track), *event});
  }
  launches_.finish(tracks_, tables_);
}

void ProfileReader::finish_memory() {
  if (std::ranges::any_of(memory_, &MemoryChange::is_free)) return pair_frees();
  for (const MemoryChange& change : memory_) keep_allocation(change.track, change.allocation);
  number_allocations();
}

void ProfileReader::keep_allocation(std::uint32_t track, const Allocation& allocation) {
  auto& allocations = this->track(track)->allocations;
  if (allocations.size() == tracks_.first_allocation(track))
    allocations.reserve(allocations.size() + expected_allocations_);
  has_orders_ = has_orders_ || allocation.freed || allocation.birth_order != 0;
  allocations.push_back(allocation);
}

void ProfileReader::number_allocations() {
  if (has_orders_) return;
  for (std::uint32_t number = 0; number < tracks_.size(); ++number) {
    auto& allocations = track(number)->allocations;
    const std::size_t first = tracks_.first_allocation(number);
    for (std::size_t i = first; i < allocations.size(); ++i)
      allocations[i].birth_order = static_cast<std::uint32_t>(i - first);
  }
}

void ProfileReader::pair_frees() {
  struct Buffer {
    std::uint32_t track;
    std::uint64_t key;
    bool operator==(const Buffer&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Buffer& b) const { return std::hash<std::uint64_t>()(b.key * 31 + b.track); }
  };
  std::ranges::stable_sort(memory_, {}, &MemoryChange::at_ns);
  std::unordered_map<Buffer, std::size_t, Hash> live;
  std::vector<std::uint32_t> orders(tracks_.size());
  for (MemoryChange& change : memory_) {
    auto& allocations = track(change.track)->allocations;
    const Buffer buffer{change.track, change.allocation.key};
    if (!change.is_free) {
      if (change.allocation.freed) tables_.skip("allocation's own end, where ends have a table of their own");
      change.allocation.freed = false;
      change.allocation.birth_order = orders[change.track]++;
      live[buffer] = allocations.size();
      allocations.push_back(change.allocation);
    } else if (const auto found = live.find(buffer); found != live.end()) {
      Allocation& freed = allocations[found->second];
      freed.freed = true;
      freed.death_ns = change.at_ns;
      freed.death_order = orders[change.track]++;
      live.erase(found);
    } else {
      tables_.skip("free of a buffer that was never allocated");
    }
  }
}

void set_extent(Profile& profile) {
  std::int64_t start = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  const auto cover = [&](std::int64_t from, std::int64_t to) {
    start = std::min(start, from);
    end = std::max({end, from, to});
  };
  for (const Track& track : profile.tracks) {
    for (std::size_t i = 0; i < track.events.size(); ++i) cover(track.events.start_ns(i), track.events.end_ns(i));
    for (const Counter& counter : track.counters) {
      for (const std::int64_t at_ns : counter.at_ns.span()) cover(at_ns, at_ns);
    }
    for (const std::int64_t at_ns : track.samples.at_ns.span()) cover(at_ns, at_ns);
    for (const Allocation& a : track.allocations) cover(a.birth_ns, a.freed ? a.death_ns : a.birth_ns);
  }
  for (const Run& run : profile.runs) cover(run.from_ns, run.to_ns);
  for (const Marker& marker : profile.markers) cover(marker.at_ns, marker.at_ns);
  if (start > end) return;
  profile.start_ns = start;
  profile.end_ns = end;
}

}  // namespace vizd::native
