#include "reference/inductor/estimates.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/devices/items_by_track.h"
#include "analysis/figures/argument_cursor.h"
#include "base/json_writer.h"
#include "reference/inductor/operator_estimate.h"

namespace vizd {
namespace {

// Its table, in TFLOP/s and GB/s; partly of sparse arithmetic, or another device's.
struct ReferenceDevice {
  std::string_view name;
  std::array<double, 5> teraflops;  // float64 float32 bfloat16 float16 int8
  double gigabytes_per_s;
};

constexpr std::string_view kTypes[] = {"float64", "float32", "bfloat16", "float16", "int8"};

constexpr ReferenceDevice kDevices[] = {
    {"NVIDIA H100", {67, 67.5, 1979, 1979, 3958}, 3350},
    {"NVIDIA A100", {19.5, 19.5, 312.5, 312.5, 624}, 2039},
    {"NVIDIA L4", {15.1, 30.3, 242, 242, 485}, 3350},
    {"AMD MI350X", {72.1, 144.2, 2309.6, 2309.6, 4614}, 8000},
    {"AMD MI300A", {122.6, 122.6, 980.6, 980.6, 1961.2}, 5300},
    {"AMD MI300X", {163.4, 163.4, 1307.4, 1307.4, 2614.9}, 5300},
    {"AMD MI210X", {45.3, 45.3, 181, 181, 181}, 1600},
};

// The name in its table: it asks for the whole name, which those that are met hardly ever are.
std::string_view name_in_table(std::string_view name) {
  if (name == "NVIDIA H100 80GB HBM3") return "NVIDIA H100";
  if (name.starts_with("NVIDIA A100-")) return "NVIDIA A100";
  if (name == "AMD Instinct MI300X" || name == "AMD Instinct MI300X VF" || name == "AMD INSTINCT MI300X")
    return "AMD MI300X";
  if (name == "AMD Instinct MI210" || name == "AMD INSTINCT MI210X") return "AMD MI210X";
  if (name == "AMD INSTINCT MI350X") return "AMD MI350X";
  return name;
}

const ReferenceDevice* find_device(std::string_view name) {
  const auto found = std::ranges::find(kDevices, name_in_table(name), &ReferenceDevice::name);
  return found == std::end(kDevices) ? nullptr : &*found;
}

// The place in kTypes; none: it does not know the type.
std::optional<std::size_t> type_number(std::string_view type) {
  if (type == "float") type = "float32";
  const auto found = std::ranges::find(kTypes, type);
  if (found == std::end(kTypes)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(kTypes));
}

// A launch as it keeps it: equal ones are one.
struct Launch {
  double flops = 0, gigabytes_per_s = 0, dur_us = 0, flops_percent = 0, bandwidth_percent = 0;

  auto operator<=>(const Launch&) const = default;
};

class Estimator {
 public:
  Estimator(const Capture& capture, const DeviceWork& work, const Operators& operators, std::string_view peak_type)
      : capture_(capture),
        strings_(capture.strings),
        tracks_(capture.profile.tracks),
        work_(work),
        operators_(operators),
        peak_type_(peak_type) {}

  std::string print() {
    read_device_arguments();
    find_shared_names();
    estimate_operators();
    choose_operators();
    for (std::size_t i = 0; i < work_.items.size(); ++i) {
      if (is_counted(i)) add(i);
    }
    for (const auto& [key, launches] : launches_) print_row(key, launches);
    return std::move(text_);
  }

 private:
  using DeviceNumber = std::pair<std::uint32_t, ArgumentKey>;  // by root
  using RowKey = std::pair<DeviceNumber, StringId>;

  bool is_counted(std::size_t i) const {
    const WorkItem& item = work_.items[i];
    const std::string_view category = strings_.get(tracks_[item.track].events.category(item.event));
    return (category == "kernel" || category == "Kernel") && devices_[i].has_value();
  }

  // It goes by the argument, not by the process.
  void read_device_arguments() {
    devices_.resize(work_.items.size());
    for (const auto& [track, items] :
         items_by_track(work_, 0, work_.items.size(), tracks_with(tracks_, {"device"}, strings_))) {
      ArgumentCursor device(tracks_[track], "device", strings_);
      for (const auto& [event, i] : items) devices_[i] = device.key_at(event);
    }
  }

  DeviceNumber number_of(std::size_t i) const { return {work_.device_of(work_.items[i]).root, *devices_[i]}; }

  // A device without properties has the name that all listed ones share, if they do.
  void find_shared_names() {
    std::map<StringId, ArgumentKey> ids;  // by subject
    std::map<StringId, std::string> names;
    std::map<std::uint32_t, std::set<std::string>> all;  // by root
    for (const Fact& fact : capture_.facts) {
      if (!strings_.get(fact.subject).starts_with("deviceProperties[")) continue;
      const std::string_view name = strings_.get(fact.name);
      const auto* const text = std::get_if<StringId>(&fact.value);
      if (name == "name" && text != nullptr) all[fact.track].insert(std::string(strings_.get(*text)));
      if (name == "id") {
        const auto* const number = std::get_if<std::int64_t>(&fact.value);
        using Type = ArgumentKey::Type;
        if (number != nullptr) ids[fact.subject] = {Type::kInteger, *number};
        if (text != nullptr) ids[fact.subject] = {Type::kText, static_cast<std::int64_t>(index(*text))};
      }
      if (name == "name" && text != nullptr) names[fact.subject] = std::string(strings_.get(*text));
      const auto known_id = ids.find(fact.subject);
      const auto known_name = names.find(fact.subject);
      if (known_id != ids.end() && known_name != names.end())
        names_[{fact.track, known_id->second}] = known_name->second;
    }
    for (const auto& [root, of_root] : all) {
      if (of_root.size() == 1) shared_names_[root] = *of_root.begin();
    }
  }

  std::string_view name_of_device(const DeviceNumber& number) const {
    if (const auto listed = names_.find(number); listed != names_.end()) return listed->second;
    const auto shared = shared_names_.find(number.first);
    return shared == shared_names_.end() ? std::string_view() : shared->second;
  }

  void estimate_operators() {
    estimates_.resize(operators_.all.size());
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_track;
    for (std::uint32_t i = 0; i < operators_.all.size(); ++i)
      by_track[operators_.all[i].track].emplace_back(operators_.all[i].event, i);
    for (auto& [place, operators] : by_track) {
      std::ranges::sort(operators);
      const Track& track = tracks_[place];
      ArgumentCursor dims(track, "Input Dims", strings_), types(track, "Input type", strings_);
      ArgumentCursor concrete(track, "Concrete Inputs", strings_);
      ArgumentCursor flop(track, "kernel_flop", strings_), gigabytes(track, "kernel_num_gb", strings_);
      for (const auto& [event, i] : operators) {
        estimates_[i] = reference_estimate({.name = strings_.get(track.events.name(event)),
                                            .dims = text(dims.at(event)),
                                            .types = text(types.at(event)),
                                            .concrete = text(concrete.at(event))});
        if (!estimates_[i]) continue;
        take(estimates_[i]->flop, flop.at(event));
        take(estimates_[i]->gigabytes, gigabytes.at(event));
      }
    }
  }

  std::string_view text(const std::optional<ArgumentValue>& value) const {
    const auto* const id = value ? std::get_if<StringId>(&*value) : nullptr;
    return id == nullptr ? "" : strings_.get(*id);
  }

  // Figures that the trace was augmented with win.
  static void take(double& estimate, const std::optional<ArgumentValue>& value) {
    if (!value || std::holds_alternative<StringId>(*value)) return;
    const auto* const integer = std::get_if<std::int64_t>(&*value);
    const double own = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(*value);
    if (own != 0) estimate = own;
  }

  // Kernels of one device, name and microsecond have the operator of the last of them.
  using OperatorKey = std::tuple<std::uint32_t, std::int64_t, StringId>;

  OperatorKey operator_key(std::size_t i) const {
    const WorkItem& item = work_.items[i];
    const WorkStream& stream = work_.streams[item.stream];
    const std::int64_t at_ns = item.start_ns + work_.devices[stream.device].offset_ns;
    constexpr std::int64_t kNanoseconds = 1000;
    const std::int64_t at_us = at_ns >= 0 ? at_ns / kNanoseconds : -((-at_ns + kNanoseconds - 1) / kNanoseconds);
    return {stream.device, at_us, tracks_[item.track].events.name(item.event)};
  }

  void choose_operators() {
    for (std::size_t i = 0; i < work_.items.size(); ++i) {
      if (work_.items[i].work == EventRole::kKernel && operators_.of_item[i] != kNoId)
        chosen_[operator_key(i)] = operators_.of_item[i];
    }
  }

  void add(std::size_t i) {
    constexpr double kNanoseconds = 1000, kMicroseconds = 1e6, kTera = 1e12;
    const WorkItem& item = work_.items[i];
    const StringId name = tracks_[item.track].events.name(item.event);
    Launch launch{.dur_us = static_cast<double>(item.end_ns - item.start_ns) / kNanoseconds};
    const auto chosen = chosen_.find(operator_key(i));
    if (chosen != chosen_.end() && estimates_[chosen->second] && launch.dur_us != 0) {
      launch.flops = estimates_[chosen->second]->flop / (launch.dur_us / kMicroseconds);
      launch.gigabytes_per_s = estimates_[chosen->second]->gigabytes / (launch.dur_us / kMicroseconds);
    }
    const DeviceNumber number = number_of(i);
    if (const ReferenceDevice* const device = find_device(name_of_device(number))) {
      const std::string_view text = strings_.get(name);
      const bool is_bfloat = text.find("bfloat16") != std::string_view::npos;
      const bool is_half = text.find("float16") != std::string_view::npos;
      if (const auto type = type_number(is_bfloat ? "bfloat16" : is_half ? "float16" : peak_type_))
        launch.flops_percent = 100 * launch.flops / (kTera * device->teraflops[*type]);
      launch.bandwidth_percent = 100 * launch.gigabytes_per_s / device->gigabytes_per_s;
    }
    launches_[{number, name}].insert(launch);
  }

  void print_row(const RowKey& key, const std::set<Launch>& launches) {
    struct Mean {
      double sum = 0;
      std::size_t count = 0;
      void add(double value) { sum += value, ++count; }
      std::optional<double> value() const {
        return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
      }
    } flops, gigabytes, duration, flops_percent, bandwidth_percent;
    for (const Launch& launch : launches) {
      if (launch.flops != 0) flops.add(launch.flops), flops_percent.add(launch.flops_percent);
      if (launch.gigabytes_per_s != 0)
        gigabytes.add(launch.gigabytes_per_s), bandwidth_percent.add(launch.bandwidth_percent);
      duration.add(launch.dur_us);
    }
    JsonWriter json(text_);
    const auto write = [&](std::string_view name, const Mean& mean) {
      json.key(name);
      mean.value() ? json.real(*mean.value()) : json.null();
    };
    const ArgumentKey& device = key.first.second;
    json.begin_object().key("device");
    device.type == ArgumentKey::Type::kInteger
        ? json.number(device.number)
        : json.text(strings_.get(to_id<StringId>(static_cast<std::size_t>(device.number))));
    json.key("name").text(strings_.get(key.second)).key("distinct_launches").number(launches.size());
    write("mean_flops_per_s", flops);
    write("mean_gigabytes_per_s", gigabytes);
    write("mean_duration_us", duration);
    write("achieved_flops_percent", flops_percent);
    write("achieved_bandwidth_percent", bandwidth_percent);
    json.end_object();
    text_ += '\n';
  }

  const Capture& capture_;
  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const Operators& operators_;
  const std::string_view peak_type_;
  std::vector<std::optional<ArgumentKey>> devices_;  // by item
  std::map<DeviceNumber, std::string> names_;
  std::map<std::uint32_t, std::string> shared_names_;        // by root
  std::vector<std::optional<ReferenceEstimate>> estimates_;  // by operator
  std::map<OperatorKey, std::uint32_t> chosen_;
  std::map<RowKey, std::set<Launch>> launches_;
  std::string text_;
};

}  // namespace

std::string reference_estimates_json(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                     std::string_view peak_type) {
  return Estimator(capture, work, operators, peak_type).print();
}

}  // namespace vizd
