#include "cli/command.h"

#include <algorithm>
#include <array>

namespace vizd {
namespace {

constexpr std::array kCommands{
    Command{"convert", "A capture of any format as one file of vizd's own, which opens faster", run_convert},
    Command{"help", "How to use a command: vizd help COMMAND", run_help},
    Command{"rules", "What each rule did in the whole capture, and which undo each other", run_rules},
    Command{"show", "Contexts and their steps, a step's matches, or the nodes that a query finds", run_show},
    Command{"text", "A step's graph after a match, as the compiler prints it", run_text},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : &*found;
}

}  // namespace vizd
