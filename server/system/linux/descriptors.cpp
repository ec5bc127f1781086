#include "system/descriptors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vizd {

bool make_pipe(std::array<int, 2>& ends) { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }

int duplicate_to(int fd, int number, bool is_inherited) { return ::dup3(fd, number, is_inherited ? 0 : O_CLOEXEC); }

int make_nameless_file(const char* name) { return ::memfd_create(name, MFD_CLOEXEC); }

std::string path_of_descriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

void keep_descriptors_from_programs() {
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC, which older headers lack
  ::syscall(SYS_close_range, 3U, ~0U, kCloseOnExec);
}

}  // namespace vizd
