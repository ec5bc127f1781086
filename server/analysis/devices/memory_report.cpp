#include "analysis/devices/memory_report.h"

#include <variant>

#include "analysis/figures/argument_cursor.h"

namespace vizd {

std::vector<MemoryReport> memory_reports(const Track& track, const StringTable& strings) {
  const StringId name = strings.find(kMemoryReport);
  if (name == StringId{kNoId}) return {};
  std::vector<MemoryReport> reports;
  ArgumentCursor bytes(track, "Bytes", strings), device(track, "Device Type", strings);
  const EventColumns& events = track.events;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.name(i) != name) continue;
    const auto size = bytes.at(i), type = device.at(i);
    const auto* const number = size ? std::get_if<std::int64_t>(&*size) : nullptr;
    const auto* const of = type ? std::get_if<std::int64_t>(&*type) : nullptr;
    if (number != nullptr) reports.push_back({events.start_ns(i), *number, of == nullptr ? 0 : *of});
  }
  return reports;
}

}  // namespace vizd
