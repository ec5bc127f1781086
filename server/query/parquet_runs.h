// Small numbers as Parquet packs them: runs of equal ones told once, the others by so many bits each. So are told which
// values are there, and which of a dictionary's texts each is. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace vizd::sql {

// The bits that numbers below the count need, at least 1.
int bits_below(std::uint64_t count);
// Numbers of so many bits, 1 to 32.
void append_parquet_runs(std::string& out, std::span<const std::uint32_t> numbers, int bits);

}  // namespace vizd::sql
