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
constexpr const char* kEnvironment =
    "Environment: PORT is the port where --port is not given; BROWSER, where not empty, opens the page.\n"
    "stdout gets one line, the URL to open; everything else goes to stderr.";

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
  return text + "those it leaves next.";
}

// The problem with the inputs, or "".
std::string check_inputs(const InputArguments& inputs) {
  std::error_code failed;
  std::vector<std::string> files = inputs.paths;
  for (const auto& named : inputs.by_option) {
    if (named.path.empty()) continue;
    if (fs::is_directory(named.path, failed))
      return fmt::format("{}: is a folder; --{} names a file", named.path, named.option->name);
    files.push_back(named.path);
  }
  for (const std::string& file : files) {
    if (!fs::exists(file, failed))
      return fmt::format(
          "{}: there is no such file or folder; check the path, or name none to wait for the next capture", file);
  }
  return "";
}

// The problem with the rest, or "". Resolves the source root.
std::string check_serving(Options& options) {
  if (!options.source_root.empty()) {
    std::error_code failed;
    const fs::path root = fs::canonical(options.source_root, failed);
    if (failed || !fs::is_directory(root, failed))
      return fmt::format("--source-root {}: there is no such folder", options.source_root);
    options.source_root = root.string();
  }
  if (options.host.starts_with('[') && options.host.ends_with(']')) {
    options.host = options.host.substr(1, options.host.size() - 2);  // as an IPv6 address stands in URLs
  }
  if (options.host.empty()) return "--host '': names no address; leave it out for 127.0.0.1";
  if (options.no_token && !is_loopback(options.host))
    return fmt::format("--host {} lets other machines in, and --no-token lets everyone in: leave one of them out",
                       options.host);
  if (options.no_token && options.notebook)
    return "--notebook answers under any name, and --no-token lets everyone in: leave one of them out";
  if (options.no_token && options.shared)
    return "--shared takes marks from whoever has the token, and --no-token lets everyone in: leave one of them out";
  return "";
}

// Takes PORT. The problem with it, or "".
std::string read_port(const std::string& text, int& port) {
  const char* end = text.data() + text.size();
  const auto [parsed_to, failed] = std::from_chars(text.data(), end, port);
  if (failed == std::errc() && parsed_to == end && port >= 0 && port <= kHighestPort) return "";
  return fmt::format("PORT={}: is no port; set it to a number from 0 to {}", text, kHighestPort);
}

std::string command_list() {
  std::string text = "Commands, as vizd COMMAND FILE (a file of such a name is ./COMMAND):\n";
  for (const Command& command : commands()) text += fmt::format("  {:<24}{}\n", command.name, command.about);
  return text + "\n";
}

// Returns the argument of the port.
Argument describe(CommandLine& line, Options& options, std::string& log_level, StoreArguments& fleet) {
  line.footer(command_list() + kEnvironment);
  line.version(version_text());
  line.positional("inputs", "[FILE|DIR ...]", options.inputs.paths,
                  "Captures, known by their content, and folders of them; - is what comes through a pipe");
  options.inputs.describe_options(line);
  const Argument port = line.option("--port N [$PORT, or 8000]", options.port, "Port to listen on; 0 picks a free one")
                            .range(0, kHighestPort);
  line.option("--host ADDRESS [127.0.0.1]", options.host,
              "Address to listen on; beyond loopback the token is required");
  line.option("--allow-host NAME", options.allow_hosts, "A further name that the page may be opened under");
  line.flag("--no-token", options.no_token, "Let every user of this machine in, without the token");
  line.flag("--notebook", options.notebook,
            "Be shown in a notebook: in a frame, and behind its server, under whatever name that has; the token stays "
            "required");
  const Argument root =
      line.option("--source-root DIR", options.source_root, "Show source lines only from this folder");
  line.flag("--no-sources", options.no_sources, "Show no source lines").excludes(root);
  line.flag("--no-upload", options.no_upload, "Take no captures from the page");
  line.flag("--shared", options.shared,
            "Let commands ask what is on the page (vizd where) and put marks on it (vizd mark), with the token");
  fleet.describe(line);
  line.option("--job NAME [the last pushed]", options.job, "The job of the store to show first");
  line.option("--peaks FILE", options.peaks, "Peaks of devices, as JSON, before those that vizd knows");
  line.flag("--compile", options.compile,
            "Compile programs that a capture has as source only, to show (never run) their machine code");
  line.option("--compiler PATH [clang, else gcc]", options.compiler, "The compiler for --compile: a clang or gcc")
      .existing_file();
  line.option("--compile-flags FLAGS", options.compile_flags, "Its flags, in one argument, in place of tinygrad's own")
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
    return options.job.empty() ? ParsedOptions{std::move(options), 0} : fail("--job: of which --store?");
  auto store = fleet.open();
  if (!store) return fail(store.error().text());
  options.fleet = *std::move(store);
  return {std::move(options), 0};
}

}  // namespace vizd
