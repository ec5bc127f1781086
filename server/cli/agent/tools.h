// The commands that answer questions about captures and change nothing, as tools for agents: who may call them, and
// with which words. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_line/command.h"

namespace vizd {

// Returns commands of the table of commands.
std::vector<const Command*> asking_commands();

// Whether the command says with an exit code of failure, beside what it prints, that what it looked at is not as it
// should be.
bool tells_verdict(std::string_view command);

// Folders that may be read, as real paths.
using Folders = std::vector<std::string>;

// The words with which the command may run: none is an option that writes a file or reaches out to a store, and each
// file that one names lies in a folder, and is named by its real path. An error says which word is at fault.
Result<std::vector<std::string>> asked_words(std::string_view command, const std::vector<std::string>& words,
                                             const Folders& folders);

}  // namespace vizd
