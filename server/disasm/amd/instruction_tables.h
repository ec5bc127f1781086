// How instructions of AMD's GPUs are encoded: formats with their fields, operations and the registers that operands
// take, as instruction_tables.inc has them. Read once, when first asked for; then constant, for any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vizd::amd {

enum class Family : std::uint8_t { kRdna3, kRdna4, kCdna };

// The family of a device, by the number that its driver tells (110000: gfx1100).
Family family_of(std::int64_t gfx_target_version);
// The family of what a compiler names: "gfx1100"; nothing for what vizd does not know.
std::optional<Family> family_of_target(std::string_view target);
// "rdna3", "rdna4", "cdna"; nothing for any other name.
std::optional<Family> family_named(std::string_view name);

struct OperandSize {
  std::string_view operand;
  std::uint8_t registers = 1;
};

struct Operation {
  std::string_view name;           // "V_ADD_F32"
  std::vector<OperandSize> sizes;  // of operands that are not one register, and of addresses
};
using Operations = std::unordered_map<std::uint32_t, Operation>;

struct InstructionField {
  enum class Kind : std::uint8_t {
    kFixed,           // value says what instructions of the format have there
    kOperation,       // a number of operations
    kRegister,        // counts from base
    kAligned,         // a scalar register, by pairs or fours: shift says which
    kSecondRegister,  // of a dual instruction: odd where the first one's is even
    kBits,
  };
  std::string_view name;
  std::uint8_t hi = 0, lo = 0;
  Kind kind = Kind::kBits;
  std::uint32_t value = 0;  // fixed, or what it is where nothing is said
  std::uint32_t base = 0;
  std::uint8_t shift = 0;
  const Operations* operations = nullptr;
  std::vector<bool> allowed;  // by number: operations that the format has; empty for all
};

struct InstructionFormat {
  std::string_view name;
  std::uint8_t size_bytes = 0;
  std::vector<InstructionField> fields;
  // The format instead where an operand asks for a literal or for lanes of other threads; null where there is none.
  const InstructionFormat *literal = nullptr, *sdwa = nullptr, *dpp8 = nullptr, *dpp16 = nullptr;
  bool is_variant = false;  // one of those

  const InstructionField* find(std::string_view field) const;
};

// The formats of a family, in the order in which they are to be tried.
std::span<const InstructionFormat* const> formats_of(Family family);
// A format of the family by its name, also one that decode() does not try; null where it has none.
const InstructionFormat* find_format(Family family, std::string_view name);
// A register by its number: "VCC_LO"; of two registers "VCC". "" where it goes by its number alone.
std::string_view register_name(std::uint32_t number);
std::string_view register_pair_name(std::uint32_t number);

}  // namespace vizd::amd
