#include "formats/chrome_trace/lane.h"

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

void Lane::finish(std::int64_t end_ns) {
  open.finish(events, end_ns);
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
  for (Lane& lane : lanes_) {
    chrome_trace::shift_times(lane.events, by_ns);
    for (Counter& counter : lane.counters) chrome_trace::shift_times(counter.at_ns, by_ns);
  }
}

}  // namespace vizd::chrome_trace
