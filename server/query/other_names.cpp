#include "query/other_names.h"

#include <array>
#include <optional>
#include <utility>

namespace vizd::sql {
namespace {

// As bigTpuProfile's traces have them, of commands of a TPU's engines (formats/bigtpu).
constexpr std::array kOfCommands{
    std::pair<std::string_view, std::string_view>{"direction", "Direction"},
    std::pair<std::string_view, std::string_view>{"bytes", "DMA data size(B)"},
    std::pair<std::string_view, std::string_view>{"function", "Kernel Function"},
    std::pair<std::string_view, std::string_view>{"mode", "Mode"},
};
constexpr std::string_view kOfDdr = "DDR Bandwidth(GB/s)", kOfL2 = "L2M Bandwidth(GB/s)";

// The bandwidth in GB/s of transfers that touch DDR, or else the L2 memory; 0 of all others whose direction is known.
ArgumentColumn bandwidth_of(const ArgumentColumn& bandwidth, const ArgumentColumn& direction,
                            const StringTable& strings, bool is_ddr) {
  ArgumentColumn made;
  made.name = bandwidth.name;
  made.type = ArgumentType::kReal;
  std::size_t way = 0;  // both columns go by event
  for (std::size_t i = 0; i < bandwidth.size(); ++i) {
    const std::uint32_t event = bandwidth.event(i);
    while (way < direction.size() && direction.event(way) < event) ++way;
    if (way == direction.size()) break;
    if (direction.event(way) != event) continue;
    const std::string_view text = strings.get(direction.text(way));
    const bool has_ddr = text.find("DDR") != std::string_view::npos;
    const bool is_its = is_ddr ? has_ddr : !has_ddr && text.find("L2M") != std::string_view::npos;
    made.push_real(event, is_its ? bandwidth.real(i) / 1e9 : 0.0);
  }
  made.shrink();
  return made;
}

}  // namespace

std::vector<OtherName> other_names(const Track& track, const StringTable& strings, std::deque<ArgumentColumn>& made) {
  const auto find = [&](std::string_view name) -> const ArgumentColumn* {
    for (const ArgumentColumn& column : track.arguments) {
      if (column.size() > 0 && strings.get(column.name) == name) return &column;
    }
    return nullptr;
  };
  std::vector<OtherName> others;
  if (track.kind != TrackKind::kEngine || find("command id") == nullptr) return others;
  for (const auto& [own, name] : kOfCommands) {
    if (const ArgumentColumn* const column = find(own)) others.push_back({name, column});
  }
  const ArgumentColumn *const bandwidth = find("bandwidth"), *const direction = find("direction");
  const bool has_both = bandwidth != nullptr && bandwidth->type == ArgumentType::kReal && direction != nullptr &&
                        direction->type == ArgumentType::kText;
  if (!has_both) return others;
  for (const bool is_ddr : {true, false}) {
    made.push_back(bandwidth_of(*bandwidth, *direction, strings, is_ddr));
    if (made.back().size() > 0) others.push_back({is_ddr ? kOfDdr : kOfL2, &made.back()});
  }
  return others;
}

}  // namespace vizd::sql
