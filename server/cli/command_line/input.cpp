#include "cli/command_line/input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file_signature.h"
#include "base/standard_streams.h"

namespace vizd {

bool print_errors(const FileErrors& errors) {
  std::vector<std::string> printed;  // an option that is wrong is an error of each file
  for (const auto& error : errors) {
    if (!error || std::ranges::find(printed, error->text()) != printed.end()) continue;
    print_error("vizd: {}\n", printed.emplace_back(error->text()));
  }
  return !printed.empty();
}

void print_warnings(const Capture& capture) {
  for (const std::string& warning : capture.warnings) print_error("vizd: {}\n", warning);
  for (const std::string& note : capture.notes) print_error("vizd: {}\n", note);
  for (const auto& [reason, count] : capture.skipped) print_error("vizd: skipped {}: {}\n", count, reason);
}

namespace {

std::shared_ptr<LoadedCapture> open(const InputSet& set, bool with_timeline) {
  bool failed = false;
  for (const InputFile& file : set.files) {
    if (file_signature(file.path)) continue;
    print_error("vizd: {}: no such file; check the path\n", file.path);
    failed = true;
  }
  if (failed) return nullptr;
  Reading reading = with_timeline ? load(set) : load_recorded(set);
  if (print_errors(reading.errors) || !reading.loaded) return nullptr;
  print_warnings(reading.loaded->capture);
  return std::move(reading.loaded);
}

}  // namespace

std::shared_ptr<const LoadedCapture> open_input(const InputSet& set) { return open(set, true); }

std::shared_ptr<LoadedCapture> open_to_change(const InputSet& set) { return open(set, true); }

std::shared_ptr<const LoadedCapture> open_recorded(const InputSet& set) { return open(set, false); }

std::vector<std::string> paths_of(const InputSet& set) {
  std::vector<std::string> paths;
  for (const InputFile& file : set.files) paths.push_back(file.path);
  for (const Setting& setting : set.settings) paths.push_back(setting.value);
  return paths;
}

std::string several_captures_text(const std::vector<InputSet>& sets) {
  constexpr std::size_t kMostNamed = 10;
  std::string names;
  for (std::size_t i = 0; i < sets.size() && i < kMostNamed; ++i) names += (i == 0 ? "" : ", ") + sets[i].name;
  if (sets.size() > kMostNamed) names += fmt::format(" and {} more", sets.size() - kMostNamed);
  return fmt::format("these files are {} captures: {}; name the files of one", sets.size(), names);
}

std::optional<InputSet> find_input(const CommonArguments& arguments) {
  Sniffer sniffer;
  std::vector<InputSet> sets = arguments.inputs.all_sets(sniffer);
  if (sets.size() == 1) return std::move(sets[0]);
  for (const InputSet& set : sets) {
    if (set.format == nullptr) open_input(set);  // says what is wrong with it
  }
  if (sets.empty()) {
    print_error("vizd: {}: contains nothing that vizd reads; name a folder with a capture\n",
                arguments.inputs.paths.front());
  } else {
    print_error("vizd: {}\n", several_captures_text(sets));
  }
  return std::nullopt;
}

std::shared_ptr<const LoadedCapture> open_input(const CommonArguments& arguments) {
  const auto set = find_input(arguments);
  return set ? open_input(*set) : nullptr;
}

}  // namespace vizd
