// Operators of PyTorch as its own key_averages() sums them up: nesting, calls that are part of one, memory, devices.
#include "analysis/devices/operator_table.h"

#include "analysis/answers/device_answers.h"
#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd::operator_table_test {
namespace {

std::string host(std::string_view category, std::string_view name, int ts, int dur, const std::string& args = "") {
  return record(category, name, 100, 100, ts, dur, args);
}
std::string op(std::string_view name, int ts, int dur, const std::string& args = "") {
  return host("cpu_op", name, ts, dur, args);
}
std::string memory(int ts, int bytes, int device_type) {
  return fmt::format(R"({{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":100,"tid":100,"ts":{},)"
                     R"("args":{{"Bytes":{},"Device Type":{},"Addr":1,"Device Id":0}}}},)",
                     ts, bytes, device_type);
}

std::vector<OperatorRow> table_of(const Analysed& trace, const OperatorChoice& choice = {}) {
  return make_operator_table(trace.capture, trace.analysis, choice);
}

const OperatorRow& row_of(const std::vector<OperatorRow>& rows, std::string_view name,
                          const std::optional<std::string>& group = {}) {
  const auto found =
      std::ranges::find_if(rows, [&](const OperatorRow& row) { return row.name == name && row.group == group; });
  REQUIRE(found != rows.end());
  return *found;
}

const std::string kMatrices = R"("Input Dims":[[8, 16], [16, 4]],"Input type":["float","float"])";

}  // namespace

TEST_CASE("self time is what operators and annotations inside leave, and a call of the same name inside is no other") {
  const Analysed trace(host("user_annotation", "ProfilerStep#3", 0, 100) + op("aten::linear", 10, 50) +
                       op("aten::mm", 20, 30, kMatrices) + host("python_function", "nn.Module: Linear_0", 21, 2) +
                       op("aten::to", 70, 20) + op("aten::to", 72, 10) + op("aten::copy_", 74, 5) +
                       host("user_annotation", "ProfilerStep#4", 200, 40) + op("aten::mm", 210, 10, kMatrices));
  const auto rows = table_of(trace);
  CHECK(row_of(rows, "ProfilerStep*").calls == 2);
  CHECK(row_of(rows, "ProfilerStep*").total_ns == 140'000);
  CHECK(row_of(rows, "ProfilerStep*").self_ns == 60'000);
  CHECK(!row_of(rows, "ProfilerStep*").is_operator);
  CHECK(row_of(rows, "aten::linear").self_ns == 20'000);
  // The one call inside of the other is part of it.
  CHECK(row_of(rows, "aten::to").calls == 1);
  CHECK(row_of(rows, "aten::to").total_ns == 20'000);
  CHECK(row_of(rows, "aten::to").self_ns == 15'000);
  const OperatorRow& mm = row_of(rows, "aten::mm");
  CHECK(mm.calls == 2);
  CHECK(mm.max_ns == 30'000);
  CHECK(mm.flop == 2.0 * 2 * 8 * 16 * 4);
  CHECK(!mm.device_total_ns);
  CHECK(!mm.self_bytes);
  CHECK(std::ranges::none_of(rows, [](const OperatorRow& row) { return row.name.starts_with("nn.Module"); }));
  // Only what began in the step.
  CHECK(row_of(table_of(trace, {.scope = {.step = 4}}), "aten::mm").calls == 1);
  CHECK(table_of(trace, {.scope = {.step = 9}}).empty());
}

TEST_CASE("a call that another of its name shares a parent with counts by itself") {
  const Analysed trace(op("aten::to", 0, 50) + op("aten::to", 5, 10) + op("aten::empty", 20, 5));
  CHECK(row_of(table_of(trace), "aten::to").calls == 2);
  CHECK(row_of(table_of(trace), "aten::to").self_ns == 45'000);
}

TEST_CASE("memory is of the innermost call that runs then, the host's and the devices' apart") {
  const Analysed trace(op("aten::cat", 0, 50) + op("aten::empty", 10, 10) + memory(15, 512, 0) + memory(20, -128, 0) +
                       memory(12, 2048, 1) + memory(90, 64, 0));
  const auto rows = table_of(trace);
  CHECK(row_of(rows, "aten::empty").self_bytes == 512);
  CHECK(row_of(rows, "aten::cat").self_bytes == -128);  // the inner one has ended by then
  CHECK(row_of(rows, "aten::cat").bytes == 384);
  CHECK(row_of(rows, "aten::cat").device_bytes == 2048);
  CHECK(row_of(rows, "aten::cat").device_self_bytes == 0);
}

TEST_CASE("what an operator launched is its device time, and that of those around it") {
  const Analysed trace(op("aten::linear", 0, 60, R"("External id":1)") + op("aten::mm", 10, 30, R"("External id":2)") +
                       record("cuda_runtime", "cudaLaunchKernel", 100, 100, 20, 5, R"("correlation":7)") +
                       kernel("gemm", 7, 40, 25, R"("correlation":7,"External id":2)"));
  const auto rows = table_of(trace);
  CHECK(row_of(rows, "aten::mm").device_self_ns == 25'000);
  CHECK(row_of(rows, "aten::linear").device_self_ns == 0);
  CHECK(row_of(rows, "aten::linear").device_total_ns == 25'000);
  // The call of the runtime is no operator: its time is the operator's own.
  CHECK(row_of(rows, "aten::mm").self_ns == 30'000);
}

TEST_CASE("rows are told apart by shapes, modules, lines and stacks; what runs backward is of its forward module") {
  const std::string kArrow =
      R"({"ph":"s","id":1,"pid":100,"tid":100,"ts":30,"cat":"fwdbwd","name":"fwdbwd"},)"
      R"({"ph":"f","id":1,"pid":100,"tid":100,"ts":210,"cat":"fwdbwd","name":"fwdbwd","bp":"e"},)";
  const Analysed trace(
      host("python_function", "train.py(22): step", 0, 400) + host("python_function", "nn.Module: Net_0", 10, 90) +
      host("python_function", "torch/nn/functional.py(5): linear", 20, 50) + op("aten::mm", 30, 10, kMatrices) +
      op("MmBackward0", 210, 40) + op("aten::mm", 220, 20, R"("Input Dims":[[4,4],[4,4]])") + kArrow);
  const auto by = [&](OperatorGroup group) { return table_of(trace, {.group = group, .frames = 2}); };
  CHECK(row_of(by(OperatorGroup::kShape), "aten::mm", "[[8, 16], [16, 4]]").calls == 1);
  CHECK(row_of(by(OperatorGroup::kShape), "aten::mm", "[[4, 4], [4, 4]]").calls == 1);  // however it is spaced
  CHECK(row_of(by(OperatorGroup::kShape), "MmBackward0", "[]").calls == 1);
  CHECK(row_of(by(OperatorGroup::kModule), "aten::mm", "Net_0").calls == 2);
  CHECK(row_of(by(OperatorGroup::kLine), "aten::mm", "train.py(22): step").calls == 2);
  const auto by_stack = by(OperatorGroup::kStack);
  CHECK(std::ranges::count(by_stack, "aten::mm", &OperatorRow::name) == 2);
  CHECK(row_of(by_stack, "MmBackward0").stack == std::vector<std::string_view>{"train.py(22): step"});
}

}  // namespace vizd::operator_table_test
