#include "formats/tinygrad/reading/hardware_events.h"

#include <algorithm>
#include <array>
#include <vector>

#include "formats/tinygrad/hardware_records.h"
#include "formats/tinygrad/python/decimal_time.h"
#include "formats/tinygrad/reading/value_reader.h"

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

class HardwareEvents {
 public:
  HardwareEvents(const pickle::Tree& tree, const Version& version, Capture& capture)
      : tree_(tree), capture_(capture), values_(tree, version, capture) {}

  void keep() {
    const pickle::Container& events = tree_.container(tree_.root);
    tree_.for_each(events, [&](Node event) { has_records_ = has_records_ || is_record(event); });
    if (!has_records_) return;
    tree_.for_each(events, [&](Node event) { keep(event); });
    capture_.values.object(kHardwareRecords, kept_);
  }

 private:
  bool is_amd(Node event, std::string_view name) const {
    return tree_.is_object_of(event, "tinygrad.runtime.ops_amd", name);
  }
  bool is_samples(Node event) const { return tree_.is_object_of(event, "tinygrad.runtime.ops_nv", "ProfilePMAEvent"); }
  bool is_record(Node event) const {
    return is_amd(event, "ProfileSQTTEvent") || is_amd(event, "ProfilePMCEvent") || is_samples(event);
  }

  Node attribute(Node object, std::string_view name) const {
    return tree_.attribute(tree_.object(object), name).value_or(Node());
  }

  void keep(Node event) {
    if (is_record(event)) {
      const bool is_of_run = tree_.integer(attribute(event, "kern")) && tree_.integer(attribute(event, "exec_tag"));
      const bool is_whole = attribute(event, "blob").is(Kind::kBytes) && (is_samples(event) || is_of_run);
      if (!is_whole || !add(values_.read(event))) ++capture_.skipped["record of hardware without its run or its bytes"];
    } else if (tree_.is_object_of(event, "tinygrad.device", "ProfileProgramEvent")) {
      if (tree_.integer(attribute(event, "tag")) && attribute(event, "lib").is(Kind::kBytes)) add(values_.read(event));
    } else if (tree_.is_object_of(event, "tinygrad.device", "ProfileDeviceEvent")) {
      if (attribute(event, "props").is(Kind::kDict)) add(values_.read(event));
    } else if (tree_.is_object_of(event, "tinygrad.helpers", "ProfileRangeEvent")) {
      add(timed_run(event));
    }
  }

  bool add(std::optional<ValueId> value) {
    if (!value) return false;
    kept_.insert(kept_.end(), {kNoneValue, *value});
    return true;
  }

  std::optional<python::DecimalTime> time(Node node) const {
    if (!tree_.is_object_of(node, "decimal", "Decimal")) return std::nullopt;
    const auto args = tree_.tuple(tree_.object(node).args);
    return args.size() == 1 ? python::parse_decimal_us(tree_.text(args[0])) : std::nullopt;
  }

  // For a program's run on a GPU that records itself: what links it to the program, the microseconds it took, when it
  // began, the device.
  std::optional<ValueId> timed_run(Node event) {
    const std::string_view device = tree_.text(attribute(event, "device"));
    if (!device.starts_with("AMD") && !device.starts_with("NV")) return std::nullopt;
    const Node key = attribute(event, "profile_key"), name = attribute(event, "name");
    const auto start = time(attribute(event, "st")), end = time(attribute(event, "en"));
    if (!start || !end || (!key.is(Kind::kBytes) && !name.is(Kind::kString))) return std::nullopt;
    const python::DecimalTime took = *end - *start;
    const double dur_us = static_cast<double>(took.ns) / 1e3 + took.billionths * 1e-12;
    const auto link = values_.read(key.is(Kind::kBytes) ? key : name);
    const auto on = values_.read(attribute(event, "device"));
    if (!link || !on) return std::nullopt;
    return capture_.values.sequence(
        ValueKind::kTuple, std::array{*link, capture_.values.real(dur_us), capture_.values.integer(start->ns), *on});
  }

  const pickle::Tree& tree_;
  Capture& capture_;
  ValueReader values_;
  bool has_records_ = false;
  std::vector<ValueId> kept_;  // as items of an object: a name, which they have none of, and the value
};

}  // namespace

void keep_hardware_events(const pickle::Tree& tree, const Version& version, Capture& capture) {
  HardwareEvents(tree, version, capture).keep();
}

}  // namespace vizd::tinygrad
