// The packets of a thread trace (SQTT), which AMD's shader engines write as a stream of nibbles: what each kind is
// called, how long it is and where its fields lie. RDNA 3 and RDNA 4 differ in places; CDNA has kinds of its own.
// Constant data.
#pragma once

#include <cstdint>
#include <string_view>

namespace vizd::thread_trace {

enum class Layout : std::uint8_t { kRdna3, kRdna4, kCdna };

enum class PacketKind : std::uint8_t {
  kNop,
  kLayoutHeader,
  kTimeShort,   // TS_DELTA_SHORT
  kTimeMarker,  // TS_DELTA_OR_MARK: a long difference of time, or the time of the real-time clock
  kTime,        // the other differences of time, which hold nothing else
  kWaveStart,
  kWaveEnd,
  kValu,  // a vector instruction was dispatched
  kInst,  // any other was
  kImmediate,
  kImmediateMask,  // for several waves at once
  kWaveReady,
  kAluExec,  // an execution began or ended
  kMemoryExec,
  kCdnaMisc,
  kCdnaTimestamp,
  kCdnaInst,
  kOther,  // is told, and means nothing to the lanes
};

// Bits lo to hi of a packet, both inclusive.
struct Field {
  std::string_view name;
  std::uint8_t hi = 0, lo = 0;

  constexpr bool is_there() const { return !name.empty(); }
  constexpr std::uint64_t of(std::uint64_t bits) const {
    const unsigned width = hi - lo + 1u;
    return bits >> lo & (width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
  }
};

struct PacketShape {
  static constexpr std::size_t kMostFields = 13;

  std::string_view name;
  PacketKind kind = PacketKind::kOther;
  std::uint8_t encoding = 0, encoding_bits = 0;  // of the packet's lowest bits
  std::uint8_t nibbles = 0;
  Field delta{};  // of the time; nameless where the packet has none
  Field fields[kMostFields]{};

  constexpr Field field(std::string_view wanted) const {
    for (const Field& field : fields) {
      if (field.name == wanted) return field;
    }
    return {};
  }
  constexpr std::uint64_t value(std::string_view wanted, std::uint64_t bits) const {
    const Field found = field(wanted);
    return found.is_there() ? found.of(bits) : 0;
  }
};

// A packet as it lies in the stream: its first 64 bits, and the time in cycles with its own delta.
struct Packet {
  const PacketShape* shape = nullptr;
  Layout layout{};
  std::uint64_t bits = 0;
  std::int64_t at_cycle = 0;

  PacketKind kind() const { return shape->kind; }
  std::uint64_t value(std::string_view name) const { return shape->value(name, bits); }
  // For a WAVESTART or WAVEEND: its compute unit (on RDNA its WGP) within the shader engine.
  std::uint32_t compute_unit() const;
  // For a TS_DELTA_OR_MARK: whether it has the real-time clock, and moves no time.
  bool is_marker() const { return kind() == PacketKind::kTimeMarker && value("rt") != 0 && value("pl") == 0; }
};

// The shape of the packet that begins with these bits; NOP where nothing else does.
const PacketShape& shape_of(Layout layout, std::uint8_t low_bits);

// What the instruction of a kInst or kCdnaInst packet was: "SALU", "OTHER_LDS_2"; "0x.." for a number that has no name.
std::string_view operation_name(Layout layout, std::uint32_t operation);
// Whether the number has a name.
bool is_operation(Layout layout, std::uint32_t operation);
// The source of an ALUEXEC or VMEMEXEC packet.
std::string_view source_name(PacketKind kind, std::uint64_t source);

}  // namespace vizd::thread_trace
