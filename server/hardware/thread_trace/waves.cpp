#include "hardware/thread_trace/waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "hardware/thread_trace/packets.h"

namespace vizd::thread_trace {
namespace {

// The bits that a reading of the real-time clock has.
std::int64_t period_ns(const Packet& packet) {
  const unsigned bits = packet.shape->delta.hi - packet.shape->delta.lo + 1u;
  return (std::int64_t{1} << bits) * CycleClock::kTick_ns;
}

}  // namespace

std::string unit_name(Layout layout, std::uint32_t unit) {
  if (layout == Layout::kCdna) return fmt::format("CU {}", unit);
  const unsigned array_bit = layout == Layout::kRdna3 ? 3 : 4;
  return fmt::format("SA {} WGP {}", unit >> array_bit, unit & ((1u << array_bit) - 1));
}

Waves waves_of(std::span<const std::byte> trace, const Budget& budget) {
  Waves result;
  std::unordered_map<std::uint64_t, std::size_t> running;  // by where it runs, the wave's place
  std::int64_t last_cycle = 0;
  bool is_first = true;
  decode_packets(trace, [&](const Packet& packet) {
    last_cycle = std::max(last_cycle, packet.at_cycle);
    const PacketKind kind = packet.kind();
    if (std::exchange(is_first, false)) result.begins_as_a_trace = kind == PacketKind::kLayoutHeader;
    if (kind == PacketKind::kLayoutHeader) result.layout = packet.layout;
    if (kind == PacketKind::kInst || kind == PacketKind::kCdnaInst)
      result.unknown_operations += !is_operation(packet.layout, static_cast<std::uint32_t>(packet.value("op")));
    const bool starts = kind == PacketKind::kWaveStart;
    if (!starts && kind != PacketKind::kWaveEnd) return true;
    Wave wave;
    wave.unit = static_cast<std::uint16_t>(packet.compute_unit());
    wave.simd = static_cast<std::uint8_t>(packet.value("simd"));
    wave.slot = static_cast<std::uint8_t>(packet.value("wave"));
    wave.start_cycle = wave.end_cycle = packet.at_cycle;
    const std::uint64_t place = std::uint64_t{wave.unit} << 16 | std::uint64_t{wave.simd} << 8 | wave.slot;
    const auto found = running.find(place);
    if (found != running.end()) {
      Wave& before = result.waves[found->second];
      before.end_cycle = packet.at_cycle;
      before.has_ended = !starts;
      running.erase(found);
    } else if (!starts) {
      ++result.begun_before;
    }
    if (starts) {
      running.emplace(place, result.waves.size());
      result.waves.push_back(wave);
    }
    return budget.goes_on();
  });
  for (const auto& [place, number] : running) result.waves[number].end_cycle = last_cycle;
  return result;
}

CycleClock::CycleClock(std::span<const std::byte> trace, std::int64_t near_ns) {
  decode_packets(trace, [&](const Packet& packet) {
    if (!packet.is_marker()) return true;
    const std::int64_t period = period_ns(packet);
    constexpr std::int64_t kMost = std::int64_t{1} << 60;
    std::int64_t at_ns = static_cast<std::int64_t>(packet.shape->delta.of(packet.bits)) * kTick_ns;
    if (at_ns >= kMost) return true;
    if (period < kMost) at_ns += (near_ns - at_ns + (near_ns > at_ns ? period / 2 : -period / 2)) / period * period;
    const bool rises =
        readings_.empty() || (packet.at_cycle > readings_.back().cycle && at_ns > readings_.back().at_ns);
    if (rises) readings_.push_back({packet.at_cycle, at_ns});
    return true;
  });
}

std::int64_t CycleClock::ns_at(std::int64_t cycle) const {
  const auto next = std::ranges::upper_bound(readings_, cycle, {}, &Reading::cycle);
  const std::size_t after =
      std::clamp<std::size_t>(static_cast<std::size_t>(next - readings_.begin()), 1, readings_.size() - 1);
  const Reading &from = readings_[after - 1], &to = readings_[after];
  const double ns_per_cycle = static_cast<double>(to.at_ns - from.at_ns) / static_cast<double>(to.cycle - from.cycle);
  constexpr double kMost = 0x1p60;
  return from.at_ns +
         static_cast<std::int64_t>(std::clamp(static_cast<double>(cycle - from.cycle) * ns_per_cycle, -kMost, kMost));
}

}  // namespace vizd::thread_trace
