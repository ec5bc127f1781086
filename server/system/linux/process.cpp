#include "system/process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace vizd {

std::string own_program() {
  std::error_code failed;
  return std::filesystem::read_symlink(way_to_own_program(), failed).string();
}

std::string way_to_own_program() { return "/proc/self/exe"; }

std::optional<std::uint64_t> resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  if (!(pages >> size >> resident)) return std::nullopt;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::optional<std::size_t> open_descriptors() {
  std::error_code failed;
  const std::filesystem::directory_iterator descriptors("/proc/self/fd", failed);
  if (failed) return std::nullopt;
  return static_cast<std::size_t>(std::distance(begin(descriptors), end(descriptors)));
}

void yield_to_other_threads(int niceness) { ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness); }

void end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace vizd
