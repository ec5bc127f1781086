// vizd check FILE ..: whether a capture is whole; what is wrong with it and where; an exit code for scripts.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "analysis/graph_replay/kept_names.h"
#include "base/file_signature.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/records.h"
#include "derived/check_naming.h"
#include "formats/file_beginning.h"
#include "formats/registry.h"
#include "formats/sniffer.h"
#include "rewrite/history.h"
#include "session/loaded_capture.h"

namespace vizd {
namespace {

struct CheckArguments {
  CommonArguments common;
  bool replay = false;
};

// Replays every pass; adds those that fail.
void check_passes(const std::string& name, const Capture& capture, Records& problems) {
  for (std::size_t c = 0; c < capture.rewrites.contexts.size(); ++c) {
    const Context& context = capture.rewrites.contexts[c];
    for (std::uint32_t s = 0; s < context.pass_count; ++s) {
      const auto history = build_history(capture, capture.rewrites.passes[context.first_pass + s], {});
      if (!history) problems.add({name, "error", fmt::format("context {}, pass {}: {}", c, s, history.error().text())});
    }
  }
}

// Adds the problems of one capture to the records. Returns whether it is whole.
bool check(const InputSet& set, bool replay, Records& problems) {
  const Reading reading = load(set);
  bool is_readable = reading.loaded != nullptr;
  for (std::size_t i = 0; i < set.files.size(); ++i) {
    const std::string& path = set.files[i].path;
    if (reading.errors[i]) {
      problems.add({path, "error", reading.errors[i]->text()});
      is_readable = false;
    } else if (!file_signature(path)) {
      problems.add({path, "error", path + ": no such file; check the path"});
      is_readable = false;
    }
  }
  if (reading.loaded == nullptr) return false;
  const Capture& capture = reading.loaded->capture;
  for (const std::string& warning : capture.warnings) problems.add({set.name, "warning", warning});
  for (const auto& [reason, count] : capture.skipped) {
    problems.add({set.name, "skipped", fmt::format("{} left out: {}", count, reason)});
  }
  if (may_have_replays(capture)) {
    for (const auto& [path, text] : check_naming_sources(*reading.loaded)) problems.add({path, "warning", text});
  }
  if (replay && capture.has_rewrites) check_passes(set.name, capture, problems);
  const bool is_whole = is_readable && problems.empty();
  for (const std::string& note : capture.notes) problems.add({set.name, "note", note});
  return is_whole;
}

// Whether a file is a capture by its name, packed or not.
bool is_named_as_capture(std::string_view path) {
  for (const std::string_view suffix : {".gz", ".zst"}) {
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  }
  return std::ranges::any_of(
      formats(), [&](const Format* format) { return !format->suffix.empty() && path.ends_with(format->suffix); });
}

// Adds the folder's files that are captures by their names and hold nothing: no format knows them by their content.
void check_empty_files(const std::string& folder, Sniffer& sniffer, Records& problems) {
  for (const ListedFile& file : list_folder(folder, sniffer)) {
    if (file.format == nullptr && is_named_as_capture(file.path) && holds_nothing(file.path))
      problems.add({file.path, "error", "is empty; was it written completely?"});
  }
}

}  // namespace

int run_check(int argc, const char* const* argv) {
  CommandLine line("vizd check",
                   "Checks whether captures are complete: what cannot be read, what was left out, and where. Exits "
                   "with 1 if anything\nis wrong. Notes do not count as errors.");
  CheckArguments arguments;
  arguments.common.describe(line);
  line.flag("--replay", arguments.replay, "Also replay every pass, which takes longer");
  if (const auto code = line.parse(argc, argv)) return *code;
  Records problems({"file", "kind", "problem"});
  bool all_whole = true;
  Sniffer sniffer;
  const std::vector<InputSet> sets = arguments.common.inputs.all_sets(sniffer);
  for (const auto& [folder, count] : sniffer.left_out()) {
    if (count == 0) continue;
    problems.add(
        {folder, "error", fmt::format("{} files or folders in it were not looked at: it holds too many", count)});
    all_whole = false;
  }
  for (const std::string& path : arguments.common.inputs.paths) {
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed)) check_empty_files(path, sniffer, problems);
  }
  all_whole = all_whole && problems.empty();
  if (sets.empty()) {
    problems.add({arguments.common.inputs.paths.front(), "error", "contains nothing that vizd reads"});
    all_whole = false;
  }
  for (const InputSet& set : sets) {
    Records found({"file", "kind", "problem"});
    const bool is_whole = check(set, arguments.replay, found);
    if (is_whole && !arguments.common.json) print_answer("{}: whole\n", set.name);
    all_whole = all_whole && is_whole;
    problems.append(found);
  }
  if (!problems.empty()) problems.print(stdout, arguments.common.json);
  return all_whole ? kExitOk : kExitFailure;
}

}  // namespace vizd
