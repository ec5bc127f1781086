// InputArguments: what a command line names to be read: files and folders, and files by the formats' own options. Any
// thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line/command_line.h"
#include "formats/registry.h"
#include "formats/sniffer.h"

namespace vizd {

struct InputArguments {
  // A file that a format's option names.
  struct ByOption {
    const Format* format;
    const FileOption* option;
    std::string path = "";  // "": the option was not given
  };

  // only: with the options of this format and no others'.
  InputArguments(const Format* only = nullptr);

  std::vector<std::string> paths;   // files and folders
  std::string step_name;            // a regular expression that names of steps match; "": those that are found
  std::string read_as;              // the format of the files, by its name; "": the one that they look like
  std::vector<ByOption> by_option;  // each option of each format
  std::vector<Setting> settings;    // likewise; without a value where it was not given
  // The settings that are switches, by their place: whether they were given.
  std::map<std::size_t, bool> switches;

  // All options, which --format is among.
  void describe_options(CommandLine& line);
  static void describe_format(CommandLine& line, std::string& format);
  static void describe_step_name(CommandLine& line, std::string& step_name);
  bool is_empty() const;
  std::vector<Setting> given_settings() const;
  // Returns the paths that are folders.
  std::vector<std::string> folders() const;
  // The input sets of the files; those of options come first.
  std::vector<InputSet> sets_of_files(Sniffer& sniffer) const;
  // The same, and those found in the folders.
  std::vector<InputSet> all_sets(Sniffer& sniffer) const;
};

}  // namespace vizd
