#include "analysis/devices/device_work.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analysis/devices/kernel_names.h"
#include "analysis/figures/argument_cursor.h"
#include "base/parallel.h"

namespace vizd {
namespace {

// Sorts numbers before texts.
using NumberKey = std::tuple<bool, bool, std::int64_t, std::string>;

NumberKey key_of(const FileValue& value, const StringTable& strings) {
  if (!value) return {true, false, 0, ""};
  if (const auto* const number = std::get_if<std::int64_t>(&*value)) return {false, true, *number, ""};
  if (const auto* const text = std::get_if<StringId>(&*value)) return {true, true, 0, std::string(strings.get(*text))};
  return {false, true, static_cast<std::int64_t>(std::get<double>(*value)), ""};
}

// A stream's number, also where it stands as "stream 7".
FileValue stream_number(const FileValue& stream, const StringTable& strings) {
  constexpr std::string_view kWord = "stream ";
  const auto* const text = stream ? std::get_if<StringId>(&*stream) : nullptr;
  if (text == nullptr) return stream;
  const std::string_view name = strings.get(*text);
  if (!name.starts_with(kWord)) return stream;
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(name.data() + kWord.size(), name.data() + name.size(), number);
  if (failed != std::errc() || end != name.data() + name.size()) return stream;
  return number;
}

enum class Role : std::uint8_t { kNone, kWork, kCall };

Role role_of(std::string_view category) {
  if (trace::work_of(category, "") != trace::Work::kNone) return Role::kWork;
  return trace::is_call(category) ? Role::kCall : Role::kNone;
}

// By event whether it came as one whole record: others say how in an argument. Empty: all did.
std::vector<bool> came_whole(const Track& track, StringId phase) {
  std::vector<bool> whole;
  for (const ArgumentColumn& column : track.arguments) {
    if (column.name != phase || phase == StringId{kNoId}) continue;
    whole.resize(track.events.size(), true);
    column.events.for_each([&](std::int64_t event) { whole[static_cast<std::size_t>(event)] = false; });
  }
  return whole;
}

class WorkFinder {
 public:
  WorkFinder(const Capture& capture, DeviceWork& work)
      : capture_(capture),
        strings_(capture.strings),
        tracks_(capture.profile.tracks),
        work_(work),
        is_trace_(trace::is_of_trace(capture)),
        phase_(capture.strings.find(trace::kPhase)) {}

  void find(std::uint32_t root) {
    root_ = root;
    read_facts();
    const std::size_t first_item = work_.items.size(), first_call = work_.calls.size();
    if (is_trace_) {
      find_calls();
      link_calls(first_call);
    }
    find_items();
    const auto items =
        std::ranges::subrange(work_.items.begin() + static_cast<std::ptrdiff_t>(first_item), work_.items.end());
    if (!std::ranges::is_sorted(items, {}, &WorkItem::order)) std::ranges::stable_sort(items, {}, &WorkItem::order);
  }

  // Devices and streams in the order of their numbers, which they were not found in.
  void sort_streams() {
    const auto device_key = [&](std::uint32_t d) {
      return std::tuple(work_.devices[d].root, key_of(work_.devices[d].number, strings_));
    };
    const std::vector<std::uint32_t> device_at = sort(work_.devices, device_key);
    for (WorkStream& stream : work_.streams) stream.device = device_at[stream.device];
    const auto stream_key = [&](std::uint32_t s) {
      return std::tuple(work_.streams[s].device, key_of(work_.streams[s].number, strings_));
    };
    const std::vector<std::uint32_t> stream_at = sort(work_.streams, stream_key);
    for (WorkItem& item : work_.items) item.stream = stream_at[item.stream];
  }

 private:
  struct Launch {
    Correlation correlation;
    ProfileEvent call;
  };

  // Sorts the list, and tells by old place the new one.
  template <typename Value, typename Key>
  static std::vector<std::uint32_t> sort(std::vector<Value>& list, Key&& key) {
    std::vector<std::uint32_t> order(list.size()), now_at(list.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, key);
    std::vector<Value> sorted;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      now_at[order[i]] = i;
      sorted.push_back(list[order[i]]);
    }
    list = std::move(sorted);
    return now_at;
  }

  void read_facts() {
    rank_ = std::nullopt;
    offset_ns_ = 0;
    names_.clear();
    std::map<std::string_view, NumberKey> listed;  // by subject
    for (const Fact& fact : capture_.facts) {
      if (fact.track != root_) continue;
      const std::string_view name = strings_.get(fact.name), subject = strings_.get(fact.subject);
      const auto* const text = std::get_if<StringId>(&fact.value);
      if (subject == "distributedInfo" && name == "rank") rank_ = fact.value;
      if (name == trace::kTimeOffset_ns && std::holds_alternative<std::int64_t>(fact.value))
        offset_ns_ = std::get<std::int64_t>(fact.value);
      if (!subject.starts_with("deviceProperties[")) continue;
      if (name == "id") listed[subject] = key_of(fact.value, strings_);
      if (name == "name" && text != nullptr) device_names_[subject] = strings_.get(*text);
    }
    for (const auto& [subject, key] : listed) names_[key] = device_names_[subject];
    device_names_.clear();
  }

  // Calls visit(event, role) for each whole span of the track that has a role.
  template <typename Visit>
  void for_each_span(std::uint32_t place, Role wanted, Visit&& visit) {
    const EventColumns& events = tracks_[place].events;
    const std::vector<bool> whole = came_whole(tracks_[place], phase_);
    StringId last{kNoId};
    Role role = Role::kNone;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (const StringId category = events.category(i); category != last) {
        last = category;
        const auto [found, is_new] = roles_.try_emplace(category, Role::kNone);
        if (is_new) found->second = role_of(strings_.get(category));
        role = found->second;
      }
      if (role != wanted || events.kind(i) != EventKind::kSpan || (!whole.empty() && !whole[i])) continue;
      visit(i);
    }
  }

  ProfileEvent event_at(std::uint32_t track, std::uint32_t event) const {
    const EventColumns& events = tracks_[track].events;
    return {.start_ns = events.start_ns(event),
            .end_ns = events.end_ns(event),
            .track = track,
            .event = event,
            .order = events.order(event)};
  }

  void find_calls() {
    launches_.clear();
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (tracks_[t].events.empty() || !is_below(tracks_, t, root_)) continue;
      ArgumentCursor correlation(tracks_[t], "correlation", strings_);
      if (correlation.empty()) continue;
      for_each_span(t, Role::kCall, [&](std::uint32_t i) {
        if (const auto known = correlation.correlation_at(i)) launches_.push_back({*known, event_at(t, i)});
      });
    }
    std::ranges::sort(launches_, {}, [](const Launch& l) { return std::tuple(l.correlation, l.call.order); });
    const auto rest = std::ranges::unique(launches_, {}, &Launch::correlation);
    launches_.erase(rest.begin(), rest.end());
  }

  void link_calls(std::size_t first_call) {
    first_call_ = static_cast<std::uint32_t>(first_call);
    for (const Launch& launch : launches_) work_.calls.push_back(launch.call);
  }

  std::uint32_t call_of(const std::optional<Correlation>& correlation) const {
    if (!correlation) return kNoId;
    const auto found = std::ranges::lower_bound(launches_, *correlation, {}, &Launch::correlation);
    if (found == launches_.end() || found->correlation != *correlation) return kNoId;
    return first_call_ + static_cast<std::uint32_t>(found - launches_.begin());
  }

  // Whether all that a track has is work, where the capture is no trace.
  bool has_only_work(std::uint32_t t) const {
    const TrackKind kind = tracks_[t].kind;
    return kind == TrackKind::kDevice || kind == TrackKind::kEngine || kind == TrackKind::kStream;
  }

  void find_items() {
    std::vector<std::uint32_t> tracks;
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (tracks_[t].events.empty() || !is_below(tracks_, t, root_)) continue;
      if (is_trace_) {
        find_items_by_category(t);
      } else if (has_only_work(t)) {
        tracks.push_back(t);
      }
    }
    find_all_items(tracks);
  }

  void find_items_by_category(std::uint32_t t) {
    const EventColumns& events = tracks_[t].events;
    ArgumentCursor correlation(tracks_[t], "correlation", strings_),
        collective(tracks_[t], "Collective name", strings_);
    std::uint32_t stream = kNoId;
    for_each_span(t, Role::kWork, [&](std::uint32_t i) {
      if (stream == kNoId) stream = stream_of(process_number(tracks_, t), thread_number(tracks_, t));
      const trace::Work work = trace::work_of(strings_.get(events.category(i)), strings_.get(events.name(i)));
      const bool is_kernel = work == trace::Work::kKernel;
      work_.items.push_back({event_at(t, i), stream, call_of(correlation.correlation_at(i)), work,
                             is_kernel && (collective.at(i) || name_tells(events.name(i)).is_communication)});
    });
  }

  // Each track's spans are a part of the list, so that the parts can be filled at once.
  void find_all_items(const std::vector<std::uint32_t>& tracks) {
    std::vector<std::size_t> begins(tracks.size() + 1, work_.items.size());
    std::vector<std::uint32_t> streams(tracks.size());
    for (std::size_t k = 0; k < tracks.size(); ++k) {
      const std::size_t spans = read_names(tracks[k]);
      begins[k + 1] = begins[k] + spans;
      if (spans > 0) streams[k] = stream_below_device(tracks[k]);
    }
    work_.items.resize(begins.back());
    for_each_index(tracks.size(), core_count(),
                   [&](std::size_t k) { put_items(tracks[k], streams[k], work_.items.data() + begins[k]); });
  }

  // How many spans the track has; what their names tell is known then.
  std::size_t read_names(std::uint32_t t) {
    const EventColumns& events = tracks_[t].events;
    std::size_t spans = 0;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan) continue;
      ++spans;
      name_tells(events.name(i));
    }
    return spans;
  }

  // A copy is told by its lane's name or its own category.
  void put_items(std::uint32_t t, std::uint32_t stream, WorkItem* to) const {
    const EventColumns& events = tracks_[t].events;
    const bool copies = is_copy_engine(strings_.get(tracks_[t].name));
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan) continue;
      const NameTells& tells = names_tell_[index(events.name(i))];
      const bool is_kernel = !copies && !tells.is_copy;
      *to++ = {event_at(t, i), stream, kNoId, is_kernel ? trace::Work::kKernel : trace::Work::kMemcpy,
               is_kernel && tells.is_communication};
    }
  }

  // What a name tells of the work: found once each.
  struct NameTells {
    bool is_known = false, is_communication = false, is_copy = false;
  };

  NameTells name_tells(StringId name) {
    if (index(name) >= names_tell_.size()) names_tell_.resize(std::bit_ceil(std::size_t{index(name)} + 1));
    NameTells& tells = names_tell_[index(name)];
    if (!tells.is_known) tells = {true, is_communication_kernel(strings_.get(name)), is_copy(strings_.get(name))};
    return tells;
  }

  std::uint32_t stream_below_device(std::uint32_t t) {
    std::uint32_t device = t;
    while (tracks_[device].kind != TrackKind::kDevice && tracks_[device].parent != Track::kNoParent)
      device = tracks_[device].parent;
    const auto number = [&](std::uint32_t track) {
      return tracks_[track].number ? tracks_[track].number : FileValue(tracks_[track].name);
    };
    const std::uint32_t stream = stream_of(number(device), number(t), t);
    if (is_named_[work_.streams[stream].device]) return stream;
    is_named_[work_.streams[stream].device] = true;
    work_.devices[work_.streams[stream].device].name = strings_.get(tracks_[device].name);
    return stream;
  }

  // own_track: of streams that are told apart by their lanes, the lane.
  std::uint32_t stream_of(const FileValue& device, const FileValue& stream, std::uint32_t own_track = kNoId) {
    const NumberKey device_key = key_of(device, strings_);
    const auto [d, is_new_device] =
        devices_.try_emplace({root_, device_key}, static_cast<std::uint32_t>(work_.devices.size()));
    if (is_new_device) {
      const auto name = names_.find(device_key);
      work_.devices.push_back({root_, rank_, device, name == names_.end() ? "" : name->second, offset_ns_});
      is_named_.push_back(is_trace_);
    }
    const FileValue number = stream_number(stream, strings_);
    const auto [s, is_new] = streams_.try_emplace({d->second, key_of(number, strings_), own_track},
                                                  static_cast<std::uint32_t>(work_.streams.size()));
    if (is_new) work_.streams.push_back({d->second, number});
    return s->second;
  }

  const Capture& capture_;
  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  DeviceWork& work_;
  const bool is_trace_;
  const StringId phase_;
  std::uint32_t root_ = kNoId, first_call_ = 0;
  FileValue rank_;
  std::int64_t offset_ns_ = 0;
  std::map<NumberKey, std::string> names_;
  std::map<std::string_view, std::string> device_names_;
  std::vector<Launch> launches_;  // by correlation
  std::unordered_map<StringId, Role> roles_;
  std::vector<NameTells> names_tell_;  // by name
  std::vector<bool> is_named_;         // by device
  std::map<std::pair<std::uint32_t, NumberKey>, std::uint32_t> devices_;
  std::map<std::tuple<std::uint32_t, NumberKey, std::uint32_t>, std::uint32_t> streams_;
};

}  // namespace

std::vector<std::uint32_t> rank_roots(const Capture& capture) {
  std::vector<std::uint32_t> roots;
  const StringId offset = capture.strings.find(trace::kTimeOffset_ns);
  for (const Fact& fact : capture.facts) {
    if (fact.name == offset && std::ranges::find(roots, fact.track) == roots.end()) roots.push_back(fact.track);
  }
  if (roots.empty()) roots.push_back(kNoId);
  return roots;
}

DeviceWork find_device_work(const Capture& capture, std::uint32_t root) {
  DeviceWork work;
  WorkFinder finder(capture, work);
  finder.find(root);
  finder.sort_streams();
  return work;
}

DeviceWork find_work_of_ranks(const Capture& capture) {
  DeviceWork work;
  WorkFinder finder(capture, work);
  for (const std::uint32_t root : rank_roots(capture)) finder.find(root);
  finder.sort_streams();
  return work;
}

}  // namespace vizd
