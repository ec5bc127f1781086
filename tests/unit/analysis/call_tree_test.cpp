// Where on the host device work came from, of small traces whose trees are drawn by hand.
#include "analysis/devices/call_tree.h"

#include "support/analysed_trace.h"

namespace vizd::call_tree_test {
namespace {

CallTree tree_of(const Analysed& trace) {
  return make_call_tree(trace.capture, trace.analysis.work, trace.analysis.operators, trace.analysis.figures);
}

// "kind name calls launches total_ns", two blanks a level.
std::vector<std::string> drawn(const Analysed& trace) {
  const CallTree tree = tree_of(trace);
  std::vector<std::string> lines;
  for (const std::uint32_t n : tree_order(tree)) {
    const CallNode& node = tree.nodes[n];
    std::string indent;
    for (std::uint32_t up = node.parent; up != kNoId; up = tree.nodes[up].parent) indent += "  ";
    lines.push_back(fmt::format("{}{} {} {} {} {}", indent, frame_kind_name(node.kind),
                                frame_name(node, trace.capture.strings), node.calls, node.launches, node.total_ns));
  }
  return lines;
}

// Two calls of one module, each with an operator in an operator; microseconds.
std::string forward() {
  std::string events = record("python_function", "nn.Module: Net_0", 1, 1, 0, 200, "");
  for (const int i : {0, 1}) {
    const int at = 10 + 50 * i;
    events += record("python_function", "nn.Module: Linear_0", 1, 1, at, 40, "");
    events += record("python_function", "torch/nn/functional.py: linear", 1, 1, at, 39, "");
    events += record("cpu_op", "aten::linear", 1, 1, at + 1, 30, fmt::format(R"("External id":{})", 10 + i));
    events += record("cpu_op", "aten::addmm", 1, 1, at + 2, 20, fmt::format(R"("External id":{})", 20 + i));
    events += record("cuda_runtime", "cudaLaunchKernel", 1, 1, at + 5, 5, fmt::format(R"("correlation":{})", 30 + i));
    events +=
        kernel("gemm", 7, at + 20, 10 + 5 * i, fmt::format(R"("correlation":{},"External id":{})", 30 + i, 20 + i));
  }
  return events;
}

TEST_CASE("device time is rolled up over kernels, calls, operators and modules") {
  const Analysed trace(forward());
  CHECK(drawn(trace) ==
        std::vector<std::string>{"module Net_0 1 2 25000", "  module Linear_0 2 2 25000",
                                 "    operator aten::linear 2 2 25000", "      operator aten::addmm 2 2 25000",
                                 "        call cudaLaunchKernel 2 2 25000", "          kernel gemm 2 2 25000"});
  const CallTree tree = tree_of(trace);
  CHECK(module_path(tree, tree.of_item[0], trace.capture.strings) == "Net_0 / Linear_0");
  CHECK(tree.nodes[0].worst == 1);  // the second launch
}

TEST_CASE("work of no known call is at the top, and calls of several kernels are one") {
  const Analysed trace(record("user_annotation", "ProfilerStep#3", 1, 1, 0, 100, "") +
                       record("user_annotation", "Optimizer.step", 1, 1, 5, 80, "") +
                       record("cuda_runtime", "cudaGraphLaunch", 1, 1, 10, 5, R"("correlation":1)") +
                       kernel("a", 7, 20, 10, R"("correlation":1)") + kernel("b", 7, 30, 30, R"("correlation":1)") +
                       kernel("alone", 7, 70, 5, ""));
  CHECK(drawn(trace) == std::vector<std::string>{"range Optimizer.step 1 2 40000", "  call cudaGraphLaunch 1 2 40000",
                                                 "    kernel b 1 1 30000", "    kernel a 1 1 10000",
                                                 "kernel alone 1 1 5000"});
}

TEST_CASE("backward operators are in the modules of their forward ones") {
  const Analysed trace(record("python_function", "nn.Module: Net_0", 1, 1, 0, 50, "") +
                       record("cpu_op", "aten::empty", 1, 1, 2, 3, R"("Sequence number":7,"Fwd thread id":0)") +
                       record("python_function", "nn.Module: Act_0", 1, 1, 10, 20, "") +
                       record("cpu_op", "aten::gelu", 1, 1, 12, 10, R"("Sequence number":7,"Fwd thread id":0)") +
                       record("cpu_op", "GeluBackward0", 1, 2, 60, 30, R"("Sequence number":7,"Fwd thread id":1)") +
                       record("cuda_runtime", "cudaLaunchKernel", 1, 2, 65, 5, R"("correlation":1)") +
                       kernel("gelu_backward", 7, 80, 10, R"("correlation":1)"));
  CHECK(drawn(trace) == std::vector<std::string>{"module Net_0 0 1 10000", "  module Act_0 0 1 10000",
                                                 "    operator GeluBackward0 1 1 10000",
                                                 "      call cudaLaunchKernel 1 1 10000",
                                                 "        kernel gelu_backward 1 1 10000"});
}

TEST_CASE("kernels are added up by module and by device") {
  const Analysed trace(forward() + kernel("alone", 7, 500, 5, ""));
  const auto modules = trace.rows({.group = KernelGroup::kModule});
  CHECK(trace.row(modules, "Net_0 / Linear_0").durations.total_ns == 25'000);
  CHECK(modules.size() == 2);  // and those of none
  CHECK(std::ranges::any_of(modules, [](const KernelRow& row) { return !row.key; }));
  const auto devices = trace.rows({.group = KernelGroup::kDevice});
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].key == "0 NVIDIA H100 80GB HBM3");
  CHECK(devices[0].durations.total_ns == 30'000);
  CHECK(trace.rows({.group = KernelGroup::kRank}).size() == 1);
}

}  // namespace
}  // namespace vizd::call_tree_test
