#include "cli/command_line/arguments.h"

#include "cli/command_line/records.h"

namespace vizd {

void CommonArguments::describe(CommandLine& line) {
  line.positional("files", "FILE|DIR ...", inputs.paths,
                  "The capture: its file or files, or their folder; - reads from a pipe");
  inputs.describe_options(line);
  line.flag("--json", json, "Print JSON, one record per line").under(kCommonOptions);
  describe_wide_tables(line);
  line.check([this] { return inputs.is_empty() ? "name a capture: a file or a folder" : ""; });
}

}  // namespace vizd
