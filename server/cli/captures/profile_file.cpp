#include "cli/captures/profile_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/pipes.h"
#include "cli/command_line/records.h"
#include "reference/programs.h"

namespace vizd {

void ProfileFileArguments::describe(CommandLine& line, std::string_view what) {
  line.positional("files", "IN .. OUT", paths,
                  fmt::format("The capture to {} (- reads from a pipe), and the file to write", what))
      .required();
  line.flag("-f,--force", place.overwrites, "Overwrite an existing file");
  line.flag("--json", json, "Print JSON, one record per line").under(kCommonOptions);
  describe_wide_tables(line);
  InputArguments::describe_format(line, format);
  line.check([this, &line, what = std::string(what)] {
    place.named = line.values();
    if (!paths.empty()) place.path = paths.back();
    if (paths.size() < 2) return fmt::format("name the capture to {} and the file to write", what);
    return take_pipes({paths.begin(), paths.end() - 1});
  });
}

InputArguments ProfileFileArguments::inputs() const {
  InputArguments inputs;
  inputs.paths.assign(paths.begin(), paths.end() - 1);
  inputs.read_as = format;
  return inputs;
}

Result<std::unique_ptr<OutputFile>> ProfileFileArguments::create_output() const {
  return OutputFile::create(place, inputs().paths);
}

std::unique_ptr<Capture> read_profile(const InputSet& set) {
  auto capture = std::make_unique<Capture>();
  FileErrors errors(set.files.size());
  if (!read_set(set, errors, *capture)) {
    print_errors(errors);
    return nullptr;
  }
  print_warnings(*capture);
  if (capture->has_profile) return capture;
  print_error("vizd: {}: has no profile; name a file with one\n", set.name);
  return nullptr;
}

const Format& format_to_write(std::string_view path, const Format* other) {
  if (packing_of_name(path) != Encoding::kIdentity) path.remove_suffix(path.size() - path.rfind('.'));
  const auto is_named = [&](const Format* format) {
    return format->writer != nullptr && !format->suffix.empty() && path.ends_with(format->suffix);
  };
  const auto named = std::ranges::find_if(formats(), is_named);
  if (named != formats().end()) return **named;
  return other != nullptr && other->writer != nullptr ? *other : *formats().front();
}

int write_profile(std::string_view command, const Capture& capture, const Format& format, OutputFile& file,
                  const std::string& path, bool json) {
  const WriteOptions options{.add_sheets = [&](Workbook& book) { return add_known_sheets(capture, book); }};
  format.writer->write(capture, options, [&](std::string_view part) { file.write(part); });
  const auto size_bytes = file.finish();
  if (!size_bytes) {
    print_error("vizd {}: {}\n", command, size_bytes.error().text());
    return kExitFailure;
  }
  std::int64_t events = 0;
  for (const Track& track : capture.profile.tracks) events += static_cast<std::int64_t>(track.events.size());
  Records records({"file", "format", "tracks", "events", "bytes"});
  records.add({path, std::string(format.name), static_cast<std::int64_t>(capture.profile.tracks.size()), events,
               static_cast<std::int64_t>(*size_bytes)});
  records.print(stdout, json);
  return kExitOk;
}

}  // namespace vizd
