// The command line of vizd or of one of its commands: what it takes, the help that says so, and what is printed where
// it makes no sense. By CLI11, which takes ten seconds to compile wherever it is included: that is command_line.cpp
// alone. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace vizd {

// An argument that was described, for what more there is to say of it. Valid as long as its CommandLine.
class Argument {
 public:
  Argument& required();
  Argument& range(int least, int most);
  // Only these words, in whichever case; the value is as spelled here.
  Argument& one_of(const std::vector<std::string>& words);
  Argument& existing_file();
  // Where the argument is a list: its one word is taken apart there.
  Argument& split_at(char separator);
  // Where the argument is an option: how many words follow it, each time it is given. A value that may lack is "".
  Argument& words(int least, int most);
  Argument& excludes(const Argument& other);
  // Under which heading the help lists it. A command's own options, which come first, have none.
  Argument& under(std::string_view heading);

  bool is_given() const;  // after parse()

 private:
  friend class CommandLine;
  explicit Argument(CLI::Option* option) : option_(option) {}

  CLI::Option* option_;
};

// Headings of the help: what commands share, and what only some formats' captures take, which --help leaves out.
inline constexpr std::string_view kCommonOptions = "Options of every command on captures";
inline constexpr std::string_view kFormatOptions = "Options of single formats";

inline constexpr std::int64_t kSecond_ns = 1'000'000'000;

class CommandLine {
 public:
  // name: as it is typed, "vizd show". about: the first lines of the help.
  CommandLine(const std::string& name, const std::string& about);
  ~CommandLine();

  // The values that are given go to `value`, which must live until parse() is done; what is not given stays. A value is
  // a std::string, int, std::int64_t, std::uint32_t, std::size_t, or a list of strings: of all words, of an option's
  // word each time it is given.
  //
  // Words that belong to no option. shown: what the help writes in their place, "FILE ..."; "": their name and type.
  template <typename Value>
  Argument positional(const std::string& name, const std::string& shown, Value& value, const std::string& help);
  // spelled: names, a blank, and what the help shows as the value: "-o,--output FILE [stdout]".
  template <typename Value>
  Argument option(const std::string& spelled, Value& value, const std::string& help);
  // Sets the value to true, or to false where an exclamation mark leads the name.
  Argument flag(const std::string& name, bool& value, const std::string& help);
  // A time, in units of unit_ns, as "5ms", "1.5s" or a number of units. It must be a whole number of units.
  Argument time(const std::string& spelled, std::int64_t& value, const std::string& help, std::int64_t unit_ns = 1);
  // -V and --version, which print this.
  void version(const std::string& text);
  // --help prints this in place of all options, which --help-all prints.
  void short_help(const std::string& text);
  // The last lines of the help.
  void footer(const std::string& text);
  // Checks all arguments together, once they are read: returns the problem, or "".
  void check(std::function<std::string()> problem);

  // None: go on; else the program ends with that code, and what there is to say was printed (help on stdout, a problem
  // in one line on stderr). The one argument kPageHelp asks for the help as a part of docs/commands.md.
  std::optional<int> parse(int argc, const char* const* argv);
  // Prints "NAME: PROBLEM; see NAME --help" on stderr, and returns the exit code.
  int refuse(const std::string& problem) const;
  std::string name() const;
  // All values that were given, of whichever argument.
  std::vector<std::string> values() const;

  static constexpr const char* kPageHelp = "--help-for-page";
  // The rows of the options under that heading, in the page's tables.
  void print_page_rows(std::string_view heading) const;
  // The lines of the options under that heading, as the help has them.
  std::string help_of_group(std::string_view heading) const;

 private:
  // Returns the text that --help prints.
  std::string help() const;
  // A mistake in the command line, as text with the nearest option where one was misspelled.
  std::string problem_of(const CLI::ParseError& error) const;
  void print_page_help() const;

  std::unique_ptr<CLI::App> app_;
  std::string short_help_;
  std::vector<std::function<std::string()>> checks_;
};

}  // namespace vizd
