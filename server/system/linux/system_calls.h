// The system calls that a child may make: those on a list, as a seccomp filter; any other fails. Only for between fork
// and exec: it makes system calls alone, and takes no memory. Linux on x86-64 and AArch64; elsewhere there is none.
#pragma once

namespace vizd {

// Whether the kernel that vizd runs on can filter.
bool can_filter_system_calls();

// For this process and all that it becomes or starts. False where the filter could not be put on.
bool filter_system_calls(bool may_start_programs);

}  // namespace vizd
