// What devices did, over HTTP and in the terminal: the same figures, and what is written to files.
#include <fstream>
#include <iterator>

#include "http/command_run.h"
#include "support/analysed_trace.h"
#include "support/catch.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::device_routes_test {
namespace {

// Two steps of an operator that launches two kernels, and a collective. Microseconds.
std::string steps(int kernel_us) {
  std::string events;
  for (const int i : {0, 1}) {
    const int at = 1000 * i;
    events += record("user_annotation", fmt::format("ProfilerStep#{}", i + 5), 1, 1, at, 900, "");
    events += record("cpu_op", "aten::mm", 1, 1, at + 5, 30, fmt::format(R"("External id":{})", i + 1));
    events += record("cuda_runtime", "cudaLaunchKernel", 1, 1, at + 10, 5, fmt::format(R"("correlation":{})", i + 10));
    for (const int k : {0, 1})
      events += kernel(k == 0 ? "gemm" : "reduce", 7, at + 20 + k * (kernel_us + 1), kernel_us,
                       fmt::format(R"("correlation":{},"External id":{})", i + 10, i + 1));
    events += kernel("ncclDevKernel_AllReduce", 8, at + 400, 50, R"("Group size":2)");
  }
  return R"({"deviceProperties":[{"id":0,"name":"Made-up 1"}],"traceEvents":[)" + events +
         R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]})";
}

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("what torch.compile did is told over HTTP and in the terminal, and that nothing of it was recorded") {
  TemporaryFolder folder;
  const auto on_host = [](std::string_view category, std::string_view name, int ts, int dur) {
    return record(category, name, 1, 1, ts, dur, "");
  };
  folder.write("trace.json", R"({"traceEvents":[)" +
                                 on_host("user_annotation", "_compile.compile_inner (dynamo_timed)", 10, 500) +
                                 on_host("cpu_op", "Torch-Compiled Region: 4/1", 520, 80) +
                                 R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]})");
  folder.write("eager.json", steps(40));
  ServedCapture served(folder / "trace.json");
  const auto answer = served.json("/api/v1/compiles");
  REQUIRE(answer["rows"].size() == 3);
  const auto& again = answer["rows"][1];
  CHECK(again["compile"] == "recompile");
  CHECK(again["id"] == "4/1");
  CHECK(again["total_ns"] == 500'000);
  CHECK(again["is_compiling"] == true);
  CHECK(again["worst"]["dur_ns"] == 500'000);
  CHECK(served.json("/api/v1/compiles?from=505000")["rows"].size() == 1);
  CHECK(served.answer("/api/v1/compiles?step=x").status == 400);

  const auto records = CommandRun({"breakdown", folder / "trace.json", "--compiles", "--json"}).records();
  REQUIRE(records.size() == 3);
  CHECK(records[1]["compile"] == "recompile");
  CHECK(CommandRun({"summary", folder / "trace.json"}).out.find("recompile") != std::string::npos);
  CHECK(CommandRun({"breakdown", folder / "eager.json", "--compiles"}).out ==
        "torch.compile: none: nothing of it ran\n");
  CHECK(CommandRun({"summary", folder / "eager.json"}).out.ends_with("torch.compile: none: nothing of it ran\n"));
  CHECK(CommandRun({"breakdown", folder / "eager.json", "--compiles", "--critical-path"}).code == 2);
}

TEST_CASE("where no device worked, threads are told over HTTP, in the terminal and in SQL") {
  TemporaryFolder folder;
  folder.write("cpu.json", R"({"traceEvents":[)" + record("cpu_op", "aten::mm", 1, 1, 10, 30, "") +
                               record("user_annotation", "gloo:all_reduce", 1, 2, 20, 40, "") +
                               R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]})");
  folder.write("gpu.json", steps(40));
  const auto records = CommandRun({"breakdown", folder / "cpu.json", "--threads", "--json"}).records();
  REQUIRE(records.size() == 3);
  CHECK(records[0]["thread"].is_null());
  CHECK(records[0]["span_ns"] == 50'000);
  CHECK(records[0]["compute_ns"] == 30'000);
  CHECK(records[0]["communication_ns"] == 20'000);
  CHECK(records[1]["alone_ns"] == 30'000);
  CHECK(records[2]["communication_ns"] == 40'000);
  CHECK(CommandRun({"breakdown", folder / "cpu.json", "--json"}).out.find("compute_ns") == std::string::npos);
  CHECK(CommandRun({"breakdown", folder / "cpu.json"}).out.find("communication") != std::string::npos);
  const CommandRun asked(
      {"sql", "SELECT sum(communication_ns) FROM thread_time WHERE thread IS NOT NULL", folder / "cpu.json", "--tsv"});
  CHECK(asked.out.find("40000") != std::string::npos);

  ServedCapture cpu(folder / "cpu.json");
  const auto threads = cpu.json("/api/v1/devices")["threads"];
  REQUIRE(threads.size() == 3);
  CHECK(threads[1]["compute_ns"] == records[1]["compute_ns"]);
  CHECK(cpu.json("/api/v1/devices?to=20000")["threads"][0]["span_ns"] == 20'000);
  ServedCapture gpu(folder / "gpu.json");
  CHECK(gpu.json("/api/v1/devices")["threads"].empty());
}

TEST_CASE("operators are told over HTTP and on the command line alike") {
  TemporaryFolder folder;
  folder.write("trace.json", steps(40));
  ServedCapture served(folder / "trace.json");
  served.loaded();
  const auto answer = served.json("/api/v1/operators?by=shape");
  CHECK(answer["by"] == "shape");
  const auto records = CommandRun({"operators", folder / "trace.json", "--by", "shape", "--json"}).records();
  REQUIRE(answer["rows"].size() == records.size());
  for (std::size_t row = 0; row < records.size(); ++row) {
    for (const char* field :
         {"name", "shapes", "calls", "self_ns", "total_ns", "device_total_ns", "flops", "self_bytes"})
      CHECK(answer["rows"][row][field] == records[row][field]);
  }
  REQUIRE(records.size() == 2);
  CHECK(records[0]["name"] == "ProfilerStep*");
  CHECK(records[1]["name"] == "aten::mm");
  CHECK(records[1]["calls"] == 2);
  CHECK(answer["rows"][1]["longest"]["name"] == "aten::mm");
  CHECK(served.answer("/api/v1/operators?by=colour").status == 400);
  CHECK(served.answer("/api/v1/operators?by=stack&frames=0").status == 400);
}

// A thread that allocates at an address beyond 32 bits, in an operator in a module.
std::string allocating() {
  const auto memory = [](int ts, int bytes, int total) {
    return fmt::format(R"({{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":{},)"
                       R"("args":{{"Bytes":{},"Total Allocated":{},"Total Reserved":0,"Device Type":0,"Device Id":-1,)"
                       R"("Addr":93998473577152}}}},)",
                       ts, bytes, total);
  };
  return R"({"traceEvents":[)" + record("python_function", "train.py(7): step", 1, 1, 0, 90, "") +
         record("python_function", "nn.Module: Linear_0", 1, 1, 10, 60, "") +
         record("cpu_op", "aten::mm", 1, 1, 20, 40, "") + memory(30, 4096, 4096) + memory(80, -4096, 0) +
         R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]})";
}

TEST_CASE("a trace with profile_memory has its events, its sums and who held its memory on the command line too") {
  TemporaryFolder folder;
  folder.write("trace.json", allocating());
  const auto events = CommandRun({"events", folder / "trace.json", "-s", "CPU memory Memory", "--json"}).records();
  REQUIRE(events.size() == 3);  // the peak, an allocation and its end
  CHECK(events[1]["key"] == 93998473577152);
  CHECK(events[2]["event"] == "free");

  const auto sums = CommandRun({"summary", folder / "trace.json", "--json"}).records();
  CHECK(sums[0]["record"] == "file");
  CHECK(sums[0]["lanes"].size() == 1);
  CHECK(std::ranges::any_of(sums[0]["names"], [](const auto& row) { return row["event"] == "aten::mm"; }));
  CHECK(sums[0]["compiles"].empty());

  const auto holders = CommandRun({"memory", folder / "trace.json", "--json"}).records();
  REQUIRE(holders.size() == 3);
  CHECK(holders[0]["by"] == "operator");
  CHECK(holders[0]["name"] == "aten::mm");
  CHECK(holders[0]["bytes"] == 4096);
  CHECK(holders[1]["name"] == "Linear_0");
  CHECK(holders[2]["name"] == "train.py(7): step");
  CHECK(CommandRun({"memory", folder / "trace.json"}).out.find("by module") != std::string::npos);
  // What only an allocator tells of itself is still not recorded.
  CHECK(CommandRun({"memory", folder / "trace.json", "--state", "peak"}).code == 1);
}

TEST_CASE("the call tree, collectives, sequences and the critical path are told over HTTP") {
  TemporaryFolder folder;
  folder.write("trace.json", steps(40));
  ServedCapture served(folder / "trace.json");
  served.loaded();
  const auto nodes = served.json("/api/v1/call-tree")["nodes"];
  REQUIRE(nodes.size() == 5);  // the operator, its call, two kernels; the collective
  CHECK(nodes[0]["name"] == "aten::mm");
  CHECK(nodes[0]["parent"].is_null());
  CHECK(nodes[0]["total_ns"] == 4 * 40'000);
  CHECK(nodes[1]["parent"] == 0);
  CHECK(nodes[1]["kind"] == "call");
  const auto collectives = served.json("/api/v1/collectives")["rows"];
  REQUIRE(collectives.size() == 1);
  CHECK(collectives[0]["collective"] == "all_reduce");
  CHECK(collectives[0]["transfer_ns"] == 100'000);
  CHECK(collectives[0]["skew_max_ns"].is_null());
  CHECK(served.json("/api/v1/kernel-sequences")["rows"].empty());

  const auto path = served.json("/api/v1/critical-path")["paths"][0];
  std::int64_t sum_ns = 0;
  for (const auto& share : path["shares"]) sum_ns += share["total_ns"].get<std::int64_t>();
  CHECK(sum_ns == path["to_ns"].get<std::int64_t>() - path["from_ns"].get<std::int64_t>());
  CHECK_FALSE(path["lanes"].empty());
  const auto step = served.json("/api/v1/critical-path?step=5&from_ns=0&to_ns=1000")["paths"][0];
  CHECK(step["to_ns"] == 450'000);
  CHECK(served.json("/api/v1/critical-path?step=9")["paths"].empty());
  CHECK(served.answer("/api/v1/critical-path?step=x").status == 400);
  CHECK(served.answer("/api/v1/critical-path?from_ns=9&to_ns=3").status == 400);
  for (const char* group : {"module", "device", "rank"})
    CHECK_FALSE(served.json(std::string("/api/v1/kernels?group=") + group)["rows"].empty());
}

TEST_CASE("every answer about devices obeys the scope, and says what of it makes no sense") {
  TemporaryFolder folder;
  folder.write("trace.json", steps(40));
  ServedCapture served(folder / "trace.json");
  served.loaded();
  const auto total_ns = [](const nlohmann::json& rows) {
    std::int64_t sum_ns = 0;
    for (const auto& row : rows) sum_ns += row["total_ns"].get<std::int64_t>();
    return sum_ns;
  };
  const auto kernels = [&](const std::string& scope) { return served.json("/api/v1/kernels?" + scope)["rows"]; };
  CHECK(total_ns(kernels("")) == 2 * (40'000 + 40'000 + 50'000));
  CHECK(total_ns(kernels("step=6")) == 40'000 + 40'000 + 50'000);
  CHECK(total_ns(kernels("step=6&from=0&to=1030000")) == 10'000);
  CHECK(total_ns(kernels("device=0&kernel=gemm")) == 80'000);
  CHECK(kernels("device=7").empty());
  CHECK(kernels("rank=0").empty());
  const auto cut = kernels("from=30000&to=50000");
  REQUIRE(cut.size() == 1);
  CHECK(cut[0]["total_ns"] == 20'000);
  CHECK(cut[0]["worst"]["start_ns"] == 20'000);  // a link leads to the whole event
  CHECK(cut[0]["worst"]["dur_ns"] == 40'000);

  const auto devices = served.json("/api/v1/devices?from=0&to=100000&kernel=gemm");
  CHECK(devices["breakdown"][0]["span_ns"] == 100'000);
  CHECK(devices["breakdown"][0]["busy_ns"] == 79'000);  // of all kernels
  CHECK(devices["breakdown"][0]["idle_ns"] == 21'000);
  CHECK(devices["steps"].size() == 1);
  CHECK(devices["gaps"][0]["ended_by"]["name"] == "gemm");
  CHECK(served.json("/api/v1/devices?from=1500000")["gaps"][0]["ended_by"].is_null());
  CHECK(served.json("/api/v1/devices?step=5")["steps"].size() == 1);
  const auto nodes = served.json("/api/v1/call-tree?step=5&kernel=reduce")["nodes"];
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[0]["total_ns"] == 40'000);
  CHECK(served.json("/api/v1/collectives?step=5")["rows"][0]["count"] == 1);
  CHECK(served.json("/api/v1/collectives?kernel=gemm")["rows"].empty());
  CHECK(served.json("/api/v1/kernel-sequences?kernel=gemm")["rows"].empty());
  CHECK(served.json("/api/v1/critical-path?to=50000")["paths"][0]["to_ns"] == 50'000);
  const auto compared = served.json("/api/v1/compare?with=c0&step=5");
  CHECK(compared["rows"][0]["a_launches"] == 1);
  CHECK(compared["a"]["breakdown"][0]["events"] == 3);

  for (const char* path : {"devices", "kernels", "call-tree", "collectives", "kernel-sequences", "critical-path"}) {
    for (const char* wrong : {"step=x", "step=-1", "from=9&to=3", "to=1e3", "rank=", "device=", "kernel="})
      CHECK(served.answer(std::string("/api/v1/") + path + "?" + wrong).status == 400);
  }
  CHECK(served.answer("/api/v1/compare?with=c0&step=x").status == 400);
}

TEST_CASE("a part of a capture is sent as a trace file, which reads back as what vizd cut writes") {
  TemporaryFolder folder;
  folder.write("trace.json", steps(40));
  ServedCapture served(folder / "trace.json");
  served.loaded();
  for (const auto& [word, suffix] :
       {std::pair("pftrace", ".pftrace"), std::pair("chrome", ".json"), std::pair("bin", ".bin")}) {
    const Response response = served.answer(fmt::format("/api/v1/trace?step=6&kernel=gemm&to_format={}", word));
    REQUIRE(response.status == 200);
    const auto disposition = std::ranges::find(response.headers, "Content-Disposition", &Header::name);
    REQUIRE(disposition != response.headers.end());
    CHECK(disposition->value == fmt::format("attachment; filename=\"trace step 6{}\"", suffix));
    const std::string cut = folder / fmt::format("cut{}", suffix);
    REQUIRE(CommandRun({"cut", folder / "trace.json", cut, "--step", "6"}).code == 0);
    CHECK(read_all(cut) == response.body->bytes());
    const CommandRun kernels({"kernels", cut, "--json"});
    std::int64_t sum_ns = 0;
    for (const auto& row : kernels.records()) sum_ns += row["total_ns"].get<std::int64_t>();
    CHECK(sum_ns == 130'000);
  }
  CHECK(served.answer("/api/v1/trace?step=6&to_format=exe").status == 400);
  CHECK(served.answer("/api/v1/trace?step=9").status == 404);
  CHECK(served.answer("/api/v1/trace?rank=9").status == 404);
  CHECK(served.answer("/api/v1/trace?from=x").status == 400);
}

TEST_CASE("ranks are told apart by the scope") {
  TemporaryFolder folder;
  for (const int rank : {0, 1}) {
    folder.write(
        fmt::format("rank{}.json", rank),
        fmt::format(R"({{"distributedInfo":{{"rank":{},"world_size":2}},)", rank) + steps(40 + 10 * rank).substr(1));
  }
  ServedCapture served(folder / "rank0.json", folder / "rank1.json");
  served.loaded();
  const auto gemm = served.json("/api/v1/kernels?rank=1&kernel=gemm")["rows"];
  REQUIRE(gemm.size() == 1);
  CHECK(gemm[0]["rank"] == 1);
  CHECK(gemm[0]["total_ns"] == 2 * 50'000);
  CHECK(served.json("/api/v1/kernels?kernel=gemm")["rows"].size() == 2);
  CHECK(served.json("/api/v1/critical-path?rank=1")["paths"].size() == 1);
  CHECK(served.json("/api/v1/collectives?rank=1&step=5")["rows"][0]["seen_ranks"] == 2);  // held against the others
}

TEST_CASE("commands take the same scope") {
  TemporaryFolder folder;
  folder.write("trace.json", steps(40));
  const auto total_ns = [&](std::vector<std::string> scope) {
    std::vector<std::string> words{"kernels", folder / "trace.json", "--json"};
    words.insert(words.end(), scope.begin(), scope.end());
    const CommandRun run(words);
    REQUIRE(run.code == 0);
    std::int64_t sum_ns = 0;
    for (const auto& row : run.records()) sum_ns += row["total_ns"].get<std::int64_t>();
    return sum_ns;
  };
  CHECK(total_ns({}) == 260'000);
  CHECK(total_ns({"--step", "5"}) == 130'000);
  CHECK(total_ns({"--from", "30000", "--until", "50000"}) == 20'000);
  CHECK(total_ns({"--kernel", "gemm", "--device", "0"}) == 80'000);
  CHECK(CommandRun({"kernels", folder / "trace.json", "--rank", "3"}).code == 1);  // of no rank
  const CommandRun breakdown({"breakdown", folder / "trace.json", "--from", "0", "--until", "100000", "--json"});
  REQUIRE(breakdown.code == 0);
  CHECK(breakdown.records()[0]["span_ns"] == 100'000);
  CHECK(CommandRun({"breakdown", folder / "trace.json", "--from", "9", "--until", "3"}).code == 2);
  const CommandRun compared({"compare", folder / "trace.json", folder / "trace.json", "--step", "6", "--json"});
  CHECK(compared.records()[0]["a_launches"] == 1);
}

TEST_CASE("kernels are written as CSV and as a workbook") {
  TemporaryFolder folder;
  folder.write("trace.json", steps(40));
  const CommandRun csv({"kernels", folder / "trace.json", "--to", "csv"});
  REQUIRE(csv.code == 0);
  const auto lines = csv.lines();
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].starts_with("rank,device,class,name,launches,total_ns,"));
  CHECK(lines[1].starts_with(",0,kernel,ncclDevKernel_AllReduce,2,100000,"));
  const CommandRun none({"kernels", folder / "trace.json", "--to", "xlsx"});
  CHECK(none.code == 1);
  CHECK(none.warns("--output"));
  REQUIRE(CommandRun({"kernels", folder / "trace.json", "--to", "xlsx", "-o", folder / "k.xlsx"}).code == 0);
  CHECK(read_all(folder / "k.xlsx").starts_with("PK"));
  CHECK(CommandRun({"kernels", folder / "trace.json", "--to", "xlsx", "-o", folder / "k.xlsx"}).code == 1);
}

TEST_CASE("the call tree, collectives and sequences are written exact, as the JSON has them") {
  TemporaryFolder folder;
  folder.write("trace.json", steps(40));
  const auto csv = [&](const char* what) {
    const CommandRun run({"kernels", folder / "trace.json", what, "--to", "csv"});
    REQUIRE(run.code == 0);
    return run.lines();
  };
  const auto tree = csv("--tree");
  REQUIRE(tree.size() == 6);
  CHECK(tree[0] == "capture,id,parent,depth,kind,name,calls,launches,total_ns,flop,bytes");
  CHECK(tree[1].starts_with("trace,0,,0,operator,aten::mm,"));
  CHECK(tree[1].find(",4,160000,") != std::string::npos);
  CHECK(tree[2].starts_with("trace,1,0,1,call,"));
  const auto collectives = csv("--collectives");
  REQUIRE(collectives.size() == 2);
  CHECK(collectives[0].starts_with("collective,name,group,ranks,bytes,count,seen_ranks,transfer_ns,total_ns,"));
  CHECK(collectives[1].starts_with("all_reduce,"));
  CHECK(collectives[1].find(",2,1,100000,100000,") != std::string::npos);
  CHECK(csv("--sequences").size() == 1);  // the headings: none comes three times
  REQUIRE(CommandRun({"kernels", folder / "trace.json", "--tree", "--to", "xlsx", "-o", folder / "t.xlsx"}).code == 0);
  CHECK(read_all(folder / "t.xlsx").starts_with("PK"));
}

TEST_CASE("a comparison writes a page, and joins by the place in the step") {
  TemporaryFolder folder;
  folder.write("before.json", steps(40));
  folder.write("after.json", steps(60));
  const CommandRun run({"compare", folder / "before.json", folder / "after.json", "--max-regress", "3%", "--report",
                        folder / "changes.md"});
  CHECK(run.code == 3);
  const std::string page = read_all(folder / "changes.md");
  INFO(page);
  CHECK(page.starts_with("## before"));
  CHECK(page.find("| `gemm` | 2 |") != std::string::npos);
  CHECK(CommandRun({"compare", folder / "before.json", folder / "after.json", "--report", folder / "x.pdf"}).code == 2);
  // The gemm takes half as long again, though the whole may stay within its limit.
  const auto gate = [&](const char* limit) {
    return CommandRun({"compare", folder / "before.json", folder / "after.json", "--max-regress-kernel", limit}).code;
  };
  CHECK(gate("10%") == 3);
  CHECK(gate("49") == 3);
  CHECK(gate("51%") == 0);
  CHECK(gate("much") == 2);
  const CommandRun shapes({"compare", folder / "before.json", folder / "after.json", "--by", "shapes", "--json"});
  REQUIRE(shapes.code == 0);
  CHECK(std::ranges::any_of(shapes.records(), [](const auto& row) {
    return row["shapes"].is_string() && row["shapes"].template get<std::string>().starts_with("aten::mm");
  }));
  const CommandRun joined({"compare", folder / "before.json", folder / "after.json", "--by", "occurrence", "--json"});
  REQUIRE(joined.code == 0);
  for (const auto& row : joined.records()) {
    CHECK(row["occurrence"] == 1);  // each once a step
    CHECK(row["a_launches"] == 2);
  }
}

TEST_CASE("a comparison has its verdict, and each of its rows its own evidence") {
  TemporaryFolder folder;
  folder.write("before.json", steps(40));
  folder.write("after.json", steps(60));
  ServedCapture served(folder / "before.json", folder / "after.json");
  served.loaded();
  const auto compared = served.json("/api/v1/compare?capture=c1&with=c0");
  const auto verdict = compared["verdict"];
  CHECK(verdict["of"] == "step");
  CHECK(verdict["a"]["count"] == 2);
  CHECK(verdict["word"] == "same");  // the steps take as long: what is computed longer was idle before
  CHECK(verdict["range_ns"].is_null());
  REQUIRE(verdict["classes"].size() == 5);
  CHECK(verdict["classes"][0]["b_ns"].get<double>() - verdict["classes"][0]["a_ns"].get<double>() == 40'000);
  CHECK(compared["rows"][0]["delta_total_ns"] == 40'000);

  const auto gemm = served.json("/api/v1/compare/kernel?capture=c1&with=c0&name=gemm");
  CHECK(gemm["a"]["launches"] == 2);
  CHECK(gemm["a"]["median_ns"] == 40'000);
  CHECK(gemm["b"]["max_ns"] == 60'000);
  CHECK(gemm["b"]["drawn"][0]["dur_ns"] == 60'000);
  CHECK(gemm["bins"]["edges_ns"].size() == gemm["bins"]["a"].size() + 1);
  CHECK(gemm["bins"]["a"].front() == 2);
  CHECK(gemm["bins"]["b"].back() == 2);
  for (const auto& argument : gemm["arguments"]) CHECK(argument["name"] != "correlation");
  CHECK(served.json("/api/v1/compare/kernel?capture=c1&with=c0&name=aten::mm&by=operator")["a"]["launches"] == 4);
  CHECK(served.json(
            "/api/v1/compare/kernel?capture=c1&with=c0&name=gemm&by=occurrence&occurrence=1")["b"]["launches"] == 2);
  CHECK(served.status("/api/v1/compare/kernel?capture=c1&with=c0&name=none") == 404);
  CHECK(served.status("/api/v1/compare/kernel?capture=c1&with=c0&name=gemm&class=x") == 400);
  CHECK(served.status("/api/v1/compare?capture=c1&with=c0&by=x") == 400);
  const auto rewrites = served.json("/api/v1/compare-rewrites?capture=c1&with=c0&kernel=gemm");
  CHECK(rewrites["a_context"].is_null());
  CHECK_FALSE(rewrites.contains("first"));
}

TEST_CASE("a trace is augmented, and what it says then is the same") {
  TemporaryFolder folder;
  const std::string dims = R"("Input Dims":[[4,8],[8,16]],"Input type":["float","float"])";
  folder.write("trace.json", R"({"traceEvents":[)" +
                                 record("cpu_op", "aten::mm", 1, 1, 0, 50, R"("External id":1,)" + dims) +
                                 kernel("gemm", 7, 20, 10, R"("External id":1,"correlation":3)") +
                                 R"({"ph":"M","name":"process_name","pid":0,"args":{}}]})");
  REQUIRE(CommandRun({"augment", folder / "trace.json", folder / "augmented.json"}).code == 0);
  CHECK(read_all(folder / "augmented.json").find("\"kernel_flop\":1024") != std::string::npos);
  const CommandRun before({"kernels", folder / "trace.json", "--json"}),
      after({"kernels", folder / "augmented.json", "--json"});
  REQUIRE(before.records().size() == 1);
  CHECK(before.records()[0]["flop"] == 1024);
  CHECK(after.records()[0]["flop"] == 1024);
  CHECK(after.records()[0]["bytes"] == before.records()[0]["bytes"]);
}

}  // namespace
}  // namespace vizd::device_routes_test
