#include "formats/chrome_trace/trace_reader.h"

#include <algorithm>
#include <limits>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/shift_times.h"
#include "formats/chrome_trace/trace_roots.h"
#include "formats/chrome_trace/tracks.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"
#include "model/profile_extent.h"

namespace vizd::chrome_trace {
namespace {

// Times count from the beginning of the trace where they would else be beyond this, and are below it then.
constexpr std::int64_t kMostTime_ns = std::int64_t{1} << 58;
// Where some lie further apart (a 0 among times since 1970), they count from between them, and are below this.
constexpr std::int64_t kMostWideTime_ns = kTimeBound_ns - (std::int64_t{1} << 57);
constexpr int kMostOrigins = 16;

bool is_within(std::int64_t time_ns, std::int64_t most_ns) { return time_ns > -most_ns && time_ns < most_ns; }

// JSON without the whitespace between its tokens.
void remove_whitespace(std::string_view json, std::string& out) {
  out.clear();
  bool is_in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') is_in_text = !is_in_text;
    if (!is_in_text && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
    out += c;
    if (is_in_text && c == '\\' && i + 1 < json.size()) out += json[++i];
  }
}

}  // namespace

bool TraceReader::take_event(std::string_view json) {
  if (!parser_.parse(json, parsed_)) return false;
  ++records_;
  if (parsed_.damaged_arguments > 0) capture_.skipped["arguments that are damaged"] += parsed_.damaged_arguments;
  const std::string_view phase =
      is_missing(parsed_.phase) ? trace::kMissing : text_of(word_of(parsed_.phase), phase_scratch_);
  if (phase == "M") {
    take_metadata();
  } else if (const auto at_ns = time_of(parsed_.time)) {
    take_timed(phase, *at_ns);
  } else {
    const auto found = without_time_.find(phase);
    ++(found != without_time_.end() ? found->second : without_time_[std::string(phase)]);
  }
  return true;
}

void TraceReader::take_stranger() { ++capture_.skipped["items among the events that are no objects"]; }

std::optional<std::int64_t> TraceReader::time_of(std::string_view token) {
  const auto at_ns = nanoseconds_of(token);
  if (!at_ns || !is_possible_offset(*at_ns)) return std::nullopt;
  if (origins_ == 0) {
    origins_ = 1;
    if (!is_within(*at_ns, kMostTime_ns)) facts_.origin_ns = *at_ns;
  }
  std::int64_t time_ns = 0;
  if (__builtin_sub_overflow(*at_ns, facts_.origin_ns, &time_ns)) return std::nullopt;
  if (is_within(time_ns, facts_.is_wide ? kMostWideTime_ns : kMostTime_ns)) {
    first_ns_ = std::min(first_ns_, time_ns);
    return time_ns;
  }
  return move_origin(time_ns) ? std::optional(*at_ns - facts_.origin_ns) : std::nullopt;
}

bool TraceReader::move_origin(std::int64_t time_ns) {
  // first_ns_ and last_ns_ are of times that were kept, so that they and their difference are small.
  if (!is_within(time_ns, 2 * kMostWideTime_ns) || origins_ == kMostOrigins) return false;
  const std::int64_t first_ns = std::min(first_ns_, time_ns), last_ns = std::max(last_ns_, time_ns);
  std::int64_t length_ns = 0;
  if (__builtin_sub_overflow(last_ns, first_ns, &length_ns) || length_ns / 2 >= kMostWideTime_ns) return false;
  const std::int64_t by_ns = first_ns + length_ns / 2;
  lanes_.shift_times(-by_ns);
  shift_times(flow_ends_, -by_ns);
  facts_.origin_ns += by_ns;
  facts_.is_wide = true;
  first_ns_ = first_ns - by_ns;
  last_ns_ = last_ns - by_ns;
  ++origins_;
  return true;
}

std::uint32_t TraceReader::find_lane(std::string_view thread) {
  const std::uint32_t lane = lanes_.find_or_add(parsed_.process, thread, strings_);
  if (lane == kNoId) ++capture_.skipped["events of threads beyond 65,536"];
  return lane;
}

void TraceReader::take_timed(std::string_view phase, std::int64_t at_ns) {
  lane_ = find_lane(parsed_.thread);
  if (lane_ == kNoId) return;
  last_ns_ = std::max(last_ns_, at_ns);
  const char first = phase.size() == 1 ? phase.front() : '\0';
  switch (first) {
    case 'X':
      return take_complete(at_ns);
    case 's':
    case 't':
    case 'f':
      return take_flow_end(phase, at_ns);
    case 'B': {
      const Event begun = event(lane_, at_ns, EventKind::kSpan);
      Lane& lane = lanes_[lane_];
      lane.add_arguments(lane.open.open(lane.events, begun), values_);
      return;
    }
    case 'E':
      return take_end(at_ns);
    case 'C':
      return take_counter(at_ns);
    case 'b':
    case 'e':
    case 'n':
    case 'S':
    case 'F':
    case 'T':
    case 'p':
      return take_asynchronous(phase, at_ns);
    default:
      break;
  }
  take_instant(lane_, phase, at_ns);
}

EventRole TraceReader::role_of(StringId category, StringId name) {
  const auto [found, is_new] = roles_.try_emplace(category, EventRole::kNone);
  if (is_new) found->second = trace::role_of(strings_.get(category), "");
  return is_work(found->second) ? trace::role_of(strings_.get(category), strings_.get(name)) : found->second;
}

Event TraceReader::event(std::uint32_t place, std::int64_t at_ns, EventKind kind) {
  Lane& lane = lanes_[place];
  values_.clear();
  Event event{.start_ns = at_ns, .name = intern(parsed_.name), .kind = kind};
  event.order =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(records_, std::numeric_limits<std::uint32_t>::max()));
  if (!is_missing(parsed_.category)) {
    event.category = intern_word(parsed_.category);
    if (event.category == StringId{} || !is_text(parsed_.category)) add_value(lane, trace::kCategory, parsed_.category);
  }
  add_arguments(lane);
  return event;
}

void TraceReader::add_arguments(Lane& lane) {
  for (const Member& argument : parsed_.arguments) add_argument(lane, argument);
  if (!parsed_.other_arguments.empty()) add_value(lane, trace::kOtherArguments, parsed_.other_arguments);
  if (!parsed_.id.empty()) add_value(lane, trace::kId, parsed_.id);
  if (!parsed_.scope.empty() && parsed_.scope != "\"t\"") add_value(lane, trace::kScope, parsed_.scope);
  const auto add_member = [&](std::string_view name, std::string_view token) {
    json_.assign(trace::kMemberPrefix);
    json_ += name;
    const std::string key = json_;
    add_value(lane, key, token);
  };
  if (!parsed_.bind_point.empty()) add_member("bp", parsed_.bind_point);
  for (const Member& member : parsed_.others) add_member(member.key, member.value);
}

StringId TraceReader::intern_word(std::string_view token) { return intern(word_of(token)); }

StringId TraceReader::category_of_record() {
  if (is_missing(parsed_.category)) return {};
  const StringId category = intern_word(parsed_.category);
  return category == StringId{} ? strings_.add(trace::kEmptyCategory) : category;
}

std::string_view TraceReader::text_or_empty(std::string_view token) {
  return is_missing(token) ? std::string_view() : text_of(token, scratch_);
}

ArgumentValue TraceReader::value_of(std::string_view token, bool& is_json) {
  is_json = false;
  if (is_text(token)) return strings_.add(text_of(token, scratch_));
  if (const auto integer = integer_of(token)) return *integer;
  // Whole numbers beyond 64 bits keep their digits.
  if (token.find_first_of(".eE") != std::string_view::npos) {
    if (const auto real = real_of(token)) return *real;
  }
  is_json = true;
  if (token.find('\n') != std::string_view::npos) {
    remove_whitespace(token, scratch_);
    return strings_.add(scratch_);
  }
  return strings_.add(token);
}

void TraceReader::add_value(Lane& lane, std::string_view key, std::string_view token, bool is_hidden) {
  bool is_json = false;
  const ArgumentValue value = value_of(token, is_json);
  values_.push_back({lane.column(key, is_hidden, type_of(value), is_json, strings_), value});
}

void TraceReader::add_text(Lane& lane, std::string_view key, std::string_view text) {
  values_.push_back({lane.column(key, true, ArgumentType::kText, false, strings_), strings_.add(text)});
}

void TraceReader::take_complete(std::int64_t at_ns) {
  Event complete = event(lane_, at_ns, EventKind::kSpan);
  const std::int64_t most_ns = facts_.is_wide ? kMostWideTime_ns - at_ns : kMostTime_ns;
  complete.dur_ns = std::clamp(nanoseconds_of(parsed_.duration).value_or(0), -kMostTime_ns, most_ns);
  complete.role = role_of(complete.category, complete.name);
  complete.is_step = parsed_.name.size() > 1 && parsed_.name.substr(1).starts_with(trace::kStepPrefix);
  Lane& lane = lanes_[lane_];
  lane.push_back(complete, values_);
  last_ns_ = std::max(last_ns_, at_ns + complete.dur_ns);
  lane.has_device_work = lane.has_device_work || trace::is_of_device(strings_.get(complete.category));
}

void TraceReader::take_end(std::int64_t at_ns) {
  Lane& lane = lanes_[lane_];
  const auto ended = lane.open.close(lane.events, at_ns);
  if (!ended) return take_instant(lane_, "E", at_ns);
  values_.clear();
  add_arguments(lane);
  add_text(lane, trace::kPhase, "B");
  if (!is_missing(parsed_.category)) add_text(lane, trace::kEndCategory, text_of(word_of(parsed_.category), scratch_));
  lane.add_arguments(*ended, values_);
}

void TraceReader::take_asynchronous(std::string_view phase, std::int64_t at_ns) {
  const std::uint32_t base = lane_;
  const std::uint32_t place = lanes_.asynchronous_of(base);
  const bool is_legacy = phase != "b" && phase != "e" && phase != "n";
  const auto id = std::ranges::find(parsed_.others, "id2", &Member::key);
  pairing_.assign(is_legacy ? "S" : "b");
  for (const std::string_view part :
       {parsed_.process, parsed_.category, parsed_.id, id == parsed_.others.end() ? std::string_view() : id->value,
        is_legacy ? parsed_.name : std::string_view()}) {
    pairing_ += '\n';
    pairing_ += part;
  }
  if (phase == "b" || phase == "S") {
    const Event begun = event(place, at_ns, EventKind::kAsynchronous);
    if (is_legacy) add_text(lanes_[place], trace::kPhase, "S");
    open_asynchronous_[pairing_].push_back({place, base, static_cast<std::uint32_t>(lanes_[place].events.size())});
    lanes_[place].push_back(begun, values_);
    return;
  }
  const auto open = open_asynchronous_.find(pairing_);
  if ((phase != "e" && phase != "F") || open == open_asynchronous_.end() || open->second.empty())
    return take_instant(place, phase, at_ns);
  const OpenAsynchronous begun = open->second.back();
  open->second.pop_back();
  if (open->second.empty()) open_asynchronous_.erase(open);
  Lane& lane = lanes_[begun.lane];
  lane.events.end(begun.event, at_ns - lane.events.start_ns(begun.event), EventKind::kAsynchronous);
  values_.clear();
  for (const Member& argument : parsed_.arguments) add_argument(lane, argument);
  if (begun.base_lane != base) add_value(lane, trace::kEndThread, is_missing(parsed_.thread) ? "null" : parsed_.thread);
  lane.add_arguments(begun.event, values_);
}

void TraceReader::take_instant(std::uint32_t place, std::string_view phase, std::int64_t at_ns) {
  const Event instant = event(place, at_ns, EventKind::kInstant);
  if (phase != "i") add_text(lanes_[place], trace::kPhase, phase);
  lanes_[place].push_back(instant, values_);
}

void TraceReader::take_counter(std::int64_t at_ns) {
  const std::uint32_t place = lane_;
  const StringId name = intern(parsed_.name);
  // One that tells of memory is counted by what it says.
  if (strings_.get(name) == trace::kMemoryEvent) return take_instant(place, "C", at_ns);
  const StringId category = category_of_record();
  bool is_kept = false;
  for (const Member& argument : parsed_.arguments) {
    const std::string_view token =
        is_text(argument.value) ? argument.value.substr(1, argument.value.size() - 2) : argument.value;
    const auto value = real_of(token);
    if (!value) continue;
    const std::string key = "\"" + std::string(argument.key) + "\"";
    const StringId series = intern(key);
    auto& counters = lanes_[place].counters;
    const auto [found, is_new] = counter_places_.try_emplace({place, name, series, category}, counters.size());
    if (is_new) counters.push_back({.name = name, .series = series, .category = category, .at_ns = {}, .value = {}});
    Counter& counter = counters[found->second];
    counter.at_ns.push_back(at_ns);
    counter.value.push_back(*value);
    is_kept = true;
  }
  if (!is_kept) take_instant(place, "C", at_ns);
}

void TraceReader::take_flow_end(std::string_view phase, std::int64_t at_ns) {
  FlowEnd end{.at_ns = at_ns, .track = lane_};
  end.category = category_of_record();
  const StringId name = intern(parsed_.name);
  const auto [named, is_new] = flow_names_.try_emplace(end.category, name);
  if (!is_new && named->second != name) named->second = StringId{kNoId};
  end.kind = phase == "s" ? FlowEnd::Kind::kStart : phase == "t" ? FlowEnd::Kind::kStep : FlowEnd::Kind::kFinish;
  end.is_of_enclosing = parsed_.bind_point == "\"e\"" || end.kind != FlowEnd::Kind::kFinish;
  if (const auto number = integer_of(parsed_.id)) {
    end.id = *number;
  } else if (is_missing(parsed_.id)) {
    end.id_type = FlowEnd::IdType::kNone;
  } else {
    end.id_type = FlowEnd::IdType::kText;
    end.id = static_cast<std::int64_t>(index(intern(parsed_.id)));
  }
  flow_ends_.push_back(end);
}

std::vector<TraceRoot> TraceReader::roots(const std::string& root_name) const {
  if (!combined_.empty()) return combined_;
  if (!facts_.rank) return {{root_name, std::nullopt, ""}};
  return {{"rank " + value_text(*facts_.rank, strings_), facts_.rank, ""}};
}

void TraceReader::close_open_events() {
  for (const auto& [pairing, opens] : open_asynchronous_) {
    for (const OpenAsynchronous& open : opens) {
      Lane& lane = lanes_[open.lane];
      const std::int64_t dur_ns = std::max<std::int64_t>(last_ns_ - lane.events.start_ns(open.event), 0);
      lane.events.end(open.event, dur_ns, EventKind::kUnfinished);
      values_.clear();
      if (pairing.starts_with('b')) add_text(lane, trace::kPhase, "b");
      lane.add_arguments(open.event, values_);
    }
  }
  open_asynchronous_.clear();
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) lanes_[i].finish(last_ns_);
}

void TraceReader::finish(std::int64_t shift_ns, const std::string& root_name) {
  close_open_events();
  const auto count = [&](std::string_view name, std::string_view subject, std::int64_t value) {
    pending_facts_.push_back(
        {kNoId,
         {.subject = strings_.add(subject), .name = strings_.add(name), .value = value, .unit = {}, .is_hidden = true},
         root_});
  };
  for (const auto& [phase, times] : without_time_) {
    count(trace::kWithoutTime, phase, static_cast<std::int64_t>(times));
    capture_.skipped["events without a usable time"] += times;
  }
  for (const auto& [category, name] : flow_names_) {
    if (name == category || name == StringId{} || name == StringId{kNoId}) continue;
    pending_facts_.push_back(
        {kNoId,
         {.subject = category, .name = strings_.add(kFlowName), .value = name, .unit = {}, .is_hidden = true},
         root_});
  }
  capture_.profile.is_trace = true;
  Tracks tracks(capture_, lanes_, roots(root_name));
  tracks.add(shift_ns);
  const std::size_t root_count = std::max<std::size_t>(combined_.size(), 1);
  for (root_ = 0; root_ < root_count; ++root_) count(fact::kTimeOffset_ns, "", facts_.origin_ns - shift_ns);
  for (PendingFact& pending : pending_facts_) {
    if (pending.fact.times == 0) continue;  // it was said again
    pending.fact.track = pending.lane == kNoId ? tracks.root_track(pending.root) : tracks.of_lane(pending.lane);
    capture_.facts.push_back(pending.fact);
  }
  const std::size_t first_end = capture_.profile.flow_ends.size();
  add_flow_ends(tracks, shift_ns);
  extend_profile(capture_.profile, tracks.first_track());
  link(capture_, tracks.first_track(), first_end);
  for (std::size_t i = 0; i < root_count; ++i) {
    add_memory(capture_, tracks.first_track(), tracks.root_track(i));
    add_steps(capture_, tracks.first_track(), tracks.root_track(i));
  }
}

void TraceReader::add_flow_ends(const Tracks& tracks, std::int64_t shift_ns) {
  for (std::size_t i = 0; i < flow_ends_.size(); ++i) {
    FlowEnd end = flow_ends_[i];
    end.track = tracks.of_lane(end.track);
    end.at_ns += shift_ns;
    if (!combined_.empty() && end.id_type == FlowEnd::IdType::kText) {
      const std::string id(strings_.get(to_id<StringId>(static_cast<std::size_t>(end.id))));
      const ArgumentValue number = without_prefix(id, combined_[tracks.root_of(id)].prefix, strings_);
      const auto* const integer = std::get_if<std::int64_t>(&number);
      end.id_type = integer != nullptr ? FlowEnd::IdType::kInteger : FlowEnd::IdType::kText;
      end.id = integer != nullptr ? *integer : static_cast<std::int64_t>(index(std::get<StringId>(number)));
    }
    capture_.profile.flow_ends.push_back(end);
  }
  flow_ends_ = {};
}

}  // namespace vizd::chrome_trace
