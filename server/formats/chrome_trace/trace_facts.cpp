// What a trace says beside its events: of its processes and threads in metadata records, of itself in the members of
// its file.
#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <utility>

#include "formats/chrome_trace/damaged_object.h"
#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/trace_reader.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"

namespace vizd::chrome_trace {
namespace {

constexpr std::size_t kMostFact_bytes = std::size_t{1} << 16;  // of one that people are shown
constexpr std::size_t kMostListed = 4096;
// Each takes some hundred bytes, and a packed file says them in a few.
constexpr std::size_t kMostFacts = std::size_t{1} << 18, kMostMembers = std::size_t{1} << 16;
constexpr const char* kDamagedMembers = "members of the trace that are damaged";

// The one argument that a metadata record of that name has.
std::string_view argument_of_metadata(std::string_view name) {
  if (name == "process_name" || name == "thread_name") return "name";
  if (name == "process_labels") return "labels";
  if (name == "process_sort_index" || name == "thread_sort_index") return "sort_index";
  return "";
}

}  // namespace

void TraceReader::take_metadata() {
  const std::string name(is_missing(parsed_.name) ? trace::kMissing : text_or_empty(parsed_.name));
  const bool is_of_thread = name.starts_with("thread_");
  const std::uint32_t place = find_lane(is_of_thread ? parsed_.thread : std::string_view());
  if (place == kNoId) return;
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
  const bool is_long = token.size() > kMostFact_bytes;
  bool is_json = false;
  Fact fact{.value = value_of(token, is_json), .is_hidden = is_long};
  fact.subject = strings_.add(subject);
  fact.name = strings_.add(is_long ? std::string(trace::kLongPrefix).append(name) : std::string(name));
  if (is_json) fact.unit = strings_.add(argument::kJson);
  const auto* const real = std::get_if<double>(&fact.value);
  const auto* const integer = std::get_if<std::int64_t>(&fact.value);
  const std::int64_t bits = real != nullptr      ? std::bit_cast<std::int64_t>(*real)
                            : integer != nullptr ? *integer
                                                 : static_cast<std::int64_t>(index(std::get<StringId>(fact.value)));
  const auto key = std::tuple(lane, root_, fact.subject, fact.name, fact.value.index(), bits);
  if (const auto found = fact_places_.find(key); found != fact_places_.end()) {
    ++pending_facts_[found->second].fact.times;
  } else if (pending_facts_.size() < kMostFacts) {
    fact_places_.emplace(key, pending_facts_.size());
    pending_facts_.push_back({lane, fact, root_});
  } else {
    ++capture_.skipped["metadata beyond 262,144 values"];
  }
}

void TraceReader::take_member(std::string_view key_token, std::string_view value) {
  std::string scratch;
  const std::string key(text_of(key_token, scratch));
  if (key == trace::kCombined && combined_.empty()) return take_combined(value);
  if (members_.size() == kMostMembers && !members_.contains(key)) {
    ++capture_.skipped["members beside the events beyond 65,536"];
    return;
  }
  if (!members_.insert(key).second) forget(key);
  if (key == "samples" || key == "stackFrames") {
    (key == "samples" ? samples_ : stack_frames_) = value;
    return add_fact("", key, value);
  }
  if (key == "baseTimeNanoseconds") {
    if (const auto base_time_ns = whole_number_of(value)) {
      facts_.base_time_ns = *base_time_ns;
      return add_fact("", key, std::to_string(*base_time_ns));
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
      read_object(elements[i], members);
      add_members(key + "[" + std::to_string(i) + "]");
    }
    return;
  }
  add_fact("", key, value);
}

void TraceReader::read_object(std::string_view json, std::vector<Member>& members) {
  if (json.empty() || parser_.parse_object(json, members)) return;
  DamagedObject object(json);
  members = std::move(object.members);
  if (!object.damaged.empty()) capture_.skipped[kDamagedMembers] += object.damaged.size();
}

void TraceReader::forget(const std::string& key) {
  if (key == "distributedInfo" && combined_.empty()) facts_.rank.reset();
  std::erase_if(fact_places_, [&](const auto& known) {
    PendingFact& pending = pending_facts_[known.second];
    const std::string_view subject = strings_.get(pending.fact.subject);
    const std::string_view name = trace::fact_name(strings_.get(pending.fact.name), pending.fact.is_hidden);
    const bool is_meant = pending.lane == kNoId && pending.root == root_ && !name.empty() &&
                          (subject.empty() ? name == key : subject.substr(0, subject.find('[')) == key);
    if (is_meant) pending.fact.times = 0;
    return is_meant;
  });
}

void TraceReader::take_combined(std::string_view list) {
  std::vector<std::string_view> elements, facts;
  std::vector<Member> members;
  if (!parser_.parse_list(list, elements) || elements.size() > kMostListed) {
    ++capture_.skipped[kDamagedMembers];
    return;
  }
  for (const std::string_view element : elements) {
    read_object(element, members);
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
  read_object(facts, members);
  root_ = root;
  members_.clear();
  for (const Member& member : members) {
    // They all count from the first one's base, which the file has for itself.
    const std::optional<std::int64_t> base_time_ns = facts_.base_time_ns;
    take_member("\"" + std::string(member.key) + "\"", member.value);
    facts_.base_time_ns = base_time_ns;
  }
}

}  // namespace vizd::chrome_trace
