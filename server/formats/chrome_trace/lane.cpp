#include "formats/chrome_trace/lane.h"

#include <algorithm>
#include <utility>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/shift_times.h"

namespace vizd::chrome_trace {
namespace {

std::optional<ArgumentValue> number_of(std::string_view token, StringTable& strings) {
  if (is_missing(token)) return std::nullopt;
  if (const auto integer = integer_of(token)) return *integer;
  std::string scratch;
  return strings.add(text_of(token, scratch));
}

}  // namespace

std::uint32_t Lane::column(std::string_view key, bool is_hidden, ArgumentType type, bool is_json,
                           StringTable& strings) {
  const std::size_t kind = is_json ? 3 : static_cast<std::size_t>(type) - 1;
  // Events of one sort have the same arguments in the same order.
  std::uint32_t place = last_key_ < keys_.size() ? keys_[last_key_].next : kNoId;
  if (place >= keys_.size() || keys_[place].is_hidden != is_hidden || keys_[place].text != key) {
    auto& places = key_places_[is_hidden ? 1 : 0];
    const auto found = places.find(key);
    if (found != places.end()) {
      place = found->second;
    } else {
      place = static_cast<std::uint32_t>(keys_.size());
      std::string scratch;
      const std::string token = "\"" + std::string(key) + "\"";
      keys_.push_back({.text = std::string(key), .name = strings.add(text_of(token, scratch)), .is_hidden = is_hidden});
      places.emplace(keys_.back().text, place);
    }
    if (last_key_ < keys_.size()) keys_[last_key_].next = place;
  }
  last_key_ = place;
  Key& found = keys_[place];
  if (found.columns[kind] == kNoColumn) {
    found.columns[kind] = static_cast<std::uint32_t>(arguments.size());
    ArgumentColumn& column = arguments.emplace_back();
    column.name = found.name;
    column.type = type;
    column.is_hidden = is_hidden;
    if (is_json) column.unit = strings.add(argument::kJson);
  }
  return found.columns[kind];
}

void Lane::push_back(const Event& event, const std::vector<PlacedValue>& values) {
  const auto place = static_cast<std::uint32_t>(events.size());
  events.push_back(event);
  for (const PlacedValue& value : values) arguments[value.column].push_back(place, value.value);
}

void Lane::add_arguments(std::uint32_t event, const std::vector<PlacedValue>& values) {
  has_late_arguments_ = has_late_arguments_ || event + 1 != events.size();
  for (const PlacedValue& value : values) arguments[value.column].push_back(event, value.value);
}

void Lane::open(const Event& begun, const std::vector<PlacedValue>& values) {
  note_mark(begun.start_ns);
  open_.push(begun.name, static_cast<std::uint32_t>(events.size()));
  push_back(begun, values);
}

std::optional<std::uint32_t> Lane::close(std::int64_t at_ns, StringId of_name) {
  note_mark(at_ns);
  has_unnamed_ends_ = has_unnamed_ends_ || of_name == kAnyName;
  const std::uint32_t* const found = open_.find(of_name);
  if (found == nullptr || events.start_ns(*found) > at_ns) return std::nullopt;
  const std::uint32_t place = *found;
  open_.pop(of_name);
  events.end(place, at_ns - events.start_ns(place), EventKind::kSpan);
  return place;
}

void Lane::note_mark(std::int64_t at_ns) {
  has_disorder_ = has_disorder_ || at_ns < last_mark_ns_;
  last_mark_ns_ = at_ns;
}

// Spans that came as a begin, in order.
std::vector<Lane::Begun> Lane::begun_spans(StringId phase) const {
  std::vector<Begun> begun;
  for (const ArgumentColumn& column : arguments) {
    if (!column.is_hidden || column.name != phase) continue;
    column.events.for_each([&](std::int64_t event) {
      const auto place = static_cast<std::uint32_t>(event);
      if (events.kind(place) == EventKind::kSpan) begun.push_back({place, false});
    });
  }
  std::ranges::sort(begun, {}, &Begun::place);
  open_.for_each([&](StringId, std::uint32_t place) {
    std::ranges::lower_bound(begun, place, {}, &Begun::place)->is_open = true;
  });
  return begun;
}

// Pairs of places in begun and of ends: first those of the spans that are closed, in order, then the stray ones. All
// are paired anew, as the order of the file may have given an end to another's begin; where one would lose its begin by
// that, only what is left over is.
std::vector<std::pair<std::uint32_t, std::uint32_t>> Lane::pair_again(const std::vector<Begun>& begun) const {
  const auto closed = static_cast<std::size_t>(std::ranges::count(begun, false, &Begun::is_open));
  std::vector<PairMark> marks, left;
  std::uint32_t ends = 0;
  for (std::uint32_t i = 0; i < begun.size(); ++i) {
    const std::uint32_t place = begun[i].place;
    const PairMark begin{events.start_ns(place), events.name(place), false, i};
    marks.push_back(begin);
    if (begun[i].is_open) {
      left.push_back(begin);
    } else {
      marks.push_back({events.end_ns(place), has_unnamed_ends_ ? kAnyName : events.name(place), true, ends++});
    }
  }
  for (const StrayEnd& stray : stray_ends) {
    const PairMark end{stray.at_ns, stray.name, true, ends++};
    marks.push_back(end), left.push_back(end);
  }
  auto pairs = pair_by_time(std::move(marks));
  const auto kept = std::ranges::count_if(pairs, [&](const auto& pair) { return pair.second < closed; });
  return static_cast<std::size_t>(kept) == closed ? pairs : pair_by_time(std::move(left));
}

std::vector<std::pair<std::uint32_t, std::size_t>> Lane::close_by_time(StringId phase) {
  std::vector<std::pair<std::uint32_t, std::size_t>> ended;
  if (open_.empty() || stray_ends.empty() || !has_disorder_) return ended;
  events.settle();
  const std::vector<Begun> begun = begun_spans(phase);
  const auto closed = static_cast<std::size_t>(std::ranges::count(begun, false, &Begun::is_open));
  std::vector<std::int64_t> ends_ns;
  for (const Begun& span : begun) {
    if (!span.is_open) ends_ns.push_back(events.end_ns(span.place));
  }
  const auto pairs = pair_again(begun);
  std::vector<bool> is_ended(begun.size()), is_stray(stray_ends.size(), true);
  const bool all_again = std::ranges::any_of(pairs, [&](const auto& pair) { return pair.second < closed; });
  for (std::size_t i = 0; i < begun.size(); ++i) is_ended[i] = !all_again && !begun[i].is_open;
  for (const auto& [span, end] : pairs) {
    const std::uint32_t place = begun[span].place;
    const std::int64_t at_ns = end < closed ? ends_ns[end] : stray_ends[end - closed].at_ns;
    events.end(place, at_ns - events.start_ns(place), EventKind::kSpan);
    is_ended[span] = true;
    if (end < closed) continue;
    ended.emplace_back(place, stray_ends[end - closed].record);
    is_stray[end - closed] = false;
  }
  open_ = {};
  for (std::size_t i = 0; i < begun.size(); ++i) {
    if (!is_ended[i]) open_.push(events.name(begun[i].place), begun[i].place);
  }
  std::size_t place = 0;
  std::erase_if(stray_ends, [&](const StrayEnd&) { return !is_stray[place++]; });
  return ended;
}

void Lane::shift_times(std::int64_t by_ns) {
  chrome_trace::shift_times(events, by_ns);
  for (Counter& counter : counters) chrome_trace::shift_times(counter.at_ns, by_ns);
  for (StrayEnd& end : stray_ends) end.at_ns += by_ns;
  has_disorder_ = has_disorder_ || !stray_ends.empty();
  last_mark_ns_ = std::numeric_limits<std::int64_t>::min();
}

void Lane::finish(std::int64_t end_ns) {
  open_.for_each([&](StringId, std::uint32_t place) {
    events.end(place, std::max<std::int64_t>(end_ns - events.start_ns(place), 0), EventKind::kUnfinished);
  });
  events.settle();
  if (has_late_arguments_) renumber_arguments(arguments, {}, events.size());
}

std::uint32_t LaneTable::find_or_add(std::string_view process, std::string_view thread, StringTable& strings) {
  for (const Recent& recent : recent_) {
    if (recent.lane != kNoId && recent.process == process && recent.thread == thread) return recent.lane;
  }
  key_.assign(is_missing(process) ? "" : process);
  key_ += '\n';
  key_ += is_missing(thread) ? "" : thread;
  auto found = places_.find(key_);
  if (found == places_.end()) {
    if (places_.size() == kMost) return kNoId;
    found = places_.emplace(key_, static_cast<std::uint32_t>(lanes_.size())).first;
    lanes_.emplace_back(number_of(process, strings), number_of(thread, strings));
  }
  recent_[oldest_] = {std::string(process), std::string(thread), found->second};
  oldest_ = (oldest_ + 1) % 4;
  return found->second;
}

std::uint32_t LaneTable::first_of_thread(std::string_view thread) {
  if (threads_.empty()) {
    for (const auto& [key, lane] : places_) {
      const auto found = threads_.try_emplace(key.substr(key.find('\n') + 1), lane).first;
      found->second = std::min(found->second, lane);
    }
  }
  const auto found = threads_.find(std::string(is_missing(thread) ? "" : thread));
  return found == threads_.end() ? kNoId : found->second;
}

std::uint32_t LaneTable::asynchronous_of(std::uint32_t lane) {
  if (lanes_[lane].asynchronous_of != kNoId) return lane;
  if (lanes_[lane].asynchronous == kNoId) {
    const auto place = static_cast<std::uint32_t>(lanes_.size());
    lanes_.emplace_back(lanes_[lane].process_number, lanes_[lane].thread_number);
    lanes_.back().asynchronous_of = lane;
    lanes_[lane].asynchronous = place;
  }
  return lanes_[lane].asynchronous;
}

void LaneTable::shift_times(std::int64_t by_ns) {
  for (Lane& lane : lanes_) lane.shift_times(by_ns);
}

}  // namespace vizd::chrome_trace
