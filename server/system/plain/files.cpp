#include "system/files.h"

#include <unistd.h>

#include <cerrno>

namespace vizd {

int open_unnamed(const std::string&, mode_t) { return -1; }

int name_file(int, const std::string&) { return ENOSYS; }

// A second name is never given over a first one.
int rename_to_new(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) != 0) return errno == EPERM || errno == ENOTSUP ? ENOSYS : errno;
  return ::unlink(from.c_str()) == 0 ? 0 : errno;
}

bool has_locks_of_this_machine(int) { return false; }

}  // namespace vizd
