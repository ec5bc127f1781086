// The tables of graph replays: the same rows as `vizd summary`, `breakdown` and `kernels` have of them.
#include "support/analysed_trace.h"
#include "unit/query/asked.h"

namespace vizd::sql::replay_tables_test {
namespace {

// A step that replays two kernels, captured in the trace itself before.
std::string replayed() {
  std::string events = record("cuda_runtime", "hipStreamBeginCapture", 1, 1, 0, 5, R"("correlation":1)");
  for (const int i : {0, 1}) {
    const int at = 10 + 20 * i;
    events += record("cpu_op", i == 0 ? "aten::mm" : "aten::relu", 1, 1, at, 15, R"("Input Dims":[[2,8],[8,4]])");
    events += record("cuda_runtime", "hipLaunchKernel", 1, 1, at + 5, 5,
                     fmt::format(R"("correlation":{},"kernel":"{}")", 2 + i, i == 0 ? "gemm" : "relu"));
  }
  events += record("cuda_runtime", "hipStreamEndCapture", 1, 1, 60, 5, R"("correlation":9)");
  for (const int i : {0, 1}) {
    const int at = 1000 + 1000 * i;
    events += record("user_annotation", "step[DECODE bs=2]", 1, 1, at, 50, "");
    events += record("cuda_runtime", "hipGraphLaunch", 1, 1, at + 5, 5, fmt::format(R"("correlation":{})", 20 + i));
    const std::string of_launch = fmt::format(R"("correlation":{})", 20 + i);
    events += kernel("gemm", 7, at + 20, 10 + 10 * i, of_launch) + kernel("relu", 7, at + 50, 10, of_launch);
  }
  return events;
}

std::string ask(const Analysed& trace, std::string_view query) {
  const Asked asked({{.capture = &trace.capture, .timeline = &trace.timeline, .name = "trace"}}, query);
  return asked.error ? asked.error->text() : asked.text();
}

TEST_CASE("steps, replays and nodes of graphs are tables, which join by step and graph") {
  const Analysed trace(replayed());
  CHECK(ask(trace, "SELECT step, phase, requests, tokens, replays, period_ns FROM step") ==
        "0 decode 2 2 1 1000000\n1 decode 2 2 1 40000\n");
  CHECK(ask(trace, "SELECT replay, graph, launch, step, span_ns, missing, by_order, unnamed FROM replay") ==
        "0 0 hipGraphLaunch 0 40000 0 2 0\n1 0 hipGraphLaunch 1 40000 0 2 0\n");
  CHECK(ask(trace,
            "SELECT node, name, operator_name, input_dims, found, count, median_ns, slowest_replay FROM graph_node") ==
        "0 gemm aten::mm [[2,8],[8,4]] order 2 15000 1\n1 relu aten::relu [[2,8],[8,4]] order 2 10000 0\n");
}

TEST_CASE("slices tell which replay and node they are of, and what names them") {
  const Analysed trace(replayed() + record("cpu_op", "aten::add", 1, 1, 3000, 20, "") +
                       record("cuda_runtime", "hipLaunchKernel", 1, 1, 3005, 5, R"("correlation":30)") +
                       kernel("eager", 7, 3010, 5, R"("correlation":30)"));
  CHECK(ask(trace,
            "SELECT s.name, replay_id, graph_node_id, step_id, s.layer, s.operator, s.found, n.operator_name FROM "
            "slice s "
            "LEFT JOIN graph_node n ON n.id = graph_node_id WHERE category = 'kernel' ORDER BY ts") ==
        "gemm 0 0 0 null aten::mm order aten::mm\nrelu 0 1 0 null aten::relu order aten::relu\n"
        "gemm 1 0 1 null aten::mm order aten::mm\nrelu 1 1 1 null aten::relu order aten::relu\n"
        "eager null null null null aten::add null null\n");
  CHECK(ask(trace, "SELECT count(*) FROM slice WHERE found IS NOT null AND category <> 'kernel'") == "0\n");
}

TEST_CASE("a trace without graphs or steps has no rows of them") {
  const Analysed trace(kernel("gemm", 7, 0, 10, R"("correlation":1)"));
  for (const std::string_view table : {"step", "replay", "graph_node"})
    CHECK(ask(trace, fmt::format("SELECT count(*) FROM {}", table)) == "0\n");
}

}  // namespace
}  // namespace vizd::sql::replay_tables_test
