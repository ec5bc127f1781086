// Ids of rows: each opens, and leads into the capture that the row is of.
#include "http/command_run.h"
#include "support/analysed_trace.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::row_ids_test {
namespace {

std::string trace_of(std::string_view name, int kernels) {
  std::string events;
  for (int i = 0; i < kernels; ++i) {
    const std::string correlation = fmt::format(R"("correlation":{})", i + 1);
    events += record("cuda_runtime", "cudaLaunchKernel", 1, 1, i * 40, 2, correlation) +
              kernel(fmt::format("{}_{}", name, i % 2), 7, i * 40 + 10, 20, correlation);
  }
  return R"({"traceEvents":[)" + events + R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]})";
}

}  // namespace

TEST_CASE("rows of every table tell ids that open, with --links") {
  TemporaryFolder folder;
  folder.write("trace.json", trace_of("gemm", 8));
  const std::string path = folder / "trace.json";
  std::vector<std::vector<std::string>> asked{{"kernels", path},
                                              {"kernels", path, "--tree"},
                                              {"kernels", path, "--sequences"},
                                              {"breakdown", path},
                                              {"ls", path},
                                              {"breakdown", path, "--critical-path"},
                                              {"compare", path, path},
                                              {"sql", "SELECT id, name FROM slice", path}};
  // A server's replays of CUDA graphs.
  const std::string server = test_data("../golden/chrome/replays_h200/input/decode.pt.trace.json.gz");
  for (std::vector<std::string> about : {std::vector<std::string>{"summary", server, "--steps"},
                                         {"summary", server, "--graphs"},
                                         {"breakdown", server, "--replays"},
                                         {"kernels", server, "--nodes"},
                                         {"compare", server, server, "--nodes"}})
    asked.push_back(std::move(about));
  for (std::vector<std::string> command : asked) {
    INFO(command[0] << " " << command.back());
    command.insert(command.end(), {"--links", "--json"});
    std::size_t ids = 0;
    for (const auto& row : CommandRun(command).records()) {
      const auto id = row.contains("row_id") ? row["row_id"] : row.contains("id") ? row["id"] : nlohmann::json();
      if (!id.is_string()) continue;
      ++ids;
      const CommandRun opened({"open", path, "--id", id.get<std::string>(), "--at", "http://127.0.0.1:9"});
      CHECK(opened.out.starts_with("http://127.0.0.1:9/#view="));
    }
    CHECK(ids > 0);
  }
}

TEST_CASE("of several captures a row's id counts in its own") {
  TemporaryFolder folder;
  folder.write("a.json", trace_of("gemm", 4));
  folder.write("b.json", trace_of("relu", 6));
  const std::string a = folder / "a.json", b = folder / "b.json";
  const auto rows =
      CommandRun({"sql", "SELECT id, name FROM slice WHERE name = 'relu_1' ORDER BY ts", a, b, "--links", "--json"})
          .records();
  REQUIRE(rows.size() == 3);
  const auto alone =
      CommandRun({"sql", "SELECT id, name FROM slice WHERE name = 'relu_1' ORDER BY ts", b, "--links", "--json"})
          .records();
  CHECK(rows[0]["id"] != alone[0]["id"]);
  for (std::size_t i = 0; i < 3; ++i) CHECK(rows[i]["row_id"] == alone[i]["row_id"]);
}

}  // namespace vizd::row_ids_test
