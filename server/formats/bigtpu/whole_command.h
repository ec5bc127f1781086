// A whole command as an engine got it, where the profile has it (mode 2): its fields by the places that the chips'
// register tables give them. Layouts that all commands of a kind share are decoded; of others the head alone. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/bigtpu/chip.h"

namespace vizd::bigtpu {

struct CommandField {
  std::string_view name, unit;
  std::size_t bit, width;  // width of 48 at most
};

struct WholeCommand {
  int type = 0, special = 0;
  std::optional<unsigned> data_type;
  std::string direction;                 // "DDR->LMEM"; "" where that is not known
  std::int64_t waits_for = 0;            // the command of the other engine by its number, from 1; 0: none
  std::span<const CommandField> fields;  // those that its layout has
  bool is_decoded = false;               // else more is in it than the fields
};

// None where it is shorter than a head.
std::optional<WholeCommand> read_whole_command(Engine engine, std::span<const std::byte> bytes);

// The bits from there on, the least first; those beyond the end are 0.
std::uint64_t bits_at(std::span<const std::byte> bytes, std::size_t bit, std::size_t width);

}  // namespace vizd::bigtpu
