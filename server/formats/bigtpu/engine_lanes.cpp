#include "formats/bigtpu/engine_lanes.h"

#include <cmath>

#include "formats/bigtpu/profile_folder.h"

namespace vizd::bigtpu {
namespace {

constexpr std::string_view kPort = "CDMA port ";

std::optional<Engine> engine_named(std::string_view name) {
  for (const Engine engine : kEnginesOfCore) {
    if (name == engine_name(engine)) return engine;
  }
  return std::nullopt;
}

}  // namespace

std::vector<EngineLane> engine_lanes(const Capture& capture) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  std::vector<EngineLane> lanes;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    const Track& track = tracks[t];
    if (track.kind != TrackKind::kEngine || track.parent == Track::kNoParent) continue;
    const std::string_view name = capture.strings.get(track.name);
    const Track& above = tracks[track.parent];
    if (name.starts_with(kPort)) {
      const auto numbers = numbers_in(name);
      lanes.push_back(
          {t, std::string(capture.strings.get(above.name)), -1, numbers.empty() ? 0 : numbers[0], Engine::kCdma});
      continue;
    }
    const auto engine = engine_named(name);
    if (!engine || above.parent == Track::kNoParent) continue;
    const auto numbers = numbers_in(capture.strings.get(above.name));
    lanes.push_back({t, std::string(capture.strings.get(tracks[above.parent].name)), numbers.empty() ? 0 : numbers[0],
                     -1, *engine});
  }
  return lanes;
}

LaneCommands::LaneCommands(const Capture& capture, const EngineLane& lane)
    : strings_(capture.strings),
      events_(capture.profile.tracks[lane.track].events),
      first_id_(lane.core < 0 ? 0 : 1),
      hertz_(capture.profile.tracks[lane.track].cycles_per_second) {
  for (const ArgumentColumn& column : capture.profile.tracks[lane.track].arguments)
    columns_.emplace(strings_.get(column.name), &column);
}

std::optional<ArgumentValue> LaneCommands::value(std::size_t i, std::string_view argument) const {
  const auto column = columns_.find(argument);
  return column == columns_.end() ? std::nullopt : column->second->of(static_cast<std::uint32_t>(i));
}

std::int64_t LaneCommands::integer(std::size_t i, std::string_view argument) const {
  const auto found = value(i, argument);
  const auto* const number = found ? std::get_if<std::int64_t>(&*found) : nullptr;
  return number == nullptr ? 0 : *number;
}

std::string_view LaneCommands::text(std::size_t i, std::string_view argument) const {
  const auto found = value(i, argument);
  const auto* const id = found ? std::get_if<StringId>(&*found) : nullptr;
  return id == nullptr ? std::string_view() : strings_.get(*id);
}

std::int64_t LaneCommands::start_cycle(std::size_t i) const {
  const auto start = value(i, "start cycle");
  return start ? std::get<std::int64_t>(*start) : events_.start_ns(i);
}

std::int64_t LaneCommands::cycles(std::size_t i) const {
  const auto cycles = value(i, "cycles");
  return cycles ? std::get<std::int64_t>(*cycles) : events_.length_ns(i);
}

std::int64_t LaneCommands::last_ns(std::size_t i) const {
  const double ns_per_cycle = hertz_ > 0 ? 1e9 / hertz_ : 1;
  return start_ns(i) + std::llround(static_cast<double>(cycles(i) - 1) * ns_per_cycle);
}

std::optional<std::int64_t> LaneCommands::id(std::size_t i) const {
  const auto id = value(i, "command id");
  return id ? std::optional(std::get<std::int64_t>(*id) + first_id_) : std::nullopt;
}

}  // namespace vizd::bigtpu
