#include "system/linux/system_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace vizd {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;
#endif

// A compiler, an assembler or a disassembler needs these: files as far as Landlock lets it open them, memory, time and
// itself. There is none by which it could change a file that it may not write (truncate, chmod, utimensat, setxattr
// take a path or a descriptor that was opened for reading), reach another process, or the network.
constexpr long kAllowed[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_fstatfs,
    SYS_statfs,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fadvise64,
    SYS_fcntl,
    SYS_flock,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_mkdirat,
    SYS_unlinkat,
    SYS_renameat,
    SYS_renameat2,
    SYS_umask,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_ppoll,
    SYS_pselect6,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_membarrier,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_futex,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_set_tid_address,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_exit,
    SYS_exit_group,
    SYS_execve,
    SYS_wait4,
    SYS_waitid,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getpgid,
    SYS_getrusage,
    SYS_times,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_uname,
    SYS_sysinfo,
#if defined(__x86_64__)
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_unlink,
    SYS_rename,
    SYS_dup2,
    SYS_pipe,
    SYS_poll,
    SYS_select,
    SYS_getpgrp,
    SYS_arch_prctl,
    SYS_time,
#endif
};

// Calls that are let through by one of their arguments.
class Filter {
 public:
  Filter() {
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
    add_jump(BPF_JEQ, kMachine, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    load_number();
#if defined(__x86_64__)
    constexpr std::uint32_t kX32 = 0x40000000;  // the same calls under other numbers
    add_jump(BPF_JGE, kX32, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#endif
  }
  void allow(long call) {
    add_jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  void deny(long call, std::uint32_t error) {
    add_jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
  }
  // The call passes where test(its argument, value) holds; of an argument the lower half is looked at.
  void allow_where(long call, std::size_t argument, int test, std::uint32_t value, std::uint32_t error) {
    add_jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 4);
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument));
    add_jump(test, value, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
  }
  // Opening, but for a file that is only read and yet cut: older Landlocks let that pass.
  void allow_open(long call, std::size_t flags_argument) {
    add_jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 5);
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * flags_argument));
    add_jump(BPF_JSET, O_TRUNC, 0, 2);
    add_jump(BPF_JSET, O_WRONLY | O_RDWR, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  // A call that is not listed fails as in a kernel that does not have it: programs then go another way.
  bool install() {
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
    const sock_fprog program{static_cast<unsigned short>(size_), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  void load_number() { add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)); }
  void add(int code, std::uint32_t k) { code_[size_++] = {static_cast<std::uint16_t>(code), 0, 0, k}; }
  void add_jump(int test, std::uint32_t k, std::uint8_t if_true, std::uint8_t if_false) {
    code_[size_++] = {static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), if_true, if_false, k};
  }

  std::array<sock_filter, 2 * std::size(kAllowed) + 96> code_{};  // no heap: used between fork and exec
  std::size_t size_ = 0;
};

}  // namespace

bool can_filter_system_calls() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return kMachine != 0 && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool filter_system_calls(bool may_start_programs) {
  constexpr std::uint32_t kIsTerminal = 0x5401;  // TCGETS
  Filter filter;
  for (const long call : kAllowed) filter.allow(call);
  filter.allow_open(SYS_openat, 2);
#if defined(__x86_64__)
  filter.allow_open(SYS_open, 1);
#endif
  filter.allow_where(SYS_ioctl, 1, BPF_JEQ, kIsTerminal, ENOTTY);
  // Only for itself: limits, and the signal by which a program ends itself.
  filter.allow_where(SYS_prlimit64, 0, BPF_JEQ, 0, EPERM);
  filter.allow_where(SYS_tgkill, 0, BPF_JEQ, static_cast<std::uint32_t>(::getpid()), EPERM);
  // The flags of clone3 lie in memory, out of the filter's sight; the C library falls back on clone.
  filter.deny(SYS_clone3, ENOSYS);
  if (may_start_programs) {
    filter.allow(SYS_clone);
#if defined(__x86_64__)
    filter.allow(SYS_fork);
    filter.allow(SYS_vfork);
#endif
  } else {
    filter.allow_where(SYS_clone, 0, BPF_JSET, CLONE_THREAD, EAGAIN);
#if defined(__x86_64__)
    filter.deny(SYS_fork, EAGAIN);
    filter.deny(SYS_vfork, EAGAIN);
#endif
  }
  // Refused rather than missing: what is known to be tried.
  for (const long call : {SYS_socket, SYS_connect, SYS_kill, SYS_ptrace, SYS_fchmodat, SYS_fchmod, SYS_utimensat,
                          SYS_setxattr, SYS_fsetxattr, SYS_truncate, SYS_fchownat, SYS_fchown})
    filter.deny(call, EPERM);
  return filter.install();
}

}  // namespace vizd
