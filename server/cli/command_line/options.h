// The command line of `vizd`, checked. What may be set in the environment too (PORT, BROWSER) is read here as well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "cli/command_line/inputs.h"
#include "store/store.h"

namespace vizd {

struct Options {
  InputArguments inputs;  // which exist
  std::string host = "127.0.0.1";
  int port = 8000;
  std::vector<std::string> allow_hosts;
  bool no_token = false;
  bool notebook = false;
  std::string source_root;  // empty, or a folder with all links resolved
  bool no_sources = false;
  bool no_upload = false;
  bool shared = false;
  std::string peaks;  // empty, or a file with what devices can do
  bool compile = false;
  std::string compiler;                    // empty, or a path
  std::vector<std::string> compile_flags;  // empty: the reference's
  LogLevel log_level = LogLevel::kInfo;
  bool dev = false;
  bool open_browser = false;
  std::optional<store::Store> fleet;  // whose jobs are shown; none where none was named
  std::string job;                    // to be shown first; "": the last pushed
};

struct ParsedOptions {
  std::optional<Options> options;  // none: the program ends with exit_code; what there is to say was printed
  int exit_code = 0;
};

// Prints --help and --version on stdout, errors on stderr.
ParsedOptions parse_options(int argc, const char* const* argv);

// Whether only this machine can reach what listens on the address.
bool is_loopback(const std::string& host);

}  // namespace vizd
