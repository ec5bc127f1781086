// A trace as PyTorch's profiler writes it, of a job that there never was: two ranks that train a small transformer. One
// rank is slower, one step waits for its data, and memory is held longer than it need be, so that there is something
// to find. The same at every call.
#pragma once

#include <array>
#include <string>

namespace vizd {

inline constexpr std::size_t kTrainingRanks = 2;

// By rank, as Chrome's JSON.
std::array<std::string, kTrainingRanks> training_traces();

}  // namespace vizd
