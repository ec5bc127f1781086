#include "cli/command_line/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>

#include "base/regexp.h"
#include "cli/command_line/pipes.h"
#include "derived/naming_sources.h"
#include "formats/claims.h"
#include "reference/programs.h"
#include "session/loaded_capture.h"

namespace vizd {
namespace {

bool is_folder(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_directory(path, failed);
}

// Gives the set of that trace the paths that name what is in it.
void add_naming_paths(const std::vector<std::string>& naming, const std::string& trace, std::vector<InputSet>& sets) {
  for (InputSet& set : sets) {
    if (std::ranges::find(set.files, trace, &InputFile::path) == set.files.end()) continue;
    for (const std::string& path : naming) set.settings.push_back({set.format, std::string(kNamingSource), path});
  }
}

}  // namespace

InputArguments::InputArguments(const Format* only) {
  for (const Format* format : formats()) {
    if (only != nullptr && format != only) continue;
    for (const FileOption& option : format->file_options) by_option.push_back({format, &option});
    for (const SettingOption& option : format->setting_options)
      settings.push_back({format, std::string(option.name), ""});
  }
}

void InputArguments::describe_format(CommandLine& line, std::string& format) {
  const std::vector<std::string> names = readable_format_names();
  line.option("--format NAME", format,
              fmt::format("Read the named files as this format, whatever they look like: {}", fmt::join(names, ", ")))
      .one_of(names)
      .under(kCommonOptions);
}

void InputArguments::describe_step_name(CommandLine& line, std::string& step_name) {
  line.option("--step-name REGEX", step_name,
              "Steps are the ranges of threads whose names match, numbered or not, instead of the profiler's steps or "
              "those found: 'iteration [0-9]+'")
      .under(kCommonOptions);
  line.check([&step_name]() -> std::string {
    if (step_name.empty()) return "";
    const auto compiled = Regexp::compile(step_name);
    return compiled ? "" : "--step-name: " + compiled.error().text();
  });
}

void InputArguments::describe_options(CommandLine& line) {
  describe_format(line, read_as);
  describe_step_name(line, step_name);
  for (ByOption& named : by_option) {
    line.option(fmt::format("--{} FILE", named.option->name), named.path, std::string(named.option->about))
        .under(kFormatOptions);
  }
  for (std::size_t i = 0; i < settings.size(); ++i) {
    Setting& setting = settings[i];
    const auto option = std::ranges::find(setting.format->setting_options, setting.name, &SettingOption::name);
    if (option->value.empty()) {
      line.flag(fmt::format("--{}", option->name), switches[i], std::string(option->about)).under(kFormatOptions);
    } else {
      line.option(fmt::format("--{} {}", option->name, option->value), setting.value, std::string(option->about))
          .under(kFormatOptions);
    }
  }
  line.check([this] {
    std::vector<std::reference_wrapper<std::string>> named(paths.begin(), paths.end());
    for (ByOption& option : by_option) named.emplace_back(option.path);
    return take_pipes(named);
  });
}

std::vector<Setting> InputArguments::given_settings() const {
  std::vector<Setting> given;
  std::ranges::copy_if(settings, std::back_inserter(given),
                       [](const Setting& setting) { return !setting.value.empty(); });
  for (const auto& [place, is_on] : switches) {
    if (is_on) given.push_back({settings[place].format, settings[place].name, "on"});
  }
  // An option may ask for a reading that the format itself does not have.
  for (Setting& setting : given) setting.read = reference_program(setting.format).read;
  if (!step_name.empty()) {
    for (const Format* const format : formats()) given.push_back({format, std::string(kStepNameSetting), step_name});
  }
  return given;
}

bool InputArguments::is_empty() const {
  return paths.empty() && std::ranges::all_of(by_option, [](const ByOption& named) { return named.path.empty(); });
}

std::vector<std::string> InputArguments::folders() const {
  const std::vector<std::string> naming = find_naming_paths(paths);
  std::vector<std::string> folders;
  std::ranges::copy_if(paths, std::back_inserter(folders), [&](const std::string& path) {
    return is_folder(path) && std::ranges::find(naming, path) == naming.end();
  });
  return folders;
}

std::vector<InputSet> InputArguments::sets_of_files(Sniffer& sniffer) const {
  if (const auto forced = std::ranges::find(formats(), read_as, &Format::name); forced != formats().end()) {
    for (const std::string& path : paths) {
      if (!is_folder(path)) sniffer.take_as(path, *forced);
    }
  }
  std::vector<ListedFile> listing;
  for (const ByOption& named : by_option) {
    if (named.path.empty()) continue;
    const Format* format = sniffer.format_of(named.path);
    listing.push_back({named.path, format != nullptr ? format : named.format, std::string(named.option->role)});
  }
  const std::vector<std::string> naming = find_naming_paths(paths);
  for (const std::string& path : paths) {
    const bool names_another = std::ranges::find(naming, path) != naming.end();
    if (!is_folder(path) && !names_another) listing.push_back({path, sniffer.format_of(path)});
  }
  std::vector<InputSet> sets = claim_sets(listing, Listing::kNamed);
  add_settings(sets, given_settings());
  if (!naming.empty()) add_naming_paths(naming, paths.front(), sets);
  return sets;
}

std::vector<InputSet> InputArguments::all_sets(Sniffer& sniffer) const {
  std::vector<InputSet> sets = sets_of_files(sniffer);
  for (const std::string& folder : folders()) {
    std::vector<InputSet> found = claim_sets(list_folder(folder, sniffer), Listing::kFolder);
    add_settings(found, given_settings());
    std::ranges::move(found, std::back_inserter(sets));
  }
  return sets;
}

}  // namespace vizd
