#include "hardware/thread_trace/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "hardware/thread_trace/execution_links.h"

namespace vizd::thread_trace {
namespace {

// What tinygrad calls a packet: that of RDNA 4 is told apart where waves end.
std::string_view packet_name(const Packet& packet) {
  if (packet.kind() == PacketKind::kWaveEnd && packet.layout == Layout::kRdna4) return "WAVEEND_RDNA4";
  return packet.shape->name;
}

// Two pairs of cycles and real time tell how fast the shader ran between them.
class ClockLine {
 public:
  // Adds a marker; nothing for the first.
  std::optional<ClockPoint> add(const Packet& packet) {
    constexpr std::uint64_t kTicksASecond = 100'000'000;
    const std::uint64_t ticks = packet.shape->delta.of(packet.bits);
    const auto cycle = static_cast<std::uint64_t>(packet.at_cycle);
    const auto last = std::exchange(last_, std::pair(cycle, ticks));
    if (!last || ticks <= last->second || cycle < last->first) return std::nullopt;
    const std::uint64_t dur_ticks = ticks - last->second, dur_cycles = cycle - last->first;
    // The quotient in two parts, so that their products fit: longer times than these no recorder tells.
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / kTicksASecond / 2;
    const std::uint64_t whole = dur_cycles / dur_ticks, rest = dur_cycles % dur_ticks;
    if (whole > kMost || rest > kMost) return std::nullopt;
    return ClockPoint{packet.at_cycle, whole * kTicksASecond + rest * kTicksASecond / dur_ticks};
  }

 private:
  std::optional<std::pair<std::uint64_t, std::uint64_t>> last_;  // cycle and ticks of the last marker
};

// Finds texts by views of them: names are looked up for each event.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using PlacesByText = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

class LaneBuilder {
 public:
  explicit LaneBuilder(std::uint64_t most_records) : most_(most_records) { count(); }

  bool is_full() const { return records_ >= most_; }
  bool take(const Step& step) {
    const Packet& packet = step.packet;
    switch (packet.kind()) {
      case PacketKind::kTimeMarker:
        if (packet.is_marker()) {
          if (const auto point = clock_.add(packet); point && count()) lanes_.clock.push_back(*point);
        }
        break;
      case PacketKind::kInst:
      case PacketKind::kCdnaInst: {
        const auto operation = static_cast<std::uint32_t>(packet.value("op"));
        add_dispatch(operation_name(packet.layout, operation), wave_of(packet), step);
        break;
      }
      case PacketKind::kValu:
      case PacketKind::kImmediate:
      case PacketKind::kWaveEnd:
        add_dispatch(packet_name(packet), wave_of(packet), step);
        break;
      case PacketKind::kImmediateMask:
        add_dispatch("IMMEDIATE", step.wave.value_or(0), step);
        break;
      case PacketKind::kWaveReady:
        for (std::uint32_t wave = 0; wave < 16; ++wave) {
          if ((packet.value("mask") >> wave & 1) != 0 && barriers_[wave]) add_dispatch("WAVERDY", wave, step);
        }
        break;
      case PacketKind::kAluExec:
      case PacketKind::kMemoryExec:
        links_.execute(packet, [&](const auto& execution) { add_execution(execution, packet); });
        break;
      default:
        break;
    }
    return !is_full();
  }

  Lanes finish() {
    lanes_.is_cut = is_full();
    return std::move(lanes_);
  }

 private:
  using EventPlace = std::pair<std::uint32_t, std::uint32_t>;

  static std::uint32_t wave_of(const Packet& packet) { return static_cast<std::uint32_t>(packet.value("wave")) & 31; }

  // Whether there was room for another record.
  bool count() {
    if (is_full()) return false;
    ++records_;
    return true;
  }

  std::uint32_t name(std::string_view text) {
    if (const auto found = name_places_.find(text); found != name_places_.end()) return found->second;
    const auto place = static_cast<std::uint32_t>(lanes_.names.size());
    name_places_.emplace(text, place);
    lanes_.names.emplace_back(text);
    return place;
  }

  // The lane's place; nothing where there is no room for it and the record that begins it.
  std::optional<std::uint32_t> lane(const std::string& name) {
    const auto found = lane_places_.find(name);
    if (found != lane_places_.end()) return found->second;
    if (!count()) return std::nullopt;
    const auto place = static_cast<std::uint32_t>(lanes_.lanes.size());
    lanes_.lanes.push_back({name, {}});
    lane_places_.emplace(name, place);
    return place;
  }

  std::optional<std::uint32_t> wave_lane(std::uint32_t wave) {
    if (!wave_lanes_[wave]) wave_lanes_[wave] = lane(fmt::format("WAVE:{}", wave));
    return wave_lanes_[wave];
  }

  // A handful of units: their names are compared, and made once.
  std::optional<std::uint32_t> unit_lane(std::string_view packet, std::string_view unit) {
    for (const auto& [known_packet, known_unit, place] : unit_lanes_) {
      if (known_unit == unit && known_packet == packet) return place;
    }
    const auto place = lane(fmt::format("{}:0 {}", packet, unit));
    if (place) unit_lanes_.push_back({packet, unit, *place});
    return place;
  }

  // What was dispatched for a wave.
  void add_dispatch(std::string_view operation, std::uint32_t wave, const Step& step) {
    const auto row = wave_lane(wave);
    if (!row || !count()) return;
    std::vector<LaneEvent>& events = lanes_.lanes[*row].events;
    const EventPlace place{*row, static_cast<std::uint32_t>(events.size())};
    const PacketKind kind = step.packet.kind();
    if (kind == PacketKind::kValu || kind == PacketKind::kInst) operation = links_.queue(operation, step, place);
    const std::int64_t at_cycle = step.packet.at_cycle;
    events.push_back({name(operation), events_++, at_cycle, at_cycle + 1, step.address, std::nullopt});
    if (is_full()) return;  // as one who stops reading here would not see what comes of it
    if (const auto barrier = std::exchange(barriers_[wave], std::nullopt)) events[*barrier].end_cycle = at_cycle;
    if (operation == "BARRIER" || operation == "BARRIER_SIGNAL") barriers_[wave] = place.second;
  }

  void add_execution(const ExecutionLinks<EventPlace>::Execution& execution, const Packet& packet) {
    lanes_.unlinked += !execution.dispatch;
    const auto row = unit_lane(packet.shape->name, execution.unit);
    if (!row || !count()) return;
    const std::uint32_t event =
        execution.is_matrix ? name(fmt::format("{}_WMMA", execution.source)) : name(execution.source);
    lanes_.lanes[*row].events.push_back(
        {event, events_++, execution.start_cycle, execution.end_cycle, std::nullopt, execution.dispatch});
  }

  const std::uint64_t most_;
  std::uint64_t records_ = 0;
  std::uint32_t events_ = 0;
  Lanes lanes_;
  PlacesByText name_places_, lane_places_;
  struct UnitLane {
    std::string_view packet, unit;  // live for ever
    std::uint32_t place = 0;
  };
  std::vector<UnitLane> unit_lanes_;
  std::array<std::optional<std::uint32_t>, 32> wave_lanes_{};
  std::array<std::optional<std::uint32_t>, 32> barriers_{};  // by wave: the event of the barrier that it waits at
  ExecutionLinks<EventPlace> links_;
  ClockLine clock_;
};

}  // namespace

Lanes lanes_of(std::span<const std::byte> trace, const amd::CodeListing* listing, std::uint64_t most_records) {
  LaneBuilder builder(most_records);
  walk_instructions(trace, listing, [&](const Step& step) { return builder.take(step); });
  return builder.finish();
}

std::vector<ClockPoint> clock_of(std::span<const std::byte> trace) {
  ClockLine line;
  std::vector<ClockPoint> points;
  decode_packets(trace, [&](const Packet& packet) {
    if (packet.is_marker()) {
      if (const auto point = line.add(packet)) points.push_back(*point);
    }
    return true;
  });
  return points;
}

}  // namespace vizd::thread_trace
