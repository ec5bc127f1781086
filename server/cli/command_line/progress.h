// Progress: a bar on a terminal for work that takes over a second; nothing in a pipe. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace vizd {

class Progress {
 public:
  static constexpr std::chrono::milliseconds kPatience{1000};

  // what: "replaying". out is where the bar goes, stderr as a rule.
  Progress(std::FILE* out, std::string what, std::chrono::milliseconds patience = kPatience);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // wipes the bar

  // The work goes over to another part.
  void begin(std::string_view what);
  // Nothing is drawn while `of` is 0.
  void tell(std::uint64_t done, std::uint64_t of, std::string_view unit = "");

 private:
  using Clock = std::chrono::steady_clock;

  std::FILE* out_;
  std::string what_;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace vizd
