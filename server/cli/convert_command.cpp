// vizd convert IN.. -o OUT [--to FORMAT]: a whole capture in one file of another format: by default vizd's own, which
// opens to the same.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/file_signature.h"
#include "base/standard_streams.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/records.h"
#include "cli/writers.h"
#include "session/source_lines.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr int kLeastLevel = 1, kMostLevel = 19;  // of zstd, short of those that want memory to unpack too

struct Arguments {
  CommonArguments common;
  std::string output;
  std::string to = "vizd";
  SourceOptions sources;
  int level = WriteOptions{}.level;
};

Error cannot_write(const std::string& path) {
  return {ErrorKind::kBadInput, fmt::format("cannot be written: {}", std::strerror(errno)), path};
}

// Writes beside the file and moves that over it, so that whoever watches it never sees half of it.
Result<std::uint64_t> write_capture(const Capture& capture, const Arguments& arguments) {
  const Writer& writer = *find_writer(arguments.to);
  if (writer.needs_profile && !capture.has_profile)
    return Error{ErrorKind::kNotFound, "this capture has no profile, and such a file holds nothing else", ""};
  const std::string path = fmt::format("{}.{}.part", arguments.output, ::getpid());
  const auto close = [](std::FILE* file) { std::fclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "wbx"), close);
  if (!file) return cannot_write(arguments.output);
  SourceLines lines(arguments.sources);
  const WriteOptions options{.part = {},
                             .source_line = [&](const Location& location) { return lines.line(capture, location); },
                             .level = arguments.level};
  std::uint64_t size_bytes = 0;
  bool written = true;
  writer.write(capture, options, [&](std::string_view part) {
    written = written && std::fwrite(part.data(), 1, part.size(), file.get()) == part.size();
    size_bytes += part.size();
  });
  written = written && std::fflush(file.get()) == 0;
  if (written) written = std::rename(path.c_str(), arguments.output.c_str()) == 0;
  if (written) return size_bytes;
  const Error error = cannot_write(arguments.output);
  std::remove(path.c_str());
  return error;
}

std::int64_t size_of(const InputSet& set) {
  std::uint64_t size = 0;
  for (const InputFile& file : set.files) size += file_signature(file.path).value_or(FileSignature{}).size_bytes;
  return static_cast<std::int64_t>(size);
}

void describe(CommandLine& line, Arguments& arguments) {
  arguments.common.describe(line);
  line.option("-o,--output OUT", arguments.output, "The file to write; one that is there is replaced").required();
  const auto writable = writable_formats();
  line.option(fmt::format("--to FORMAT [{}]", arguments.to), arguments.to, describe_formats(writable))
      .one_of(names_of(writable));
  const Argument root =
      line.option("--source-root DIR", arguments.sources.root, "Take source lines only from this folder");
  const Argument no_sources =
      line.flag("!--no-sources", arguments.sources.enabled, "Bring no source lines along").excludes(root);
  const Argument level = line.option(fmt::format("--level N [{}]", arguments.level), arguments.level,
                                     "How hard zstd is to try, from 1 to 19")
                             .range(kLeastLevel, kMostLevel);
  line.check([=, &arguments]() -> std::string {
    const Writer& writer = *find_writer(arguments.to);
    if (level.is_given() && !writer.takes_level) return "--level means nothing with --to " + arguments.to;
    if ((root.is_given() || no_sources.is_given()) && !writer.takes_sources)
      return "--source-root and --no-sources mean nothing with --to " + arguments.to;
    if (arguments.sources.root.empty()) return "";
    std::error_code failed;
    arguments.sources.root = fs::canonical(arguments.sources.root, failed).string();
    return failed ? "--source-root names no folder" : "";
  });
}

}  // namespace

int run_convert(int argc, const char* const* argv) {
  CommandLine line(
      "vizd convert",
      "Writes a capture of any format as one file: by default of vizd's own format, which opens to the same pages,\n"
      "several times faster, and brings the source lines that it refers to, so that it can be shared without the\n"
      "sources.");
  Arguments arguments;
  describe(line, arguments);
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto set = find_input(arguments.common);
  const auto input = set ? open_input(*set) : nullptr;
  if (!input) return kExitFailure;
  const auto size_bytes = write_capture(input->capture, arguments);
  if (!size_bytes) {
    print_error("vizd convert: {}\n", size_bytes.error().text());
    return kExitFailure;
  }
  Records records({"file", "format", "input_bytes", "bytes"});
  records.add({arguments.output, input->capture.format, size_of(*set), static_cast<std::int64_t>(*size_bytes)});
  records.print(stdout, arguments.common.json);
  return kExitOk;
}

}  // namespace vizd
