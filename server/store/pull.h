// Takes a rank back out of a store, as the file of vizd's own that was pushed with it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace vizd::store {

// A rank is stored in pieces of so many bytes; the last one may be smaller.
inline constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
// The most that is ever taken: a store may say that there is any number of pieces.
inline constexpr std::uint64_t kMostRankBytes = std::uint64_t{64} << 30;

// Hands the file's parts over in order; returns its size. Errors: the rank is not there whole, is larger than that, the
// store left.
Result<std::uint64_t> pull(const Store& store, const std::string& job, std::uint32_t rank, std::uint64_t most_bytes,
                           const std::function<void(std::string_view part)>& write);

}  // namespace vizd::store
