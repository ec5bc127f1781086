#include "formats/native/event_reader.h"

#include <algorithm>
#include <numeric>

#include "formats/native/facts_reader.h"
#include "formats/native/old_arguments.h"

namespace vizd::native {
namespace {

namespace column = capture::column;

}  // namespace

void EventReader::add_arguments(const Columns& columns, std::uint64_t first) {
  using Column = column::Arguments;
  if (first != arguments_.size()) return tables_.skip("arguments out of order", columns.count());
  const auto names = columns.read<std::uint32_t>(Column::kName), units = columns.read<std::uint32_t>(Column::kUnit);
  const auto types = columns.read<std::uint32_t>(Column::kType);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (arguments_.size() >= ArgumentPlaces::kMost) return tables_.skip("argument beyond the number that vizd keeps");
    arguments_.push_back({tables_.string(names[i]), tables_.string(units[i]), types[i]});
  }
}

void EventReader::EventRecords::read(const Columns& columns) {
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

EventKind EventReader::kind_of(std::size_t record) const {
  const EventRecords& r = records_;
  if (version_ == 1)
    return r.dur_ns[record] == 0 && r.picoseconds[record] == 0 ? EventKind::kInstant : EventKind::kSpan;
  return r.kind[record] < kEventKinds ? static_cast<EventKind>(r.kind[record]) : EventKind::kSpan;
}

Track* EventReader::add_event(std::size_t record) {
  const EventRecords& r = records_;
  Track* const track = tracks_.track(r.track[record]);
  if (track == nullptr || track->events.size() >= EventColumns::kMostEvents) {
    tables_.skip("event of a track that is missing, or has too many");
    return nullptr;
  }
  if (!tables_.is_time(r.start_ns[record]) || !tables_.is_time(r.dur_ns[record])) return nullptr;
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

void EventReader::add_events(const Columns& columns) {
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

void EventReader::add_argument_columns(const Columns& columns) {
  const auto numbers = columns.read_all<std::uint32_t>(column::Events::kArgumentColumns);
  if (numbers.size() > capture::kMostArgumentColumns)
    return tables_.skip("argument beyond the number that vizd keeps", numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) add_argument_column(columns, k, numbers[k] - 1);
}

void EventReader::add_argument_column(const Columns& columns, std::size_t k, std::uint32_t number) {
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

bool EventReader::append_values(const Argument& argument, ArgumentType type, bool have_all) {
  const EventRecords& r = records_;
  const auto is_there = [&](std::uint32_t record) { return record - 1u < r.event.size(); };
  if (!r.are_of_one_track || (!have_all && !std::ranges::all_of(value_records_, is_there))) return false;
  ArgumentColumn* const column =
      argument_places_.find_or_add(*tracks_.track(r.track.front()), argument.name, argument.unit, type);
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

void EventReader::push_values(const Argument& argument, ArgumentType type, bool have_all) {
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
    if (Track* const now = tracks_.track(r.track[record]); now != track) {
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

void EventReader::keep_arguments(std::size_t i, std::size_t at, std::string_view json, Track& track) {
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

}  // namespace vizd::native
