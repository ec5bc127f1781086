// What a file system can do beyond opening, reading and renaming.
#pragma once

#include <sys/types.h>

#include <string>

namespace vizd {

// A file in that folder that has no name yet, for writing, which name_file() can give one; -1 where there is none.
int open_unnamed(const std::string& folder, mode_t mode);
// 0, or errno: EEXIST where something is called so already.
int name_file(int fd, const std::string& path);
// Renames, but not over what is there: 0, or errno. EINVAL or ENOSYS where the file system cannot promise that.
int rename_to_new(const std::string& from, const std::string& to);
// Whether every process that could lock the file is one of this machine, whose kernel keeps the locks; false where the
// system does not say.
bool has_locks_of_this_machine(int fd);

}  // namespace vizd
