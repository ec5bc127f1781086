#include "reference/bigtpu/workbook_lanes.h"

#include <fmt/core.h>

#include <algorithm>

namespace vizd::bigtpu {

WorkbookLanes::WorkbookLanes(const Capture& of, std::span<const EngineLane> engines) : capture(of) {
  for (const EngineLane& engine : engines) {
    lanes.push_back({engine, {capture, engine}, {}});
    lanes.back().sums = sums_of(lanes.back().commands);
    has_devices = has_devices || engine.device != engines[0].device;
  }
}

double WorkbookLanes::cycles_per_second(const Lane& lane) const {
  const double known = capture.profile.tracks[lane.of.track].cycles_per_second;
  return known > 0 ? known : 1e9;
}

std::string_view WorkbookLanes::platform() const {
  for (const Fact& fact : capture.facts) {
    const auto* const text = std::get_if<StringId>(&fact.value);
    if (capture.strings.get(fact.name) == "chip" && text != nullptr) return capture.strings.get(*text);
  }
  return "";
}

std::vector<WorkbookLanes::Core> WorkbookLanes::cores() const {
  std::vector<Core> cores;
  for (const Lane& lane : lanes) {
    if (lane.of.core < 0) continue;
    auto found = std::ranges::find_if(
        cores, [&](const Core& core) { return core.device == lane.of.device && core.number == lane.of.core; });
    if (found == cores.end()) {
      cores.push_back({lane.of.device, lane.of.core, {}});
      found = cores.end() - 1;
    }
    found->engines[static_cast<std::size_t>(lane.of.engine)] = &lane;
  }
  return cores;
}

double ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:.2f}%", 100 * ratio(part, whole));
}

double gigabytes_per_second(const Moved& moved, double hertz) {
  constexpr double kGiga = 1e9;
  return ratio(moved.bytes, moved.cycles) * hertz / kGiga;
}

void put_headings(Workbook::Sheet& sheet, std::uint32_t row, std::span<const std::string_view> texts,
                  std::uint16_t& column) {
  for (const std::string_view text : texts) sheet.put(row, column++, text, Workbook::Look::kHeading);
}

}  // namespace vizd::bigtpu
