// Between opening a descriptor and marking it, another thread may start a program, which then has it too; those that
// vizd starts give up all that they were not meant to have (keep_descriptors_from_programs).
#include "system/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace vizd {
namespace {

bool keep_from_programs(int fd) { return ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; }

}  // namespace

bool make_pipe(std::array<int, 2>& ends) {
  return ::pipe(ends.data()) == 0 && keep_from_programs(ends[0]) && keep_from_programs(ends[1]);
}

int duplicate_to(int fd, int number, bool is_inherited) {
  const int result = ::dup2(fd, number);
  if (result >= 0 && !is_inherited) keep_from_programs(result);
  return result;
}

// On a disk, where it has a name for a moment.
int make_nameless_file(const char* name) {
  const char* const folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/" + name + "-XXXXXX";
  const int fd = ::mkstemp(path.data());
  if (fd < 0) return fd;
  ::unlink(path.c_str());
  keep_from_programs(fd);
  return fd;
}

std::string path_of_descriptor(int fd) { return "/dev/fd/" + std::to_string(fd); }

void keep_descriptors_from_programs() {
  constexpr int kMost = 65536;  // more than vizd has open; the limit may be lower by now than what is open already
  for (int fd = 3; fd < kMost; ++fd) keep_from_programs(fd);
}

}  // namespace vizd
