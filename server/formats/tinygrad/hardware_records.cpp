#include "formats/tinygrad/hardware_records.h"

#include <algorithm>
#include <set>
#include <utility>

#include "formats/tinygrad/python/decimal_time.h"

namespace vizd::tinygrad {
namespace {

// No device has as many of anything.
constexpr std::int64_t kMostOfDevice = 1 << 20;

class Finder {
 public:
  explicit Finder(const Capture& capture) : capture_(capture), values_(capture.values) {}

  hardware::Records find() {
    const StringId type = capture_.strings.find(kHardwareRecords);
    if (type == StringId{kNoId}) return {};
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const ValueId id = to_id<ValueId>(i);
      if (values_.kind(id) != ValueKind::kObject || values_.type_name(id) != kHardwareRecords) continue;
      const auto items = values_.items(id);
      for (std::size_t k = 1; k < items.size(); k += 2) add(items[k]);
      break;  // a second one is what the first one equals, of numbers for truth values
    }
    records_.index();
    return std::move(records_);
  }

 private:
  std::string_view text(ValueId value) const {
    const ValueKind kind = values_.kind(value);
    return kind == ValueKind::kString || kind == ValueKind::kBytes ? values_.text(value) : std::string_view();
  }
  std::string_view text(ValueId object, std::string_view field) const { return text(values_.field(object, field)); }
  std::span<const std::byte> bytes(ValueId object, std::string_view field) const {
    const std::string_view data = text(object, field);
    return std::as_bytes(std::span(data.data(), data.size()));
  }
  std::optional<std::int64_t> number_of(ValueId value) const {
    const ValueKind kind = values_.kind(value);
    if (kind == ValueKind::kBool) return values_.as_bool(value) ? 1 : 0;
    return kind == ValueKind::kInt ? std::optional(values_.as_int(value)) : std::nullopt;
  }
  std::int64_t number(ValueId object, std::string_view field) const {
    return number_of(values_.field(object, field)).value_or(0);
  }
  std::uint32_t count(ValueId object, std::string_view field) const {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(number(object, field), 0, 1 << 20));
  }
  // The number in an entry of a dict.
  std::optional<std::int64_t> entry(ValueId dict, std::string_view key) const {
    const auto items = values_.items(dict);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      if (text(items[i]) == key) return number_of(items[i + 1]);
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> base_of(ValueId program) const {
    const auto base = number_of(values_.field(program, "base"));
    return base ? std::optional(static_cast<std::uint64_t>(*base)) : std::nullopt;
  }

  // The driver counts SIMDs and shader arrays over the whole device.
  std::int64_t simds_per_engine(ValueId props) const {
    const auto told = [&](std::string_view name) {
      return std::clamp<std::int64_t>(entry(props, name).value_or(0), 0, kMostOfDevice);
    };
    const std::int64_t arrays = told("array_count");
    return arrays == 0 ? 0 : told("simd_count") * std::max<std::int64_t>(told("simd_arrays_per_engine"), 1) / arrays;
  }

  // The time in a Decimal.
  std::int64_t time_ns(ValueId decimal) const {
    const auto items = values_.items(decimal);
    const auto time = items.size() < 2 ? std::nullopt : python::parse_decimal_us(text(items[1]));
    return time ? time->ns : 0;
  }

  hardware::RunKey run_of(ValueId event) {
    const hardware::RunKey key{number(event, "kern"), number(event, "exec_tag")};
    if (runs_.insert(key).second) records_.runs.push_back(key);
    return key;
  }

  void add(ValueId event) {
    if (values_.kind(event) == ValueKind::kTuple) {
      const auto parts = values_.items(event);
      // Files that were converted before samples were timed do not say the device: it was AMD's.
      records_.timed_runs.push_back({parts.size() > 3 ? text(parts[3]) : "AMD", text(parts[0]),
                                     values_.as_real(parts[1]), values_.as_int(parts[2])});
      return;
    }
    const std::string_view type = values_.type_name(event);
    if (type.ends_with("ProfileDeviceEvent")) {
      const ValueId props = values_.field(event, "props");
      records_.devices.push_back(
          {text(event, "device"), entry(props, "gfx_target_version"), entry(props, "sm_version"),
           time_ns(values_.field(event, "tdiff")), simds_per_engine(props),
           std::clamp<std::int64_t>(entry(props, "max_waves_per_simd").value_or(0), 0, kMostOfDevice)});
    } else if (type.ends_with("ProfileProgramEvent")) {
      const std::string_view key = text(event, "profile_key"), name = text(event, "name");
      records_.programs.push_back({number(event, "tag"), text(event, "device"), name, key.empty() ? name : key,
                                   bytes(event, "lib"), base_of(event)});
    } else if (type.ends_with("ProfilePMAEvent")) {
      const std::string_view key = text(event, "profile_key"), name = text(event, "kern");
      records_.samplings.push_back({text(event, "device"), name, key.empty() ? name : key, bytes(event, "blob")});
    } else if (type.ends_with("ProfileSQTTEvent")) {
      records_.traces.push_back({run_of(event), text(event, "device"), number(event, "se"),
                                 number(event, "itrace") != 0, bytes(event, "blob")});
    } else {
      add_counters(event);
    }
  }

  void add_counters(ValueId event) {
    hardware::CounterRun& run = records_.counters.emplace_back();
    run.key = run_of(event);
    run.device = text(event, "device");
    run.values = bytes(event, "blob");
    for (const ValueId sample : values_.items(values_.field(event, "sched"))) {
      if (values_.kind(sample) != ValueKind::kObject) continue;
      run.samples.push_back({text(sample, "name"), count(sample, "xcc"), count(sample, "inst"), count(sample, "se"),
                             count(sample, "sa"), count(sample, "wgp")});
    }
  }

  const Capture& capture_;
  const ValueTable& values_;
  hardware::Records records_;
  std::set<hardware::RunKey> runs_;  // those in the records
};

}  // namespace

hardware::Records hardware_records(const Capture& capture) { return Finder(capture).find(); }

std::string_view compiler_target(const Capture& capture, const Program& program) {
  const ValueTable& values = capture.values;
  const auto part = [&](ValueId object, std::string_view name) {
    return values.kind(object) == ValueKind::kObject ? values.field(object, name) : kNoneValue;
  };
  const ValueId target = part(part(program.origin, "target"), "arch");
  return values.kind(target) == ValueKind::kString ? values.text(target) : std::string_view();
}

}  // namespace vizd::tinygrad
