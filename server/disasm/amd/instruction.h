// Instructions of AMD's GPUs: told from their bytes, and printed in tinygrad's notation: s_load_b64(s[4:5], s[0:1]).
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "disasm/amd/instruction_tables.h"

namespace vizd::amd {

inline constexpr std::uint32_t kWordBytes = 4;  // instructions are whole words

class Instruction {
 public:
  // The bytes read in the format, whether they fit it or not; those that are missing are zeros.
  Instruction(Family family, const InstructionFormat& format, std::span<const std::byte> bytes);

  std::uint32_t size_bytes() const { return format_->size_bytes; }
  // "V_ADD_F32"; "" where the format's operation has no name.
  std::string_view operation() const;
  std::string text() const;
  // Its bytes in hexadecimal digits, two a byte.
  std::string hex() const;
  // The number that instructions of the scalar program flow have in them: how many may be outstanding, how far to jump.
  std::optional<std::uint16_t> immediate() const;

  // Where a jump leads to, in bytes from the instruction after it; nothing for all others.
  std::optional<std::int64_t> jump() const;
  // One that a thread trace has no packet for: it only makes others wait.
  bool is_hidden_wait() const;

 private:
  friend std::optional<Instruction> decode(Family family, std::span<const std::byte> bytes);

  std::uint64_t value(const InstructionField& field) const;
  const Operation* find_operation() const;
  const InstructionFormat* variant() const;
  std::uint32_t registers_of(const InstructionField& field) const;
  std::optional<std::uint32_t> told_registers(std::string_view operand) const;
  std::string field_text(const InstructionField& field) const;
  bool is_default(const InstructionField& field) const;

  const InstructionFormat* format_;
  std::uint64_t low_ = 0, high_ = 0;
  bool is_cdna_;
};

// The instruction that the bytes begin with; nothing where no format fits. What reaches beyond the bytes reads as
// zeros.
std::optional<Instruction> decode(Family family, std::span<const std::byte> bytes);

}  // namespace vizd::amd
