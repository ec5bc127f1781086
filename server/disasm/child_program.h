// Runs a program of the machine (a compiler, llvm-mca) on input that comes from a capture, and trusts neither: the
// child has limits on time, memory, output and processes, an empty folder of its own that is removed afterwards, almost
// no environment, no open files but its three streams, and, where the kernel has it, no way to the network and to
// files other than the system's programs and libraries. Which of it holds is README.md's table. Any thread; waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vizd {

struct ChildOptions {
  std::chrono::milliseconds wall_time{20'000};  // then its whole process group is killed
  std::uint64_t cpu_s = 10;
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;   // address space
  std::uint64_t output_bytes = std::uint64_t{16} << 20;  // each of its two outputs, and any file it writes
  bool may_start_programs = false;                       // gcc is a driver of others; clang and llvm-mca are not
  std::string output_file = {};  // in its folder, once it ended: counts as its output where it is named
};

struct ChildRun {
  int exit_code = 0;       // -1 where a signal ended it
  bool timed_out = false;  // of wall time, or of processor time
  bool too_much_output = false;
  std::string output;
  std::string errors;

  bool succeeded() const { return exit_code == 0 && !timed_out && !too_much_output; }
};

// argv[0] is the program's path. `input` is its standard input. Errors: it could not be started.
Result<ChildRun> run_program(const std::vector<std::string>& argv, std::string_view input, const ChildOptions& options);

// For a program that ends and waits for nobody: removes the folders of the children that run now, and starts no more.
void end_programs();

}  // namespace vizd
