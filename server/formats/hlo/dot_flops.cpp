#include "formats/hlo/dot_flops.h"

#include <limits>
#include <utility>
#include <vector>

#include "formats/hlo/message.h"

namespace vizd::hlo {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr int kMostDepth = 8;  // of fusions within fusions

std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

void add_bounded(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& more) {
  if (!more) return;
  if (!sum) sum = 0;
  if (__builtin_add_overflow(*sum, *more, &*sum)) sum = kMost;
}

}  // namespace

std::int64_t dot_flop(std::string_view dot, std::span<const std::int64_t> left, std::span<const std::int64_t> result) {
  constexpr std::uint64_t kContractedOfLeft = 1;
  std::vector<std::int64_t> contracted;
  for (Message message(dot); message.next();) {
    message.take(kContractedOfLeft, contracted);
  }
  std::int64_t flop = 2;
  for (const std::int64_t size : result) flop = bounded_product(flop, size);
  for (const std::int64_t dimension : contracted) {
    if (dimension >= 0 && static_cast<std::uint64_t>(dimension) < left.size())
      flop = bounded_product(flop, left[static_cast<std::size_t>(dimension)]);
  }
  return flop;
}

void sum_fused_dots(Module& module) {
  // An instruction that adds to the sum of its computation; few do.
  struct Part {
    std::size_t computation = 0;
    Instruction& instruction;
  };
  std::vector<Part> parts;
  for (std::size_t c = 0; c < module.computations.size(); ++c) {
    const Slice& slice = module.computations[c].instructions;
    for (Instruction& instruction : std::span(module.instructions).subspan(slice.first, slice.count)) {
      if (instruction.dot_flop || instruction.is_fusion()) parts.push_back({c, instruction});
    }
  }
  using Sums = std::vector<std::optional<std::int64_t>>;  // by computation
  Sums inner(module.computations.size());                 // of the level below
  const auto flop_of = [&](const Instruction& instruction) {
    std::optional<std::int64_t> flop = instruction.dot_flop;
    if (flop) return flop;
    for (const std::uint32_t called : module.calls_of(instruction)) {
      if (called != kNoId) add_bounded(flop, inner[called]);
    }
    return flop;
  };
  // From the innermost level on, at which only dots count.
  for (int depth = kMostDepth + 1; depth > 0; --depth) {
    Sums sums(module.computations.size());
    for (const auto& [computation, instruction] : parts) add_bounded(sums[computation], flop_of(instruction));
    inner = std::move(sums);
  }
  for (const auto& [computation, instruction] : parts) instruction.flop = flop_of(instruction);
}

}  // namespace vizd::hlo
