#include "formats/tinygrad/reading/profile_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/tinygrad/python/json_text.h"
#include "formats/tinygrad/reading/cut_records.h"
#include "formats/tinygrad/reading/hardware_events.h"
#include "formats/tinygrad/reading/hardware_programs.h"
#include "formats/tinygrad/reading/profile_allocations.h"
#include "formats/tinygrad/reading/profile_events.h"
#include "formats/tinygrad/reading/unread_events.h"
#include "formats/tinygrad/reading/value_reader.h"
#include "formats/tinygrad/reading/wave_tracks.h"
#include "formats/tinygrad/viewer_words.h"

namespace vizd::tinygrad {
namespace {

// Work of the compiler and its user, not of a device.
bool is_host(std::string_view lane) { return lane == "TINY" || lane == "USER"; }

using pickle::Kind;
using pickle::Node;

// As the reference sorts: by int(Decimal), whole microseconds.
std::int64_t whole_us(const python::DecimalTime& time) { return time.ns / 1000; }

// The name of the devices whose points are a series of numbers.
constexpr std::string_view kLine = "LINE:";

// The class of an event; no names where it is no object.
pickle::ClassName event_class(const pickle::Tree& tree, Node event) {
  const bool is_object = event.is(Kind::kObject) && tree.object(event).callable.is(Kind::kClass);
  return is_object ? tree.class_name(tree.object(event).callable) : pickle::ClassName();
}

class ProfileReader {
 public:
  ProfileReader(const pickle::Tree& tree, const Version& version, const MeasureExecution& measure, Capture& capture)
      : tree_(tree),
        rules_(version.profile),
        measure_(measure),
        capture_(capture),
        values_(tree, version, capture),
        visits_(tree.bytes.size()) {}

  void read() {
    capture_.profile.numbers_launches = rules_.numbers_launches;
    auto devices = collect_items(tree_, rules_, visits_, capture_);
    set_extent(devices);
    for (DeviceItems& device : devices) {
      for (const DeviceItem& item : device.items) {
        if (item.kind == ItemKind::kMarker) add_marker(item);
      }
      std::ranges::stable_sort(device.items, {}, [](const DeviceItem& item) { return whole_us(item.start); });
      Track& track = capture_.profile.tracks.emplace_back();
      track.name = device.device;
      track.kind = is_host(capture_.strings.get(device.device)) ? TrackKind::kHost : TrackKind::kDevice;
      if (const std::string_view name = capture_.strings.get(device.device); name.starts_with(kLine)) {
        track.name = capture_.strings.add(name.substr(kLine.size()));
        add_line(device.items, track);
        continue;
      }
      if (rules_.has_profile_keys) {
        add_keyed_events(device.items, track);
      } else {
        add_events(device.items, track);
      }
      read_allocations(device.items, tree_, rules_, values_, visits_, capture_, track);
    }
  }

 private:
  void skip(const char* reason) { ++capture_.skipped[reason]; }

  Node attribute(Node object, std::string_view name) const {
    return tree_.attribute(tree_.object(object), name).value_or(Node());
  }

  void set_extent(const std::vector<DeviceItems>& devices) {
    std::int64_t start = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (const DeviceItems& device : devices) {
      for (const DeviceItem& item : device.items) {
        start = std::min(start, item.start.ns);
        end = std::max(end, item.end.ns);
      }
    }
    if (start > end) return;  // nothing at all
    capture_.profile.start_ns = start;
    capture_.profile.end_ns = end;
  }

  void add_marker(const DeviceItem& item) {
    const auto text = [&](std::string_view key) {
      return values_.read_text(tree_.value(item.arg, key).value_or(Node()));
    };
    capture_.profile.markers.push_back({item.start.ns, text("name"), text("color")});
  }

  bool has_tracing_key(const DeviceItem& item) const {
    return tree_.is_object_of(item.name, "tinygrad.helpers", "TracingKey");
  }

  // A range with its times, and its name where that is a text; nothing, and counted, where it makes no sense.
  std::optional<Event> make_event(const DeviceItem& item) {
    const bool is_text = item.name.is(Kind::kString);
    if (item.end < item.start || (!has_tracing_key(item) && !is_text && item.text == StringId{})) {
      skip(item.end < item.start ? "event that ends before it starts" : "event without a name");
      return std::nullopt;
    }
    const python::DecimalTime duration = item.end - item.start;
    Event event{.start_ns = item.start.ns, .dur_ns = duration.ns, .order = item.order};
    event.dur_ps = duration.billionths / 1'000'000;
    event.name = is_text ? values_.read_text(item.name) : item.text;
    return event;
  }

  using Launches = std::unordered_map<StringId, const DeviceItem*>;  // the last of each kernel, by its program's name

  Node program_name(const DeviceItem& launch) const {
    return rules_.numbers_launches ? tree_.value(launch.arg, "name").value_or(Node()) : launch.key;
  }

  void add_events(const std::vector<DeviceItem>& items, Track& track) {
    Launches launches;
    for (const DeviceItem& item : items) {
      if (item.kind == ItemKind::kExec) launches[values_.read_text(program_name(item))] = &item;
      if (item.kind != ItemKind::kRange || item.start == item.end) continue;
      const bool is_keyed = has_tracing_key(item);
      std::optional<Event> made = make_event(item);
      if (!made) continue;
      Event& event = *made;
      const auto& by_name = capture_.rewrites.context_by_name;
      if (is_keyed) {
        event.name = values_.read_text(attribute(item.name, "display_name"));
        event.context = find_context(attribute(item.name, "keys"));
      } else if (const auto found = by_name.find(event.name); found != by_name.end()) {
        event.context = found->second;
        const Context& context = capture_.rewrites.contexts[index(found->second)];
        event.name = context.name;
        if (context.program != ProgramId{kNoId}) add_work(context.program, launches, item.is_batched, track);
      }
      track.events.push_back(event);
    }
  }

  // A series of numbers over time.
  void add_line(const std::vector<DeviceItem>& items, Track& track) {
    track.kind = TrackKind::kCounter;
    Counter& counter = track.counters.emplace_back();
    counter.name = track.name;
    for (const DeviceItem& item : items) {
      const auto value = item.kind == ItemKind::kRange ? std::nullopt : tree_.real(item.key);
      if (!value) {
        if (item.kind != ItemKind::kRange) skip("point of a series without a number");
        continue;
      }
      counter.at_ns.push_back(item.start.ns);
      counter.value.push_back(*value);
    }
  }

  // As serve.py's timeline_layout of 2026 links and describes events.
  void add_keyed_events(const std::vector<DeviceItem>& items, Track& track) {
    const DeviceItem* launch = nullptr;  // the last on the device, whatever it was of
    for (const DeviceItem& item : items) {
      if (item.kind == ItemKind::kExec) launch = &item;
      if (item.kind != ItemKind::kRange || item.start == item.end) continue;
      const bool is_keyed = has_tracing_key(item);
      std::optional<Event> made = make_event(item);
      if (!made) continue;
      Event& event = *made;
      std::string details;
      std::optional<std::int64_t> run;
      event.context = find_by_bytes(item.key);
      if (rules_.links_by_name && item.name.is(Kind::kString) && event.context == ContextId{kNoId}) {
        const auto found = capture_.rewrites.context_by_name.find(event.name);
        if (found != capture_.rewrites.context_by_name.end()) event.context = found->second;
      }
      if (event.context != ContextId{kNoId}) {
        event.name = capture_.rewrites.contexts[index(event.context)].name;
        if (launch != nullptr && rules_.describe_work != nullptr) {
          const ValueId var_vals =
              values_.read(tree_.value(launch->arg, "var_vals").value_or(Node())).value_or(kNoneValue);
          details = rules_.describe_work(capture_, event.context, var_vals, event.dur_us());
          if (!details.empty()) run = tree_.integer(launch->key);
        }
      } else if (is_keyed) {
        event.name = values_.read_text(attribute(item.name, "display_name"));
        event.context = find_context(attribute(item.name, "keys"));
        details = details_of(item.name, event.dur_us());
      }
      add_details(track, details, run);
      track.events.push_back(event);
    }
  }

  ContextId find_by_bytes(Node key) {
    if (!key.is(Kind::kBytes)) return ContextId{kNoId};
    const auto& by_name = capture_.rewrites.context_by_name;
    const auto found = by_name.find(capture_.strings.find(tree_.text(key)));
    return found == by_name.end() ? ContextId{kNoId} : found->second;
  }

  // The rest of a TracingKey beside its name: a text, the bytes of a copy, or where it was called from.
  std::string details_of(Node key, double dur_us) {
    constexpr std::string_view kJson = "JSON";
    const Node made = attribute(key, "ret");
    if (made.is(Kind::kString)) {
      const std::string_view text = tree_.text(made);
      if (!text.starts_with(kJson)) return "\"metadata\": " + python::json_string(text);
      const std::string_view fields = text.substr(kJson.size());
      return fields.size() < 2 ? "" : std::string(fields.substr(1, fields.size() - 2));
    }
    if (const auto bytes = tree_.integer(made); bytes && (made.is(Kind::kInt) || made.is(Kind::kLong))) {
      return fmt::format("\"B/s\": {}, \"B\": {}",
                         static_cast<std::int64_t>(static_cast<double>(*bytes) / (dur_us * 1e-6)), *bytes);
    }
    const Node frames = attribute(key, "tb");
    if (!made.is(Kind::kNone) || !frames.is(Kind::kTuple) || frames.count() == 0) return "";
    std::string text;
    for (const Node frame : tree_.tuple(frames)) {
      std::string parts;
      if (!frame.is(Kind::kTuple)) continue;
      for (const Node part : tree_.tuple(frame)) {
        const auto number = tree_.integer(part);
        parts += parts.empty() ? "" : ", ";
        parts += part.is(Kind::kString) ? python::json_string(tree_.text(part))
                 : number               ? fmt::format("{}", *number)
                                        : "null";
      }
      text += fmt::format("{}[{}]", text.empty() ? "" : ", ", parts);
    }
    return fmt::format("\"tb\": [{}]", text);
  }

  // As arguments of the track's next event.
  void add_details(Track& track, const std::string& details, std::optional<std::int64_t> run) {
    const auto event = static_cast<std::uint32_t>(track.events.size());
    const auto add = [&](std::string_view name, const ArgumentValue& value) {
      find_or_add_argument(track.arguments, capture_.strings.add(name), StringId{}, type_of(value))
          .push_back(event, value);
    };
    if (run) add(argument::kRun, *run);
    if (!details.empty()) add(tinygrad::kDetails, capture_.strings.add("{" + details + "}"));
  }

  // As arguments of the track's next event.
  void add_work(ProgramId id, const Launches& launches, bool is_batched, Track& track) {
    const Program& program = capture_.rewrites.programs[index(id)];
    const auto launch = launches.find(program.name);
    if (launch == launches.end() || !measure_) return;
    const auto of_launch = [&](std::string_view key) {
      return values_.read(tree_.value(launch->second->arg, key).value_or(Node())).value_or(kNoneValue);
    };
    const auto work = measure_(capture_, {program, of_launch("var_vals"), of_launch("metadata")});
    if (!work) return;
    const auto event = static_cast<std::uint32_t>(track.events.size());
    const auto add = [&](std::string_view name, std::string_view unit, const ArgumentValue& value) {
      StringTable& strings = capture_.strings;
      find_or_add_argument(track.arguments, strings.add(name), strings.add(unit), type_of(value))
          .push_back(event, value);
    };
    add(argument::kFlop, "FLOP", work->flop);
    add(argument::kMemoryBytes, "B", work->memory_bytes);
    add(argument::kLoadStoreBytes, "B", work->load_store_bytes);
    add(argument::kMetadata, "", capture_.strings.add(work->metadata));
    if (!rules_.numbers_launches) return;
    if (const auto run = tree_.integer(launch->second->key)) add(argument::kRun, "", *run);
    if (is_batched) add(tinygrad::kBatched, "", std::int64_t{1});
  }

  // The context that the first key which leads to one leads to.
  ContextId find_context(Node keys) {
    const Rewrites& rewrites = capture_.rewrites;
    if (!keys.is(Kind::kTuple)) return ContextId{kNoId};
    for (const Node key : tree_.tuple(keys)) {
      if (key.is(Kind::kString)) {
        const auto found = rewrites.context_by_name.find(values_.read_text(key));
        if (found != rewrites.context_by_name.end()) return found->second;
      } else if (values_.is_uop(key) && !rewrites.context_by_op.empty()) {
        const auto op = values_.read(key);
        const auto found = op ? rewrites.context_by_op.find(capture_.values.as_op(*op)) : rewrites.context_by_op.end();
        if (found != rewrites.context_by_op.end()) return found->second;
      }
    }
    return ContextId{kNoId};
  }

  const pickle::Tree& tree_;
  const ProfileRules& rules_;
  const MeasureExecution& measure_;
  Capture& capture_;
  ValueReader values_;
  pickle::VisitBudget visits_;
};

}  // namespace

bool is_profile(const pickle::Tree& tree) {
  if (!tree.root.is(Kind::kList)) return false;
  bool all_known = true;
  tree.for_each(tree.container(tree.root), [&](Node event) {
    const auto [module, name] = event_class(tree, event);
    all_known = all_known && module.starts_with("tinygrad.") && name.starts_with("Profile");
  });
  return all_known;
}

bool profile_has_field(const pickle::Tree& tree, std::span<const std::string_view> fields) {
  bool found = false;
  tree.for_each(tree.container(tree.root), [&](Node event) {
    if (found) return;
    const auto name = event_class(tree, event).name;
    if (name != "ProfileRangeEvent" && name != "ProfileDeviceEvent") return;
    found = std::ranges::any_of(
        fields, [&](std::string_view field) { return tree.attribute(tree.object(event), field).has_value(); });
  });
  return found;
}

void read_profile(const pickle::Tree& tree, const Version& version, const MeasureExecution& measure, Capture& capture) {
  ProfileReader(tree, version, measure, capture).read();
  keep_hardware_events(tree, version, capture);
  add_hardware_programs(capture);
  add_wave_tracks(capture);
  tell_cut_records(capture);
  tell_unread_events(tree, capture);
}

}  // namespace vizd::tinygrad
