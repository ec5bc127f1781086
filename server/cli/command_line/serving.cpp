#include "cli/command_line/serving.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <future>
#include <new>
#include <system_error>
#include <thread>

#include "base/ascii_case.h"
#include "base/log.h"
#include "base/parallel.h"
#include "base/standard_streams.h"
#include "cli/command_line/progress.h"
#include "formats/claims.h"
#include "http/transport/token_file.h"
#include "system/memory.h"

namespace vizd {
namespace {

bool is_wildcard(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

// As it stands in a URL or a Host header.
std::string url_host(std::string_view given) {
  const std::string host = ascii_lower(given);
  return host.find(':') != std::string::npos && !host.starts_with('[') ? "[" + host + "]" : host;
}

// So many as the system lets this process have open: shells grant 1,024, and are told that more are wanted.
std::size_t most_descriptors() {
  constexpr rlim_t kWanted = 8192;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  if (limit.rlim_cur < kWanted) {
    rlimit raised = limit;
    raised.rlim_cur = std::min(kWanted, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, kWanted));
}

}  // namespace

void say_what_lacks_at_the_end() {
  std::set_terminate([] {
    try {
      if (const auto cause = std::current_exception()) std::rethrow_exception(cause);
    } catch (const std::system_error& e) {
      print_error(
          "vizd: the system refuses more resources ({}); is a limit too low, such as `ulimit -v` or `ulimit -u`?\n",
          e.what());
      std::_Exit(EXIT_FAILURE);
    } catch (const std::bad_alloc&) {
      print_error("vizd: out of memory\n");
      std::_Exit(EXIT_FAILURE);
    } catch (...) {
    }
    std::abort();
  });
}

void share_memory_among_threads() {
  constexpr std::size_t kLarge_bytes = std::size_t{1} << 20;
  limit_heaps(core_count());
  give_large_blocks_back(kLarge_bytes);
}

bool may_open_enough_files() {
  constexpr std::size_t kLeast = 64;  // a few connections, a few captures, and what the program itself needs
  const std::size_t most = most_descriptors();
  if (most < kLeast)
    print_error("vizd: may have only {} files open at once and needs {}; raise the limit: ulimit -n 1024\n", most,
                kLeast);
  return most >= kLeast;
}

Result<std::unique_ptr<Uploads>> begin_uploads(const Options& options) {
  if (options.no_upload) return Error{ErrorKind::kForbidden, "it was started with --no-upload", ""};
  auto uploads = Uploads::begin(default_cache_folder());
  if (!uploads) log(LogLevel::kWarning, "captures cannot be accepted from the page: {}", uploads.error().text());
  return uploads;
}

SessionInputs session_inputs(const Options& options, const Uploads* uploads) {
  SessionInputs inputs;
  inputs.cache.folder = default_cache_folder();
  const bool shows_default = options.inputs.is_empty() && !options.fleet;
  inputs.sets = shows_default ? default_sets() : options.inputs.sets_of_files(inputs.sniffer);
  inputs.folders = options.inputs.folders();
  if (uploads != nullptr) inputs.folders.push_back(uploads->folder());
  inputs.settings = options.inputs.given_settings();
  return inputs;
}

CompileOptions compile_options(const Options& options) {
  return {.enabled = options.compile, .compiler = options.compiler, .flags = options.compile_flags};
}

std::string program_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/bin:/bin";
}

SourceOptions source_options(const Options& options) { return {!options.no_sources, options.source_root}; }

GuardPolicy guard_policy(const Options& options) {
  GuardPolicy policy;
  if (!is_wildcard(options.host)) policy.allowed_hosts.push_back(url_host(options.host));
  for (const std::string& host : options.allow_hosts) policy.allowed_hosts.push_back(url_host(host));
  auto& hosts = policy.allowed_hosts;
  for (auto host = hosts.begin(); host != hosts.end();)
    host = std::find(hosts.begin(), host, *host) == host ? host + 1 : hosts.erase(host);
  if (!options.no_upload) policy.most_upload_bytes = kMostUploadBytes;
  policy.in_notebook = options.notebook;
  policy.is_shared = options.shared;
  if (options.no_token) return policy;
  auto token = load_token(default_state_folder());
  if (!token) {
    log(LogLevel::kWarning, "the token cannot be stored, so open tabs will need the new URL after a restart: {}",
        token.error().text());
  }
  policy.token = token ? *token : make_token();
  return policy;
}

Assets find_assets(const Options& options) {
  const std::string folder = find_web_folder();
  if (folder.empty()) {
    if (options.dev) log(LogLevel::kWarning, "--dev: there is no page beside this vizd; the built-in page is served");
    return Assets::embedded();
  }
  auto assets = Assets::load(folder, options.dev);
  if (assets) return std::move(*assets);
  log(LogLevel::kWarning, "{}; the built-in page is served", assets.error().text());
  return Assets::embedded();
}

HttpServerOptions server_options(const Options& options, const GuardPolicy& policy) {
  const auto headers = security_headers(policy.in_notebook);
  HttpServerOptions server{.host = options.host, .port = options.port, .headers = {headers.begin(), headers.end()}};
  const std::size_t descriptors = most_descriptors();
  server.knows = [policy](const Request& request) { return shows_token(request, policy); };
  server.connections = std::min(server.connections, descriptors - descriptors / 4);
  return server;
}

std::string page_url(const Options& options, int port, const std::string& token) {
  const std::string host = is_wildcard(options.host) ? "127.0.0.1" : url_host(options.host);
  return fmt::format("http://{}:{}/{}", host, port, token.empty() ? "" : "#token=" + token);
}

std::unique_ptr<OwnFolder> announce_server(const Options& options, int port, const std::string& token) {
  const std::string host = is_wildcard(options.host) ? "127.0.0.1" : ascii_lower(options.host);
  auto announced = announce(default_running_folder(), {host, port, token, options.shared});
  if (announced) return std::move(*announced);
  // Only who asks to share needs it.
  log(options.shared ? LogLevel::kWarning : LogLevel::kDebug, "commands will not find this vizd: {}",
      announced.error().text());
  return nullptr;
}

namespace {

// Draws how far the capture is that is being read.
void tell_reading(const Session& session, Progress& bar) {
  for (const CaptureStatus& status : session.captures()) {
    const ReadPhase phase = phase_of(*status.progress);
    if (!status.opening || phase.of == 0) continue;
    const bool is_bytes = phase.unit == "bytes";
    const std::uint64_t scale = is_bytes ? 1'000'000 : 1;
    bar.begin(fmt::format("{}: {}", status.name, phase.what));
    return bar.tell(phase.done / scale, (phase.of + scale - 1) / scale, is_bytes ? "MB" : phase.unit);
  }
}

}  // namespace

void end_within(std::chrono::milliseconds time, std::function<void()> end) {
  auto ended = std::make_shared<std::promise<void>>();
  const std::future<void> has_ended = ended->get_future();
  std::thread([end = std::move(end), ended] {
    end();
    ended->set_value();
  }).detach();
  if (has_ended.wait_for(time) == std::future_status::timeout)
    log(LogLevel::kWarning, "shutting down although some answers are not finished");
}

void wait_for_end(const StopSignals& signals, const Session& session, std::chrono::steady_clock::time_point start) {
  {
    Progress bar(stderr, "");
    while (!session.wait_until_opened(std::chrono::milliseconds(0))) {
      if (signals.wait(std::chrono::milliseconds(5))) return;
      tell_reading(session, bar);
    }
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  log(LogLevel::kInfo, "ready in {:.1f} ms", took.count());
  while (!signals.wait(std::chrono::hours(1))) {
  }
}

}  // namespace vizd
