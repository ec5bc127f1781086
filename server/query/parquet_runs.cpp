#include "query/parquet_runs.h"

#include <algorithm>
#include <bit>

#include "base/varint.h"

namespace vizd::sql {
namespace {

constexpr std::size_t kPackedTogether = 8;  // a group by bits is of so many, and a run no shorter

std::size_t run_length(std::span<const std::uint32_t> numbers) {
  const auto other = std::ranges::find_if(numbers, [&](std::uint32_t number) { return number != numbers[0]; });
  return static_cast<std::size_t>(other - numbers.begin());
}

// The last group is filled up with zeros.
void append_packed(std::string& out, std::span<const std::uint32_t> numbers, int bits) {
  const std::size_t groups = (numbers.size() + kPackedTogether - 1) / kPackedTogether;
  append_varint(out, groups << 1 | 1);
  const std::size_t end = out.size() + groups * static_cast<std::size_t>(bits);
  std::uint64_t held = 0;
  int held_bits = 0;
  for (const std::uint32_t number : numbers) {
    held |= std::uint64_t{number} << held_bits;
    for (held_bits += bits; held_bits >= 8; held_bits -= 8, held >>= 8) out += static_cast<char>(held);
  }
  if (held_bits > 0) out += static_cast<char>(held);
  out.resize(end);
}

}  // namespace

int bits_below(std::uint64_t count) { return count <= 2 ? 1 : static_cast<int>(std::bit_width(count - 1)); }

void append_parquet_runs(std::string& out, std::span<const std::uint32_t> numbers, int bits) {
  while (!numbers.empty()) {
    const std::size_t run = run_length(numbers);
    if (run >= kPackedTogether || run == numbers.size()) {
      append_varint(out, run << 1);
      for (int i = 0; i < bits; i += 8) out += static_cast<char>(numbers[0] >> i);
      numbers = numbers.subspan(run);
      continue;
    }
    // Whole groups, up to one that a run begins.
    std::size_t packed = 0;
    do {
      packed = std::min(packed + kPackedTogether, numbers.size());
    } while (packed < numbers.size() && run_length(numbers.subspan(packed).first(
                                            std::min(kPackedTogether, numbers.size() - packed))) < kPackedTogether);
    append_packed(out, numbers.first(packed), bits);
    numbers = numbers.subspan(packed);
  }
}

}  // namespace vizd::sql
