// The commands about graph replays, as a user runs them: on a server's trace with its captures beside it, given by
// hand, and without any.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "http/command_run.h"
#include "support/packed.h"
#include "support/served_replays.h"

namespace vizd::replay_commands_test {
using namespace served_replays;
using nlohmann::json;

namespace {

using Run = CommandRun;

std::vector<json> with(const std::vector<json>& records, const char* key, const json& value) {
  std::vector<json> found;
  for (const json& record : records) {
    if (record[key] == value) found.push_back(record);
  }
  return found;
}

}  // namespace

TEST_CASE("Kernels of replays are named by the captures beside their trace") {
  const Served served;
  const auto graphs = Run({"summary", served.path(), "--graphs", "--json"}).records();
  REQUIRE(graphs.size() == 2);
  CHECK(graphs[0] == json::parse(R"({"record":"naming","kernels":11,"in_replays":11,"id":0,"order":8,"guessed":3,
                                     "none":0,"own_operator":0,"own_stack":0,"own_none":0})"));
  CHECK(graphs[1]["capture"] == "bs_2_rank0.json");
  CHECK(graphs[1]["size"] == 2);
  CHECK(graphs[1]["replays"] == 3);
  CHECK(graphs[1]["nodes"] == 4);
}

TEST_CASE("A node is followed over all replays, with what its captured launch says") {
  const Served served;
  const auto nodes = Run({"kernels", served.path(), "--nodes", "--json"}).records();
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[2]["operator"] == "aten::mm");
  CHECK(nodes[2]["module"] == "Net_0/DecoderLayer_1");
  CHECK(nodes[2]["layer_index"] == 1);
  CHECK(nodes[2]["input_dims"] == json::parse("[[2,8],[8,4]]"));
  CHECK(nodes[2]["flop"] == 2 * 2 * 8 * 4);
  CHECK(nodes[2]["count"] == 3);
  CHECK(nodes[2]["max_ns"] == 40'000);
  CHECK(nodes[2]["slowest_replay"] == 1);
  CHECK(nodes[3]["count"] == 2);
}

TEST_CASE("A replay tells its launch, its holes and the records that it lost") {
  const Served served;
  const auto replays = Run({"breakdown", served.path(), "--replays", "--json"}).records();
  REQUIRE(replays.size() == 3);
  CHECK(replays[0]["launch"] == "hipGraphLaunch");
  CHECK(replays[0]["launch_to_start_ns"] == 90'000);
  CHECK(replays[0]["gap_before_ns"].is_null());
  CHECK(replays[0]["span_ns"] == 86'000);
  CHECK(replays[0]["not_recorded_ns"].is_null());
  CHECK(replays[0]["idle_ns"] == 6'000);
  CHECK(replays[1]["gap_before_ns"] == 914'000);
  CHECK(replays[2]["missing"] == 1);
  CHECK(replays[2]["guessed"] == 3);
}

TEST_CASE("Steps have their periods, and the steady window is the longest run of the fullest") {
  const Served served;
  const auto steps = Run({"summary", served.path(), "--steps", "--json"}).records();
  REQUIRE(steps.size() == 4);
  CHECK(steps[0]["phase"] == "decode");
  CHECK(steps[0]["tokens"] == 2);
  CHECK(steps[0]["period_ns"] == 1'000'000);
  CHECK(steps[0]["tokens_per_s"] == 2000);
  CHECK(steps[2]["period_ns"] == steps[2]["device_span_ns"]);
  CHECK(steps[3]["record"] == "steady");
  CHECK(steps[3]["steps"] == 3);
}

TEST_CASE("Layers by phase sum up all work, and options narrow the steps") {
  const Served served;
  const auto layers = Run({"kernels", served.path(), "--group", "layer", "--json"}).records();
  REQUIRE(layers.size() == 2);
  CHECK(layers[0]["layer"] == "DecoderLayer_0");
  CHECK(layers[0]["total_ns"] == 160'000);
  CHECK(layers[0]["steps"] == 3);
  const auto one = Run({"kernels", served.path(), "--group", "layer", "--step", "0..1", "--json"}).records();
  CHECK(one[0]["total_ns"] == 120'000);
  CHECK(one[0]["steps"] == 2);
  CHECK(Run({"kernels", served.path(), "--nodes", "--phase", "prefill", "--json"}).records().empty());
  CHECK(Run({"breakdown", served.path(), "--replays", "--steady", "--json"}).records().size() == 3);
}

TEST_CASE("Captures given by hand name the same as those found, and none names nothing") {
  const Served served;
  const std::vector<std::string> graphs = {"--graphs", "--json"};
  const auto found = Run({"summary", served.path(), "--graphs", "--json"}).records();
  const TemporaryFolder alone, elsewhere;
  alone.write("server.json", replay_commands_test::served());
  elsewhere.write("bs_2_rank0.json", captured_launches());
  CHECK(Run({"summary", alone / "server.json", elsewhere.path(), "--graphs", "--json"}).records() == found);
  CHECK(Run({"summary", alone / "server.json", elsewhere / "bs_2_rank0.json", "--graphs", "--json"}).records() ==
        found);
  const auto none = Run({"summary", alone / "server.json", "--graphs", "--json"}).records();
  CHECK(none[0]["none"] == 11);
  CHECK(none[0]["order"] == 0);
  // Figures of time do not depend on names.
  const auto named = Run({"breakdown", served.path(), "--replays", "--json"}).records();
  const auto unnamed = Run({"breakdown", alone / "server.json", "--replays", "--json"}).records();
  for (std::size_t i = 0; i < named.size(); ++i) CHECK(named[i]["busy_ns"] == unnamed[i]["busy_ns"]);
}

TEST_CASE("A folder with annotations opens with the traces of its steps, and a report of it carries the names") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "step_000000000014");
  std::string replay = record("cuda_runtime", "cudaGraphLaunch", 1, 1, 10, 20, R"("correlation":100)");
  for (const int i : {0, 1})
    replay += kernel("gemm", 7, 100 + 20 * i, 10,
                     fmt::format(R"("correlation":100,"graph id":1,"graph node id":{})", 4294967297 + i));
  folder.write("step_000000000014/000000.1.pt.trace.json", trace(replay));
  folder.write("kernel_annotations_rank0_decode.json",
               R"({"4294967297":[{"module_fqn":"model.layers.0.mlp"}],"4294967298":[{"module_fqn":"model.norm"}]})");
  const auto graphs = Run({"summary", folder.path(), "--graphs", "--json"}).records();
  REQUIRE(!graphs.empty());
  CHECK(graphs[0]["id"] == 2);
  const std::string report = folder / "report.html";
  CHECK(Run({"export", folder.path(), "--page", report}).code == 0);
  CHECK(std::filesystem::file_size(report) > 100'000);
}

TEST_CASE("check reads the files that name kernels, and tells of each that holds nothing or is not whole") {
  const Served served;
  served.folder.write("kernel_annotations_rank0.json", R"({"5":["model.norm"]})");
  CHECK(Run({"check", served.path()}).code == 0);
  const auto is_told = [&](const std::string& name, const std::string& bytes) {
    served.folder.write(name, bytes);
    const auto problems = Run({"check", served.path(), "--json"}).records();
    std::filesystem::remove(served.folder / name);
    const auto is_of_it = [&](const json& problem) { return problem["file"].get<std::string>().ends_with(name); };
    return !problems.empty() && std::ranges::all_of(problems, is_of_it);
  };
  const std::string capture = captured_launches();
  for (const std::string name : {"capture_traces/bs_4_rank0.json", "capture_traces/bs_4_rank0.json.gz"}) {
    CAPTURE(name);
    for (const std::string& bytes : {std::string(), capture.substr(0, capture.size() / 2), std::string(64, '\0')}) {
      CHECK(is_told(name, bytes));
      CHECK(is_told(name, gzipped(bytes)));
    }
  }
  CHECK(is_told("capture_traces/times.json", "{\"other\":"));
  CHECK_FALSE(is_told("capture_traces/times.json", "{\"other\":1}"));
  for (const std::string& bytes : {std::string(), std::string(R"({"5":["model.norm"]}{"5":["model.norm"]})"),
                                   std::string(R"({"5":["model.norm"],"5x":["model.mlp"]})"), std::string("[]")})
    CHECK(is_told("kernel_annotations_rank0.json", bytes));
  CHECK(is_told("kernel_annotations_rank0.pkl", std::string("\x80\x04}.", 4) + "more"));
}

TEST_CASE("check compares the annotations of ranks: of nearly equal ones, one that lacks a node that ran is told") {
  constexpr std::uint64_t kGraph = std::uint64_t{3} << 32;
  const TemporaryFolder folder;
  std::string replay = record("cuda_runtime", "cudaGraphLaunch", 1, 1, 10, 20, R"("correlation":100)");
  for (int node = 1; node <= 30; ++node)
    replay += kernel("gemm", 7, 100 + 20 * node, 10,
                     fmt::format(R"("correlation":100,"graph id":3,"graph node id":{})", node));
  folder.write("000000.1.pt.trace.json", trace(replay));
  const auto notes = [](int first, int last) {
    std::string text = "{";
    for (int node = first; node <= last; ++node)
      text += fmt::format(R"({}"{}":["model.layers.{}"])", node > first ? "," : "",
                          kGraph + static_cast<std::uint64_t>(node), node);
    return text + "}";
  };
  const auto check = [&](int first, int last) {
    folder.write("kernel_annotations_rank1.json", notes(first, last));
    return Run({"check", folder / "000000.1.pt.trace.json"});
  };
  folder.write("kernel_annotations_rank0.json", notes(1, 30));
  CHECK(check(1, 30).code == 0);
  const Run lacking = check(1, 29);
  CHECK(lacking.code == 1);
  CHECK(lacking.out.find("tells nothing of 1 nodes that ran") != std::string::npos);
  // Another stage of a pipeline has another graph; and nodes that did not run are not missed.
  CHECK(check(1, 15).code == 0);
  CHECK(check(1, 31).code == 0);
}

TEST_CASE("check of a folder tells of captures that hold nothing, packed or not, in its folders too") {
  const Served served;
  served.folder.write("rank1.pt.trace.json.gz", gzipped(""));
  served.folder.write("memory.pickle", "");
  served.folder.write("notes.txt", "");
  const auto problems = Run({"check", served.folder.path(), "--json"}).records();
  REQUIRE(problems.size() == 2);
  for (const json& problem : problems) CHECK(problem["problem"] == "is empty; was it written completely?");
}

TEST_CASE("Two runs are compared place by place, and kernels of another name stand side by side") {
  const Served before, after;
  std::string changed = served(), kernels = captured_launches();
  for (std::string* const text : {&changed, &kernels}) {
    for (std::size_t at = 0; (at = text->find("\"relu\"", at)) != std::string::npos;) text->replace(at, 6, "\"silu\"");
  }
  after.folder.write("server.json", changed);
  after.folder.write("capture_traces/bs_2_rank0.json", kernels);
  const auto rows = Run({"compare", before.path(), after.path(), "--nodes", "--json"}).records();
  REQUIRE(rows.size() == 4);
  const auto relus = with(rows, "operator", "aten::relu");
  REQUIRE(relus.size() == 2);
  CHECK(relus[0]["a_name"] == "relu");
  CHECK(relus[0]["b_name"] == "silu");
  CHECK(relus[0]["same_name"] == false);
  CHECK(relus[0]["state"] == "both");
  CHECK(relus[0]["delta_ns"] == 0);
}

TEST_CASE("The tables say in one line how many kernels are named, and what is not used with the reason") {
  const Served served;
  served.folder.write("capture_traces/bs_1_rank0.json", captured_launches());
  const Run graphs({"summary", served.path(), "--graphs"});
  CHECK(graphs.out.find("11 of 11 kernels named, 8 by order, about 3 guessed") != std::string::npos);
  CHECK(graphs.warns("not used: bs_1_rank0.json: no step had 1 request or fewer"));
  const Run summary({"summary", served.path()});
  CHECK(summary.out.find("Graphs: 1, replayed 3 times; 11 of 11 kernels named") != std::string::npos);
}

TEST_CASE("Options of graph replays are refused where the answer is about something else") {
  const Served served;
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"kernels", served.path(), "--steady"},
                                             {"kernels", served.path(), "--step", "1..2"},
                                             {"kernels", served.path(), "--nodes", "--device", "0"},
                                             {"breakdown", served.path(), "--replays", "--step", "x"},
                                             {"summary", served.path(), "--phase", "decode"}}) {
    const Run run(arguments);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
  }
}

TEST_CASE("Names go with a trace into files of other formats, a guess as a guess") {
  const Served served;
  const auto nodes = Run({"kernels", served.path(), "--nodes", "--json"}).records();
  for (const char* const name : {"moved.bin", "moved.json", "exported.json"}) {
    const TemporaryFolder elsewhere;
    const std::string moved = elsewhere / name;
    const bool is_export = std::string_view(name).starts_with("exported");
    if (is_export) {
      CHECK(Run({"export", served.path(), "--to", "chrome", "-o", moved}).code == 0);
    } else {
      CHECK(Run({"convert", served.path(), "-o", moved}).code == 0);
    }
    INFO(name);
    const auto graphs = Run({"summary", moved, "--graphs", "--json"}).records();
    CHECK(graphs[0]["order"] == 8);
    CHECK(graphs[0]["guessed"] == 3);
    CHECK(graphs[1]["capture"].is_null());
    const auto kept = Run({"kernels", moved, "--nodes", "--json"}).records();
    REQUIRE(kept.size() == nodes.size());
    for (std::size_t n = 0; n < kept.size(); ++n) {
      for (const char* const field : {"found", "operator", "module", "layer", "layer_index", "piece", "total_ns"})
        CHECK(kept[n][field] == nodes[n][field]);
    }
    // Written once more, it says the same.
    const std::string again = elsewhere / "again.bin";
    CHECK(Run({"convert", moved, "-o", again}).code == 0);
    CHECK(Run({"kernels", again, "--nodes", "--json"}).records() == kept);
  }
}

TEST_CASE("Two servers' runs fail in CI where the median decode step takes too long") {
  const TemporaryFolder folder;
  folder.write("a.json", trace(step(1, {"gemm"}) + step(2, {"gemm"})));
  folder.write("b.json", trace(step(1, {"gemm"}) + step(3, {"gemm"})));
  folder.write("none.json", trace(kernel("gemm", 7, 0, 10, R"("correlation":1)")));
  const auto compare = [&](const char* a, const char* b, const char* limit) {
    return Run({"compare", folder / a, folder / b, "--nodes", "--max-regress", limit}).code;
  };
  // 1,000 and 20 us before, 2,000 and 20 after.
  CHECK(compare("a.json", "b.json", "97%") == 3);
  CHECK(compare("a.json", "b.json", "99%") == 0);
  CHECK(compare("b.json", "a.json", "0%") == 0);
  CHECK(compare("a.json", "none.json", "3%") == 1);
}

}  // namespace vizd::replay_commands_test
