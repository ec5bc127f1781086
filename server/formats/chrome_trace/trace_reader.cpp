#include "formats/chrome_trace/trace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/shift_times.h"
#include "formats/chrome_trace/trace_roots.h"
#include "formats/chrome_trace/tracks.h"
#include "formats/trace_devices.h"
#include "formats/trace_steps.h"
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
  if (trimmed(json.substr(1, json.size() - 2)).empty()) {
    // Some writers end the list so, to leave no comma behind their last event.
    ++empty_records_;
    return true;
  }
  if (!parser_.parse(json, parsed_)) return false;
  ++records_;
  record_ = json;
  if (parsed_.damaged_arguments > 0) capture_.skipped["arguments that are damaged"] += parsed_.damaged_arguments;
  const std::string_view phase =
      is_missing(parsed_.phase) ? trace::kMissing : text_of(word_of(parsed_.phase), phase_scratch_);
  if (phase == "M") {
    take_metadata();
  } else if (may_lack_time(phase)) {
    untimed_.push_back(put_off());
    find_lane(thread_of_record());  // tracks stand in the order of the file
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
  earliest_ns_ = std::min(earliest_ns_, *at_ns);
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

std::string_view TraceReader::thread_of_record() {
  stream_.clear();
  if (parsed_.process != "-1") return parsed_.thread;
  const auto stream = std::ranges::find(parsed_.arguments, "stream", &Member::key);
  if (stream == parsed_.arguments.end() || !trace::is_of_device(text_or_empty(parsed_.category))) return parsed_.thread;
  stream_ = text_of(stream->value, scratch_);
  return integer_of(stream_) ? std::string_view(stream_) : stream->value;
}

std::uint32_t TraceReader::find_lane(std::string_view thread) {
  // rocprof has its events by the texts of numbers, and names and flows by the numbers.
  const auto plain = [](std::string_view token) {
    const std::string_view inside = is_text(token) ? token.substr(1, token.size() - 2) : token;
    return integer_of(inside) ? inside : token;
  };
  const bool is_of_text = is_text(parsed_.process) && plain(parsed_.process) != parsed_.process;
  const std::uint32_t lane = is_of_text ? lanes_.find_or_add(plain(parsed_.process), plain(thread), strings_)
                                        : lanes_.find_or_add(parsed_.process, thread, strings_);
  if (lane == kNoId) ++capture_.skipped["events of threads beyond 65,536"];
  return lane;
}

void TraceReader::take_timed(std::string_view phase, std::int64_t at_ns) {
  last_ns_ = std::max(last_ns_, at_ns);
  if (phase == "C") return take_counter(at_ns);
  lane_ = find_lane(thread_of_record());
  if (lane_ == kNoId) return;
  const char first = phase.size() == 1 ? phase.front() : '\0';
  switch (first) {
    case 'X':
      return take_complete(at_ns);
    case 's':
    case 't':
    case 'f':
      return take_flow_end(phase, at_ns);
    case 'B':
      return take_begin(at_ns);
    case 'E':
      return take_end(at_ns);
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
  return is_missing(token) ? std::string_view() : meaning_of(token);
}

std::string_view TraceReader::meaning_of(std::string_view token) {
  const std::string_view text = text_of(token, scratch_);
  if (text.data() == scratch_.data() && has_foreign_escape(token)) ++unescaped_texts_;
  return text;
}

ArgumentValue TraceReader::value_of(std::string_view token, bool& is_json) {
  is_json = false;
  if (is_text(token)) return strings_.add(meaning_of(token));
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
  const std::string_view name = parsed_.name;
  const std::string_view name_end = trace::duration_in_name(name.substr(0, name.empty() ? 0 : name.size() - 1));
  const bool is_shortened =
      !name_end.empty() && std::ranges::find(parsed_.arguments, "end_time", &Member::key) != parsed_.arguments.end();
  if (is_shortened) {
    shortened_.assign(name.substr(0, name.size() - 1 - name_end.size())) += '"';
    parsed_.name = shortened_;
  }
  Event complete = event(lane_, at_ns, EventKind::kSpan);
  const std::int64_t most_ns = facts_.is_wide ? kMostWideTime_ns - at_ns : kMostTime_ns;
  complete.dur_ns = std::clamp(nanoseconds_of(parsed_.duration).value_or(0), -kMostTime_ns, most_ns);
  complete.role = role_of(complete.category, complete.name);
  complete.is_step = parsed_.name.size() > 1 && trace::is_step(parsed_.name.substr(1));
  Lane& lane = lanes_[lane_];
  if (is_shortened) add_text(lane, trace::kNameEnd, name_end);
  if (!stream_.empty()) add_value(lane, trace::kThread, is_missing(parsed_.thread) ? "null" : parsed_.thread);
  lane.has_device_work = lane.has_device_work || trace::is_of_device(strings_.get(complete.category));
  if (complete.dur_ns < 0) {
    // It took a time that nobody knows: no figure counts it as work.
    ++negative_durations_;
    complete.role = EventRole::kNone;
  }
  lane.push_back(complete, values_);
  last_ns_ = std::max(last_ns_, at_ns + complete.dur_ns);
}

void TraceReader::take_instant(std::uint32_t place, std::string_view phase, std::int64_t at_ns) {
  const Event instant = event(place, at_ns, EventKind::kInstant);
  if (phase != "i") add_text(lanes_[place], trace::kPhase, phase);
  lanes_[place].push_back(instant, values_);
}

std::vector<TraceRoot> TraceReader::roots(const std::string& root_name) const {
  if (!combined_.empty()) return combined_;
  if (!facts_.rank) return {{root_name, std::nullopt, ""}};
  return {{"rank " + value_text(*facts_.rank, strings_), facts_.rank, ""}};
}

void TraceReader::add_notes() {
  const auto note = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) capture_.notes.push_back(fmt::format("{} {}", count, what));
  };
  note(ends_alone_, "ends have no open begin with their name: each is shown as an instant");
  note(negative_durations_, "events have a negative duration: they are drawn without one, and do not count as work");
  if (unescaped_texts_ > 0) {
    capture_.warnings.push_back(fmt::format(
        "{} texts have backslashes that are not escaped, so the file is not valid JSON; they are read literally",
        unescaped_texts_));
  }
}

void TraceReader::finish(std::int64_t shift_ns, const std::string& root_name) {
  take_untimed();
  take_samples();
  pair_by_times();
  close_open_events();
  if (empty_records_ > 0) without_time_[std::string(trace::kMissing)] += 0;
  const auto count = [&](std::string_view name, std::string_view subject, std::int64_t value) {
    pending_facts_.push_back(
        {kNoId,
         {.subject = strings_.add(subject), .name = strings_.add(name), .value = value, .unit = {}, .is_hidden = true},
         root_});
  };
  for (const auto& [phase, times] : without_time_) {
    const std::uint64_t empty = phase == trace::kMissing ? empty_records_ : 0;
    count(trace::kWithoutTime, phase, static_cast<std::int64_t>(times + empty));
    if (times > 0) capture_.skipped["events without a usable time"] += times;
  }
  add_counter_threads();
  add_notes();
  for (const auto& [category, name] : flow_names_) {
    if (name == category || name == StringId{} || name == StringId{kNoId}) continue;
    pending_facts_.push_back(
        {kNoId,
         {.subject = category, .name = strings_.add(kFlowName), .value = name, .unit = {}, .is_hidden = true},
         root_});
  }
  if (combined_.empty()) take_labels();
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
  trace::mark_named_devices(capture_, tracks.first_track());
  const std::size_t first_end = capture_.profile.flow_ends.size();
  add_flow_ends(tracks, shift_ns);
  extend_profile(capture_.profile, tracks.first_track());
  link(capture_, tracks, first_end, flow_end_names_.span());
  note_doubtful_work(capture_, tracks.first_track());
  for (std::size_t i = 0; i < root_count; ++i) {
    add_memory(capture_, tracks.first_track(), tracks.root_track(i));
    trace::add_steps(capture_, tracks.first_track(), tracks.root_track(i));
  }
}

}  // namespace vizd::chrome_trace
