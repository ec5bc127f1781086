// The capture that a command is about, read from its files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line/arguments.h"
#include "session/loaded_capture.h"

namespace vizd {

// The one input set that the arguments name. Where they name none or several, says so on stderr.
std::optional<InputSet> find_input(const CommonArguments& arguments);

// "3 captures: a.json, b.json and c.json; name the files of one": what is wrong where only one is wanted. The names of
// many are cut short.
std::string several_captures_text(const std::vector<InputSet>& sets);

// The files that it is made of, and what its settings name: all that is read where it is.
std::vector<std::string> paths_of(const InputSet& set);

// Reads it. Where that fails, prints why on stderr ("FILE:OFFSET: what is wrong") and returns null; also prints which
// records were skipped, and warnings.
std::shared_ptr<const LoadedCapture> open_input(const InputSet& set);
std::shared_ptr<const LoadedCapture> open_input(const CommonArguments& arguments);
// The same, for who adds to it before anybody else reads it.
std::shared_ptr<LoadedCapture> open_to_change(const InputSet& set);
// The same without its timeline (session/loaded_capture.h).
std::shared_ptr<const LoadedCapture> open_recorded(const InputSet& set);

// Says on stderr what is wrong with its files; whether anything is.
bool print_errors(const FileErrors& errors);

// Prints the capture's warnings and notes, and which records were left out.
void print_warnings(const Capture& capture);

}  // namespace vizd
