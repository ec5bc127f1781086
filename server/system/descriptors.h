// Descriptors that a program which is started later has no part in, and files without a name.
#pragma once

#include <array>
#include <string>

namespace vizd {

// Both ends, for reading and for writing. False, with errno, where there are no more.
bool make_pipe(std::array<int, 2>& ends);
// The same file under another number, which it had before; -1 with errno where it cannot be. Whether a program that is
// started later has it too.
int duplicate_to(int fd, int number, bool is_inherited);
// A file that no folder knows, empty, for reading and writing; -1 with errno where there is none. The name is told by
// the system's own lists of open files alone.
int make_nameless_file(const char* name);
// A path by which this process opens what the descriptor is of.
std::string path_of_descriptor(int fd);
// Lets no program that this process becomes have a descriptor from 3 on. Only system calls: for between fork and exec.
void keep_descriptors_from_programs();

}  // namespace vizd
