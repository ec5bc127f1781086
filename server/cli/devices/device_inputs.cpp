#include "cli/devices/device_inputs.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/standard_streams.h"
#include "cli/command_line/input.h"

namespace vizd {
namespace {

// Three digits that count, and the unit's prefix.
std::string scaled(double value, std::initializer_list<std::pair<double, const char*>> units) {
  for (const auto& [size, unit] : units) {
    if (std::abs(value) < size) continue;
    const double shown = value / size;
    return fmt::format("{:.{}f} {}", shown, std::abs(shown) >= 100 ? 0 : std::abs(shown) >= 10 ? 1 : 2, unit);
  }
  return fmt::format("{:.3g} {}", value, (units.end() - 1)->second);
}

}  // namespace

std::optional<std::vector<DeviceInput>> open_device_inputs(const InputArguments& inputs) {
  Sniffer sniffer;
  std::vector<DeviceInput> opened;
  for (const InputSet& set : inputs.all_sets(sniffer)) {
    const auto loaded = open_recorded(set);
    if (!loaded) return std::nullopt;
    if (!loaded->capture.has_profile) {
      print_error("vizd: {}: has no profile; name a file with one\n", set.name);
      return std::nullopt;
    }
    opened.push_back({set, loaded, analyse_devices(loaded->capture)});
  }
  if (!opened.empty()) return opened;
  print_error("vizd: these folders hold nothing that vizd reads\n");
  return std::nullopt;
}

std::optional<DevicePeaks> read_device_peaks(const std::string& path) {
  DevicePeaks peaks;
  if (path.empty()) return peaks;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    print_error("vizd: {}: cannot be read\n", path);
    return std::nullopt;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (const auto error = peaks.add(text)) {
    print_error("vizd: {}: {}\n", path, error->text());
    return std::nullopt;
  }
  return peaks;
}

std::string duration_text(double dur_ns) { return scaled(dur_ns, {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}); }

std::string rate_text(double per_second, const char* unit) {
  const std::string text = scaled(per_second, {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}});
  return text + unit;
}

}  // namespace vizd
