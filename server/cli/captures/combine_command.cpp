// vizd combine IN .. OUT: several profiles as one file, kept apart.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "base/own_folder.h"
#include "base/standard_streams.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "formats/claims.h"
#include "formats/registry.h"

namespace vizd {
namespace {

int fail_combine(const std::string& what) {
  print_error("vizd combine: {}\n", what);
  return kExitFailure;
}

// The format of the traces that a file of vizd's own was converted from, where that keeps several in one file apart.
const Format* format_of_traces(const Capture& capture) {
  const auto found = std::ranges::find_if(formats(), [&](const Format* format) {
    return format->name == capture.format && format->writer != nullptr && format->writer->takes_part;
  });
  return found == formats().end() ? nullptr : *found;
}

// Traces that were converted to files of vizd's own, each written again in the format that it was of. One thread.
class TracesAgain {
 public:
  // Errors: the set cannot be read, or is of no trace.
  Result<InputSet> write(const InputSet& set) {
    const std::string& input = set.files[0].path;
    const auto capture = read_profile(set);
    if (!capture) return Error{ErrorKind::kBadInput, "cannot be read", input};
    const Format* const format = format_of_traces(*capture);
    if (format == nullptr)
      return Error{ErrorKind::kBadInput,
                   fmt::format("is a capture of {}, and no file can keep its processes and clocks apart from others'; "
                               "open the captures together instead: vizd FILE FILE",
                               capture->format),
                   input};
    if (!folder_) {
      auto made = OwnFolder::make(std::filesystem::temp_directory_path().string(), "vizd-combine-");
      if (!made) return std::move(made).error();
      folder_ = std::move(*made);
    }
    // Its name may be the rank's; each lies in a folder of its own, since names may be alike.
    const std::filesystem::path folder = std::filesystem::path(folder_->contents()) / std::to_string(count_++);
    std::filesystem::create_directory(folder);
    const std::string path = folder / (set_name(input) + std::string(format->suffix));
    std::ofstream file(path, std::ios::binary);
    format->writer->write(*capture, {}, [&](std::string_view part) {
      file.write(part.data(), static_cast<std::streamsize>(part.size()));
    });
    if (!file.flush()) return Error{ErrorKind::kBadInput, "cannot be written", path};
    return InputSet{.format = format, .name = set.name, .files = {{.role = set.files[0].role, .path = path}}};
  }

 private:
  std::unique_ptr<OwnFolder> folder_;
  int count_ = 0;
};

// All files as one capture, whatever they would be by themselves.
Result<InputSet> set_of_all(const std::vector<InputSet>& sets, TracesAgain& again) {
  InputSet all;
  for (const InputSet& set : sets) {
    if (set.format == nullptr) return unknown_format(set.files[0].path);
    InputSet of = set;
    const bool is_converted = set.format->writer != nullptr && !set.format->writer->takes_part;
    if (sets.size() > 1 && is_converted) {
      auto written = again.write(set);
      if (!written) return std::move(written).error();
      of = std::move(*written);
    }
    if (all.format != nullptr && all.format != of.format)
      return Error{ErrorKind::kBadInput, "has another format than the first; convert it first", set.files[0].path};
    all.format = of.format;
    all.files.insert(all.files.end(), of.files.begin(), of.files.end());
  }
  if (all.format == nullptr) return Error{ErrorKind::kBadInput, "these folders contain nothing that vizd reads", ""};
  return all;
}

}  // namespace

int run_combine(int argc, const char* const* argv) {
  CommandLine line("vizd combine",
                   "Writes several traces into one file, each under a track of its own. Their processes, ids and "
                   "clocks are kept\napart, so vizd can read the ranks back. IN are traces of one format, or files of "
                   "vizd's own (.bin) that were\nconverted from such traces. The suffix of OUT chooses its format "
                   "(.json, .pftrace, .bin); without one it is\nthe format of IN.");
  ProfileFileArguments arguments;
  arguments.describe(line, "combine");
  if (const auto code = line.parse(argc, argv)) return *code;
  const std::string& output = arguments.output();
  Sniffer sniffer;
  TracesAgain again;
  const std::vector<InputSet> sets = arguments.inputs().all_sets(sniffer);
  auto joined = set_of_all(sets, again);
  if (!joined) return fail_combine(joined.error().text());
  InputSet& all = *joined;
  all.name = set_name(output);
  const auto file = arguments.create_output();
  if (!file) return fail_combine(file.error().text());
  const auto capture = read_profile(all);
  if (!capture) return kExitFailure;
  return write_profile("combine", *capture, format_to_write(output, sets[0].format), **file, output, arguments.json);
}

}  // namespace vizd
