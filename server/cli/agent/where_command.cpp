// vizd where: what somebody has on the page of a vizd that shares it, and the command line that tells the same.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/answer_budget.h"
#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/records.h"
#include "cli/command_line/running_vizd.h"

namespace vizd {
namespace {

using Json = nlohmann::json;

std::string command_text(const Json& words) {
  std::string text;
  for (const Json& word : words) text += (text.empty() ? "" : " ") + shell_word(word.get<std::string>());
  return text;
}

std::string files_of(const RunningVizd& server, const std::string& name) {
  std::string files;
  for (const OpenCapture& capture : served_captures(server)) {
    if (capture.name != name) continue;
    for (const std::string& path : capture.paths) files += (files.empty() ? "" : " ") + shell_word(path);
    break;
  }
  return files;
}

}  // namespace

int run_where(int argc, const char* const* argv) {
  CommandLine line("vizd where",
                   "Prints what is on the page of a vizd that was started with --shared: the link to it, what is "
                   "selected there,\nand the command line that gives the same answer.");
  std::string url;
  bool json = false;
  line.option("--at URL [the one that shares]", url, "The vizd to talk to, if several share their page");
  line.flag("--json", json, "Print one JSON object");
  describe_wide_tables(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto server = find_shared(url);
  const auto told = server ? server->ask("/api/v1/where") : Result<Json>(server.error());
  if (!told) {
    print_error("vizd where: {}\n", told.error().text());
    return kExitFailure;
  }
  const Json& at = (*told)["at"];
  if (at.is_null()) {
    print_error("vizd where: nobody has its page open; its URL is {}\n", server->url());
    return kExitFailure;
  }
  const std::string capture = at.value("capture", "");
  const std::vector<std::pair<std::string, std::string>> rows{{"url", server->url() + "#" + at.value("place", "")},
                                                              {"view", at.value("view", "")},
                                                              {"capture", capture},
                                                              {"files", files_of(*server, capture)},
                                                              {"selection", at.value("selection", "")},
                                                              {"command", command_text(at["command"])}};
  if (json) {
    std::vector<std::string> names{"age_s"};
    std::vector<Cell> cells{at.value("age_s", std::int64_t{0})};
    for (const auto& [name, value] : rows) {
      names.push_back(name);
      cells.emplace_back(value.empty() ? Cell() : Cell(value));
    }
    Records records(names);
    records.add(std::move(cells));
    records.print_json(stdout);
    return kExitOk;
  }
  for (const auto& [name, value] : rows) {
    if (!value.empty()) print_answer("{:<10} {}\n", name, value);
  }
  print_answer("{:<10} {} s ago\n", "seen", at.value("age_s", std::int64_t{0}));
  return kExitOk;
}

}  // namespace vizd
