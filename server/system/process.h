// This process and its threads, as the system knows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace vizd {

// Where the file of the running program lies; "" where the system does not say. What is at the path after the program
// was replaced there is another one.
std::string own_program();
// The path by which the system starts the running program again, also where another lies in its place meanwhile.
std::string way_to_own_program();
// Memory that the process has now; none where the system does not say.
std::optional<std::uint64_t> resident_bytes();
// Descriptors that it has open.
std::optional<std::size_t> open_descriptors();
// Lets other threads go before this one, as `nice` does. Nothing where the system knows processes alone.
void yield_to_other_threads(int niceness);
// That this process is to end when the thread that started it does. Between fork and exec.
void end_with_parent();

}  // namespace vizd
