// vizd convert IN.. -o OUT.bin: a capture of any format as one file of vizd's own, which opens to the same.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/records.h"
#include "formats/native/capture_encoder.h"
#include "session/source_lines.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr int kLeastLevel = 1, kMostLevel = 19;  // of zstd, short of those that want memory to unpack too

struct Arguments {
  CommonArguments common;
  std::string output;
  SourceOptions sources;
  int level = native::EncodeOptions{}.level;
};

Error cannot_write(const std::string& path) {
  return {ErrorKind::kBadInput, fmt::format("cannot be written: {}", std::strerror(errno)), path};
}

// Writes beside the file and moves that over it, so that whoever watches it never sees half of it.
Result<std::uint64_t> write_capture(const Capture& capture, const Arguments& arguments) {
  const std::string path = fmt::format("{}.{}.part", arguments.output, ::getpid());
  const auto close = [](std::FILE* file) { std::fclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "wbx"), close);
  if (!file) return cannot_write(arguments.output);
  SourceLines lines(arguments.sources);
  const native::EncodeOptions options{
      .source_line = [&](const Location& location) { return lines.line(capture, location); }, .level = arguments.level};
  std::uint64_t size_bytes = 0;
  bool written = true;
  native::encode_capture(capture, options, [&](std::string_view part) {
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

std::int64_t size_of(const std::vector<CaptureFiles>& captures) {
  std::uint64_t size = 0;
  for (const CaptureFiles& capture : captures) {
    for (const CaptureFile& file : capture.files)
      size += file_signature(file.path).value_or(FileSignature{}).size_bytes;
  }
  return static_cast<std::int64_t>(size);
}

}  // namespace

int run_convert(int argc, const char* const* argv) {
  CommandLine line(
      "vizd convert",
      "Writes a capture of any format as one file of vizd's own. It opens to the same pages, several times faster, "
      "and\n"
      "brings the source lines that it refers to, so that it can be shared without the sources.");
  Arguments arguments;
  arguments.common.describe(line);
  line.option("-o,--output OUT.bin", arguments.output, "The file to write; one that is there is replaced").required();
  const Argument root =
      line.option("--source-root DIR", arguments.sources.root, "Take source lines only from this folder");
  line.flag("!--no-sources", arguments.sources.enabled, "Bring no source lines along").excludes(root);
  line.option(fmt::format("--level N [{}]", arguments.level), arguments.level, "How hard zstd is to try, from 1 to 19")
      .range(kLeastLevel, kMostLevel);
  if (const auto code = line.parse(argc, argv)) return *code;
  if (!arguments.sources.root.empty()) {
    std::error_code failed;
    arguments.sources.root = fs::canonical(arguments.sources.root, failed).string();
    if (failed) return line.refuse("--source-root names no folder");
  }
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const std::int64_t input_bytes = size_of(arguments.common.captures());
  const auto size_bytes = write_capture(input->capture, arguments);
  if (!size_bytes) {
    fmt::print(stderr, "vizd convert: {}\n", size_bytes.error().text());
    return kExitFailure;
  }
  Records records({"file", "format", "input_bytes", "bytes"});
  records.add({arguments.output, input->capture.format, input_bytes, static_cast<std::int64_t>(*size_bytes)});
  records.print(stdout, arguments.common.json);
  return kExitOk;
}

}  // namespace vizd
