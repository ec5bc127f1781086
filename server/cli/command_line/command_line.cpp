#include "cli/command_line/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "base/close_match.h"
#include "base/standard_streams.h"
#include "base/time_text.h"
#include "cli/command_line/command.h"

namespace vizd {
namespace {

template <typename Value>
constexpr bool kIsList = std::is_same_v<Value, std::vector<std::string>>;

}  // namespace

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::range(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Argument& Argument::one_of(const std::vector<std::string>& words) {
  option_->transform(CLI::IsMember(words, CLI::ignore_case));
  return *this;
}

Argument& Argument::existing_file() {
  option_->check(CLI::ExistingFile);
  return *this;
}

Argument& Argument::split_at(char separator) {
  option_->delimiter(separator)->allow_extra_args(false);  // what stands behind it is a file
  return *this;
}

Argument& Argument::words(int least, int most) {
  option_->expected(least, most);
  return *this;
}

Argument& Argument::excludes(const Argument& other) {
  option_->excludes(other.option_);
  return *this;
}

Argument& Argument::under(std::string_view heading) {
  option_->group(std::string(heading));
  return *this;
}

bool Argument::is_given() const { return option_->count() > 0; }

CommandLine::CommandLine(const std::string& name, const std::string& about)
    : app_(std::make_unique<CLI::App>(about, name)) {
  app_->set_help_all_flag("--help-all", "Print all options, those of single formats too");
}

CommandLine::~CommandLine() = default;

template <typename Value>
Argument CommandLine::positional(const std::string& name, const std::string& shown, Value& value,
                                 const std::string& help) {
  CLI::Option* const option = app_->add_option(name, value, help);
  if (!shown.empty()) option->option_text(shown);
  return Argument(option);
}

template <typename Value>
Argument CommandLine::option(const std::string& spelled, Value& value, const std::string& help) {
  const auto blank = spelled.find(' ');
  CLI::Option* const option = app_->add_option(spelled.substr(0, blank), value, help);
  option->option_text(spelled.substr(blank + 1));
  if constexpr (kIsList<Value>) option->expected(1)->take_all();
  // The library reads -1 as the largest number there is.
  if constexpr (std::is_unsigned_v<Value>) {
    option->check([](const std::string& text) { return text.starts_with('-') ? text + " is below 0" : std::string(); });
  }
  return Argument(option);
}

template Argument CommandLine::positional(const std::string&, const std::string&, std::string&, const std::string&);
template Argument CommandLine::positional(const std::string&, const std::string&, std::vector<std::string>&,
                                          const std::string&);
template Argument CommandLine::option(const std::string&, std::string&, const std::string&);
template Argument CommandLine::option(const std::string&, std::vector<std::string>&, const std::string&);
template Argument CommandLine::option(const std::string&, int&, const std::string&);
template Argument CommandLine::option(const std::string&, std::int64_t&, const std::string&);
template Argument CommandLine::option(const std::string&, std::uint32_t&, const std::string&);
template Argument CommandLine::option(const std::string&, std::size_t&, const std::string&);

Argument CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
  return Argument(app_->add_flag(name, value, help));
}

Argument CommandLine::time(const std::string& spelled, std::int64_t& value, const std::string& help,
                           std::int64_t unit_ns) {
  Argument argument = option(spelled, value, help);
  argument.option_->transform([unit_ns](const std::string& text) {
    const auto time_ns = parse_time_ns(text, unit_ns);
    if (!time_ns) throw CLI::ValidationError(fmt::format("'{}' is not a time, such as 5ms, 1.5s or 200us", text));
    if (*time_ns % unit_ns != 0) throw CLI::ValidationError(fmt::format("'{}' is not a whole number of seconds", text));
    return std::to_string(*time_ns / unit_ns);
  });
  return argument;
}

void CommandLine::version(const std::string& text) {
  app_->set_version_flag("-V,--version", text, "Print the version and how it was built");
}

void CommandLine::short_help(const std::string& text) { short_help_ = text; }

void CommandLine::footer(const std::string& text) { app_->footer(text); }

void CommandLine::check(std::function<std::string()> problem) { checks_.push_back(std::move(problem)); }

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  if (argc == 2 && argv[1] == kPageHelp) {
    print_page_help();
    return kExitOk;
  }
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_answer("{}", help());
    return kExitOk;
  } catch (const CLI::Success& e) {  // --help-all, --version
    std::ostringstream answer, errors;
    const int code = app_->exit(e, answer, errors);
    print_answer("{}", answer.str());
    return code;
  } catch (const CLI::ParseError& e) {
    return refuse(problem_of(e));
  }
  for (const auto& check : checks_) {
    if (const std::string problem = check(); !problem.empty()) return refuse(problem);
  }
  return std::nullopt;
}

std::string CommandLine::help() const {
  if (!short_help_.empty()) return short_help_;
  bool leaves_out = false;
  for (CLI::Option* option : app_->get_options()) {
    if (option->get_group() != kFormatOptions) continue;
    option->group("");  // a group without a name is hidden
    leaves_out = true;
  }
  std::string text = app_->help();
  if (leaves_out) text += "\nvizd help FORMAT lists the options of one format; --help-all lists all options.\n";
  return text;
}

std::string CommandLine::help_of_group(std::string_view heading) const {
  const auto options = std::as_const(*app_).get_options(
      [&](const CLI::Option* option) { return !option->get_positional() && option->get_group() == heading; });
  return options.empty() ? "" : CLI::Formatter().make_group("Options", false, options);
}

std::string CommandLine::problem_of(const CLI::ParseError& error) const {
  const std::string text = error.what();
  if (constexpr std::string_view kConvert = "Could not convert: "; text.starts_with(kConvert)) {
    const std::size_t equals = text.find(" = ");
    if (equals == std::string::npos) return text;
    return fmt::format("{}: '{}' is not a whole number", text.substr(kConvert.size(), equals - kConvert.size()),
                       text.substr(equals + 3));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return text;
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string> extra = app_->remaining();
  const auto unknown = std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with('-'); });
  if (unknown == extra.end()) return text;
  const std::string close = close_match(unknown->substr(0, unknown->find('=')), names);
  return fmt::format("unknown option {}{}", *unknown, close.empty() ? "" : "; did you mean " + close + "?");
}

namespace {

// An option as the help writes it: "-o,--output FILE".
std::string spelled(const CLI::Option& option) {
  std::string text = option.get_name(false, true);
  text.resize(std::min(text.size(), text.find('{')));  // what a flag is set to stands behind it
  if (!option.get_option_text().empty()) return text + " " + option.get_option_text();
  return text;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

void print_row(std::string argument, std::string about) {
  for (std::string* cell : {&argument, &about}) replace_all(*cell, "|", "\\|");
  print_answer("| `{}` | {} |\n", argument, about);
}

// The first lines of the help as a paragraph, with those that are indented as a list below it.
std::string paragraph(std::string text) {
  constexpr std::string_view kItem = "\n- ";
  replace_all(text, "\n  ", kItem);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; ++at) {
    if (text.compare(at, kItem.size(), kItem) != 0) text[at] = ' ';
  }
  return text;
}

}  // namespace

void CommandLine::print_page_rows(std::string_view heading) const {
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_positional() || option->get_group() != heading || option == app_->get_help_ptr() ||
        option == app_->get_help_all_ptr())
      continue;
    print_row(spelled(*option), option->get_description());
  }
}

void CommandLine::print_page_help() const {
  print_answer("\n## {}\n\n{}\n\n| argument | meaning |\n|---|---|\n", name(), paragraph(app_->get_description()));
  bool takes_captures = false;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_positional())
      print_row(option->get_option_text().empty() ? option->get_name(true) : option->get_option_text(),
                option->get_description());
    takes_captures = takes_captures || option->get_group() == kFormatOptions;
  }
  print_page_rows(app_->get_help_ptr()->get_group());
  if (!takes_captures) return print_page_rows(kCommonOptions);
  print_answer("| *options of every command on captures* | [above](#captures) |\n");
}

int CommandLine::refuse(const std::string& problem) const {
  print_error("{}: {}{}\n", name(), problem, problem.ends_with('?') ? "" : "; see " + name() + " --help");
  return kExitUsage;
}

std::string CommandLine::name() const { return app_->get_name(); }

std::vector<std::string> CommandLine::values() const {
  std::vector<std::string> values;
  for (const CLI::Option* option : app_->get_options())
    values.insert(values.end(), option->results().begin(), option->results().end());
  return values;
}

}  // namespace vizd
