#include "reference/tinygrad/profile.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/json_writer.h"
#include "base/parse_json.h"
#include "base/utf8.h"
#include "formats/tinygrad/viewer_words.h"
#include "reference/tinygrad/viewer.h"

namespace vizd {
namespace {

constexpr std::size_t kLongestName = 255;
constexpr std::uint8_t kEventLane = 0, kMemoryLane = 1;
constexpr std::uint8_t kFree = 0, kAlloc = 1;
constexpr std::uint8_t kSteps = 0, kLinear = 1;  // of a newer memory lane: what its numbers are

// int(Decimal): microseconds, cut towards zero.
std::int64_t whole_us(std::int64_t ns) { return ns / 1000; }

template <typename T>
void put(std::string& out, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  out.append(bytes.data(), bytes.size());
}

// What tinygrad's server says of an event besides its name: how fast it was by the arguments that tell its work, and
// where it comes from.
class EventNotes {
 public:
  EventNotes(const Track& track, const StringTable& strings) : strings_(strings) {
    const auto find = [&](std::string_view name) { return find_argument(track.arguments, strings.find(name)); };
    flop_ = find(argument::kFlop);
    memory_bytes_ = find(argument::kMemoryBytes);
    load_store_bytes_ = find(argument::kLoadStoreBytes);
    metadata_ = find(argument::kMetadata);
    info_ = find(argument::kInfo);
    run_ = find(argument::kRun);
    details_ = find(tinygrad::kDetails);
    batched_ = find(tinygrad::kBatched);
  }

  // The launch's number and 1; 0 for none.
  std::uint32_t run(std::uint32_t place) const {
    const auto number = this->number(run_, place);
    return number ? static_cast<std::uint32_t>(*number) + 1 : 0;
  }
  std::string details(std::uint32_t place) const {
    const std::string text = this->text(details_, place);
    return text.empty() ? "{}" : text;
  }

  // timeline_layout of 0.12.0.
  std::string lines(std::uint32_t place, const Event& event) const {
    const auto flop = number(flop_, place), memory_bytes = number(memory_bytes_, place);
    const auto load_store_bytes = number(load_store_bytes_, place);
    if (!flop || !memory_bytes || !load_store_bytes) return "";
    const double dur_s = event.dur_us() * 1e-6;
    const auto rate = [&](double amount, double tera_from, std::string_view unit) {
      const double each_s = amount / dur_s;
      return each_s < tera_from ? fmt::format("{:.0f} G{}", each_s * 1e-9, unit)
                                : fmt::format("{:.0f} T{}", each_s * 1e-12, unit);
    };
    std::string out = fmt::format("{}\n{} mem\n{} lds", rate(*flop, 1e14, "FLOPS"), rate(*memory_bytes, 1e13, "B/s"),
                                  rate(*load_store_bytes, 1e15, "B/s"));
    if (const std::string metadata = text(metadata_, place); !metadata.empty()) out += "\n" + metadata;
    return number(batched_, place) ? out + "\n(batched)" : out;
  }

  // timeline_layout of 2025-09.
  std::string of(std::uint32_t place, const Event& event) const {
    if (const std::string text = this->text(info_, place); !text.empty()) return text;
    const auto flop = number(flop_, place), memory_bytes = number(memory_bytes_, place);
    const auto load_store_bytes = number(load_store_bytes_, place);
    if (!flop || !memory_bytes || !load_store_bytes) return "";
    const double dur_ns = event.dur_us() * 1e3;
    return fmt::format("{:.2f} GFLOPS {:4.1f}|{:.1f} GB/s\n{}", *flop / dur_ns, *memory_bytes / dur_ns,
                       *load_store_bytes / dur_ns, text(metadata_, place));
  }

 private:
  static std::optional<double> number(const ArgumentColumn* column, std::uint32_t place) {
    const auto value = column == nullptr ? std::nullopt : column->of(place);
    if (!value) return std::nullopt;
    if (const auto* integer = std::get_if<std::int64_t>(&*value)) return static_cast<double>(*integer);
    const auto* real = std::get_if<double>(&*value);
    return real == nullptr ? std::nullopt : std::optional(*real);
  }
  std::string text(const ArgumentColumn* column, std::uint32_t place) const {
    const auto value = column == nullptr ? std::nullopt : column->of(place);
    const auto* id = value ? std::get_if<StringId>(&*value) : nullptr;
    return id == nullptr ? "" : std::string(strings_.get(*id));
  }

  const StringTable& strings_;
  const ArgumentColumn *flop_, *memory_bytes_, *load_store_bytes_, *metadata_, *info_, *run_, *details_, *batched_;
};

// Where tinygrad's newer viewer puts a lane: memory after all others, special devices first, DISK last.
std::tuple<bool, int, std::string, std::string> lane_rank(const std::string& name) {
  const std::string device = name.substr(0, name.find(' '));
  const std::size_t colon = device.find(':');
  const std::string family = device.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : device.substr(colon + 1);
  const std::string number = rest.substr(0, rest.find(':'));
  const bool is_number = !number.empty() && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  const int special = family == "GC" ? 0 : family == "USER" ? 1 : family == "TINY" ? 2 : family == "DISK" ? 999 : 100;
  return {name.ends_with(" Memory"), special, is_number ? family + ":" + number : family, name};
}

// The same of the viewer of 0.12.0: by the device's name, its memory after it.
std::tuple<int, std::string, std::size_t> lane_rank_of_12(const std::string& name) {
  const std::string device = name.substr(0, name.find(' '));
  const int special = device.starts_with("GC")     ? 0
                      : device.starts_with("USER") ? 1
                      : device.starts_with("TINY") ? 2
                      : device.starts_with("DISK") ? 999
                                                   : 4;
  return {special, device, name.size()};
}

class Body {
 public:
  // keys: of the buffers, by the numbers that the body has for them; null: it has the keys themselves.
  explicit Body(const Capture& capture, std::vector<std::uint64_t>* keys = nullptr)
      : capture_(capture),
        keys_(keys),
        start_us_(whole_us(capture.profile.start_ns)),
        viewer_(reference_viewer(capture)),
        is_newer_(viewer_ != ReferenceViewer::k2025_09) {}

  std::string build() {
    for (const Track& lane : capture_.profile.tracks) {
      // tinygrad's own lanes are roots; below them vizd has what devices recorded besides.
      if (capture_.format.starts_with("tinygrad") && lane.parent != Track::kNoParent) continue;
      put_events(lane);
      put_memory(lane);
      put_line(lane);
    }
    if (viewer_ >= ReferenceViewer::k0_13)
      std::ranges::stable_sort(sorted_, {}, [](const auto& lane) { return lane_rank(lane.first); });
    if (viewer_ == ReferenceViewer::k0_12)
      std::ranges::stable_sort(sorted_, {}, [](const auto& lane) { return lane_rank_of_12(lane.first); });
    for (const auto& [name, bytes] : sorted_) lanes_ += bytes;
    const std::string index = index_json();
    std::string body;
    put(body, us(capture_.profile.end_ns));
    put(body, peak_bytes_);
    put(body, static_cast<std::uint32_t>(index.size()));
    put(body, lane_count_);
    return body + index + lanes_;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  struct Change {
    std::int64_t at_us;
    std::uint32_t order;
    const Allocation* allocation;
    bool is_free;
  };

  std::uint32_t us(std::int64_t ns) {
    const std::int64_t relative_us = whole_us(ns) - start_us_;
    if (relative_us < 0 || relative_us > std::numeric_limits<std::uint32_t>::max()) {
      error_ = Error{ErrorKind::kTooLarge,
                     "the profile is longer than the 71.6 minutes that tinygrad's layout can say; take /api/v1/lanes "
                     "and its tiles",
                     "/get_profile"};
      return 0;
    }
    return static_cast<std::uint32_t>(relative_us);
  }

  std::uint32_t buffer_number(std::uint64_t key) {
    if (keys_ == nullptr) return in_32_bits(key);
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(keys_->size()));
    if (is_new) keys_->push_back(key);
    return found->second;
  }

  std::uint32_t in_32_bits(std::uint64_t key) {
    if (key > std::numeric_limits<std::uint32_t>::max()) {
      error_ = Error{ErrorKind::kTooLarge,
                     "a buffer's number is beyond the 32 bits of tinygrad's layout; take /api/v1/lanes and its tiles",
                     "/get_profile"};
    }
    return static_cast<std::uint32_t>(key);
  }

  // The text's place in the index, by first use.
  std::uint32_t place(std::string_view text) {
    const auto [entry, is_new] = places_.try_emplace(std::string(text), static_cast<std::uint32_t>(strings_.size()));
    if (is_new) strings_.push_back(&entry->first);
    return entry->second;
  }

  // The lane's bytes, to be added to.
  std::string& begin_lane(std::string_view name, std::uint8_t type, std::size_t count) {
    std::string& lane = sorted_.emplace_back(std::string(name), "").second;
    name = cut_text(name, kLongestName);
    put(lane, static_cast<std::uint8_t>(name.size()));
    lane += name;
    put(lane, type);
    put(lane, static_cast<std::uint32_t>(count));
    ++lane_count_;
    return lane;
  }

  void put_line(const Track& track) {
    if (viewer_ < ReferenceViewer::k0_13 || track.counters.empty()) return;
    const Counter& counter = track.counters[0];
    std::string& lane = begin_lane(capture_.strings.get(track.name), kMemoryLane, counter.at_ns.size());
    put(lane, kLinear);
    double most = 0;
    for (std::size_t i = 0; i < counter.value.size(); ++i) most = std::max(most, counter.value[i]);
    put(lane, static_cast<std::uint64_t>(most));
    peak_bytes_ = std::max(peak_bytes_, static_cast<std::uint64_t>(most));
    for (std::size_t i = 0; i < counter.at_ns.size(); ++i) {
      put(lane, us(counter.at_ns[i]));
      put(lane, static_cast<std::uint64_t>(counter.value[i]));
    }
  }

  void put_events(const Track& track) {
    struct Item {
      std::uint32_t place;
      Event event;
    };
    std::vector<Item> items;
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      const Event event = track.events[i];
      if (event.kind != EventKind::kInstant && event.dur_us() != 0) items.push_back({i, event});
    }
    if (items.empty()) return;
    std::ranges::sort(items, {},
                      [](const Item& item) { return std::pair(whole_us(item.event.start_ns), item.event.order); });
    std::string& lane = begin_lane(capture_.strings.get(track.name), kEventLane, items.size());
    const EventNotes notes(track, capture_.strings);
    for (const auto& [i, event] : items) {
      put(lane, place(capture_.strings.get(event.name)));
      put(lane, static_cast<std::uint32_t>(event.context) + 1);  // kNoId + 1 is 0: none
      if (is_newer_) put(lane, notes.run(i));
      put(lane, us(event.start_ns));
      put(lane, static_cast<float>(event.dur_us()));
      put(lane, place(viewer_ >= ReferenceViewer::k0_13   ? notes.details(i)
                      : viewer_ == ReferenceViewer::k0_12 ? notes.lines(i, event)
                                                          : notes.of(i, event)));
    }
  }

  void put_memory(const Track& track) {
    if (track.allocations.empty()) return;
    std::vector<Change> changes;
    std::unordered_map<std::uint64_t, const Allocation*> live;  // at the end, the last of each number
    for (const Allocation& a : track.allocations) {
      changes.push_back({whole_us(a.birth_ns), a.birth_order, &a, false});
      if (a.freed) changes.push_back({whole_us(a.death_ns), a.death_order, &a, true});
      if (!a.freed) live[a.key] = &a;
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return std::pair(a.at_us, a.order) < std::pair(b.at_us, b.order);
    });
    std::vector<const Allocation*> unfreed;
    for (const Allocation& a : track.allocations) {
      if (is_newer_ && !a.freed && live.at(a.key) == &a) unfreed.push_back(&a);
    }
    const std::string name = std::string(capture_.strings.get(track.name)) + " Memory";
    std::string& lane = begin_lane(name, kMemoryLane, changes.size() + unfreed.size());
    if (viewer_ >= ReferenceViewer::k0_13) put(lane, kSteps);
    const std::size_t peak_at = lane.size();
    put(lane, std::uint64_t{0});
    std::uint64_t live_bytes = 0, peak_bytes = 0;
    for (const Change& change : changes) {
      const Allocation& a = *change.allocation;
      change.is_free ? put_free(lane, track, a, a.death_ns) : put_allocation(lane, a);
      live_bytes = change.is_free ? live_bytes - a.size_bytes() : live_bytes + a.size_bytes();
      if (!change.is_free) peak_bytes = std::max(peak_bytes, live_bytes);
    }
    for (const Allocation* a : unfreed) put_free(lane, track, *a, capture_.profile.end_ns);
    std::memcpy(lane.data() + peak_at, &peak_bytes, sizeof peak_bytes);
    peak_bytes_ = std::max(peak_bytes_, peak_bytes);
  }

  void put_allocation(std::string& lane, const Allocation& a) {
    put(lane, kAlloc);
    put(lane, us(a.birth_ns));
    put(lane, buffer_number(a.key));
    put(lane, place(capture_.strings.get(a.dtype)));
    put(lane, a.count);
    if (item_sizes_.try_emplace(a.dtype, a.item_size_bytes).second) dtypes_.push_back(a.dtype);
  }

  void put_free(std::string& lane, const Track& track, const Allocation& a, std::int64_t at_ns) {
    put(lane, kFree);
    put(lane, us(at_ns));
    put(lane, buffer_number(a.key));
    if (!is_newer_) return;
    const auto users = std::ranges::equal_range(
        users_of(track), static_cast<std::uint32_t>(&a - track.allocations.data()), {}, &LaunchUse::allocation);
    put(lane, static_cast<std::uint32_t>(users.size()));
    for (const LaunchUse& use : users) {
      const Launch& launch = track.launches[use.launch];
      put(lane, in_32_bits(launch.number));
      put(lane, place(capture_.strings.get(launch.name)));
      put(lane, use.argument);
      put(lane, static_cast<std::uint8_t>(use.writes ? (use.reads ? 2 : 1) : 0));
    }
  }

  // The track's, by allocation.
  const std::vector<LaunchUse>& users_of(const Track& track) {
    const auto [entry, is_new] = users_.try_emplace(&track, track.launch_uses);
    if (is_new) std::ranges::stable_sort(entry->second, {}, &LaunchUse::allocation);
    return entry->second;
  }

  std::string index_json() {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.column("strings", strings_, [](JsonWriter& w, const std::string* string) { w.text(*string); });
    json.key("dtypeSize").begin_object();
    for (const StringId id : dtypes_) json.key(capture_.strings.get(id)).number(item_sizes_[id]);
    json.end_object();
    json.column("markers", capture_.profile.markers, [&](JsonWriter& w, const Marker& marker) {
      w.begin_object().key("ts").number(whole_us(marker.at_ns - start_us_ * 1000));
      w.key("name").text(capture_.strings.get(marker.name));
      w.key("color").text(capture_.strings.get(marker.colour)).end_object();
    });
    put_facts(json);
    json.end_object();
    return text;
  }

  // What the program left for the viewer; what is no JSON, or would hide the index's own keys, is left out.
  void put_facts(JsonWriter& json) const {
    constexpr std::array<std::string_view, 3> kOwnKeys{"strings", "dtypeSize", "markers"};
    const StringId subject = capture_.strings.find(tinygrad::kForViewer);
    for (const Fact& fact : capture_.facts) {
      const auto* value = std::get_if<StringId>(&fact.value);
      if (subject == StringId{kNoId} || fact.subject != subject || value == nullptr) continue;
      const std::string_view name = capture_.strings.get(fact.name), told = capture_.strings.get(*value);
      if (std::ranges::find(kOwnKeys, name) != kOwnKeys.end() || parse_json(told).is_discarded()) continue;
      json.key(name).raw(told);
    }
  }

  const Capture& capture_;
  std::vector<std::uint64_t>* const keys_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // places in keys_
  const std::int64_t start_us_;
  const ReferenceViewer viewer_;
  const bool is_newer_;                                     // than 2025-09: events say their run, frees their users
  std::deque<std::pair<std::string, std::string>> sorted_;  // lanes: name, bytes
  std::unordered_map<const Track*, std::vector<LaunchUse>> users_;
  std::string lanes_;
  std::uint32_t lane_count_ = 0;
  std::uint64_t peak_bytes_ = 0;
  std::vector<const std::string*> strings_;  // keys of places_
  std::unordered_map<std::string, std::uint32_t> places_;
  std::vector<StringId> dtypes_;
  std::unordered_map<StringId, std::uint32_t> item_sizes_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::string> reference_profile(const Capture& capture) {
  Body body(capture);
  std::string bytes = body.build();
  if (body.error()) return *body.error();
  return bytes;
}

Result<std::string> reference_profile(const Capture& capture, std::vector<std::uint64_t>& keys) {
  Body body(capture, &keys);
  std::string bytes = body.build();
  if (body.error()) return *body.error();
  return bytes;
}

}  // namespace vizd
