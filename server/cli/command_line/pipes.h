// Captures that come through a pipe. They are read more than once, here and there, and by their paths: so what comes is
// kept first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vizd {

inline constexpr std::uint64_t kMostPipedBytes = std::uint64_t{2} << 30;

// Replaces `-` among the paths by /dev/stdin. If a path leads to a descriptor of this process (/dev/stdin, or /dev/fd/N
// as a shell writes <(command)) that is not a file, everything that comes through it is kept in a file without a name,
// which takes its place until the process ends. Returns the problem, or "": nothing comes, or more than most_bytes.
std::string take_pipes(const std::vector<std::reference_wrapper<std::string>>& paths,
                       std::uint64_t most_bytes = kMostPipedBytes);

}  // namespace vizd
