#include "analysis/recorded_rows.h"

namespace vizd {

std::size_t RecordedRows::memory_bytes() const {
  std::size_t bytes = sizeof(*this) + runs.size() * sizeof(Run) + waves.size() * sizeof(Wave) +
                      instructions.size() * sizeof(Instruction) + counts.size() * sizeof(Count) +
                      samplings.size() * sizeof(Sampling) + samples.size() * sizeof(Sample);
  for (const Instruction& instruction : instructions)
    bytes += instruction.text.capacity() + instruction.waits_for.capacity();
  return bytes;
}

}  // namespace vizd
