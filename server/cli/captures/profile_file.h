// Captures that a command reads to change and to write again: whole, and not yet prepared for the timeline. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line/command_line.h"
#include "cli/command_line/inputs.h"
#include "cli/command_line/output_file.h"
#include "formats/registry.h"

namespace vizd {

// The arguments of commands that make one file of profiles: "IN .. OUT", -f, --json, --format.
struct ProfileFileArguments {
  std::vector<std::string> paths;
  std::string format;  // of the files to read, where it is told
  OutputFile::Place place;
  bool json = false;

  // what: to do with the files, "cut".
  void describe(CommandLine& line, std::string_view what);
  const std::string& output() const { return paths.back(); }
  InputArguments inputs() const;
  Result<std::unique_ptr<OutputFile>> create_output() const;
};

// Reads the set. Where that fails, or it has no profile, says why on stderr, and returns null.
std::unique_ptr<Capture> read_profile(const InputSet& set);

// The format that the file's name ends in, but for .gz and .zst; else the other one, where it can be written, or vizd's
// own.
const Format& format_to_write(std::string_view path, const Format* other);

// Writes the capture to the file. Prints what was written as a record; returns the command's exit code.
int write_profile(std::string_view command, const Capture& capture, const Format& format, OutputFile& file,
                  const std::string& path, bool json);

}  // namespace vizd
