// vizd run with some arguments to its end: its exit code, and what it printed.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "http/child_process.h"

namespace vizd {

struct CommandRun {
  explicit CommandRun(std::vector<std::string> arguments)
      : process(std::move(arguments), {}), code(process.wait_for_end()), out(process.standard_output) {}

  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    std::istringstream in(out);
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
  }
  std::vector<nlohmann::json> records() const {
    std::vector<nlohmann::json> result;
    for (const std::string& line : lines()) result.push_back(nlohmann::json::parse(line));
    return result;
  }
  bool warns(std::string_view text) const { return process.standard_error.find(text) != std::string::npos; }

  ChildProcess process;
  int code;
  const std::string& out;
};

}  // namespace vizd
