#include "formats/trace_devices.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ascii_case.h"
#include "model/device_number.h"

namespace vizd::trace {
namespace {

using Kind = NamedProcess::Kind;

constexpr std::string_view kDeviceWords[] = {"gpu",  "npu",    "tpu",         "xpu",          "mtia", "hpu",
                                             "mlu",  "dcu",    "gcu",         "cuda",         "hip",  "rocm",
                                             "musa", "neuron", "privateuse1", "privateuseone"};

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() && number >= 0 ? std::optional(number)
                                                                                  : std::nullopt;
}

bool holds_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// "GPU 0", "gpu/0", "NPU", "6 GPU0": a word for a device, and its number or nothing. text: in small letters.
std::optional<NamedProcess> word_and_number(std::string_view text, bool needs_number) {
  for (const std::string_view word : kDeviceWords) {
    if (!text.starts_with(word)) continue;
    std::string_view rest = text.substr(word.size());
    while (!rest.empty() && std::string_view(" :/_#-").find(rest.front()) != std::string_view::npos)
      rest.remove_prefix(1);
    const auto number = number_of(rest);
    if (number || (rest.empty() && !needs_number)) return NamedProcess{Kind::kDevice, number};
  }
  return std::nullopt;
}

// "/device:GPU:0", "/job:worker/task:0/device:GPU:1/stream:all Compute", "/gpu:0/memcpy Compute". text: in small
// letters.
std::optional<NamedProcess> device_path(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  const std::size_t key = text.find("/device:");
  std::string_view device = key == text.npos ? text.substr(1) : text.substr(key + 8);
  const auto word = std::ranges::find_if(kDeviceWords, [&](std::string_view known) {
    return device.starts_with(known) && device.substr(known.size()).starts_with(':');
  });
  if (word == std::end(kDeviceWords)) return std::nullopt;
  device.remove_prefix(word->size() + 1);
  const std::size_t digits = static_cast<std::size_t>(std::ranges::find_if_not(device, is_digit) - device.begin());
  const auto number = number_of(device.substr(0, digits));
  const std::string_view rest = device.substr(digits);
  if (!number) return std::nullopt;
  if (rest.starts_with("/stream:all")) return NamedProcess{Kind::kSummed, number};
  if (rest.starts_with("/memcpy")) return NamedProcess{Kind::kSummedCopies, number};
  if (rest.starts_with("/stream:")) return NamedProcess{Kind::kDevice, number};
  // The other processes of TensorFlow's timeline are the host's part, operator by operator.
  if (rest.starts_with(" compute") || rest.starts_with(" tensors")) return NamedProcess{};
  return NamedProcess{Kind::kXla, number};
}

// The kind of work that an event of a device is, by its name.
EventRole role_of_work(std::string_view event) {
  const std::string name = ascii_lower(event);
  if (holds_any(name, {"memset", "memoryfill", "memory fill"})) return EventRole::kMemset;
  if (holds_any(name, {"memcpy", "memorycopy", "memory copy", "memcopy", "copycpu2gpu", "copygpu2cpu",
                       "copyhosttodevice", "copydevicetohost", "copydevicetodevice", "memorytransfer"}))
    return EventRole::kMemcpy;
  // What only waits, or tells others that it has come there, keeps nothing busy.
  constexpr std::string_view kWaits[] = {"event_wait",
                                         "event_record",
                                         "notify_wait",
                                         "notify_record",
                                         "eventrecord",
                                         "zecommandlistappendbarrier",
                                         "zecommandlistappendwait",
                                         "zecommandlistappendsignal",
                                         "zecommandlistappendeventreset"};
  const bool waits = std::ranges::any_of(kWaits, [&](std::string_view word) { return name.starts_with(word); });
  return waits ? EventRole::kNone : EventRole::kKernel;
}

// Whether an operation of XLA only holds others, which stand on its line too.
bool holds_operations(std::string_view name, std::string_view category) {
  constexpr std::string_view kHolders[] = {"while", "conditional", "call"};
  if (!category.empty()) return std::ranges::find(kHolders, category) != std::end(kHolders);
  return std::ranges::find(kHolders, name.substr(0, name.find('.'))) != std::end(kHolders);
}

// Whether events of that category are none of a device's work wherever they stand.
bool is_no_work(std::string_view category) {
  constexpr std::string_view kWords[] = {"cpu_op",
                                         "Operator",
                                         "user_annotation",
                                         "gpu_user_annotation",
                                         "cuda_sync",
                                         "xpu_sync",
                                         "python_function",
                                         "cuda_profiler_range",
                                         "overhead",
                                         "Trace",
                                         "ac2g"};
  return std::ranges::find(kWords, category) != std::end(kWords);
}

// A process of the capture with the threads in it.
struct Found {
  std::uint32_t track = kNoId;
  std::string name, labels;
  NamedProcess is = {};
  std::vector<std::uint32_t> lanes = {};  // itself among them
};

class Marking {
 public:
  Marking(Capture& capture, std::uint32_t first_track)
      : capture_(capture), tracks_(capture.profile.tracks), strings_(capture.strings), first_track_(first_track) {}

  void mark() {
    find_processes();
    for (Found& process : processes_) process.is = meaning_of(process);
    leave_one_of_each();
    find_device_of_copies();
    for (const Found& process : processes_) {
      if (process.is.kind == Kind::kCalls || process.is.kind == Kind::kOperators) {
        mark_host(process);
      } else if (process.is.is_device()) {
        mark_device(process);
      }
    }
    mark_calls_of_xla();
  }

 private:
  std::string text_of(const Fact& fact) const {
    const auto* const text = std::get_if<StringId>(&fact.value);
    return text == nullptr ? std::string() : std::string(strings_.get(*text));
  }

  void find_processes() {
    std::unordered_map<std::uint32_t, std::size_t> of_track;
    for (std::uint32_t t = first_track_; t < tracks_.size(); ++t) {
      const Track& track = tracks_[t];
      if (track.kind == TrackKind::kProcess || track.kind == TrackKind::kDevice) {
        of_track.emplace(t, processes_.size());
        processes_.push_back({.track = t, .name = {}, .labels = {}, .lanes = {t}});
      } else if (const auto parent = of_track.find(track.parent); parent != of_track.end()) {
        if (track.kind == TrackKind::kThread || track.kind == TrackKind::kStream)
          processes_[parent->second].lanes.push_back(t);
      }
    }
    for (const Fact& fact : capture_.facts) {
      const auto found = of_track.find(fact.track);
      if (found == of_track.end() || fact.is_hidden) continue;
      if (strings_.get(fact.name) == "process_name") processes_[found->second].name = text_of(fact);
      if (strings_.get(fact.name) == "process_labels") processes_[found->second].labels = text_of(fact);
    }
    for (Found& process : processes_) {
      const auto& number = tracks_[process.track].number;
      const auto* const text = number ? std::get_if<StringId>(&*number) : nullptr;
      if (process.name.empty() && text != nullptr) process.name = strings_.get(*text);
    }
  }

  static NamedProcess meaning_of(const Found& process) { return named_process(process.name, process.labels); }

  // Work that a trace has twice counts once: TensorFlow's streams one by one, Ascend's hardware.
  void leave_one_of_each() {
    const auto any_is = [this](auto&& is) { return std::ranges::any_of(processes_, is); };
    const bool has_ascend = any_is([](const Found& process) { return process.name == "Ascend Hardware"; });
    for (Found& process : processes_) {
      const bool is_summed = process.is.kind == Kind::kSummed || process.is.kind == Kind::kSummedCopies;
      const bool is_told_apart = is_summed && any_is([&](const Found& other) {
                                   return other.is.kind == Kind::kDevice && other.is.number == process.is.number &&
                                          other.name.find("/stream:") != std::string::npos;
                                 });
      const bool is_derived = has_ascend && process.is.kind == Kind::kDevice && process.name != "Ascend Hardware";
      if (is_told_apart || is_derived) process.is.kind = Kind::kOther;
    }
  }

  // rocprof puts the copies of all devices into one process, whose number is none of a device: they are of the one
  // device that there is, or of none that is known.
  void find_device_of_copies() {
    std::vector<std::int64_t> devices;
    for (const Found& process : processes_) {
      if (process.is.kind == Kind::kDevice && process.is.number) devices.push_back(*process.is.number);
    }
    std::ranges::sort(devices);
    devices.erase(std::ranges::unique(devices).begin(), devices.end());
    for (Found& process : processes_) {
      if (process.is.kind == Kind::kCopies && devices.size() == 1) process.is.number = devices.front();
    }
  }

  // Calls of the host's tools, and operators of the oldest profiler of PyTorch.
  void mark_host(const Found& process) {
    const EventRole role = process.is.kind == Kind::kCalls ? EventRole::kCall : EventRole::kOperator;
    for (const std::uint32_t lane : process.lanes) {
      EventColumns& events = tracks_[lane].events;
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        if (events.kind(i) == EventKind::kSpan && events.dur_ns(i) >= 0) events.set_role(i, role, events.is_step(i));
      }
    }
  }

  // What the host recorded of a launch beside a device of XLA's.
  void mark_calls_of_xla() {
    const auto is_xla = [](const Found& process) { return process.is.kind == Kind::kXla; };
    if (std::ranges::none_of(processes_, is_xla)) return;
    for (const Found& process : processes_) {
      if (process.is.is_device()) continue;
      for (const std::uint32_t lane : process.lanes) {
        Track& track = tracks_[lane];
        for (const ArgumentColumn& column : track.arguments) {
          if (column.is_hidden || strings_.get(column.name) != "correlation_id") continue;
          column.events.for_each([&](std::int64_t place) {
            const auto event = static_cast<std::size_t>(place);
            if (track.events.kind(event) == EventKind::kSpan && track.events.role(event) == EventRole::kNone)
              track.events.set_role(event, EventRole::kCall, track.events.is_step(event));
          });
        }
      }
    }
  }

  bool says_work(const Found& process) const {
    return std::ranges::any_of(process.lanes, [this](std::uint32_t lane) {
      const EventColumns& events = tracks_[lane].events;
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        if (is_work(events.role(i))) return true;
      }
      return false;
    });
  }

  void mark_device(const Found& process) {
    if (says_work(process)) return;
    bool has_work = false;
    for (const std::uint32_t lane : lanes_with_work(process)) has_work = mark_lane(process, lane) || has_work;
    if (!has_work || (!process.is.number && process.is.kind != Kind::kCopies)) return;
    const ArgumentValue number = process.is.number ? ArgumentValue(*process.is.number) : ArgumentValue(StringId{});
    Fact fact{.value = number, .track = process.track, .is_hidden = true};
    fact.name = strings_.add(fact::kDeviceNumber);
    capture_.facts.push_back(fact);
  }

  std::vector<std::uint32_t> lanes_with_work(const Found& process) const {
    const auto named = [&](auto&& takes) {
      std::vector<std::uint32_t> lanes;
      for (const std::uint32_t lane : process.lanes) {
        if (takes(strings_.get(tracks_[lane].name))) lanes.push_back(lane);
      }
      return lanes;
    };
    const auto is_stream = [](std::string_view name) { return ascii_lower(name.substr(0, 6)) == "stream"; };
    const auto is_operations = [](std::string_view name) { return name == "XLA Ops" || name == "Sparse Core Ops"; };
    if (process.is.kind != Kind::kXla && process.is.kind != Kind::kStreams) return process.lanes;
    std::vector<std::uint32_t> lanes = named(is_stream);
    if (lanes.empty() && process.is.kind == Kind::kXla) lanes = named(is_operations);
    return lanes;
  }

  // Whether any of its events is work.
  bool mark_lane(const Found& process, std::uint32_t lane) {
    Track& track = tracks_[lane];
    const std::vector<StringId> categories = operation_categories(track);
    bool has_work = false;
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (track.events.kind(i) != EventKind::kSpan || track.events.dur_ns(i) < 0) continue;
      if (is_no_work(strings_.get(track.events.category(i)))) continue;
      const std::string_view name = strings_.get(track.events.name(i));
      if (process.is.kind == Kind::kXla &&
          holds_operations(name, categories.empty() ? std::string_view() : strings_.get(categories[i])))
        continue;
      const bool is_copy = process.is.kind == Kind::kCopies || process.is.kind == Kind::kSummedCopies;
      const EventRole role = is_copy ? EventRole::kMemcpy : role_of(track.events.name(i));
      if (role == EventRole::kNone) continue;
      track.events.set_role(i, role, false);
      has_work = true;
    }
    return has_work;
  }

  EventRole role_of(StringId name) {
    const auto [found, is_new] = roles_.try_emplace(name, EventRole::kNone);
    if (is_new) found->second = role_of_work(strings_.get(name));
    return found->second;
  }

  // By event the category that XLA gives it; none where the track has none.
  std::vector<StringId> operation_categories(const Track& track) const {
    std::vector<StringId> categories;
    for (const ArgumentColumn& column : track.arguments) {
      if (column.is_hidden || column.type != ArgumentType::kText || strings_.get(column.name) != "hlo_category")
        continue;
      categories.resize(track.events.size());
      for (std::size_t i = 0; i < column.size(); ++i) categories[column.event(i)] = column.text(i);
    }
    return categories;
  }

  Capture& capture_;
  std::vector<Track>& tracks_;
  StringTable& strings_;
  const std::uint32_t first_track_;
  std::vector<Found> processes_;
  std::unordered_map<StringId, EventRole> roles_;  // of work, by name
};

}  // namespace

NamedProcess named_process(std::string_view name, std::string_view labels) {
  // What sums up a device of Ascend's is labelled as one too.
  constexpr std::string_view kSums[] = {"Overlap Analysis", "HCCL", "Communication", "AI Core Freq"};
  if (std::ranges::find(kSums, name) != std::end(kSums)) return {};
  if (name == "CANN") return {Kind::kCalls};
  if (name == "CPU functions") return {Kind::kOperators};
  if (name == "Ascend Hardware" || name == "CUDA functions" || name.starts_with("DEVICE<")) return {Kind::kDevice};
  const std::string text = ascii_lower(name);
  if (const auto known = device_path(text)) return *known;
  // rocprof has a number before each name.
  std::string_view rest = text;
  rest.remove_prefix(std::min(rest.find_first_not_of("0123456789"), rest.size()));
  if (rest.starts_with(' ') && rest.size() < text.size()) rest.remove_prefix(1);
  if (rest == "copy" && rest.size() < text.size()) return {Kind::kCopies};
  if (const auto known = word_and_number(rest, true)) return *known;
  if (rest.starts_with("device ")) {
    if (const auto number = number_of(rest.substr(7))) return {Kind::kStreams, number};
  }
  if (const auto known = word_and_number(ascii_lower(labels), false)) return *known;
  return {};
}

void mark_named_devices(Capture& capture, std::uint32_t first_track) { Marking(capture, first_track).mark(); }

}  // namespace vizd::trace
