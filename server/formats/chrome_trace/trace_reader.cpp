#include "formats/chrome_trace/trace_reader.h"

#include <algorithm>
#include <limits>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/tracks.h"
#include "model/argument_json.h"
#include "model/trace_words.h"

namespace vizd::chrome_trace {
namespace {

// Times count from the beginning of the trace where they would else be beyond this, and are below it then.
constexpr std::int64_t kMostTime_ns = std::int64_t{1} << 58;
constexpr std::size_t kMostFact_bytes = std::size_t{1} << 16;
constexpr std::size_t kMostListed = 4096;

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

// The one argument that a metadata record of that name has.
std::string_view argument_of_metadata(std::string_view name) {
  if (name == "process_name" || name == "thread_name") return "name";
  if (name == "process_labels") return "labels";
  if (name == "process_sort_index" || name == "thread_sort_index") return "sort_index";
  return "";
}

}  // namespace

bool TraceReader::take_event(std::string_view json) {
  if (!parser_.parse(json, parsed_)) return false;
  ++records_;
  const std::string_view phase = is_missing(parsed_.phase) ? trace::kMissing : text_of(parsed_.phase, phase_scratch_);
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
  if (!at_ns) return std::nullopt;
  if (!has_origin_) {
    has_origin_ = true;
    if (*at_ns > kMostTime_ns || *at_ns < -kMostTime_ns) facts_.origin_ns = *at_ns;
  }
  const std::int64_t time_ns = *at_ns - facts_.origin_ns;
  return time_ns > -kMostTime_ns && time_ns < kMostTime_ns ? std::optional(time_ns) : std::nullopt;
}

void TraceReader::take_timed(std::string_view phase, std::int64_t at_ns) {
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
      const std::uint32_t lane = lanes_.find_or_add(parsed_.process, parsed_.thread, strings_);
      const Event begun = event(lane, at_ns, EventKind::kSpan);
      lanes_[lane].open.push_back({begun, values_});
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
  take_instant(lanes_.find_or_add(parsed_.process, parsed_.thread, strings_), phase, at_ns);
}

Event TraceReader::event(std::uint32_t place, std::int64_t at_ns, EventKind kind) {
  Lane& lane = lanes_[place];
  values_.clear();
  Event event{.start_ns = at_ns, .name = intern(parsed_.name), .kind = kind};
  event.order =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(records_, std::numeric_limits<std::uint32_t>::max()));
  if (!is_missing(parsed_.category)) {
    event.category = intern(parsed_.category);
    if (event.category == StringId{}) add_text(lane, trace::kEmptyCategory, "");
  }
  add_arguments(lane);
  return event;
}

void TraceReader::add_arguments(Lane& lane) {
  for (const Member& argument : parsed_.arguments) add_value(lane, argument.key, argument.value);
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

std::string_view TraceReader::text_or_empty(std::string_view token) {
  return is_missing(token) ? std::string_view() : text_of(token, scratch_);
}

ArgumentValue TraceReader::value_of(std::string_view token, bool& is_json) {
  is_json = false;
  if (is_text(token)) return strings_.add(text_of(token, scratch_));
  if (const auto integer = integer_of(token)) return *integer;
  if (const auto real = real_of(token)) return *real;
  is_json = true;
  if (token.find('\n') != std::string_view::npos) {
    remove_whitespace(token, scratch_);
    return strings_.add(scratch_);
  }
  return strings_.add(token);
}

void TraceReader::add_value(Lane& lane, std::string_view key, std::string_view token) {
  bool is_json = false;
  const ArgumentValue value = value_of(token, is_json);
  values_.push_back({lane.column(key, type_of(value), is_json, strings_), value});
}

void TraceReader::add_text(Lane& lane, std::string_view key, std::string_view text) {
  values_.push_back({lane.column(key, ArgumentType::kText, false, strings_), strings_.add(text)});
}

void TraceReader::take_complete(std::int64_t at_ns) {
  const std::uint32_t place = lanes_.find_or_add(parsed_.process, parsed_.thread, strings_);
  Event complete = event(place, at_ns, EventKind::kSpan);
  complete.dur_ns = std::clamp(nanoseconds_of(parsed_.duration).value_or(0), -kMostTime_ns, kMostTime_ns);
  Lane& lane = lanes_[place];
  lane.push_back(complete, values_);
  last_ns_ = std::max(last_ns_, at_ns + complete.dur_ns);
  lane.has_device_work = lane.has_device_work || trace::is_of_device(strings_.get(complete.category));
}

void TraceReader::take_end(std::int64_t at_ns) {
  const std::uint32_t place = lanes_.find_or_add(parsed_.process, parsed_.thread, strings_);
  Lane& lane = lanes_[place];
  if (lane.open.empty()) return take_instant(place, "E", at_ns);
  OpenEvent ended = std::move(lane.open.back());
  lane.open.pop_back();
  ended.event.dur_ns = at_ns - ended.event.start_ns;
  values_ = std::move(ended.arguments);
  add_arguments(lane);
  add_text(lane, trace::kPhase, "B");
  if (!is_missing(parsed_.category)) add_value(lane, trace::kEndCategory, parsed_.category);
  lane.push_back(ended.event, values_);
}

void TraceReader::take_asynchronous(std::string_view phase, std::int64_t at_ns) {
  const std::uint32_t base = lanes_.find_or_add(parsed_.process, parsed_.thread, strings_);
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
    open_asynchronous_[pairing_].push_back({place, base, {begun, values_}});
    return;
  }
  const auto open = open_asynchronous_.find(pairing_);
  if ((phase != "e" && phase != "F") || open == open_asynchronous_.end() || open->second.empty())
    return take_instant(place, phase, at_ns);
  OpenAsynchronous begun = std::move(open->second.back());
  open->second.pop_back();
  if (open->second.empty()) open_asynchronous_.erase(open);
  begun.event.event.dur_ns = at_ns - begun.event.event.start_ns;
  Lane& lane = lanes_[begun.lane];
  values_ = std::move(begun.event.arguments);
  for (const Member& argument : parsed_.arguments) add_value(lane, argument.key, argument.value);
  if (begun.base_lane != base) add_value(lane, trace::kEndThread, is_missing(parsed_.thread) ? "null" : parsed_.thread);
  lane.push_back(begun.event.event, values_);
}

void TraceReader::take_instant(std::uint32_t place, std::string_view phase, std::int64_t at_ns) {
  const Event instant = event(place, at_ns, EventKind::kInstant);
  if (phase != "i") add_text(lanes_[place], trace::kPhase, phase);
  lanes_[place].push_back(instant, values_);
}

void TraceReader::take_counter(std::int64_t at_ns) {
  const std::uint32_t place = lanes_.find_or_add(parsed_.process, parsed_.thread, strings_);
  const StringId name = intern(parsed_.name), category = intern(parsed_.category);
  bool is_kept = false;
  for (const Member& argument : parsed_.arguments) {
    const std::string_view token =
        is_text(argument.value) ? argument.value.substr(1, argument.value.size() - 2) : argument.value;
    const auto value = real_of(token);
    if (!value) continue;
    const std::string key = "\"" + std::string(argument.key) + "\"";
    const StringId series = intern(key);
    auto& counters = lanes_[place].counters;
    auto found = std::ranges::find_if(counters, [&](const Counter& counter) {
      return counter.name == name && counter.series == series && counter.category == category;
    });
    if (found == counters.end()) {
      counters.push_back({.name = name, .series = series, .category = category, .at_ns = {}, .value = {}});
      found = counters.end() - 1;
    }
    found->at_ns.push_back(at_ns);
    found->value.push_back(*value);
    is_kept = true;
  }
  if (!is_kept) take_instant(place, "C", at_ns);
}

void TraceReader::take_flow_end(std::string_view phase, std::int64_t at_ns) {
  FlowEnd end{.at_ns = at_ns, .track = lanes_.find_or_add(parsed_.process, parsed_.thread, strings_)};
  end.category = intern(parsed_.category);
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

void TraceReader::take_metadata() {
  const std::string name(is_missing(parsed_.name) ? trace::kMissing : text_or_empty(parsed_.name));
  const bool is_of_thread = name.starts_with("thread_");
  const std::uint32_t place =
      lanes_.find_or_add(parsed_.process, is_of_thread ? parsed_.thread : std::string_view(), strings_);
  const std::string_view key = argument_of_metadata(name);
  if (!key.empty() && parsed_.arguments.size() == 1 && parsed_.arguments[0].key == key) {
    const std::string_view token = parsed_.arguments[0].value;
    Lane& lane = lanes_[place];
    if (key == "name") lane.name = intern(token);
    if (key == "labels") lane.labels = intern(token);
    if (key == "sort_index") lane.sort = integer_of(token).value_or(0);
    return add_fact("", name, token, place);
  }
  std::string json = "{";
  for (const Member& argument : parsed_.arguments) {
    if (json.size() > 1) json += ',';
    json.append("\"").append(argument.key).append("\":").append(argument.value);
  }
  add_fact("", name, json + "}", place);
}

void TraceReader::add_fact(std::string_view subject, std::string_view name, std::string_view token,
                           std::uint32_t lane) {
  if (token.size() > kMostFact_bytes) {
    ++capture_.skipped["members of the trace that are longer than 64 KiB"];
    return;
  }
  bool is_json = false;
  Fact fact{.value = value_of(token, is_json)};
  fact.subject = strings_.add(subject);
  fact.name = strings_.add(name);
  if (is_json) fact.unit = strings_.add(argument::kJson);
  const auto* const real = std::get_if<double>(&fact.value);
  const auto* const integer = std::get_if<std::int64_t>(&fact.value);
  const std::int64_t bits = real != nullptr      ? static_cast<std::int64_t>(*real * 1e6)
                            : integer != nullptr ? *integer
                                                 : static_cast<std::int64_t>(index(std::get<StringId>(fact.value)));
  const auto [found, is_new] =
      fact_places_.try_emplace({lane, root_, fact.subject, fact.name, fact.value.index(), bits}, pending_facts_.size());
  if (is_new) {
    pending_facts_.push_back({lane, fact, root_});
  } else {
    ++pending_facts_[found->second].fact.times;
  }
}

void TraceReader::take_member(std::string_view key_token, std::string_view value) {
  std::string scratch;
  const std::string key(text_of(key_token, scratch));
  if (key == trace::kCombined && combined_.empty()) return take_combined(value);
  if (key == "baseTimeNanoseconds") {
    if (const auto ns = integer_of(is_text(value) ? value.substr(1, value.size() - 2) : value)) {
      facts_.base_time_ns = *ns;
    } else if (const auto real = real_of(value)) {
      facts_.base_time_ns = static_cast<std::int64_t>(*real);
    }
  }
  std::vector<Member> members;
  std::vector<std::string_view> elements;
  const auto add_members = [&](std::string_view subject) {
    for (const Member& member : members) {
      const std::string token = "\"" + std::string(member.key) + "\"";
      std::string name_scratch;
      const std::string name(text_of(token, name_scratch));
      if (subject == "distributedInfo" && name == "rank") {
        bool is_json = false;
        const ArgumentValue rank = value_of(member.value, is_json);
        if (!is_json) (combined_.empty() ? facts_.rank : combined_[root_].rank) = rank;
      }
      add_fact(subject, name, member.value);
    }
  };
  if (value.starts_with('{') && parser_.parse_object(value, members) && !members.empty()) return add_members(key);
  if (value.starts_with('[') && parser_.parse_list(value, elements) && !elements.empty() &&
      elements.size() <= kMostListed &&
      std::ranges::all_of(elements, [](std::string_view element) { return element.starts_with('{'); })) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (parser_.parse_object(elements[i], members)) add_members(key + "[" + std::to_string(i) + "]");
    }
    return;
  }
  add_fact("", key, value);
}

void TraceReader::take_combined(std::string_view list) {
  std::vector<std::string_view> elements, facts;
  std::vector<Member> members;
  if (!parser_.parse_list(list, elements) || elements.size() > kMostListed) return;
  for (const std::string_view element : elements) {
    if (!parser_.parse_object(element, members)) continue;
    TraceRoot& root = combined_.emplace_back();
    facts.emplace_back();
    for (const Member& member : members) {
      if (member.key == "name") root.name = text_or_empty(member.value);
      if (member.key == "prefix") root.prefix = text_or_empty(member.value);
      if (member.key == "facts") facts.back() = member.value;
    }
    if (root.name.empty()) root.name = "trace " + std::to_string(combined_.size());
  }
  for (std::size_t i = 0; i < facts.size(); ++i) take_combined_facts(i, facts[i]);
  root_ = 0;
}

void TraceReader::take_combined_facts(std::size_t root, std::string_view facts) {
  std::vector<Member> members;
  if (!parser_.parse_object(facts, members)) return;
  root_ = root;
  for (const Member& member : members) {
    // They all count from the first one's base, which the file has for itself.
    const std::optional<std::int64_t> base_time_ns = facts_.base_time_ns;
    take_member("\"" + std::string(member.key) + "\"", member.value);
    facts_.base_time_ns = base_time_ns;
  }
}

std::vector<TraceRoot> TraceReader::roots(const std::string& root_name) const {
  if (!combined_.empty()) return combined_;
  if (!facts_.rank) return {{root_name, std::nullopt, ""}};
  return {{"rank " + value_text(*facts_.rank, strings_), facts_.rank, ""}};
}

void TraceReader::close_open_events() {
  const auto close = [&](Lane& lane, OpenEvent& open, std::string_view phase) {
    open.event.dur_ns = std::max<std::int64_t>(last_ns_ - open.event.start_ns, 0);
    open.event.kind = EventKind::kUnfinished;
    values_ = std::move(open.arguments);
    if (!phase.empty()) add_text(lane, trace::kPhase, phase);
    lane.push_back(open.event, values_);
  };
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
    for (OpenEvent& open : lanes_[i].open) close(lanes_[i], open, "");
    lanes_[i].open.clear();
  }
  for (auto& [pairing, opens] : open_asynchronous_) {
    for (OpenAsynchronous& open : opens)
      close(lanes_[open.lane], open.event, pairing.starts_with('b') ? "b" : std::string_view());
  }
  open_asynchronous_.clear();
}

void TraceReader::finish(std::int64_t shift_ns, const std::string& root_name) {
  close_open_events();
  const auto count = [&](std::string_view name, std::string_view subject, std::int64_t value) {
    pending_facts_.push_back(
        {kNoId, {.subject = strings_.add(subject), .name = strings_.add(name), .value = value, .unit = {}}, root_});
  };
  for (const auto& [phase, times] : without_time_) {
    count(trace::kWithoutTime, phase, static_cast<std::int64_t>(times));
    capture_.skipped["events without a usable time"] += times;
  }
  Tracks tracks(capture_, lanes_, roots(root_name));
  tracks.add(shift_ns);
  const std::size_t root_count = std::max<std::size_t>(combined_.size(), 1);
  for (root_ = 0; root_ < root_count; ++root_) count(trace::kTimeOffset_ns, "", facts_.origin_ns - shift_ns);
  for (PendingFact& pending : pending_facts_) {
    pending.fact.track = pending.lane == kNoId ? tracks.root_track(pending.root) : tracks.of_lane(pending.lane);
    capture_.facts.push_back(pending.fact);
  }
  const std::size_t first_end = capture_.profile.flow_ends.size();
  add_flow_ends(tracks, shift_ns);
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
