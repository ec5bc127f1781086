// vizd licences [NAME ...]: under which licences everything is that this program is made of, the page's packages too.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/embedded.h"
#include "base/parse_json.h"
#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/records.h"

namespace vizd {
namespace {

struct Licence {
  std::string name, version, licence, part, text;
};

std::vector<Licence> all_licences() {
  std::vector<Licence> all;
  for (const auto& one : parse_json(unpack(kEmbeddedLicences).front().second))
    all.push_back({one.at("name"), one.at("version"), one.at("licence"), one.at("part"), one.at("text")});
  return all;
}

void print_licence(const Licence& licence) {
  const std::string title = fmt::format("{} {}: {}", licence.name, licence.version, licence.licence);
  print_answer("{}\n{}\n\n{}\n\n", title, std::string(title.size(), '='), licence.text);
}

}  // namespace

int run_licences(int argc, const char* const* argv) {
  CommandLine line(
      "vizd licences",
      "Lists the licences of everything in this program: its libraries, and the packages in its page.\nThe text of a "
      "library is the copyright file of its Debian package, which also covers parts that are not in vizd.");
  std::vector<std::string> names;
  bool whole = false, json = false;
  line.positional("name", "[NAME ...]", names, "Print the whole text of these licences");
  line.flag("--text", whole, "Print the whole text of every licence");
  line.flag("--json", json, "Print JSON, one record per line, with the text");
  describe_wide_tables(line);
  if (const auto code = line.parse(argc, argv)) return *code;

  const std::vector<Licence> all = all_licences();
  for (const std::string& name : names) {
    if (std::ranges::find(all, name, &Licence::name) != all.end()) continue;
    print_error("vizd licences: vizd contains nothing named '{}'; vizd licences lists its parts\n", name);
    return kExitUsage;
  }
  Records records(json ? std::vector<std::string>{"name", "version", "licence", "part", "text"}
                       : std::vector<std::string>{"name", "version", "licence", "part"});
  for (const Licence& licence : all) {
    if (!names.empty() && std::ranges::find(names, licence.name) == names.end()) continue;
    if (!json && (whole || !names.empty())) {
      print_licence(licence);
      continue;
    }
    std::vector<Cell> cells{licence.name, licence.version, licence.licence, licence.part};
    if (json) cells.emplace_back(licence.text);
    records.add(std::move(cells));
  }
  if (!records.empty()) records.print(stdout, json);
  return kExitOk;
}

}  // namespace vizd
