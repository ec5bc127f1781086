// Which passes of a capture a command is about, by the names or numbers that its user gave.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command_line/command_line.h"
#include "model/capture.h"

namespace vizd {

struct PassRef {
  std::uint32_t context = 0;
  std::uint32_t pass = 0;  // in its context
  const Pass* of = nullptr;
};

struct PassFilter {
  std::string context;  // a number, or text that the name holds; empty: all
  std::string pass;

  void describe(CommandLine& line);
  std::vector<PassRef> select(const Capture& capture) const;
};

// Prints on stderr that nothing was selected.
int refuse_selection(const CommandLine& line, const PassFilter& filter);

// "file:line" of a rule or a pass.
std::string location_text(const Capture& capture, LocationId id);

}  // namespace vizd
