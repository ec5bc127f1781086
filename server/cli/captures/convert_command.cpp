// vizd convert IN.. -o OUT [--to FORMAT]: a whole capture in one file of another format: by default the one that OUT's
// name ends in, or vizd's own, which opens to the same.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "base/file_signature.h"
#include "base/standard_streams.h"
#include "cli/captures/named_input.h"
#include "cli/captures/own_tables.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/output_file.h"
#include "cli/command_line/records.h"
#include "cli/command_line/writers.h"
#include "disasm/source_lines.h"
#include "reference/programs.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr int kLeastLevel = 1, kMostLevel = 19;  // of zstd, short of those that want memory to unpack too

struct ConvertArguments {
  CommonArguments common;
  OutputFile::Place output;
  std::string to;  // empty: as the output's name says
  SourceOptions sources;
  int level = WriteOptions{}.level;
};

const Format& format_of(const ConvertArguments& arguments) {
  return arguments.to.empty() ? format_to_write(arguments.output.path, nullptr) : *find_writable(arguments.to);
}

Result<std::uint64_t> write_capture(const InputSet& set, const Capture& capture, const ConvertArguments& arguments,
                                    OutputFile& file) {
  const Writer& writer = *format_of(arguments).writer;
  if (writer.needs_profile && !capture.has_profile)
    return Error{ErrorKind::kNotFound, "this capture has no profile, and the output format holds only profiles", ""};
  std::vector<OwnTable> tables;
  if (writer.takes_own_tables) {
    auto made = own_tables(set, capture);
    if (!made) return std::move(made).error();
    tables = std::move(*made);
  }
  SourceLines lines(arguments.sources);
  const WriteOptions options{.part = {},
                             .source_line = [&](const Location& location) { return lines.line(capture, location); },
                             .level = arguments.level,
                             .own_tables = tables,
                             .add_sheets = [&](Workbook& book) { return add_known_sheets(capture, book); }};
  writer.write(capture, options, [&](std::string_view part) { file.write(part); });
  return file.finish();
}

std::int64_t size_of(const InputSet& set) {
  std::uint64_t size = 0;
  for (const InputFile& file : set.files) size += file_signature(file.path).value_or(FileSignature{}).size_bytes;
  return static_cast<std::int64_t>(size);
}

void describe_convert(CommandLine& line, ConvertArguments& arguments) {
  arguments.common.describe(line);
  OutputFile::describe(line, arguments.output, "-o,--output OUT", "The file to write").required();
  const auto writable = writable_formats();
  line.option("--to FORMAT [as OUT ends, else vizd]", arguments.to, describe_formats(writable))
      .one_of(names_of(writable));
  const Argument root =
      line.option("--source-root DIR", arguments.sources.root, "Take source lines only from this folder");
  const Argument no_sources =
      line.flag("!--no-sources", arguments.sources.enabled, "Do not embed source lines").excludes(root);
  const Argument level = line.option(fmt::format("--level N [{}]", arguments.level), arguments.level,
                                     "Compression level of zstd, from 1 to 19")
                             .range(kLeastLevel, kMostLevel);
  line.check([=, &arguments]() -> std::string {
    const Format& format = format_of(arguments);
    const Writer& writer = *format.writer;
    if (level.is_given() && !writer.takes_level) return fmt::format("--level has no effect with --to {}", format.name);
    if ((root.is_given() || no_sources.is_given()) && !writer.takes_sources)
      return fmt::format("--source-root and --no-sources have no effect with --to {}", format.name);
    if (arguments.sources.root.empty()) return "";
    std::error_code failed;
    arguments.sources.root = fs::canonical(arguments.sources.root, failed).string();
    return failed ? "--source-root: no such folder" : "";
  });
}

}  // namespace

int run_convert(int argc, const char* const* argv) {
  CommandLine line(
      "vizd convert",
      "Writes a capture of any format as one file. The suffix of OUT chooses the format (.json, .pftrace, .xlsx, .bin; "
      "with\n.gz or .zst it is compressed); without one it is vizd's own format, which opens to the same pages several "
      "times\nfaster and embeds the source lines that it refers to, so that it can be shared without the sources.");
  ConvertArguments arguments;
  describe_convert(line, arguments);
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto set = find_input(arguments.common);
  if (!set) return kExitFailure;
  const auto fail = [](const Error& error) {
    print_error("vizd convert: {}\n", error.text());
    return kExitFailure;
  };
  // Before anything is read: that may take its time, and a place that cannot be written is known now.
  const auto file = OutputFile::create(arguments.output, paths_of(*set));
  if (!file) return fail(file.error());
  const auto input = open_named(*set);
  if (!input) return kExitFailure;
  const auto size_bytes = write_capture(*set, input->capture, arguments, **file);
  if (!size_bytes) return fail(size_bytes.error());
  Records records({"file", "format", "input_bytes", "bytes"});
  records.add({arguments.output.path, input->capture.format, size_of(*set), static_cast<std::int64_t>(*size_bytes)});
  records.print(stdout, arguments.common.json);
  return kExitOk;
}

}  // namespace vizd
