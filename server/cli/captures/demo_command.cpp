// vizd demo [FOLDER]: writes a small capture of each format that vizd reads, says what there is to see, and opens them.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/standard_streams.h"
#include "cli/captures/demo/demo_captures.h"
#include "cli/captures/profile_file.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/output_file.h"
#include "cli/command_line/records.h"
#include "cli/command_line/writers.h"
#include "system/process.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

struct DemoArguments {
  std::string folder = "vizd-demo";
  std::string port;
  bool overwrites = false;
  bool only_writes = false;
  bool json = false;
};

bool has_bytes(const std::string& path, const std::string& bytes) {
  std::ifstream in(path, std::ios::binary);
  return in && std::string(std::istreambuf_iterator<char>(in), {}) == bytes;
}

// The folder of all, and in it the file's, are made; none above them. A file that is there already stays as it is;
// where it is another one, that is an error unless it may be overwritten.
Result<void> write_demo_file(const fs::path& folder, const DemoFile& demo, bool overwrites) {
  const std::string path = (folder / demo.path).string();
  if (has_bytes(path, demo.bytes)) return {};
  for (const fs::path& missing : {folder, fs::path(path).parent_path()}) {
    std::error_code failed;
    fs::create_directory(missing, failed);
    if (failed)
      return Error{ErrorKind::kNotFound, fmt::format("cannot be created: {}", failed.message()), missing.string()};
  }
  const auto file = OutputFile::create({.path = path, .overwrites = overwrites}, {});
  if (!file) return file.error();
  (*file)->write(demo.bytes);
  const auto size_bytes = (*file)->finish();
  return size_bytes ? Result<void>() : size_bytes.error();
}

// A trace of the demo as Perfetto has it, by vizd's own writer.
Result<DemoCapture> perfetto_of(const fs::path& folder, const std::string& trace) {
  InputArguments inputs;
  inputs.paths = {(folder / trace).string()};
  Sniffer sniffer;
  const auto sets = inputs.all_sets(sniffer);
  const auto capture = sets.size() == 1 ? read_profile(sets.front()) : nullptr;
  if (!capture) return Error{ErrorKind::kNotFound, "cannot be read", inputs.paths.front()};
  DemoFile file{"perfetto/training.pftrace", ""};
  find_writer("perfetto")->write(*capture, {}, [&](std::string_view part) { file.bytes += part; });
  return DemoCapture{"the training's first rank as a Perfetto trace",
                     "Timeline: the same trace, which ui.perfetto.dev opens too",
                     {std::move(file)}};
}

Result<void> write_demo_capture(const std::string& folder, const DemoCapture& capture, bool overwrites) {
  for (const DemoFile& file : capture.files) {
    if (auto written = write_demo_file(folder, file, overwrites); !written) return written;
  }
  return {};
}

Result<std::vector<DemoCapture>> write_all(const std::string& folder, bool overwrites) {
  std::vector<DemoCapture> captures = demo_captures();
  for (const DemoCapture& capture : captures) {
    if (const auto written = write_demo_capture(folder, capture, overwrites); !written) return written.error();
  }
  auto perfetto = perfetto_of(folder, captures.front().files.front().path);
  if (!perfetto) return perfetto.error();
  if (const auto written = write_demo_capture(folder, *perfetto, overwrites); !written) return written.error();
  captures.push_back(*std::move(perfetto));
  return captures;
}

// Goes on as the vizd that serves the folders: with its signals and its end.
int serve(const DemoArguments& arguments, const std::vector<std::string>& folders) {
  std::vector<std::string> words{"vizd"};
  words.insert(words.end(), folders.begin(), folders.end());
  if (!arguments.port.empty()) words.insert(words.end(), {"--port", arguments.port});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(way_to_own_program().c_str(), argv.data());
  print_error("vizd demo: cannot continue: {}; vizd {}/* opens them\n", std::strerror(errno), arguments.folder);
  return kExitFailure;
}

}  // namespace

int run_demo(int argc, const char* const* argv) {
  CommandLine line("vizd demo",
                   "Writes a small capture of each format that vizd reads, says what to look at in each, and opens "
                   "them all.\nExisting files are kept; -f overwrites those that differ.");
  DemoArguments arguments;
  line.positional("folder", fmt::format("[FOLDER, or {}]", arguments.folder), arguments.folder,
                  "The folder to write to");
  line.flag("-f,--force", arguments.overwrites, "Overwrite existing files that differ, such as those of an older vizd");
  line.flag("--only-write", arguments.only_writes, "Only write the files, do not open them");
  line.flag("--json", arguments.json, "Print JSON, one record per line");
  line.option("--port N [$PORT, or 8000]", arguments.port, "Port to listen on; 0 picks a free one");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto captures = write_all(arguments.folder, arguments.overwrites);
  if (!captures) {
    print_error("vizd demo: {}\n", captures.error().text());
    return kExitFailure;
  }
  Records records({"folder", "of", "shows"});
  std::vector<std::string> folders;
  for (const DemoCapture& capture : *captures) {
    folders.push_back((fs::path(arguments.folder) / capture.files.front().path).parent_path().string());
    records.add({folders.back(), std::string(capture.format), std::string(capture.shows)});
  }
  // The URL is all that a vizd that serves says on stdout.
  records.print(arguments.only_writes ? stdout : stderr, arguments.json);
  return arguments.only_writes ? kExitOk : serve(arguments, folders);
}

}  // namespace vizd
