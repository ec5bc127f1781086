#include "cli/captures/page_export.h"

#include <chrono>

#include "base/log.h"
#include "cli/command_line/input.h"
#include "cli/command_line/progress.h"
#include "cli/command_line/serving.h"
#include "http/routes/routes.h"

namespace vizd {

Result<PageFile> export_page(const InputSet& set, std::uint64_t most_bytes) {
  const Assets page = find_assets({});
  set_log_level(LogLevel::kWarning);  // what a server says of its work is nothing to a command
  Session session({.sets = {set}, .folders = {}});
  const auto loaded = session.capture("", std::chrono::hours(24));
  if (!loaded) return loaded.error();
  print_warnings((*loaded)->capture);

  SourceLines sources(SourceOptions{});
  Derived passes(kPasses), analyses(kAnalyses), answers(kAnswers), tables(kTables);
  ProgramCodes programs(CompileOptions{}, Toolchain(program_path()));
  const std::optional<Assets> assets = page;
  const Counters counters;
  HeavyWork heavy;
  const Router routes = make_routes({.session = session,
                                     .sources = sources,
                                     .passes = passes,
                                     .analyses = analyses,
                                     .answers = answers,
                                     .tables = tables,
                                     .programs = programs,
                                     .assets = assets,
                                     .counters = counters,
                                     .heavy = heavy,
                                     .no_uploads = "this page is a report without a running vizd"});
  Progress bar(stderr, "");
  return make_report(
      **loaded, routes, page,
      {.most_bytes = most_bytes, .tell = [&](std::string_view what, std::uint64_t done, std::uint64_t of) {
         bar.begin(what);
         bar.tell(done, of);
       }});
}

}  // namespace vizd
