#include "system/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "system/linux/system_calls.h"

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

// The request to the kernel, as its newest version takes it; an older kernel is told as much as it knows.
struct Rules {
  std::uint64_t files;
  std::uint64_t network;  // from version 4
  std::uint64_t scopes;   // from version 6
};

// 0: none.
int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

// Rights that came later, by number: the headers of the machine that vizd was built on may not know them.
constexpr std::uint64_t kRefer = 1 << 13, kTruncate = 1 << 14, kControlDevices = 1 << 15;
constexpr std::uint64_t kBindTcp = 1, kConnectTcp = 2;
constexpr std::uint64_t kAbstractSockets = 1, kSignals = 2;

std::uint64_t file_rights(int version) {
  return kAll | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0) | (version >= 5 ? kControlDevices : 0);
}

// All of it is denied, until a rule allows some.
int deny_all(int version) {
  const Rules rules{file_rights(version), kBindTcp | kConnectTcp, kAbstractSockets | kSignals};
  const std::size_t size = version >= 6 ? sizeof(Rules) : version >= 4 ? 16 : 8;
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0));
}

}  // namespace

Sandbox::Sandbox(const std::vector<std::string>& readable, const std::string& work_folder, bool may_start_programs)
    : may_start_programs_(may_start_programs) {
  const int version = landlock_version();
  if (version == 0) return;
  rules_fd_ = deny_all(version);
  if (rules_fd_ < 0) return;
  for (const std::string& path : readable) allow(rules_fd_, path, kRead);
  for (const char* file : {"/etc/ld.so.cache", "/proc/cpuinfo", "/dev/null", "/dev/urandom"})
    allow(rules_fd_, file, LANDLOCK_ACCESS_FS_READ_FILE);
  allow(rules_fd_, work_folder, file_rights(version));
}

Sandbox::~Sandbox() {
  if (rules_fd_ >= 0) ::close(rules_fd_);
}

bool Sandbox::enter() const {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (rules_fd_ >= 0 && ::syscall(SYS_landlock_restrict_self, rules_fd_, 0) != 0) return false;
  return !can_filter_system_calls() || filter_system_calls(may_start_programs_);
}

SandboxSupport sandbox_support() {
  const int version = landlock_version();
  const int rules = version > 0 ? deny_all(version) : -1;  // a kernel may name a version and yet refuse
  if (rules >= 0) ::close(rules);
  return {rules >= 0, can_filter_system_calls()};
}

}  // namespace vizd
