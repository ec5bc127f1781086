#include "formats/tinygrad/reading/profile_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "formats/tinygrad/reading/json_value.h"
#include "formats/tinygrad/viewer_words.h"

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

// How far the clocks of a device's compute and copy queues are behind the host's.
struct ClockShift {
  python::DecimalTime compute, copy;
};

ItemKind point_kind(std::string_view name) {
  if (name == "exec") return ItemKind::kExec;
  if (name == "alloc") return ItemKind::kAlloc;
  if (name == "free") return ItemKind::kFree;
  return name == "marker" ? ItemKind::kMarker : ItemKind::kPoint;
}

class Collector {
 public:
  Collector(const pickle::Tree& tree, const ProfileRules& rules, pickle::VisitBudget& visits, Capture& capture)
      : tree_(tree), rules_(rules), visits_(visits), capture_(capture) {}

  std::vector<DeviceItems> collect() {
    const auto& events = tree_.container(tree_.root);
    tree_.for_each(events, [&](Node event) { read_clock(event); });
    tree_.for_each(events, [&](Node event) { read_event(event); });
    return std::move(devices_);
  }

 private:
  void skip(const char* reason) { ++capture_.skipped[reason]; }

  Node attribute(Node object, std::string_view name) const {
    return tree_.attribute(tree_.object(object), name).value_or(Node());
  }

  // The text of a Decimal's argument.
  std::optional<python::DecimalTime> time(Node node) const {
    if (!tree_.is_object_of(node, "decimal", "Decimal")) return std::nullopt;
    const auto args = tree_.tuple(tree_.object(node).args);
    return args.size() == 1 ? python::parse_decimal_us(tree_.text(args[0])) : std::nullopt;
  }

  void read_clock(Node event) {
    if (!tree_.is_object_of(event, "tinygrad.device", "ProfileDeviceEvent")) return;
    const Node device = attribute(event, "device");
    const auto compute = time(attribute(event, rules_.clock_field));
    const Node copy_node = attribute(event, rules_.copy_clock_field);
    const auto copy = copy_node.is(Kind::kNone) ? compute : time(copy_node);
    if (!device.is(Kind::kString) || !compute || !copy) return skip("device without a clock");
    clocks_[capture_.strings.add(tree_.text(device))] = {*compute, *copy};
  }

  // What to add to a time of the device's; as in tinygrad, nothing where its clock is not known, but then it can have
  // no copy queue.
  std::optional<python::DecimalTime> clock_shift(StringId device, bool is_copy) const {
    const auto found = clocks_.find(device);
    if (found == clocks_.end()) return is_copy ? std::nullopt : std::optional(python::DecimalTime());
    return is_copy ? found->second.copy : found->second.compute;
  }

  void add(StringId device, DeviceItem item) {
    const auto [place, is_new] = places_.try_emplace(device, devices_.size());
    if (is_new) devices_.push_back({device, {}});
    auto& items = devices_[place->second].items;
    item.order = static_cast<std::uint32_t>(items.size());
    items.push_back(item);
  }

  void read_event(Node event) {
    if (tree_.is_object_of(event, "tinygrad.helpers", "ProfileRangeEvent")) {
      read_range(event);
    } else if (tree_.is_object_of(event, "tinygrad.helpers", "ProfilePointEvent")) {
      read_point(event);
    } else if (tree_.is_object_of(event, "tinygrad.device", "ProfileGraphEvent")) {
      read_graph(event);
    } else if (!event.is(Kind::kObject)) {
      skip("event that is not an object");
    }  // others have no place on the timeline: device clocks, and what tell_unread_events() tells of
  }

  void read_range(Node event) {
    const Node device_node = attribute(event, "device");
    const auto start = time(attribute(event, "st"));
    // None where the event has no end of its own; it says so.
    const auto end_node = tree_.attribute(tree_.object(event), "en");
    const auto end = !end_node ? std::nullopt : end_node->is(Kind::kNone) ? start : time(*end_node);
    if (!device_node.is(Kind::kString) || !start || !end) return skip("event without a device or a time");
    const StringId device = capture_.strings.add(tree_.text(device_node));
    const auto shift = clock_shift(device, tree_.integer(attribute(event, "is_copy")).value_or(0) != 0);
    if (!shift) return skip("copy on a device without a clock");
    add(device, {.start = *start + *shift,
                 .end = *end + *shift,
                 .name = attribute(event, "name"),
                 .key = attribute(event, "profile_key")});
  }

  void read_point(Node event) {
    const Node device = attribute(event, "device");
    const auto at = time(attribute(event, "ts"));
    if (!device.is(Kind::kString) || !at) return skip("point without a device or a time");
    if (rules_.has_profile_keys && tree_.text(attribute(event, "name")) == "JSON") add_fact(event);
    add(capture_.strings.add(tree_.text(device)), {.kind = point_kind(tree_.text(attribute(event, "name"))),
                                                   .start = *at,
                                                   .end = *at,
                                                   .key = attribute(event, "key"),
                                                   .point = capture_.strings.add(tree_.text(attribute(event, "name"))),
                                                   .arg = attribute(event, "arg")});
  }

  // What the program left for the viewer: the last of a name counts.
  void add_fact(Node event) {
    const auto name = json_key(tree_, attribute(event, "key"));
    // Text is at most four times as long as what it was pickled of, unless that is shared.
    const std::size_t most_bytes = kMostJson_bytes + 4 * tree_.bytes.size();
    const auto value = json_value(tree_, attribute(event, "arg"), std::min(kMostJson_bytes, most_bytes - facts_bytes_));
    if (!name || !value) return skip("JSON point whose value is no JSON, or takes too much");
    facts_bytes_ = std::min(facts_bytes_ + value->size(), most_bytes);
    Fact fact{.subject = capture_.strings.add(tinygrad::kForViewer), .name = capture_.strings.add(*name)};
    const auto [found, is_new] = fact_by_name_.try_emplace(fact.name, capture_.facts.size());
    if (is_new) capture_.facts.push_back(fact);
    capture_.facts[found->second].value = capture_.strings.add(*value);
  }

  // A graph of kernels launched at once: a range for the whole on a lane of its own, then its entries.
  void read_graph(Node event) {
    std::vector<Node> signals, entries;
    for (auto [name, out] : {std::pair{"sigs", &signals}, std::pair{"ents", &entries}}) {
      const Node list = attribute(event, name);
      if (list.is(Kind::kList) && !visits_.take(tree_.container(list).size))
        return skip("graph whose entries the file repeats beyond its own size");
      if (list.is(Kind::kList)) tree_.for_each(tree_.container(list), [&, out = out](Node n) { out->push_back(n); });
    }
    std::vector<std::pair<StringId, DeviceItem>> items;
    for (const Node entry : entries) {
      auto item = read_entry(entry, signals);
      if (!item) return skip("graph with an entry that has no device or no time");
      items.push_back(*item);
    }
    if (items.empty()) return skip("graph without entries");
    DeviceItem whole{.start = items[0].second.start, .end = items[0].second.end};
    for (const auto& [device, item] : items) {
      whole.start = std::min({whole.start, item.start, item.end});
      whole.end = std::max({whole.end, item.start, item.end});
    }
    const std::string_view first = capture_.strings.get(items[0].first);
    whole.text = capture_.strings.add(fmt::format("batched {}", items.size()));
    add(capture_.strings.add(fmt::format("{} Graph", first.substr(0, first.find(':')))), whole);
    for (const auto& [device, item] : items) add(device, item);
  }

  std::optional<std::pair<StringId, DeviceItem>> read_entry(Node entry, const std::vector<Node>& signals) {
    if (!entry.is(Kind::kObject)) return std::nullopt;
    const auto signal = [&](std::string_view name) -> std::optional<python::DecimalTime> {
      const auto i = tree_.integer(attribute(entry, name));
      if (!i || *i < 0 || *i >= static_cast<std::int64_t>(signals.size())) return std::nullopt;
      return time(signals[static_cast<std::size_t>(*i)]);
    };
    const Node device_node = attribute(entry, "device");
    const auto start = signal("st_id");
    const auto end = signal("en_id");
    if (!device_node.is(Kind::kString) || !start || !end) return std::nullopt;
    const StringId device = capture_.strings.add(tree_.text(device_node));
    const auto shift = clock_shift(device, tree_.integer(attribute(entry, "is_copy")).value_or(0) != 0);
    if (!shift) return std::nullopt;
    return std::pair{device, DeviceItem{.start = *start + *shift,
                                        .end = *end + *shift,
                                        .name = attribute(entry, "name"),
                                        .key = attribute(entry, "profile_key"),
                                        .is_batched = true}};
  }

  const pickle::Tree& tree_;
  const ProfileRules& rules_;
  pickle::VisitBudget& visits_;
  Capture& capture_;
  std::size_t facts_bytes_ = 0;                             // of all values for the viewer
  std::unordered_map<StringId, std::size_t> fact_by_name_;  // place in the capture's facts
  std::unordered_map<StringId, ClockShift> clocks_;
  std::unordered_map<StringId, std::size_t> places_;  // of devices in devices_
  std::vector<DeviceItems> devices_;
};

}  // namespace

std::vector<DeviceItems> collect_items(const pickle::Tree& tree, const ProfileRules& rules, pickle::VisitBudget& visits,
                                       Capture& capture) {
  return Collector(tree, rules, visits, capture).collect();
}

}  // namespace vizd::tinygrad
