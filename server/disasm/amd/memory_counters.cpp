#include "disasm/amd/memory_counters.h"

#include <string_view>

namespace vizd::amd {
namespace {

bool has_part(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// RDNA 3 keeps three counters in one number: exports in bits 2:0, LDS and scalar memory in 9:4, vector loads in 15:10.
std::vector<CounterWait> joint_wait(std::uint32_t number) {
  constexpr std::uint32_t kNoLimit = 63;
  std::vector<CounterWait> waits;
  if (const std::uint32_t most = number >> 10 & 63; most != kNoLimit) waits.push_back({MemoryCounter::kLoad, most});
  if (const std::uint32_t most = number >> 4 & 63; most != kNoLimit) waits.push_back({MemoryCounter::kShared, most});
  return waits;
}

}  // namespace

bool is_wait(const Instruction& instruction) {
  const std::string_view name = instruction.operation();
  return name.starts_with("S_WAIT") && !instruction.is_hidden_wait();
}

std::vector<CounterWait> waits_of(Family family, const Instruction& instruction) {
  using enum MemoryCounter;
  const std::string_view name = instruction.operation();
  const std::uint32_t number = instruction.immediate().value_or(0);
  if (!is_wait(instruction) || family == Family::kCdna) return {};
  if (name == "S_WAITCNT") return joint_wait(number);
  // Two in one number.
  if (name == "S_WAIT_LOADCNT_DSCNT") return {{kLoad, number >> 8 & 63}, {kShared, number & 63}};
  if (name == "S_WAIT_STORECNT_DSCNT") return {{kStore, number >> 8 & 63}, {kShared, number & 63}};
  if (has_part(name, "LOADCNT") || has_part(name, "VMCNT") || has_part(name, "SAMPLECNT") || has_part(name, "BVHCNT"))
    return {{kLoad, number & 63}};
  if (has_part(name, "STORECNT") || has_part(name, "VSCNT")) return {{kStore, number & 63}};
  if (has_part(name, "DSCNT") || has_part(name, "LGKMCNT")) return {{kShared, number & 63}};
  if (has_part(name, "KMCNT")) return {{kScalar, number & 63}};
  return {};
}

std::vector<MemoryCounter> raised_by(Family family, const Instruction& instruction) {
  using enum MemoryCounter;
  const std::string_view name = instruction.operation();
  const MemoryCounter scalar = family == Family::kRdna4 ? kScalar : kShared;
  if (name.starts_with("S_LOAD") || name.starts_with("S_BUFFER_LOAD") || name.starts_with("S_SENDMSG")) return {scalar};
  if (name.starts_with("DS_")) return {kShared};
  const bool is_flat = name.starts_with("FLAT_");
  const bool is_vector = is_flat || name.starts_with("GLOBAL_") || name.starts_with("BUFFER_") ||
                         name.starts_with("TBUFFER_") || name.starts_with("SCRATCH_") || name.starts_with("IMAGE_");
  if (!is_vector) return {};
  const MemoryCounter vector = has_part(name, "_STORE") ? kStore : kLoad;
  return is_flat ? std::vector{vector, kShared} : std::vector{vector};
}

}  // namespace vizd::amd
