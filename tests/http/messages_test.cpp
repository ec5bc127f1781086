// What the command line answers to mistakes: misspelled words, names that no capture has, and times it cannot read; and
// that its help fits a screen.
#include <algorithm>
#include <filesystem>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::messages_test {

namespace {

using Run = CommandRun;

const std::string kRewrites = test_data("tinygrad-2025-09/ramp.rewrites.pkl");

bool prints(const Run& run, std::string_view text) { return run.out.find(text) != std::string::npos; }

// A trace of two kernels on device 7.
std::string write_trace(const TemporaryFolder& folder, const std::string& name = "trace.json") {
  folder.write(name, R"({"traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 7, "tid": 7, "ts": 0, "dur": 30,
     "args": {"device": 7, "stream": 7}},
    {"ph": "X", "cat": "kernel", "name": "relu", "pid": 7, "tid": 7, "ts": 40, "dur": 10,
     "args": {"device": 7, "stream": 7}}]})");
  return folder / name;
}

}  // namespace

TEST_CASE("a misspelled command is answered with the nearest one") {
  const Run run({"kernals", kRewrites});
  CHECK(run.code == 2);
  CHECK(run.warns("vizd: unknown command 'kernals'; did you mean kernels?\n"));
  const Run path({"no-such/kernals", kRewrites});
  CHECK(path.code == 2);
  CHECK(path.warns("no-such/kernals: no such file or folder"));
  const Run help({"help", "kernals"});
  CHECK(help.code == 2);
  CHECK(help.warns("did you mean kernels?"));
}

TEST_CASE("a misspelled option is answered with the nearest one, and a word that is no number is named") {
  const Run option({"kernels", "--devise", "0", kRewrites});
  CHECK(option.code == 2);
  CHECK(option.warns("vizd kernels: unknown option --devise; did you mean --device?\n"));
  const Run number({"kernels", "--limit", "many", kRewrites});
  CHECK(number.code == 2);
  CHECK(number.warns("--limit: 'many' is not a whole number"));
}

TEST_CASE("a device, rank or kernel that no capture has is an error that lists what there is") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder);
  for (const char* command : {"kernels", "breakdown", "diagnose"}) {
    INFO(command);
    const Run device({command, trace, "--device", "nosuch"});
    CHECK(device.code == 1);
    CHECK(device.out.empty());
    CHECK(device.warns("--device nosuch: no such device; the devices are 7\n"));
    const Run kernel({command, trace, "--kernel", "gem"});
    CHECK(kernel.code == 1);
    CHECK(kernel.warns("--kernel gem: no such kernel; did you mean 'gemm'? the kernels are gemm, relu\n"));
    CHECK(Run({command, trace, "--rank", "3"}).warns("--rank 3: the capture has no ranks\n"));
    CHECK(Run({command, trace, "--device", "7"}).code == 0);
    CHECK(Run({command, trace, "--kernel", "relu"}).code == 0);
  }
  const Run assertion({"assert", trace, "kernels.total < 1s", "--device", "nosuch"});
  CHECK(assertion.code == 1);
  CHECK(assertion.warns("no such device"));
  CHECK(Run({"compare", trace, trace, "--kernel", "nosuch"}).warns("no such kernel"));
}

TEST_CASE("several captures where one is wanted are named") {
  const TemporaryFolder folder;
  write_trace(folder, "first.json");
  write_trace(folder, "second.json");
  const Run run({"ls", folder.path()});
  CHECK(run.code == 1);
  CHECK(run.warns("these files are 2 captures: "));
  CHECK(run.warns("first"));
  CHECK(run.warns("second"));
  CHECK(run.warns("; name the files of one\n"));
}

TEST_CASE("sql takes the file and the query in either order") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder);
  const std::string query = "SELECT name FROM slice ORDER BY ts";
  const Run first({"sql", query, trace, "--csv"}), last({"sql", trace, query, "--csv"});
  CHECK(first.code == 0);
  CHECK(first.out == "name\ngemm\nrelu\n");
  CHECK(last.out == first.out);
  CHECK(Run({"sql", trace, trace, query, "--csv"}).code == 0);
  CHECK(Run({"sql", trace}).warns("a query and a capture are required"));
  CHECK(Run({"sql", query}).warns("a query and a capture are required"));
}

TEST_CASE("times have units on every command that takes them") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder);
  const auto kernels = [&](const std::string& until) {
    return Run({"kernels", trace, "--json", "--until", until}).records().size();
  };
  CHECK(kernels("35us") == 1);
  CHECK(kernels("35000ns") == 1);
  CHECK(kernels("35000") == 1);
  CHECK(kernels("0.035ms") == 1);
  CHECK(kernels("1.5s") == 2);
  const Run wrong({"kernels", trace, "--until", "5 parsecs"});
  CHECK(wrong.code == 2);
  CHECK(wrong.warns("--until: '5 parsecs' is not a time, such as 5ms, 1.5s or 200us"));
  CHECK(Run({"sql", "SELECT 1", trace, "--time", "20s"}).code == 0);
  CHECK(Run({"sql", "SELECT 1", trace, "--time", "1.5s"}).warns("is not a whole number of seconds"));
  CHECK(Run({"cut", trace, folder / "part.json", "--from", "35us", "--to", "1ms"}).code == 0);
}

TEST_CASE("--help fits a screen of 24 lines with 80 columns, and --help-all has every option") {
  for (const Run& help : {Run({"--help"}), Run({"help"}), Run({"-h"})}) {
    CHECK(help.code == 0);
    CHECK(help.lines().size() <= 24);
    CHECK(std::ranges::all_of(help.lines(), [](const std::string& line) { return line.size() <= 80; }));
    CHECK(prints(help, "vizd help commands"));
    CHECK(prints(help, "vizd diagnose trace.json.gz"));
  }
  const Run all({"--help-all"});
  for (const char* option : {"--etrecord", "--allow-host", "--peaks", "  kernels ", "BROWSER"}) {
    INFO(option);
    CHECK(prints(all, option));
  }
  CHECK(Run({"-V"}).out == Run({"--version"}).out);
}

TEST_CASE("options of one format are in its own help, and in no command's") {
  const Run kernels({"kernels", "--help"});
  CHECK_FALSE(prints(kernels, "--etrecord"));
  CHECK(prints(kernels, "--device"));
  CHECK(prints(kernels, "vizd help FORMAT"));
  CHECK(prints(Run({"kernels", "--help-all"}), "--etrecord"));
  const Run etdump({"help", "etdump"});
  CHECK(etdump.code == 0);
  CHECK(prints(etdump, "--etrecord FILE"));
  CHECK_FALSE(prints(etdump, "--tiu-freq"));
  CHECK(prints(Run({"help", "bigtpu"}), "--tiu-freq"));
  CHECK(prints(Run({"help", "speedscope"}), "It has no options of its own."));
  const Run commands({"help", "commands"});
  CHECK(commands.code == 0);
  CHECK(prints(commands, "  check-job "));
}

}  // namespace vizd::messages_test
