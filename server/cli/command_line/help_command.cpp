// vizd help [COMMAND]
#include <fmt/core.h>

#include <array>

#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/options.h"

namespace vizd {

int run_help(int argc, const char* const* argv) {
  const std::array<const char*, 2> arguments{argc > 1 ? argv[1] : "vizd", "--help"};
  if (argc < 2 || std::string_view(argv[1]) == "help") return parse_options(2, arguments.data()).exit_code;
  if (const Command* command = find_command(argv[1])) return command->run(2, arguments.data());
  print_error("vizd help: there is no command {}; vizd help lists them\n", argv[1]);
  return kExitUsage;
}

}  // namespace vizd
