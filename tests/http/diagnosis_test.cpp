// A diagnosis in the terminal and over HTTP, and answers within a budget as a user asks for them.
#include "http/command_run.h"
#include "support/analysed_trace.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::diagnosis_test {
namespace {

// A device that waits 200 us for the host, once a step. Microseconds.
std::string waiting_trace() {
  std::string events;
  for (int step = 0; step < 4; ++step) {
    const int at = 1000 * step;
    events += record("user_annotation", fmt::format("ProfilerStep#{}", step), 1, 1, at, 900, "");
    for (const int k : {0, 1}) {
      const std::string correlation = fmt::format(R"("correlation":{})", 2 * step + k + 1);
      events += record("cuda_runtime", "cudaLaunchKernel", 1, 1, at + 10 + 490 * k, 5, correlation);
      events += kernel("gemm", 7, at + 20 + 490 * k, 290, correlation);
    }
  }
  return R"({"deviceProperties":[{"id":0,"name":"Made-up 1"}],"traceEvents":[)" + events +
         R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]})";
}

TEST_CASE("the page and the terminal tell the same findings, and what each other rule came to") {
  TemporaryFolder folder;
  folder.write("trace.json", waiting_trace());
  ServedCapture served(folder / "trace.json");
  const auto answer = served.json("/api/v1/diagnosis");
  REQUIRE(answer["findings"].size() >= 1);
  CHECK(answer["findings"][0]["rule"] == "host-bound");
  CHECK(answer["findings"][0]["cost_ns"] == 4 * 200'000 + 3 * 220'000);
  CHECK(answer["findings"][0]["evidence"][0]["link"]["view"] == "timeline");
  CHECK(answer["steps"] == 4);
  // In one step, the time before its first kernel and after its last too.
  CHECK(served.json("/api/v1/diagnosis?step=2")["findings"][0]["cost_ns"] == 20'000 + 200'000 + 100'000);
  CHECK(served.answer("/api/v1/diagnosis?step=x").status == 400);

  const auto records = CommandRun({"diagnose", folder / "trace.json", "--json"}).records();
  REQUIRE(records.size() == answer["findings"].size() + answer["silent"].size());
  CHECK(records[0]["cost_ns"] == answer["findings"][0]["cost_ns"]);
  CHECK(records[0]["evidence"] == answer["findings"][0]["evidence"]);
  for (const auto& record : records) CHECK((record.contains("cost_ns") || record.contains("nothing")));

  const CommandRun text({"diagnose", folder / "trace.json"});
  CHECK(text.code == 0);
  CHECK(text.out.find("1. host bound: devices wait because the host launches late\n   1.46 ms, 38.6 % of the devices' "
                      "time, 365 us a step (measured; rule host-bound)\n") != std::string::npos);
  CHECK(text.out.find("\nunpinned-copies: none: no copy ran\n") != std::string::npos);
  CHECK(text.out.find("not recorded: the capture has no rewrites") != std::string::npos);
}

TEST_CASE("an answer keeps its budget, and the commands that it names tell the rest") {
  TemporaryFolder folder;
  folder.write("a trace.json", waiting_trace());
  const std::string path = folder / "a trace.json",
                    kQuery = "SELECT id, 'some text of thirty letters, or so' AS text FROM slice";
  const CommandRun whole({"sql", kQuery, path}), part({"sql", kQuery, path, "--budget", "500"});
  REQUIRE(whole.lines().size() > 12);
  CHECK(part.out.size() <= 500);
  const auto lines = part.lines();
  const std::string& last = lines.back();
  CHECK(last.find("'" + path + "' --budget 500 --after") != std::string::npos);
  CHECK(part.lines()[3] == whole.lines()[3]);
  // The heading stands before the next ones again.
  const auto told = lines.size() - 2;
  const CommandRun next({"sql", kQuery, path, "--after", std::to_string(told)});
  CHECK(next.lines()[0] == whole.lines()[0]);
  CHECK(next.lines()[1] == whole.lines()[told + 1]);
  CHECK(next.lines().size() == whole.lines().size() - told);
  CHECK(CommandRun({"sql", kQuery, path, "--budget", "x"}).code == 2);
  // JSON stays whole unless it is asked for less.
  CHECK(CommandRun({"sql", kQuery, path, "--json", "--budget", "500"}).records().back()["left_out"].get<int>() > 0);
}

TEST_CASE("an agent's tables have a budget unasked, and its JSON has none") {
  TemporaryFolder folder;
  folder.write("trace.json", waiting_trace());
  const auto run = [&](std::vector<std::string> arguments) {
    ChildProcess process(std::move(arguments), {"VIZD_AGENT=1"});
    process.wait_for_end();
    return process.standard_output;
  };
  const std::string all = "SELECT a.id, b.id, a.name FROM slice a, slice b, slice c";
  const std::string table = run({"sql", all, folder / "trace.json"});
  CHECK(table.size() <= 8192);
  CHECK(table.size() > 4000);
  CHECK(table.find("more left out") != std::string::npos);
  CHECK(run({"sql", all, folder / "trace.json", "--json"}).size() > 100'000);
}

}  // namespace
}  // namespace vizd::diagnosis_test
