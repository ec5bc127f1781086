#include "analysis/devices/device_streams.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "model/device_number.h"

namespace vizd {
namespace {

// Sorts the list, and tells by old place the new one.
template <typename Value, typename Key>
std::vector<std::uint32_t> sort_list(std::vector<Value>& list, Key&& key) {
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

}  // namespace

DeviceStreams::NumberKey DeviceStreams::key_of(const FileValue& value) const {
  if (!value) return {true, false, 0, ""};
  if (const auto* const number = std::get_if<std::int64_t>(&*value)) return {false, true, *number, ""};
  if (const auto* const text = std::get_if<StringId>(&*value)) return {true, true, 0, std::string(strings_.get(*text))};
  return {false, true, static_cast<std::int64_t>(std::get<double>(*value)), ""};
}

// Also where it stands as "stream 7".
FileValue DeviceStreams::stream_number(const FileValue& stream) const {
  constexpr std::string_view kWord = "stream ";
  const auto* const text = stream ? std::get_if<StringId>(&*stream) : nullptr;
  if (text == nullptr) return stream;
  const std::string_view name = strings_.get(*text);
  if (!name.starts_with(kWord)) return stream;
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(name.data() + kWord.size(), name.data() + name.size(), number);
  if (failed != std::errc() || end != name.data() + name.size()) return stream;
  return number;
}

void DeviceStreams::begin_rank(const std::vector<Fact>& facts, std::uint32_t root) {
  root_ = root;
  rank_ = std::nullopt;
  offset_ns_ = 0;
  names_.clear();
  std::map<std::string_view, NumberKey> listed;          // by subject
  std::map<std::string_view, std::string> device_names;  // likewise
  for (const Fact& fact : facts) {
    const std::string_view name = strings_.get(fact.name);
    if (fact.is_hidden && name == fact::kDeviceNumber) told_numbers_[fact.track] = fact.value;
    if (fact.is_hidden && name == fact::kDeviceContext) contexts_[fact.track] = fact.value;
    if (fact.track != root_) continue;
    const std::string_view subject = strings_.get(fact.subject);
    const auto* const text = std::get_if<StringId>(&fact.value);
    if (subject == "distributedInfo" && name == "rank") rank_ = fact.value;
    if (fact.is_hidden && name == fact::kTimeOffset_ns && std::holds_alternative<std::int64_t>(fact.value))
      offset_ns_ = std::get<std::int64_t>(fact.value);
    if (!subject.starts_with("deviceProperties[")) continue;
    if (name == "id") listed[subject] = key_of(fact.value);
    if (name == "name" && text != nullptr) device_names[subject] = strings_.get(*text);
  }
  for (const auto& [subject, key] : listed) names_[key] = device_names[subject];
}

StreamOwner DeviceStreams::owner_of(std::uint32_t track) const {
  StreamOwner owner;
  if (const auto context = contexts_.find(track); context != contexts_.end()) owner.context = context->second;
  for (; track != Track::kNoParent && tracks_[track].kind != TrackKind::kDevice; track = tracks_[track].parent) {
    if (tracks_[track].kind == TrackKind::kProcess) owner.process = tracks_[track].number;
  }
  return owner;
}

std::string DeviceStreams::common_name() const {
  if (names_.empty()) return "";
  const std::string& first = names_.begin()->second;
  return std::ranges::all_of(names_, [&](const auto& of) { return of.second == first; }) ? first : "";
}

std::uint32_t DeviceStreams::of_thread(std::uint32_t track) {
  std::uint32_t device = track;
  while (device != Track::kNoParent && tracks_[device].kind != TrackKind::kDevice) device = tracks_[device].parent;
  const auto told = told_numbers_.find(device);
  if (told == told_numbers_.end()) return stream_of(process_number(tracks_, track), thread_number(tracks_, track));
  const bool has_number = told->second != ArgumentValue(StringId{});
  return stream_of(has_number ? FileValue(told->second) : std::nullopt, thread_number(tracks_, track), owner_of(track));
}

std::uint32_t DeviceStreams::of_lane(std::uint32_t t) {
  std::uint32_t device = t;
  while (tracks_[device].kind != TrackKind::kDevice && tracks_[device].parent != Track::kNoParent)
    device = tracks_[device].parent;
  const auto number = [&](std::uint32_t track) {
    return tracks_[track].number ? tracks_[track].number : FileValue(tracks_[track].name);
  };
  const std::uint32_t stream = stream_of(number(device), number(t), {.lane = t});
  if (is_named_[work_.streams[stream].device]) return stream;
  is_named_[work_.streams[stream].device] = true;
  work_.devices[work_.streams[stream].device].name = strings_.get(tracks_[device].name);
  return stream;
}

void DeviceStreams::sort() {
  const auto device_key = [&](std::uint32_t d) {
    return std::tuple(work_.devices[d].root, key_of(work_.devices[d].number));
  };
  const std::vector<std::uint32_t> device_at = sort_list(work_.devices, device_key);
  for (WorkStream& stream : work_.streams) stream.device = device_at[stream.device];
  const auto stream_key = [&](std::uint32_t s) {
    return std::tuple(work_.streams[s].device, key_of(work_.streams[s].number));
  };
  const std::vector<std::uint32_t> stream_at = sort_list(work_.streams, stream_key);
  for (WorkItem& item : work_.items) item.stream = stream_at[item.stream];
}

std::uint32_t DeviceStreams::stream_of(const FileValue& device, const FileValue& stream, const StreamOwner& owner) {
  const NumberKey device_key = key_of(device);
  const auto [d, is_new_device] =
      devices_.try_emplace({root_, device_key}, static_cast<std::uint32_t>(work_.devices.size()));
  if (is_new_device) {
    const auto name = names_.find(device_key);
    work_.devices.push_back(
        {root_, rank_, device, name == names_.end() ? "" : name->second, offset_ns_, common_name()});
    is_named_.push_back(has_facts_);
  }
  const FileValue number = stream_number(stream);
  const auto [s, is_new] =
      streams_.try_emplace({d->second, key_of(number), key_of(owner.process), key_of(owner.context), owner.lane},
                           static_cast<std::uint32_t>(work_.streams.size()));
  if (is_new) work_.streams.push_back({d->second, number});
  return s->second;
}

}  // namespace vizd
