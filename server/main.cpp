// vizd: shows what a compiler did to a graph, and what the devices then did with it. This is its outline: options,
// captures, routes, server, wait, end; or one of the commands that answer in the terminal.
#include <fmt/core.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#ifdef VIZD_STATIC
#include <nss.h>
#endif

#include "base/standard_streams.h"
#include "cli/command_line/browser.h"
#include "cli/command_line/command.h"
#include "cli/command_line/options.h"
#include "cli/command_line/serving.h"
#include "cli/command_line/stop_signals.h"
#include "cli/devices/device_inputs.h"
#include "http/routes/routes.h"
#include "http/transport/site.h"
#include "http/transport/token_file.h"
#include "session/shared_notes.h"

using namespace vizd;

namespace {

// A program that is linked statically knows files and DNS by itself. Whatever else a machine has to look up names is a
// library, which needs that machine's own C library, and would bring it in beside vizd's.
void look_up_names_without_libraries() {
#ifdef VIZD_STATIC
  ::__nss_configure_lookup("hosts", "files dns");
  ::__nss_configure_lookup("passwd", "files");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  look_up_names_without_libraries();
  if (const Command* command = argc > 1 ? find_command(argv[1]) : nullptr) return run(*command, argc - 1, argv + 1);
  std::signal(SIGPIPE, SIG_IGN);  // a reader of the log that left does not end the server
  const auto start = std::chrono::steady_clock::now();
  say_what_lacks_at_the_end();
  share_memory_among_threads();
  // Before signals wait to be asked for: a capture may come through a pipe here, for as long as it likes.
  const ParsedOptions parsed = parse_options(argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const StopSignals signals;
  const Options& options = *parsed.options;
  set_log_level(options.log_level);
  if (!may_open_enough_files()) return EXIT_FAILURE;
  const std::optional<DevicePeaks> peaks = read_device_peaks(options.peaks);
  if (!peaks) return EXIT_FAILURE;

  // Bound before anything is read: a port that is taken should not cost the time to open a capture.
  const GuardPolicy policy = guard_policy(options);
  std::optional<Site> site;
  Counters counters;
  auto server = HttpServer::bind(server_options(options, policy), counters,
                                 [&](const Request& request) { return site->answer(request); });
  if (!server) {
    print_error("vizd: {}\n", server.error().text());
    return EXIT_FAILURE;
  }

  const auto begun_uploads = begin_uploads(options);
  Uploads* const uploads = begun_uploads ? begun_uploads->get() : nullptr;
  Session session(session_inputs(options, uploads));
  SourceLines sources(source_options(options));
  Derived passes(kPasses), analyses(kAnalyses), answers(kAnswers), tables(kTables);
  ProgramCodes programs(compile_options(options), Toolchain(program_path()));
  const std::optional<Assets> assets = find_assets(options);
  // Beside the reading of captures, which should not wait for it.
  const std::jthread compression([&assets] { assets->compress(); });
  HeavyWork heavy;
  SharedNotes shared;
  const Services services{.session = session,
                          .sources = sources,
                          .passes = passes,
                          .analyses = analyses,
                          .answers = answers,
                          .tables = tables,
                          .programs = programs,
                          .assets = assets,
                          .counters = counters,
                          .heavy = heavy,
                          .announces_assets = options.dev,
                          .uploads = uploads,
                          .no_uploads = begun_uploads ? "" : begun_uploads.error().message,
                          .shared = options.shared ? &shared : nullptr,
                          .peaks = &*peaks,
                          .store = options.fleet ? &*options.fleet : nullptr,
                          .job = options.job};
  site.emplace(policy, assets, make_routes(services));

  (*server)->start();
  const auto announced = announce_server(options, (*server)->port(), policy.token);
  const std::string url = page_url(options, (*server)->port(), policy.token);
  write_leniently(stdout, url + "\n");
  if (!flush_output()) {
    print_error("vizd: the URL cannot be written: {}\n", std::strerror(errno));
    std::_Exit(EXIT_FAILURE);
  }
  if (options.open_browser) open_browser(url, !policy.token.empty(), default_state_folder());

  wait_for_end(signals, session, start);
  // A query in the middle of a sort hears of nothing until it is done.
  constexpr std::chrono::milliseconds kMostEnding{700};
  end_within(kMostEnding, [&] {
    programs.end();
    session.end_waiting();
    for (Derived* store : {&passes, &analyses, &answers, &tables}) store->end();
    (*server)->stop();
  });
  if (uploads) uploads->remove();
  if (announced) announced->remove();
  // At once: a capture may be half read, and large ones take their time to be given back piece by piece.
  std::fflush(nullptr);
  std::_Exit(EXIT_SUCCESS);
}
