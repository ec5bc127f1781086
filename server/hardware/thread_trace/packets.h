// decode_packets: the packets of a thread trace one after another. They follow each other without alignment, each a
// whole number of nibbles, the low one of a byte first; times are differences, which are added before a packet is
// stamped. A packet counts where the 64 bits from its beginning on lie within the trace: traces end in zeros. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "hardware/thread_trace/packet.h"

namespace vizd::thread_trace {

inline constexpr std::size_t kWindowNibbles = 16;

// The 64 bits from a nibble on, all of them within the trace.
inline std::uint64_t bits_at(std::span<const std::byte> trace, std::size_t nibble) {
  std::uint64_t bits = 0;
  const std::byte* const from = trace.data() + nibble / 2;
  std::memcpy(&bits, from, sizeof bits);
  if (nibble % 2 == 0) return bits;
  return bits >> 4 | static_cast<std::uint64_t>(from[sizeof bits]) << 60;
}

// The clock of a trace: what each packet adds to it. Damaged traces may turn it round, as they may every other number.
class TraceClock {
 public:
  std::int64_t advance(const PacketShape& shape, Layout layout, std::uint64_t bits) {
    std::uint64_t delta = shape.delta.is_there() ? shape.delta.of(bits) : 0;
    switch (shape.kind) {
      case PacketKind::kTimeShort:
        delta += 4;
        break;
      case PacketKind::kTimeMarker:
        if (Packet{&shape, layout, bits}.is_marker()) delta = 0;
        break;
      case PacketKind::kCdnaMisc:
        delta *= 4;
        break;
      case PacketKind::kCdnaTimestamp:
        if ((bits >> 4 & 0xFFF) == 0) anchor(bits >> 16);
        break;
      default:
        break;
    }
    cycle_ += delta;
    return static_cast<std::int64_t>(cycle_);
  }

 private:
  // A CDNA timestamp tells the time itself.
  void anchor(std::uint64_t timestamp) {
    if (offset_) {
      cycle_ = ((timestamp - *offset_) & ~std::uint64_t{3}) - 4;
    } else {
      offset_ = timestamp - cycle_;
    }
  }

  std::uint64_t cycle_ = 0;
  std::optional<std::uint64_t> offset_;  // of timestamps from the cycles before the first
};

// Calls on_packet(const Packet&) for each, until it returns false.
template <typename OnPacket>
void decode_packets(std::span<const std::byte> trace, OnPacket&& on_packet) {
  constexpr std::uint64_t kLayoutRdna3 = 3, kLayoutRdna4 = 4;
  Layout layout = Layout::kRdna3;
  TraceClock clock;
  const std::size_t end = trace.size() * 2;
  for (std::size_t at = 0; at + kWindowNibbles <= end;) {
    const std::uint64_t bits = bits_at(trace, at);
    const PacketShape& shape = shape_of(layout, static_cast<std::uint8_t>(bits));
    const std::int64_t at_cycle = clock.advance(shape, layout, bits);
    if (shape.kind == PacketKind::kLayoutHeader) {
      const std::uint64_t told = shape.value("layout", bits);
      if (told != kLayoutRdna3) layout = told == kLayoutRdna4 ? Layout::kRdna4 : Layout::kCdna;
    }
    if (!on_packet(Packet{&shape, layout, bits, at_cycle})) return;
    at += shape.nibbles;
  }
}

}  // namespace vizd::thread_trace
