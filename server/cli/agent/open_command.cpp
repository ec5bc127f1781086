// vizd open FILE ID: the link that shows one thing of a capture in a running vizd.
#include <fmt/format.h>

#include <cstdlib>

#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/browser.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "cli/command_line/running_vizd.h"
#include "diagnosis/page_place.h"
#include "http/transport/token_file.h"

namespace vizd {
namespace {

// The address of the vizd that has the capture open; else the default one.
std::string address_of(const InputSet& set) {
  if (const auto served = find_served(paths_of(set))) return served->server.url();
  const char* const port = std::getenv("PORT");
  return fmt::format("http://127.0.0.1:{}/", port == nullptr || *port == 0 ? "8000" : port);
}

}  // namespace

int run_open(int argc, const char* const* argv) {
  CommandLine line(
      "vizd open",
      "Prints the link that shows one thing of a capture on the page of a running vizd: an id of an answer,\nslice:17, "
      "match:3, pass:2, context:1, memory:4, track:5, time:FROM..TO, kernel:NAME, rule:FILE:LINE, or\nview:NAME. The "
      "link contains no token: the browser that has the page open already has it.");
  CommonArguments common;
  std::string id, address;
  bool opens = false;
  common.describe(line);
  line.option("--id ID", id, "What to show").required();
  line.option("--at URL [the one that has it open, else http://127.0.0.1:$PORT, or 8000]", address,
              "The address of that vizd");
  line.flag("--browser", opens, "Also open it in the browser");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto input = find_input(common);
  const auto loaded = input ? open_input(*input) : nullptr;
  if (!loaded) return kExitFailure;
  const auto place = page_place(loaded->capture, id);
  if (!place) {
    print_error("vizd open: {}\n", place.error().text());
    return kExitFailure;
  }
  if (address.empty()) address = address_of(*input);
  const std::string fragment = place->fragment(input->name);
  const std::string url = fmt::format("{}{}#{}", address, address.ends_with('/') ? "" : "/", fragment);
  if (common.json) {
    Records records(std::vector<std::string>{"url"});
    records.add({url});
    records.print_json(stdout);
  } else {
    print_answer("{}\n", url);
  }
  if (opens) open_browser(url, false, default_state_folder());
  return kExitOk;
}

}  // namespace vizd
