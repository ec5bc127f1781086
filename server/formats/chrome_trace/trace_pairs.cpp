// Begins and ends of a trace: each end closes the innermost event of its name that is open. Records need not stand in
// the order of time: ends that find no begin in that of the file wait until all are there, and are paired by time then.
#include <algorithm>
#include <utility>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/pairs.h"
#include "formats/chrome_trace/trace_reader.h"
#include "formats/trace_words.h"

namespace vizd::chrome_trace {

void TraceReader::take_begin(std::int64_t at_ns) {
  const Event begun = event(lane_, at_ns, EventKind::kSpan);
  add_text(lanes_[lane_], trace::kPhase, "B");
  lanes_[lane_].open(begun, values_);
}

void TraceReader::take_end(std::int64_t at_ns) {
  const StringId name = name_of_end();
  if (const auto ended = lanes_[lane_].close(at_ns, name)) return add_end(lane_, *ended);
  lanes_[lane_].stray_ends.push_back({at_ns, name, put_off()});
}

void TraceReader::add_end(std::uint32_t place, std::uint32_t event) {
  Lane& lane = lanes_[place];
  values_.clear();
  add_arguments(lane);
  if (!is_missing(parsed_.category)) add_text(lane, trace::kEndCategory, text_of(word_of(parsed_.category), scratch_));
  lane.add_arguments(event, values_);
}

void TraceReader::find_pairing(bool is_legacy) {
  const auto member = [&](std::string_view key) {
    const auto found = std::ranges::find(parsed_.others, key, &Member::key);
    return found == parsed_.others.end() ? std::string_view() : found->value;
  };
  const std::string_view second_id = member("id2");
  const bool is_global = second_id.find("\"global\"") != std::string_view::npos;
  pairing_.assign(is_legacy ? "S" : "b");
  for (const std::string_view part : {is_global ? std::string_view() : parsed_.process, parsed_.category, parsed_.id,
                                      second_id, member("scope"), is_legacy ? parsed_.name : std::string_view()}) {
    pairing_ += '\n';
    pairing_ += part;
  }
}

void TraceReader::take_asynchronous(std::string_view phase, std::int64_t at_ns) {
  const std::uint32_t base = lane_;
  const std::uint32_t place = lanes_.asynchronous_of(base);
  const bool is_legacy = phase != "b" && phase != "e" && phase != "n";
  if (phase == "b" || phase == "S") {
    find_pairing(is_legacy);
    const Event begun = event(place, at_ns, EventKind::kAsynchronous);
    if (is_legacy) add_text(lanes_[place], trace::kPhase, "S");
    const auto last = static_cast<std::uint32_t>(lanes_[place].events.size());
    asynchronous_[pairing_].open.push(begun.name, {place, base, last});
    return lanes_[place].push_back(begun, values_);
  }
  if (phase != "e" && phase != "F") return take_instant(place, phase, at_ns);
  find_pairing(is_legacy);
  const StringId name = name_of_end();
  Asynchronous& of = asynchronous_[pairing_];
  const OpenAsynchronous* const found = of.open.find(name);
  if (found == nullptr || start_ns(*found) > at_ns) return of.stray_ends.push_back({at_ns, name, put_off()});
  const OpenAsynchronous begun = *found;
  of.open.pop(name);
  if (of.open.empty() && of.stray_ends.empty()) asynchronous_.erase(pairing_);
  add_asynchronous_end(begun, at_ns);
}

void TraceReader::add_asynchronous_end(const OpenAsynchronous& begun, std::int64_t at_ns) {
  Lane& lane = lanes_[begun.lane];
  lane.events.end(begun.event, at_ns - start_ns(begun), EventKind::kAsynchronous);
  values_.clear();
  for (const Member& argument : parsed_.arguments) add_argument(lane, argument);
  if (begun.base_lane != lane_)
    add_value(lane, trace::kEndThread, is_missing(parsed_.thread) ? "null" : parsed_.thread);
  lane.add_arguments(begun.event, values_);
}

std::size_t TraceReader::put_off() {
  put_off_.push_back({std::string(record_), records_});
  return put_off_.size() - 1;
}

void TraceReader::read_again(std::size_t place) {
  PutOff& record = put_off_[place];
  const std::size_t size = record.json.size();
  record.json.resize(size + TraceSplitter::kPadding_bytes);
  record_ = std::string_view(record.json).substr(0, size);
  parser_.parse(record_, parsed_);  // as it was the first time
  records_ = record.order;
  lane_ = find_lane(thread_of_record());
}

void TraceReader::pair_by_times() {
  const std::uint64_t records = records_;
  const StringId phase = strings_.add(trace::kPhase);
  const std::size_t lanes = lanes_.size();
  for (std::uint32_t i = 0; i < lanes; ++i) {
    for (const auto& [event, end] : lanes_[i].close_by_time(phase)) {
      read_again(end);
      add_end(i, event);
    }
    for (const StrayEnd& end : std::exchange(lanes_[i].stray_ends, {})) {
      read_again(end.record);
      take_instant(lane_, "E", end.at_ns);
      ++ends_alone_;
    }
  }
  for (auto& [pairing, of] : asynchronous_) pair_asynchronous(of);
  records_ = records;
}

void TraceReader::pair_asynchronous(Asynchronous& of) {
  if (of.stray_ends.empty()) return;
  std::vector<OpenAsynchronous> begun;
  std::vector<StringId> names;
  std::vector<PairMark> marks;
  of.open.for_each([&](StringId name, const OpenAsynchronous& open) {
    marks.push_back({start_ns(open), name, false, static_cast<std::uint32_t>(begun.size())});
    begun.push_back(open);
    names.push_back(name);
  });
  for (std::uint32_t i = 0; i < of.stray_ends.size(); ++i)
    marks.push_back({of.stray_ends[i].at_ns, of.stray_ends[i].name, true, i});
  std::vector<bool> is_open(begun.size(), true), is_stray(of.stray_ends.size(), true);
  for (const auto& [begin, end] : pair_by_time(std::move(marks))) {
    read_again(of.stray_ends[end].record);
    add_asynchronous_end(begun[begin], of.stray_ends[end].at_ns);
    is_open[begin] = is_stray[end] = false;
  }
  of.open = {};
  for (std::size_t i = 0; i < begun.size(); ++i) {
    if (is_open[i]) of.open.push(names[i], begun[i]);
  }
  for (std::size_t i = 0; i < of.stray_ends.size(); ++i) {
    if (!is_stray[i]) continue;
    read_again(of.stray_ends[i].record);
    const std::string_view phase = text_of(word_of(parsed_.phase), phase_scratch_);
    take_instant(lanes_.asynchronous_of(lane_), phase, of.stray_ends[i].at_ns);
    ++ends_alone_;
  }
}

void TraceReader::close_open_events() {
  for (const auto& [pairing, of] : asynchronous_) {
    of.open.for_each([&](StringId, const OpenAsynchronous& open) {
      Lane& lane = lanes_[open.lane];
      lane.events.end(open.event, std::max<std::int64_t>(last_ns_ - start_ns(open), 0), EventKind::kUnfinished);
      values_.clear();
      if (pairing.starts_with('b')) add_text(lane, trace::kPhase, "b");
      lane.add_arguments(open.event, values_);
    });
  }
  asynchronous_.clear();
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) lanes_[i].finish(last_ns_);
}

}  // namespace vizd::chrome_trace
