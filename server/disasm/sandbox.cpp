#include "disasm/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>

namespace vizd {
namespace {

// Rights of the first version of Landlock, which every later kernel knows.
constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kAll = (std::uint64_t{LANDLOCK_ACCESS_FS_MAKE_SYM} << 1) - 1;
// Rights that only folders have.
constexpr std::uint64_t kFile =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;

void allow(int rules, const std::string& path, std::uint64_t rights) {
  const int fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) rights &= kFile;
  const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = fd};
  ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  ::close(fd);
}

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;
#endif

// A list of system calls as a program for the kernel: those on it fail, all others go on.
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
  void deny(std::initializer_list<long> calls, std::uint32_t error = EPERM) {
    for (const long call : calls) {
      add_jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
      add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
    }
  }
  // clone() may make threads, but no processes. Of clone3 the flags lie in memory, out of the filter's sight; the C
  // library falls back on clone.
  void deny_processes() {
#if defined(__x86_64__)
    deny({SYS_fork, SYS_vfork}, EAGAIN);
#endif
    deny({SYS_clone3}, ENOSYS);
    add_jump(BPF_JEQ, SYS_clone, 0, 4);
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args));
    add_jump(BPF_JSET, CLONE_THREAD, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN);
    load_number();
  }
  bool install() {
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog program{static_cast<unsigned short>(size_), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  void load_number() { add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)); }
  void add(int code, std::uint32_t k) { code_[size_++] = {static_cast<std::uint16_t>(code), 0, 0, k}; }
  void add_jump(int test, std::uint32_t k, std::uint8_t if_true, std::uint8_t if_false) {
    code_[size_++] = {static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), if_true, if_false, k};
  }

  std::array<sock_filter, 96> code_{};  // no heap: used between fork and exec
  std::size_t size_ = 0;
};

bool deny_system_calls(bool may_start_programs) {
  Filter filter;
  filter.deny({SYS_socket,
               SYS_socketpair,
               SYS_connect,
               SYS_bind,
               SYS_io_uring_setup,
               SYS_ptrace,
               SYS_process_vm_readv,
               SYS_process_vm_writev,
               SYS_pidfd_open,
               SYS_bpf,
               SYS_perf_event_open,
               SYS_userfaultfd,
               SYS_unshare,
               SYS_setns,
               SYS_mount,
               SYS_keyctl,
               SYS_add_key,
               SYS_request_key,
               SYS_setsid,
               SYS_setpgid,
               SYS_kill,
               SYS_shmget,
               SYS_msgget});
  if (!may_start_programs) filter.deny_processes();
  return filter.install();
}

bool has_seccomp() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return kMachine != 0 && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool has_landlock() { return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1; }

}  // namespace

Sandbox::Sandbox(const std::string& program, const std::string& work_folder, bool may_start_programs)
    : may_start_programs_(may_start_programs) {
  if (!has_landlock()) return;
  const landlock_ruleset_attr all{.handled_access_fs = kAll};
  rules_fd_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0));
  if (rules_fd_ < 0) return;
  for (const char* folder : {"/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/lib", "/lib64", "/bin"})
    allow(rules_fd_, folder, kRead);
  for (const char* file : {"/etc/ld.so.cache", "/proc/cpuinfo", "/dev/null", "/dev/urandom"})
    allow(rules_fd_, file, LANDLOCK_ACCESS_FS_READ_FILE);
  // A compiler of one's own: PREFIX/bin/clang with PREFIX/lib.
  std::error_code failed;
  const auto real = std::filesystem::canonical(program, failed);
  if (!failed) {
    allow(rules_fd_, real.parent_path().string(), kRead);
    allow(rules_fd_, (real.parent_path().parent_path() / "lib").string(), kRead);
  }
  allow(rules_fd_, work_folder, kAll);
}

Sandbox::~Sandbox() {
  if (rules_fd_ >= 0) ::close(rules_fd_);
}

bool Sandbox::enter() const {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (rules_fd_ >= 0 && ::syscall(SYS_landlock_restrict_self, rules_fd_, 0) != 0) return false;
  return !has_seccomp() || deny_system_calls(may_start_programs_);
}

SandboxSupport sandbox_support() { return {has_landlock(), has_seccomp()}; }

}  // namespace vizd
