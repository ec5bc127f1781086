// The commands that answer in the terminal: what they print, in which form, and how they end.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::command_test {
using nlohmann::json;

namespace {

const std::string kCapture = test_data("tinygrad-2025-09/ramp.rewrites.pkl");

using Run = CommandRun;

}  // namespace

TEST_CASE("vizd show lists passes, their matches and the nodes of a query, as a table or as records") {
  const Run passes({"show", kCapture, "--json"});
  CHECK(passes.code == 0);
  CHECK(passes.records().size() == 205);
  CHECK(Run({"show", kCapture}).lines().size() == 206);
  CHECK(Run({"show", kCapture}).process.standard_output.find('\x1B') == std::string::npos);

  const auto listed = passes.records();
  const json some = *std::ranges::max_element(listed, {}, [](const json& r) { return r["matches"].get<int>(); });
  const std::string context = std::to_string(some["context"].get<int>()),
                    pass = std::to_string(some["pass"].get<int>());
  const Run matches({"show", kCapture, "--context", context, "--pass", pass, "--json"});
  CHECK(matches.records().size() == some["matches"].get<std::size_t>());
  CHECK(matches.records().front()["rule"].get<std::string>().find(".py:") != std::string::npos);

  const Run nodes({"show", "--query", "op=SINK", "--context", context, "--pass", pass, kCapture, "--json"});
  REQUIRE(nodes.records().size() == 1);
  CHECK(nodes.records()[0]["op"] == "SINK");
  // A filter by name finds what the filter by number does.
  CHECK(Run({"show", kCapture, "--context", some["name"].get<std::string>(), "--json"}).records().size() > 0);
}

TEST_CASE("vizd text prints a pass's graph and a match's difference") {
  const Run graph({"text", kCapture, "--context", "2", "--pass", "3"});
  CHECK(graph.code == 0);
  CHECK(graph.lines().size() > 5);
  const Run diff({"text", kCapture, "--context", "2", "--pass", "3", "--match", "1", "--diff"});
  CHECK(diff.process.standard_output.find("@@") != std::string::npos);
  CHECK(diff.lines()[0].find(".py:") != std::string::npos);
  const Run records({"text", kCapture, "--context", "2", "--pass", "3", "--json"});
  REQUIRE(records.records().size() == 1);
  CHECK(records.records()[0]["text"] ==
        graph.process.standard_output.substr(0, graph.process.standard_output.size() - 1));
}

TEST_CASE("vizd rules counts every match of the capture once, by rule, and lists them") {
  const Run rules({"rules", kCapture, "--json"});
  CHECK(rules.code == 0);
  int matches = 0, added = 0;
  for (const json& rule : rules.records()) {
    matches += rule["matches"].get<int>();
    added += rule["added"].get<int>();
  }
  const auto listed = Run({"rules", kCapture, "--matches", "--json"}).records();
  CHECK(static_cast<int>(listed.size()) == matches);
  for (const json& match : listed) added -= match["added"].get<int>();
  CHECK(added == 0);
  const auto symbolic = Run({"rules", kCapture, "--rule", "symbolic.py", "--json"}).records();
  CHECK(symbolic.size() > 0);
  for (const json& rule : symbolic) CHECK(rule["rule"].get<std::string>().find("symbolic.py") != std::string::npos);
  CHECK(Run({"rules", kCapture, "--undone"}).code == 0);
  CHECK(Run({"rules", kCapture, "--rule", "no such rule", "--json"}).lines().empty());
}

TEST_CASE("a command that makes no sense, or asks for what is not there, says so in one line and fails") {
  struct Row {
    std::vector<std::string> arguments;
    int code;
    std::string says;
  };
  const Row rows[] = {
      {{"show"}, 2, "name a capture"},
      {{"show", "/no/such/capture"}, 1, "/no/such/capture"},
      {{"show", test_data("page.png")}, 1, "page.png"},
      {{"show", kCapture, "--context", "no such"}, 1, "no such"},
      {{"show", kCapture, "--query", "colour=red"}, 2, "colour"},
      {{"show", kCapture, "--match", "-3"}, 2, "--match"},
      {{"show", kCapture, "--no-such-option"}, 2, "--no-such-option"},
      {{"text", kCapture}, 2, "205 passes"},
      {{"text", kCapture, "--context", "2", "--pass", "3", "--match", "99"}, 1, "99"},
      {{"text", kCapture, "--context", "2", "--pass", "3", "--diff"}, 2, "--match"},
      {{"rules", kCapture, "--matches", "--undone"}, 2, "--undone"},
      {{"rules", test_data("page.png")}, 1, "page.png"},
      {{"help", "me"}, 2, "me"},
  };
  for (const Row& row : rows) {
    const Run run(row.arguments);
    INFO(row.says);
    CHECK(run.code == row.code);
    CHECK(run.process.standard_output.empty());
    CHECK(run.process.standard_error.find(row.says) != std::string::npos);
    CHECK(std::ranges::count(run.process.standard_error, '\n') == 1);
  }
}

TEST_CASE("traces that were converted to files of vizd's own are combined as the traces are") {
  const TemporaryFolder folder;
  for (const std::string name : {"a", "b"}) {
    folder.write(name + ".json",
                 R"({"traceEvents":[{"ph":"X","name":"work of )" + name + R"(","pid":1,"tid":1,"ts":1,"dur":2}]})");
    CHECK(Run({"convert", folder / (name + ".json"), "-o", folder / (name + ".bin")}).code == 0);
  }
  CHECK(Run({"combine", folder / "a.bin", folder / "b.bin", folder / "both.bin"}).code == 0);
  CHECK(Run({"combine", folder / "a.json", folder / "b.bin", folder / "both.json"}).code == 0);
  const std::string query = "SELECT s.name, t.path FROM slice s JOIN track t ON t.id = s.track_id ORDER BY 1";
  const Run both({"sql", query, folder / "both.bin", "--csv"});
  CHECK(both.lines() ==
        std::vector<std::string>{"name,path", "work of a,a/process 1/thread 1", "work of b,b/process 1/thread 1"});
  CHECK(Run({"sql", query, folder / "both.json", "--csv"}).out == both.out);
  CHECK(Run({"convert", test_data("tinygrad-2025-09/ramp.profile.pkl"), "-o", folder / "c.bin"}).code == 0);
  const Run other({"combine", folder / "c.bin", folder / "a.bin", folder / "none.json"});
  CHECK(other.code == 1);
  CHECK(other.warns("is a capture of tinygrad"));
  CHECK(other.warns("open the captures together instead"));
}

TEST_CASE("a result in SQL becomes a file of columns, and none where the query makes no sense") {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"traceEvents":[{"ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":2}]})");
  for (const std::string to : {"arrow", "parquet"}) {
    const std::string out = folder / ("slices." + to);
    const Run wrong({"sql", "SELECT nothing FROM slice", folder / "a.json", "--to", to, "-o", out});
    CHECK(wrong.code == 1);
    CHECK(wrong.warns("vizd sql: "));
    CHECK_FALSE(std::filesystem::exists(out));
    CHECK(Run({"sql", "SELECT name FROM slice", folder / "a.json", "--to", to}).code == 2);
    CHECK(Run({"sql", "SELECT name FROM slice", folder / "a.json", "--to", to, "-o", out}).code == 0);
    std::ifstream file(out, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    CHECK(bytes.starts_with(to == "arrow" ? "ARROW1" : "PAR1"));
  }
}

TEST_CASE("--format reads the files that are named as that format, whatever they look like") {
  const TemporaryFolder folder;
  // An array of events says that it is one by their phases, which stand behind more than is looked at here.
  const std::string late = R"([{"args":{"before":")" + std::string(70'000, 'x') + R"("},)";
  folder.write("a.txt", late + R"("ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":2}])");
  const std::string path = folder / "a.txt";
  const Run unknown({"ls", path});
  CHECK(unknown.code == 1);
  CHECK(unknown.warns("give it one of vizd, torch-memory, tinygrad, chrome"));
  CHECK(unknown.warns("--format NAME"));
  for (const char* command : {"ls", "summary", "check"})
    CHECK(Run({command, path, "--format", "chrome", "--json"}).code == 0);
  CHECK(Run({"export", path, "--format", "chrome", "--to", "csv"}).code == 0);
  CHECK(Run({"kernels", path, "--format", "chrome"}).code == 0);
  CHECK(Run({"sql", "SELECT name FROM slice", path, "--format", "chrome"}).out.find("work") != std::string::npos);
  CHECK(Run({"combine", path, path, folder / "two.json", "--format", "chrome"}).code == 0);
  CHECK(Run({"compare", path, folder / "two.json", "--format", "chrome"}).code == 0);
  CHECK(Run({"ls", path, "--format", "perfetto"}).code == 1);
  const Run wrong({"ls", path, "--format", "nothing"});
  CHECK(wrong.code == 2);
  CHECK(wrong.warns("nothing"));
  CHECK(wrong.warns("speedscope"));
}

TEST_CASE("--help-all lists a command's own options, then those of every command, and single formats' last") {
  const std::string help = Run({"kernels", "--help-all"}).out;
  const auto own = help.find("--group"), common = help.find("--format"), of_formats = help.find("--tiu-freq");
  CHECK((own < common && common < of_formats && of_formats != std::string::npos));
  const std::string serving = Run({"--help-all"}).out;
  CHECK(serving.find("--port") < serving.find("--tiu-freq"));
}

TEST_CASE("vizd help --markdown tells of every command with its options, and of what all share once") {
  const Run page({"help", "--markdown"});
  CHECK(page.code == 0);
  const Run help({"help"});
  for (const char* command : {"augment", "check", "kernel-graph", "text"})
    CHECK(page.out.find(std::string("\n## vizd ") + command + "\n") != std::string::npos);
  CHECK(page.out.find("| `--port N [$PORT, or 8000]` |") != std::string::npos);
  const auto shared = page.out.find("`--tiu-freq");
  CHECK(shared != std::string::npos);
  CHECK(page.out.find("`--tiu-freq", shared + 1) == std::string::npos);
  CHECK(page.out.find("--help") == std::string::npos);
}

TEST_CASE("vizd help commands names every command, and help on one is that command's") {
  const Run help({"help", "commands"});
  CHECK(help.code == 0);
  for (const char* command : {"rules", "show", "text"}) {
    CHECK(help.process.standard_output.find(command) != std::string::npos);
    const Run one({"help", command});
    CHECK(one.code == 0);
    CHECK(one.process.standard_output.find("--json") != std::string::npos);
  }
}

}  // namespace vizd::command_test
