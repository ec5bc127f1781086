#include "cli/command_line/arguments.h"

#include "cli/command_line/records.h"

namespace vizd {

void CommonArguments::describe(CommandLine& line) {
  line.positional("files", "FILE|DIR ...", inputs.paths,
                  "The capture: its file or files, or the folder they are in; - is what comes through a pipe");
  inputs.describe_options(line);
  line.flag("--json", json, "Print JSON, one record a line").under(kCommonOptions);
  describe_wide_tables(line);
  line.check([this] { return inputs.is_empty() ? "files is required" : ""; });
}

}  // namespace vizd
