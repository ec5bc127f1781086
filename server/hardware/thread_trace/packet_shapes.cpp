// The kinds of packets, by the layouts of tinygrad's renderer/amd/sqtt.py, which were found by comparing traces with
// the programs that made them.
#include <array>

#include "hardware/thread_trace/packet.h"

namespace vizd::thread_trace {
namespace {

using enum PacketKind;

constexpr Field delta(std::uint8_t hi, std::uint8_t lo) { return {"delta", hi, lo}; }

// Packets that are the same in RDNA 3 and RDNA 4.
constexpr PacketShape kShared[] = {
    {"VMEMEXEC", kMemoryExec, 0b1111, 4, 2, delta(5, 4), {{"src", 7, 6}}},
    {"ALUEXEC", kAluExec, 0b1110, 4, 2, delta(5, 4), {{"src", 7, 6}}},
    {"VALUINST", kValu, 0b011, 3, 3, delta(5, 3), {{"flag", 6, 6}, {"wave", 11, 7}}},
    {"IMMEDIATE", kImmediate, 0b1101, 4, 3, delta(6, 4), {{"wave", 11, 7}}},
    {"IMMEDIATE_MASK", kImmediateMask, 0b00100, 5, 6, delta(7, 5), {{"mask", 23, 8}}},
    {"WAVERDY", kWaveReady, 0b10100, 5, 6, delta(7, 5), {{"mask", 23, 8}}},
    {"TS_DELTA_SHORT", kTimeShort, 0b1000, 4, 2, delta(7, 4)},
    {"TS_DELTA_S8_W3", kTime, 0b0100001, 7, 18, delta(10, 8)},
    {"TS_WAVE_STATE", kOther, 0b1010001, 7, 6, delta(15, 7), {{"coarse", 23, 16}}},
    {"EVENT", kOther, 0b01100001, 8, 6, delta(10, 8), {{"event", 23, 11}}},
    {"EVENT_BIG", kOther, 0b11100001, 8, 8, delta(10, 8), {{"event", 31, 11}}},
    {"REG",
     kOther,
     0b1001,
     4,
     16,
     delta(6, 4),
     {{"slot", 9, 7}, {"hi_byte", 15, 8}, {"subop", 31, 16}, {"val32", 63, 32}}},
    {"SNAPSHOT", kOther, 0b1110001, 7, 16, delta(9, 7), {{"snap", 63, 10}}},
    {"UTILCTR", kOther, 0b0110001, 7, 12, delta(8, 7), {{"ctr", 47, 9}}},
};

// Which layout the packets after it have.
constexpr PacketShape kHeader[] = {
    {"LAYOUT_HEADER",
     kLayoutHeader,
     0b0010001,
     7,
     16,
     {},
     {{"layout", 12, 7}, {"simd", 14, 13}, {"group", 17, 15}, {"sel_a", 31, 28}, {"sel_b", 36, 33}, {"flag4", 59, 59}}},
};
// A nibble that begins no packet is one as well.
constexpr PacketShape kNopShape = {"NOP", kNop, 0b0000, 4, 1};

constexpr PacketShape kRdna3[] = {
    {"WAVEEND",
     kWaveEnd,
     0b10101,
     5,
     5,
     delta(7, 5),
     {{"sa", 8, 8}, {"simd", 10, 9}, {"wgp", 13, 11}, {"wave", 19, 15}}},
    {"WAVESTART",
     kWaveStart,
     0b01100,
     5,
     8,
     delta(6, 5),
     {{"sa", 7, 7}, {"simd", 9, 8}, {"wgp", 12, 10}, {"wave", 17, 13}, {"id7", 31, 18}}},
    {"TS_DELTA_S5_W2", kTime, 0b11100, 5, 12, delta(6, 5)},
    {"WAVEALLOC", kOther, 0b00101, 5, 5, delta(7, 5)},
    {"TS_DELTA_S5_W3", kTime, 0b00110, 5, 13, delta(7, 5)},
    {"PERF", kOther, 0b10110, 5, 7, delta(7, 5), {{"arg", 27, 8}}},
    {"TS_DELTA_OR_MARK", kTimeMarker, 0b0000001, 7, 12, delta(47, 12), {{"pl", 8, 8}, {"rt", 9, 9}}},
    {"INST", kInst, 0b010, 3, 5, delta(6, 4), {{"flag1", 3, 3}, {"flag2", 7, 7}, {"wave", 12, 8}, {"op", 19, 13}}},
};

constexpr PacketShape kRdna4[] = {
    {"WAVEEND",
     kWaveEnd,
     0b10101,
     5,
     5,
     delta(7, 5),
     {{"sa", 8, 8}, {"simd", 10, 9}, {"wgp", 14, 11}, {"wave", 19, 15}}},
    {"WAVESTART",
     kWaveStart,
     0b01100,
     5,
     8,
     delta(6, 5),
     {{"sa", 7, 7}, {"simd", 9, 8}, {"wgp", 13, 10}, {"wave", 19, 15}, {"id7", 31, 20}}},
    {"TS_DELTA_S5_W2", kTime, 0b11100, 5, 10, delta(6, 5)},
    {"WAVEALLOC", kOther, 0b00101, 5, 6, delta(7, 5)},
    {"TS_DELTA_S5_W3", kTime, 0b00110, 5, 14, delta(9, 7)},
    {"PERF", kOther, 0b10110, 5, 8, delta(9, 7), {{"arg", 31, 10}}},
    {"TS_DELTA_OR_MARK", kTimeMarker, 0b0000001, 7, 16, delta(63, 12), {{"rt", 7, 7}, {"pl", 8, 8}, {"tl", 9, 9}}},
    {"INST", kInst, 0b010, 3, 5, delta(5, 3), {{"w64h", 6, 6}, {"wave", 11, 7}, {"op", 19, 12}}},
};

constexpr PacketShape kCdna[] = {
    {"CDNA_MISC", kCdnaMisc, 0, 4, 4, delta(11, 4), {{"sh", 12, 12}, {"misc_type", 15, 13}}},
    {"CDNA_TIMESTAMP", kCdnaTimestamp, 1, 4, 16, {}, {{"timestamp", 63, 16}}},
    {"CDNA_REG", kOther, 2, 4, 16, {}, {{"pipe", 6, 5}, {"regaddr", 31, 16}, {"regdata", 63, 32}}},
    {"CDNA_WAVESTART",
     kWaveStart,
     3,
     4,
     8,
     {},
     {{"sh", 5, 5},
      {"cu", 9, 6},
      {"wave", 13, 10},
      {"simd", 15, 14},
      {"pipe", 17, 16},
      {"me", 19, 18},
      {"count", 28, 22}}},
    {"CDNA_WAVEALLOC", kOther, 4, 4, 4, {}, {{"sh", 5, 5}, {"cu", 9, 6}, {"wave", 13, 10}, {"simd", 15, 14}}},
    {"CDNA_REG_CS", kOther, 5, 4, 12, {}, {{"pipe", 6, 5}, {"regaddr", 15, 9}, {"regdata", 47, 16}}},
    {"CDNA_WAVEEND", kWaveEnd, 6, 4, 4, {}, {{"sh", 5, 5}, {"cu", 9, 6}, {"wave", 13, 10}, {"simd", 15, 14}}},
    {"CDNA_EVENT", kOther, 7, 4, 4},
    {"CDNA_EVENT_CS", kOther, 8, 4, 4},
    {"CDNA_EVENT_GFX1", kOther, 9, 4, 4},
    {"CDNA_INST", kCdnaInst, 10, 4, 4, {}, {{"wave", 8, 5}, {"simd", 10, 9}, {"op", 15, 11}}},
    {"CDNA_INST_PC", kOther, 11, 4, 16, {}, {{"wave", 8, 5}, {"simd", 10, 9}, {"err", 15, 15}, {"pc", 63, 16}}},
    {"CDNA_USERDATA",
     kOther,
     12,
     4,
     12,
     {},
     {{"sh", 5, 5}, {"cu", 9, 6}, {"wave", 13, 10}, {"simd", 15, 14}, {"data", 47, 16}}},
    {"CDNA_ISSUE",
     kOther,
     13,
     4,
     8,
     {},
     {{"simd", 6, 5},
      {"inst0", 9, 8},
      {"inst1", 11, 10},
      {"inst2", 13, 12},
      {"inst3", 15, 14},
      {"inst4", 17, 16},
      {"inst5", 19, 18},
      {"inst6", 21, 20},
      {"inst7", 23, 22},
      {"inst8", 25, 24},
      {"inst9", 27, 26}}},
    {"CDNA_PERF",
     kOther,
     14,
     4,
     16,
     {},
     {{"sh", 5, 5},
      {"cu", 9, 6},
      {"cntr_bank", 11, 10},
      {"cntr0", 24, 12},
      {"cntr1", 37, 25},
      {"cntr2", 50, 38},
      {"cntr3", 63, 51}}},
    {"CDNA_REG_CS_PRIV", kOther, 15, 4, 12, {}, {{"pipe", 6, 5}, {"regaddr", 15, 9}, {"regdata", 47, 16}}},
};

using ShapesByByte = std::array<const PacketShape*, 256>;

template <std::size_t N>
constexpr void place(ShapesByByte& shapes, const PacketShape (&some)[N]) {
  for (const PacketShape& shape : some) {
    for (unsigned byte = shape.encoding; byte < 256; byte += 1u << shape.encoding_bits) {
      const PacketShape* const other = shapes[byte];
      if (other == nullptr || other->encoding_bits < shape.encoding_bits) shapes[byte] = &shape;
    }
  }
}

// The longest encoding that fits wins.
template <std::size_t N, std::size_t M>
constexpr ShapesByByte shapes_by_byte(const PacketShape (&some)[N], const PacketShape (&others)[M]) {
  ShapesByByte shapes{};
  place(shapes, some);
  place(shapes, others);
  place(shapes, kHeader);
  for (const PacketShape*& shape : shapes) {
    if (shape == nullptr) shape = &kNopShape;
  }
  return shapes;
}

constexpr ShapesByByte kByLayout[] = {shapes_by_byte(kShared, kRdna3), shapes_by_byte(kShared, kRdna4),
                                      shapes_by_byte(kCdna, kCdna)};

}  // namespace

const PacketShape& shape_of(Layout layout, std::uint8_t low_bits) {
  return *kByLayout[static_cast<std::size_t>(layout)][low_bits];
}

std::uint32_t Packet::compute_unit() const {
  if (layout == Layout::kCdna) return static_cast<std::uint32_t>(value("cu"));
  const unsigned array_bit = layout == Layout::kRdna3 ? 3 : 4;
  return static_cast<std::uint32_t>(value("wgp") | value("sa") << array_bit);
}

}  // namespace vizd::thread_trace
