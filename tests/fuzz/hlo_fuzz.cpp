// Reads arbitrary bytes as a module of HLO, and looks at all that comes out.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "formats/hlo/module_reader.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto module = hlo::read_module({reinterpret_cast<const char*>(data), size});
  if (!module) return 0;
  std::size_t instructions = 0;
  for (const hlo::Computation& computation : module->computations) {
    for (const hlo::Instruction& instruction : module->instructions_of(computation)) {
      for (const std::uint32_t place : module->operands_of(instruction))
        VIZD_ASSERT(place == kNoId || place < module->instructions.size());
      for (const std::uint32_t place : module->calls_of(instruction))
        VIZD_ASSERT(place == kNoId || place < module->computations.size());
      VIZD_ASSERT(instruction.flop.has_value() || !instruction.dot_flop.has_value());
      ++instructions;
    }
  }
  VIZD_ASSERT(instructions == module->instructions.size());
  return 0;
}

#ifdef VIZD_FUZZ
#include "fuzz/protobuf_mutation.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return fuzz::change_input(data, size, max_size, seed, fuzz::change_protobuf);
}
#endif
