// Runs a program of the machine (a compiler, llvm-mca) on input that comes from a capture, and trusts neither: the
// child has limits on time, memory, output and processes, an empty folder of its own that is removed afterwards, almost
// no environment, no open files but its three streams, and, where the kernel has it, no way to the network and to
// files other than the program's own. Which of it holds is README.md's table. Any thread; waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vizd {

class OwnFolder;

// Which files a child may read besides those of its own folder.
enum class ChildReads {
  kOwnFiles,  // the program with its libraries, and those named: what it works on comes from a capture
  kSystem,    // the system's programs and libraries: it is asked about itself, and nothing comes from a capture
};

struct ChildOptions {
  std::chrono::milliseconds wall_time{20'000};  // then its whole process group is killed
  std::uint64_t cpu_s = 10;
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;   // address space
  std::uint64_t output_bytes = std::uint64_t{16} << 20;  // each of its two outputs, and any file it writes
  bool may_start_programs = false;                       // gcc is a driver of others; clang and llvm-mca are not
  std::string output_file = {};  // in its folder, once it ended: counts as its output where it is named
  ChildReads reads = ChildReads::kOwnFiles;
  std::vector<std::string> files = {};        // and folders that it may read, too
  bool needs_confinement = false;             // where nothing keeps it from other files it is not started
  std::vector<std::string> environment = {};  // NAME=VALUE, besides PATH, LC_ALL and TMPDIR
  std::stop_token left = {};                  // once requested, nobody waits for it: its process group is killed
};

struct ChildRun {
  int exit_code = 0;       // -1 where a signal ended it
  bool timed_out = false;  // of wall time, or of processor time
  bool too_much_output = false;
  bool was_left = false;
  std::string output;
  std::string errors;

  bool succeeded() const { return exit_code == 0 && !timed_out && !too_much_output && !was_left; }
};

// The children of one vizd. Outlives what runs them.
class ChildPrograms {
 public:
  // kNone is as if the kernel had no way to confine a child, for tests of what holds without.
  enum class Sandboxing { kAsKernelCan, kNone };
  explicit ChildPrograms(Sandboxing sandboxing = Sandboxing::kAsKernelCan) : sandboxing_(sandboxing) {}
  ChildPrograms(const ChildPrograms&) = delete;
  ChildPrograms& operator=(const ChildPrograms&) = delete;

  // argv[0] is the program's path. `input` is its standard input. Errors: it could not be started.
  Result<ChildRun> run(const std::vector<std::string>& argv, std::string_view input, const ChildOptions& options);

  // The program and the libraries that it is linked with.
  std::vector<std::string> files_of(const std::string& program);
  // Whether children are kept from files that are not theirs.
  bool confines_files() const;

  // For a program that ends and waits for nobody: removes the folders of the children that run now, and starts no more.
  void end();

 private:
  class WorkFolder;

  std::vector<std::string> readable(const std::string& program, const ChildOptions& options);

  const Sandboxing sandboxing_;
  std::mutex guard_;  // of the two below it
  std::set<OwnFolder*> folders_;
  bool has_ended_ = false;
  std::mutex files_guard_;
  std::map<std::string, std::vector<std::string>> files_;  // by program
};

}  // namespace vizd
