#include "reference/tinygrad/cycle_profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "base/json_writer.h"

namespace vizd {
namespace {

constexpr std::uint8_t kSpanLane = 0, kClockLane = 1, kIsLinear = 1;

// Appends numbers as the layout has them, in the little-endian order of this machine.
template <typename... T>
void append_numbers(std::string& out, T... values) {
  (out.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}

// A letter and a number for each word of a lane's name: (71, 0), (84, 3) of "GPC:0 TPC:3". A word without a number is
// behind all others.
std::vector<std::pair<int, int>> rank_of(std::string_view name) {
  constexpr std::pair kNoNumber(999, 999);
  if (name.find("Clock") != std::string_view::npos) return {{0, 0}};
  std::vector<std::pair<int, int>> rank;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find(' '), name.size());
    const std::string_view word = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    const std::size_t colon = word.find(':');
    int number = 0;
    if (colon == std::string_view::npos) {
      rank.push_back(kNoNumber);
    } else {
      std::from_chars(word.data() + colon + 1, word.data() + word.size(), number);
      rank.emplace_back(static_cast<unsigned char>(word[0]), number);
    }
  }
  return rank;
}

class Encoder {
 public:
  explicit Encoder(const CycleProfile& profile) : profile_(profile) {
    for (const CycleLane& lane : profile.lanes) {
      for (const CycleEvent& event : lane.events) {
        first_ = std::min(first_, event.start_cycle);
        last_ = std::max(last_, event.end_cycle);
      }
    }
    for (const auto& [cycle, hz] : profile.clock) {
      last_ = std::max(last_, cycle);
      most_hz_ = std::max(most_hz_, hz);
    }
  }

  Result<std::string> encode() {
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    if (first_ < -static_cast<std::int64_t>(kMost) || last_ - first_ > kMost) {
      return Error{ErrorKind::kTooLarge, "the trace is longer than the 2^32 cycles that tinygrad's layout can say", ""};
    }
    put_clock();
    for (const CycleLane& lane : profile_.lanes) put_lane(lane);
    std::ranges::stable_sort(lanes_, {}, [](const auto& lane) { return rank_of(lane.first); });
    const std::string index = index_json();
    std::string body;
    append_numbers(body, relative(last_), most_hz_, static_cast<std::uint32_t>(index.size()),
                   static_cast<std::uint32_t>(lanes_.size()));
    body += index;
    for (const auto& [name, bytes] : lanes_) {
      append_numbers(body, static_cast<std::uint8_t>(name.size()));
      body += name + bytes;
    }
    return body;
  }

 private:
  std::uint32_t relative(std::int64_t cycle) const { return static_cast<std::uint32_t>(cycle - first_); }

  std::uint32_t place(const std::string& text) {
    const auto [entry, is_new] = places_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
    if (is_new) strings_.push_back(text);
    return entry->second;
  }

  void put_clock() {
    if (profile_.clock.empty()) return;
    std::string bytes;
    append_numbers(bytes, kClockLane, static_cast<std::uint32_t>(profile_.clock.size()), kIsLinear, most_hz_);
    for (const auto& [cycle, hz] : profile_.clock) append_numbers(bytes, relative(cycle), hz);
    lanes_.emplace_back("Shader Clock", std::move(bytes));
  }

  void put_lane(const CycleLane& lane) {
    std::vector<const CycleEvent*> events;
    for (const CycleEvent& event : lane.events) {
      if (event.end_cycle != event.start_cycle) events.push_back(&event);
    }
    if (events.empty()) return;
    std::ranges::stable_sort(events, {}, &CycleEvent::start_cycle);
    std::string bytes;
    append_numbers(bytes, kSpanLane, static_cast<std::uint32_t>(events.size()));
    constexpr std::uint32_t kNeither = 0;  // neither a context nor a run
    for (const CycleEvent* const event : events) {
      append_numbers(bytes, place(profile_.names[event->name]), kNeither, kNeither, relative(event->start_cycle),
                     static_cast<float>(event->end_cycle - event->start_cycle), place(event->details));
    }
    lanes_.emplace_back(lane.name, std::move(bytes));
  }

  std::string index_json() const {
    std::string text;
    JsonWriter json(text);
    json.begin_object().column("strings", strings_, [](JsonWriter& w, const std::string& string) { w.text(string); });
    json.key("dtypeSize").begin_object().end_object().key("markers").begin_array().end_array().end_object();
    if (!profile_.index_fields.empty()) text.insert(text.size() - 1, "," + profile_.index_fields);
    return text;
  }

  const CycleProfile& profile_;
  std::int64_t first_ = 0, last_ = 0;  // what says which lanes there are stands at 0
  std::uint64_t most_hz_ = 0;
  std::vector<std::pair<std::string, std::string>> lanes_;  // name, bytes
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> places_;
};

}  // namespace

Result<std::string> encode(const CycleProfile& profile) { return Encoder(profile).encode(); }

}  // namespace vizd
