// Progress: a bar on a terminal for work that takes over a second; nothing in a pipe. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace vizd {

class Progress {
 public:
  // what: "replaying". out is where the bar goes, stderr as a rule.
  Progress(std::FILE* out, std::string what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // wipes the bar

  void tell(std::uint64_t done, std::uint64_t of);

 private:
  using Clock = std::chrono::steady_clock;

  std::FILE* out_;
  std::string what_;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace vizd
