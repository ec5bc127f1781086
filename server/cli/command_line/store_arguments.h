// The arguments of commands that go to a store. One thread.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/command_line.h"
#include "store/store.h"

namespace vizd {

struct StoreArguments {
  std::vector<std::string> urls;
  std::string user_file, ca_file;

  // Returns the argument --store.
  Argument describe(CommandLine& line);
  Result<store::Store> open() const;
};

}  // namespace vizd
