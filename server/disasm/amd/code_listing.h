// The machine code of a program of AMD's, instruction by instruction. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "disasm/amd/instruction.h"

namespace vizd::amd {

class CodeListing {
 public:
  struct Line {
    std::uint64_t address = 0;
    Instruction instruction;
    // The instruction that the jump leads to, which takes longer to decode.
    std::optional<std::int64_t> jump;
    bool is_hidden_wait = false;
  };

  // Reads an ELF file's .text, as far as it can be decoded. Errors: no such file, no such section.
  static Result<CodeListing> read(Family family, std::span<const std::byte> elf);

  std::span<const Line> lines() const { return lines_; }
  // The place of the instruction that begins there, or nothing.
  std::optional<std::uint32_t> find(std::uint64_t address) const;
  // Whether bytes were left at the end that are no instruction.
  bool is_cut() const { return is_cut_; }

 private:
  std::vector<Line> lines_;
  std::vector<std::uint32_t> by_word_;  // from the first address on: place + 1, 0 where none begins
  bool is_cut_ = false;
};

}  // namespace vizd::amd
