// walk_instructions: the packets of a thread trace with the instructions that they are of. A wave begins with the
// program's first instruction, and each packet that dispatches one for it takes the next; jumps go where they lead.
// Only one SIMD of one compute unit records instructions. CDNA's packets do not say enough to follow waves. Pure.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "disasm/amd/code_listing.h"
#include "hardware/thread_trace/packets.h"

namespace vizd::thread_trace {

// A packet, or one wave's part of it.
struct Step {
  const Packet& packet;
  std::optional<std::uint32_t> wave = {};        // of an IMMEDIATE_MASK, which is of several
  const amd::CodeListing::Line* line = nullptr;  // the instruction, where it is known
  std::optional<std::uint64_t> address = {};     // of that; of a WAVEEND where the wave was
};

// Where the waves of the traced SIMD are in the program.
class WavePlaces {
 public:
  // What instruction a packet can be of.
  struct Dispatch {
    bool skips_waits = true;  // not of one that only makes others wait
    bool is_branch = false;   // of a branch, whether it is taken or not
    bool is_taken = false;
  };

  explicit WavePlaces(const amd::CodeListing* listing) : listing_(listing) {}

  void start(std::uint32_t wave) {
    if (listing_ != nullptr && !listing_->lines().empty()) at_[wave & 31] = listing_->lines().front().address;
  }
  std::optional<std::uint64_t> end(std::uint32_t wave) { return std::exchange(at_[wave & 31], std::nullopt); }

  // The instruction at the wave's place, which is then behind it. Null where the place is not known, or the packet can
  // be of none that is there: from then on the wave's place is not known either.
  const amd::CodeListing::Line* take(std::uint32_t wave, const Dispatch& dispatch) {
    std::optional<std::uint64_t>& at = at_[wave & 31];
    while (at) {
      const auto place = listing_->find(*at);
      if (!place) break;
      const amd::CodeListing::Line& line = listing_->lines()[*place];
      const std::uint64_t next = line.address + line.instruction.size_bytes();
      if (dispatch.skips_waits && line.is_hidden_wait) {
        at = next;
        continue;
      }
      if (line.jump && dispatch.skips_waits && !dispatch.is_branch) break;
      at = dispatch.is_taken ? next + static_cast<std::uint64_t>(line.jump.value_or(0)) : next;
      return &line;
    }
    at.reset();
    return nullptr;
  }

 private:
  const amd::CodeListing* listing_;
  std::array<std::optional<std::uint64_t>, 32> at_{};  // by wave
};

// Whether the packet is of the unit that records instructions, or of none.
inline bool is_of_traced_unit(const Packet& packet) {
  const bool is_wave = packet.kind() == PacketKind::kWaveStart || packet.kind() == PacketKind::kWaveEnd;
  return packet.value("simd") == 0 && (is_wave ? packet.compute_unit() : packet.value("cu")) == 0;
}

// Calls on_step(const Step&) for each, until it returns false. Without a listing no instruction is known.
template <typename OnStep>
void walk_instructions(std::span<const std::byte> trace, const amd::CodeListing* listing, OnStep&& on_step) {
  WavePlaces places(listing);
  const auto step_of = [](const Packet& packet, const amd::CodeListing::Line* line) {
    return Step{.packet = packet,
                .line = line,
                .address = line == nullptr ? std::nullopt : std::optional<std::uint64_t>(line->address)};
  };
  decode_packets(trace, [&](const Packet& packet) {
    const PacketKind kind = packet.kind();
    if (kind == PacketKind::kNop || kind == PacketKind::kTimeShort || !is_of_traced_unit(packet)) return true;
    const bool is_cdna = packet.layout == Layout::kCdna;
    const auto wave = static_cast<std::uint32_t>(packet.value("wave"));
    switch (kind) {
      case PacketKind::kWaveStart:
        if (!is_cdna) places.start(wave);
        return on_step(Step{.packet = packet});
      case PacketKind::kWaveEnd:
        return on_step(Step{.packet = packet, .address = is_cdna ? std::nullopt : places.end(wave)});
      case PacketKind::kImmediateMask: {
        const std::uint64_t mask = packet.value("mask");
        for (std::uint32_t i = 0; i < 16; ++i) {
          if ((mask >> i & 1) == 0) continue;
          Step step = step_of(packet, places.take(i, {.skips_waits = false}));
          step.wave = i;
          if (!on_step(step)) return false;
        }
        return true;
      }
      case PacketKind::kInst: {
        const auto operation = operation_name(packet.layout, static_cast<std::uint32_t>(packet.value("op")));
        if (operation.starts_with("OTHER_")) return on_step(Step{.packet = packet});
        return on_step(step_of(
            packet, places.take(wave, {.is_branch = operation.starts_with("JUMP"), .is_taken = operation == "JUMP"})));
      }
      case PacketKind::kValu:
      case PacketKind::kImmediate:
        return on_step(step_of(packet, places.take(wave, {})));
      default:
        return on_step(Step{.packet = packet});
    }
  });
}

}  // namespace vizd::thread_trace
