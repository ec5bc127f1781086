// Sandbox: what a child gives up between fork and exec, besides its rlimits: all system calls but those of a
// list (seccomp, system_calls.h), and files other than those named, the network and signals (Landlock, as far as the
// kernel's version of it goes). Both need no privilege. Made before the fork; enter() does system calls
// only, so that it may run in the child of a program with many threads. Linux; elsewhere, and where the kernel lacks
// one, it is left out.
#pragma once

#include <string>
#include <vector>

namespace vizd {

class Sandbox {
 public:
  // readable: files, and folders with all in them, that may be read and run. work_folder: may be written.
  Sandbox(const std::vector<std::string>& readable, const std::string& work_folder, bool may_start_programs);
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox();

  // Whether it keeps the child from other files.
  bool confines_files() const { return rules_fd_ >= 0; }
  // In the child. False where a filter that the kernel has could not be put on: the child must not go on.
  bool enter() const;

 private:
  int rules_fd_ = -1;
  [[maybe_unused]] bool may_start_programs_;
};

// The abilities of the kernel that vizd runs on, as it grants them to vizd.
struct SandboxSupport {
  bool confines_files = false;
  bool denies_network = false;
};
SandboxSupport sandbox_support();

}  // namespace vizd
