// Any command line of vizd, one argument a line: it is understood or refused with an exit code, and what is understood
// is served safely.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "cli/command_line/options.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // Help goes to stdout, problems to stderr: both would drown what the fuzzer says.
  static_cast<void>(std::freopen("/dev/null", "w", stdout));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> arguments{"vizd"};
  while (!text.empty() && arguments.size() < 64) {
    const auto end = text.find('\n');
    arguments.emplace_back(text.substr(0, end).substr(0, text.substr(0, end).find('\0')));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  const auto parsed = vizd::parse_options(static_cast<int>(pointers.size()), pointers.data());
  if (!parsed.options) return 0;
  VIZD_ASSERT(parsed.options->port >= 0 && parsed.options->port <= 65535);
  VIZD_ASSERT(!parsed.options->no_token || vizd::is_loopback(parsed.options->host));
  VIZD_ASSERT(!parsed.options->host.empty());
  return 0;
}
