// A line of shell in which "vizd" is the program, run to its end: its exit code, and what it prints on stdout.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "support/catch.h"
#include "support/places.h"

namespace vizd {

struct ShellRun {
  explicit ShellRun(const std::string& line) {
    const std::string command = "vizd() { '" + std::string(vizd_binary()) + "' \"$@\"; }; " + line;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer;
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
    const int status = ::pclose(pipe);
    if (WIFEXITED(status)) code = WEXITSTATUS(status);
  }

  int code = -1;  // where a signal ended it
  std::string output;
};

}  // namespace vizd
