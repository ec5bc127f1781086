// vizd_escape_probe VICTIM PID: tries to change a file that it was not given, and a process that it is not, in every
// way that a child of vizd might; says of each whether it worked. Run outside the sandbox it does what it says: on a
// file and a process of the test alone.
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void tell(const char* what, long result) {
  std::printf("%s %s\n", what, result >= 0 ? "ESCAPED" : std::strerror(errno));
}

void try_file(const char* victim) {
  tell("open-read", ::open(victim, O_RDONLY));
  tell("open-write", ::open(victim, O_WRONLY));
  tell("open-truncate", ::open(victim, O_RDONLY | O_TRUNC));
#ifdef SYS_creat  // aarch64 has only the calls that take a folder
  tell("creat", ::syscall(SYS_creat, victim, 0600));
#endif
  tell("truncate", ::truncate(victim, 0));
  tell("chmod", ::chmod(victim, 0777));
  tell("fchmodat", ::syscall(SYS_fchmodat, AT_FDCWD, victim, 0777));
  tell("fchmodat2", ::syscall(452, AT_FDCWD, victim, 0777, 0));
  tell("chown", ::chown(victim, ::getuid(), ::getgid()));
  const timespec times[2] = {{1, 0}, {1, 0}};
  tell("utimensat", ::utimensat(AT_FDCWD, victim, times, 0));
#ifdef SYS_utimes
  tell("utimes", ::syscall(SYS_utimes, victim, nullptr));
#endif
  tell("setxattr", ::setxattr(victim, "user.vizd", "x", 1, 0));
  tell("removexattr", ::removexattr(victim, "user.kept"));
  tell("unlink", ::unlink(victim));
  tell("rename", ::rename(victim, "here"));
  tell("link", ::link(victim, "link"));
  tell("symlink-write", ::symlink(victim, "symlink") == 0 ? ::open("symlink", O_WRONLY) : -1);
  tell("mknod", ::mknod("device", S_IFCHR | 0600, 0x103));
  // Through a descriptor of a file that may be read.
  const int library = ::open("/proc/self/exe", O_RDONLY);
  if (library >= 0) tell("fchmod", ::fchmod(library, 0777));
  if (library >= 0) tell("futimens", ::futimens(library, times));
  if (library >= 0) tell("fsetxattr", ::fsetxattr(library, "user.vizd", "x", 1, 0));
}

void try_process(pid_t pid) {
  tell("kill", ::kill(pid, 0));
  tell("tgkill", ::syscall(SYS_tgkill, pid, pid, 0));
  tell("tkill", ::syscall(SYS_tkill, pid, 0));
  tell("rt_sigqueueinfo", ::syscall(SYS_rt_sigqueueinfo, pid, 0, nullptr));
  const rlimit limit{64, 64};
  tell("prlimit", ::prlimit(pid, RLIMIT_NOFILE, &limit, nullptr));
  tell("ptrace", ::ptrace(PTRACE_ATTACH, pid, nullptr, nullptr));
  tell("pidfd_open", ::syscall(SYS_pidfd_open, pid, 0));
  char byte = 0;
  const iovec local{&byte, 1}, remote{reinterpret_cast<void*>(&try_process), 1};
  tell("process_vm_readv", ::process_vm_readv(pid, &local, 1, &remote, 1, 0));
  tell("setpriority", ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), 19));
  tell("sched_setaffinity", ::syscall(SYS_sched_setaffinity, pid, 8, "\1\0\0\0\0\0\0"));
  tell("setsid", ::setsid());
}

void try_rest() {
  const int tcp = ::socket(AF_INET, SOCK_STREAM, 0);
  tell("socket", tcp);
  tell("socketpair", ::syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, nullptr));
  tell("io_uring", ::syscall(SYS_io_uring_setup, 4, nullptr));
  tell("unshare", ::syscall(SYS_unshare, 0x10000000));
  tell("mount", ::syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, nullptr));
  tell("memfd_create", ::syscall(SYS_memfd_create, "x", 0));
  tell("fork", ::fork());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  ::setvbuf(stdout, nullptr, _IONBF, 0);
  try_file(argv[1]);
  try_process(std::atoi(argv[2]));
  try_rest();
  std::printf("through\n");
}
