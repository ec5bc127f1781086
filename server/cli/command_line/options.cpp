#include "cli/command_line/options.h"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/store_arguments.h"
#include "cli/command_line/version.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr int kHighestPort = 65535;

constexpr std::string_view kAbout =
    "vizd shows what a compiler did to a graph, rewrite by rewrite, and what the devices then did with it.\n"
    "Without an input it shows ";
// One screen of 24 lines with 80 columns, as --help prints it.
constexpr const char* kShortHelp = R"(Usage: vizd [OPTIONS] [FILE|DIR ...]     open captures in the browser
       vizd COMMAND [OPTIONS] FILE       answer in the terminal

vizd shows what a compiler did to a graph, and what the devices then did.

  vizd summary trace.json.gz             passes and rules, events by time
  vizd diagnose trace.json.gz            what cost the most time, what to do
  vizd kernels trace.json.gz             what ran on the devices
  vizd breakdown trace.json.gz           busy and idle time of each device
  vizd memory snapshot.pickle            peaks, owners, fragmentation, leaks
  vizd compare before.json after.json    what changed, kernel by kernel
  vizd sql trace.json.gz "SELECT ..."    any other question
  vizd demo                              small captures to try

  --port N         port to listen on [$PORT, or 8000]; 0 picks a free one
  --host ADDRESS   address to listen on [127.0.0.1]
  --json           answer in JSON, one record per line (commands)
  -V, --version    print the version and how it was built
  -h, --help       print this; after a command, its options

More: vizd help commands, vizd help COMMAND, vizd help FORMAT (such as etdump),
      vizd --help-all for all options, vizd help agent for coding agents
)";
constexpr const char* kEnvironment =
    "Environment: PORT sets the port if --port is not given; if BROWSER is not empty, the page is opened.\nstdout gets "
    "one line, the URL to open; everything else goes to stderr.";

struct NamedLevel {
  std::string_view name;
  LogLevel level;
};
constexpr std::array<NamedLevel, 5> kLogLevels{{{"debug", LogLevel::kDebug},
                                                {"info", LogLevel::kInfo},
                                                {"warning", LogLevel::kWarning},
                                                {"error", LogLevel::kError},
                                                {"silent", LogLevel::kSilent}}};

std::vector<std::string> log_level_names() {
  std::vector<std::string> names;
  for (const NamedLevel& level : kLogLevels) names.emplace_back(level.name);
  return names;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string about() {
  std::string text(kAbout);
  for (const Format* format : formats()) {
    if (format->default_set != nullptr) text += fmt::format("{}\nand ", format->hint.default_files);
  }
  return text + "new ones as they appear.";
}

// The problem with the inputs, or "".
std::string check_inputs(const InputArguments& inputs) {
  std::error_code failed;
  std::vector<std::string> files = inputs.paths;
  for (const auto& named : inputs.by_option) {
    if (named.path.empty()) continue;
    if (fs::is_directory(named.path, failed))
      return fmt::format("{}: is a folder; --{} needs a file", named.path, named.option->name);
    files.push_back(named.path);
  }
  for (const std::string& file : files) {
    if (fs::exists(file, failed)) continue;
    const bool is_first_word = !inputs.paths.empty() && file == inputs.paths.front();
    if (const std::string close = is_first_word ? close_command(file) : ""; !close.empty())
      return fmt::format("unknown command '{}'; did you mean {}?", file, close);
    return fmt::format(
        "{}: no such file or folder; check the path, or start vizd without one to wait for the next capture", file);
  }
  return "";
}

// The problem with the rest, or "". Resolves the source root.
std::string check_serving(Options& options) {
  if (!options.source_root.empty()) {
    std::error_code failed;
    const fs::path root = fs::canonical(options.source_root, failed);
    if (failed || !fs::is_directory(root, failed))
      return fmt::format("--source-root {}: no such folder", options.source_root);
    options.source_root = root.string();
  }
  if (options.host.starts_with('[') && options.host.ends_with(']')) {
    options.host = options.host.substr(1, options.host.size() - 2);  // as an IPv6 address stands in URLs
  }
  if (options.host.empty()) return "--host '': the address is empty; leave --host out for 127.0.0.1";
  if (options.no_token && !is_loopback(options.host))
    return fmt::format("--host {} lets other machines in, and --no-token lets everyone in: use only one of them",
                       options.host);
  if (options.no_token && options.notebook)
    return "--notebook answers under any host name, and --no-token lets everyone in: use only one of them";
  if (options.no_token && options.shared)
    return "--shared accepts marks from anyone with the token, and --no-token lets everyone in: use only one of them";
  return "";
}

// Takes PORT. The problem with it, or "".
std::string read_port(const std::string& text, int& port) {
  const char* end = text.data() + text.size();
  const auto [parsed_to, failed] = std::from_chars(text.data(), end, port);
  if (failed == std::errc() && parsed_to == end && port >= 0 && port <= kHighestPort) return "";
  return fmt::format("PORT={}: is not a port; set it to a number from 0 to {}", text, kHighestPort);
}

// Returns the argument of the port.
Argument describe(CommandLine& line, Options& options, std::string& log_level, StoreArguments& fleet) {
  line.footer(command_list() + "\n" + kEnvironment);
  line.short_help(kShortHelp);
  line.version(version_text());
  line.positional("inputs", "[FILE|DIR ...]", options.inputs.paths,
                  "Captures, recognised by their content, and folders of them; - reads from a pipe");
  options.inputs.describe_options(line);
  const Argument port = line.option("--port N [$PORT, or 8000]", options.port, "Port to listen on; 0 picks a free one")
                            .range(0, kHighestPort);
  line.option("--host ADDRESS [127.0.0.1]", options.host,
              "Address to listen on; outside loopback the token is required");
  line.option("--allow-host NAME", options.allow_hosts, "Another host name that the page may be opened under");
  line.flag("--no-token", options.no_token, "Let every user of this machine in without the token");
  line.flag("--notebook", options.notebook,
            "Serve a notebook: in a frame, behind its server, under any host name; the token stays required");
  const Argument root =
      line.option("--source-root DIR", options.source_root, "Show source lines only from this folder");
  line.flag("--no-sources", options.no_sources, "Show no source lines").excludes(root);
  line.flag("--no-upload", options.no_upload, "Accept no captures from the page");
  line.flag("--shared", options.shared,
            "Let commands ask what is on the page (vizd where) and put marks on it (vizd mark), with the token");
  fleet.describe(line);
  line.option("--job NAME [the last pushed]", options.job, "The job of the store to show first");
  line.option("--peaks FILE", options.peaks, "Peaks of devices, as JSON; they replace those that vizd knows");
  line.flag("--compile", options.compile,
            "Compile programs that a capture has only as source, to show (never run) their machine code");
  line.option("--compiler PATH [clang, else gcc]", options.compiler, "The compiler for --compile: a clang or gcc")
      .existing_file();
  line.option("--compile-flags FLAGS", options.compile_flags,
              "Flags for the compiler, in one argument, instead of tinygrad's own")
      .split_at(' ');
  line.option("--log-level LEVEL [info]", log_level, "debug, info, warning, error or silent").one_of(log_level_names());
  line.flag("--dev", options.dev, "Read the page from disk at each request; reload open pages when it changes");
  return port;
}

ParsedOptions fail(const std::string& problem) {
  print_error("vizd: {}\n", problem);
  return {std::nullopt, kExitUsage};
}

}  // namespace

bool is_loopback(const std::string& host) {
  in_addr address{};
  if (::inet_pton(AF_INET, host.c_str(), &address) == 1) return ntohl(address.s_addr) >> 24 == 127;
  return host == "localhost" || host == "::1";
}

ParsedOptions parse_options(int argc, const char* const* argv) {
  Options options;
  std::string log_level;
  StoreArguments fleet;
  CommandLine line("vizd", about());
  const Argument port_argument = describe(line, options, log_level, fleet);
  if (const auto code = line.parse(argc, argv)) return {std::nullopt, *code};
  if (!log_level.empty()) options.log_level = std::ranges::find(kLogLevels, log_level, &NamedLevel::name)->level;
  options.open_browser = !environment("BROWSER").empty();
  const std::string port = environment("PORT");
  if (!port_argument.is_given() && !port.empty()) {
    if (const std::string problem = read_port(port, options.port); !problem.empty()) return fail(problem);
  }
  if (const std::string problem = check_inputs(options.inputs); !problem.empty()) return fail(problem);
  if (const std::string problem = check_serving(options); !problem.empty()) return fail(problem);
  if (fleet.urls.empty())
    return options.job.empty() ? ParsedOptions{std::move(options), 0}
                               : fail("--job: needs --store, the store that the job is in");
  auto store = fleet.open();
  if (!store) return fail(store.error().text());
  options.fleet = *std::move(store);
  return {std::move(options), 0};
}

}  // namespace vizd
