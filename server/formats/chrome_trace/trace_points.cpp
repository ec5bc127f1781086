// Records of a trace that are of a moment alone: values of counters and ends of flows; and work whose moment is not
// known.
#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/trace_reader.h"
#include "formats/chrome_trace/trace_roots.h"
#include "formats/trace_words.h"

namespace vizd::chrome_trace {
namespace {

constexpr std::int64_t kDay_ns = std::int64_t{86'400} * 1'000'000'000;
constexpr std::int64_t kYear_ns = 365 * kDay_ns;
// Series of counters: each takes some hundred bytes, and a packed file says it in a few.
constexpr std::size_t kMostSeries = std::size_t{1} << 18;

}  // namespace

// A counter is its process's, whichever thread told a value.
void TraceReader::take_counter(std::int64_t at_ns) {
  const StringId plain_name = intern(parsed_.name);
  const auto take_as_instant = [&] {
    lane_ = find_lane(parsed_.thread);
    if (lane_ != kNoId) take_instant(lane_, "C", at_ns);
  };
  // One that tells of memory is counted by what it says.
  if (strings_.get(plain_name) == trace::kMemoryEvent) return take_as_instant();
  const std::uint32_t place = find_lane({});
  if (place == kNoId) return;
  StringId name = plain_name;
  if (!is_missing(parsed_.id)) {
    json_.assign(strings_.get(plain_name)).append("[").append(text_or_empty(parsed_.id)).append("]");
    name = strings_.add(json_);
  }
  const StringId category = category_of_record();
  bool is_kept = false;
  for (const Member& argument : parsed_.arguments) {
    const std::string_view token =
        is_text(argument.value) ? trimmed(argument.value.substr(1, argument.value.size() - 2)) : argument.value;
    const auto value = real_of(token);
    if (!value) continue;
    const StringId series = intern("\"" + std::string(argument.key) + "\"");
    auto& counters = lanes_[place].counters;
    is_kept = true;
    const auto key = std::tuple(place, name, series, category);
    auto found = counter_places_.find(key);
    if (found == counter_places_.end()) {
      if (counter_places_.size() == kMostSeries) {
        ++capture_.skipped["values of counters' series beyond 262,144"];
        continue;
      }
      found = counter_places_.emplace(key, counters.size()).first;
      counters.push_back({.name = name, .series = series, .category = category, .at_ns = {}, .value = {}});
    }
    Counter& counter = counters[found->second];
    counter.at_ns.push_back(at_ns);
    counter.value.push_back(*value);
  }
  if (!is_kept) return take_as_instant();
  const auto [thread, is_first] = counter_threads_.try_emplace({place, name}, std::string(parsed_.thread));
  if (!is_first && thread->second && *thread->second != parsed_.thread) thread->second.reset();
}

void TraceReader::add_counter_threads() {
  for (const auto& [counter, thread] : counter_threads_) {
    if (!thread || is_missing(*thread)) continue;
    bool is_json = false;
    Fact fact{.subject = counter.second, .value = value_of(*thread, is_json), .is_hidden = true};
    fact.name = strings_.add(kCounterThread);
    pending_facts_.push_back({counter.first, fact, root_});
  }
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
  flow_end_names_.push_back(static_cast<std::uint32_t>(name));
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

bool TraceReader::may_lack_time(std::string_view phase) const {
  if (phase != "X" || parsed_.time.empty()) return false;
  const std::size_t digit = parsed_.time.front() == '"' ? 1 : 0;
  if (digit == parsed_.time.size() || (parsed_.time[digit] != '0' && parsed_.time[digit] != '-')) return false;
  const auto at_ns = nanoseconds_of(parsed_.time);
  if (!at_ns || (*at_ns != 0 && *at_ns > -kYear_ns)) return false;
  std::string scratch;
  const std::string_view category = text_of(parsed_.category, scratch);
  return trace::is_of_device(category) || trace::role_of(category, "") == EventRole::kCall;
}

// CUPTI, for one, gives the time 0 to what it does not know the time of.
void TraceReader::take_untimed() {
  const std::uint64_t records = records_;
  const std::int64_t earliest_ns = earliest_ns_;
  for (const std::size_t place : std::exchange(untimed_, {})) {
    read_again(place);
    const std::int64_t told_ns = *nanoseconds_of(parsed_.time);
    const std::int64_t most_ns = told_ns + (told_ns < 0 ? kYear_ns : kDay_ns);
    if (earliest_ns != std::numeric_limits<std::int64_t>::max() && earliest_ns > most_ns) {
      ++capture_.skipped["work and calls whose time was not recorded: they are shown at 0"];
    } else if (const auto at_ns = time_of(parsed_.time)) {
      take_timed("X", *at_ns);
    }
  }
  records_ = records;
}

}  // namespace vizd::chrome_trace
