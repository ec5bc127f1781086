// What a trace tells of torch.compile, in the words of PyTorch 2.6 to 2.15: functions compiled and compiled again,
// guards, regions, graphs and graph breaks.
#include "analysis/devices/compiles.h"

#include "analysis/answers/device_answers.h"
#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd::compiles_test {
namespace {

// On the thread 100 of the process 100.
std::string host(std::string_view category, std::string_view name, int ts, int dur, const std::string& args = "") {
  return record(category, name, 100, 100, ts, dur, args);
}
std::string timed(std::string_view name, int ts, int dur) {
  return host("user_annotation", std::string(name) + " (dynamo_timed)", ts, dur);
}
std::string region(std::string_view id, int ts, int dur) {
  return host("cpu_op", "Torch-Compiled Region: " + std::string(id), ts, dur);
}

const CompileRow& row_of(const std::vector<CompileRow>& rows, CompileKind kind, std::string_view id = "") {
  const auto found = std::ranges::find_if(rows, [&](const CompileRow& r) { return r.kind == kind && r.id == id; });
  REQUIRE(found != rows.end());
  return *found;
}

std::size_t count_of(const std::vector<CompileRow>& rows, CompileKind kind) {
  return static_cast<std::size_t>(std::ranges::count(rows, kind, &CompileRow::kind));
}

// Two functions, a graph break between them; the first is compiled again for another shape.
const std::string kTrained =
    host("cpu_op", "TorchDynamo Cache Lookup", 0, 4) + timed("_compile.compile_inner", 10, 500) +
    timed("create_aot_dispatcher_function", 50, 300) + timed("build_guards", 400, 20) + region("0/0", 520, 80) +
    host("user_annotation", "## Call CompiledFxGraph fkey ##", 530, 40) +
    host("python_function", "model.py(9): torch_dynamo_resume_in_forward_at_12", 600, 900) +
    timed("_compile.compile_inner", 610, 200) + region("1/0", 820, 50) + timed("backward._backward_impl", 1000, 100) +
    // The next step finds both, and the third has another shape.
    host("cpu_op", "TorchDynamo Cache Lookup", 2000, 6) + region("0/0", 2010, 70) + region("1/0", 2100, 50) +
    host("python_function", "model.py(9): torch_dynamo_resume_in_forward_at_12", 2090, 90) +
    timed("_compile.compile_inner", 3000, 300) + region("0/1", 3310, 60) + region("1/0", 3400, 50);

}  // namespace

TEST_CASE("functions that are compiled, and compiled again, are told by the regions that run next") {
  const Analysed trace(kTrained);
  const auto rows = find_compiles(trace.capture);
  CHECK(row_of(rows, CompileKind::kCompile, "0/0").total_ns == 500'000);
  CHECK(row_of(rows, CompileKind::kCompile, "1/0").total_ns == 200'000);
  CHECK(count_of(rows, CompileKind::kCompile) == 2);
  const CompileRow& again = row_of(rows, CompileKind::kRecompile, "0/1");
  CHECK(again.count == 1);
  CHECK(again.max_ns == 300'000);
  CHECK(again.worst.start_ns == trace.capture.profile.start_ns + 3'000'000);
  CHECK(count_of(rows, CompileKind::kRecompile) == 1);
  CHECK(row_of(rows, CompileKind::kBackward).total_ns == 100'000);
  CHECK(row_of(rows, CompileKind::kGuards).total_ns == 20'000);
  CHECK(row_of(rows, CompileKind::kGuardCheck).count == 2);
  CHECK(row_of(rows, CompileKind::kGuardCheck).total_ns == 10'000);
  CHECK(row_of(rows, CompileKind::kRegion, "1/0").count == 3);
  CHECK(row_of(rows, CompileKind::kGraph, "fkey").total_ns == 40'000);
  const CompileRow& broken = row_of(rows, CompileKind::kGraphBreak, "model.py: forward, line 12");
  CHECK(broken.count == 2);
  // What is inside of a compiling is no more of it.
  const CompileRow& compiler = row_of(rows, CompileKind::kCompiler);
  CHECK(compiler.count == 4);
  CHECK(compiler.total_ns == 500'000 + 200'000 + 100'000 + 300'000);
  CHECK(rows.front().kind == CompileKind::kCompiler);
  CHECK(rows.front().is_compiling());
}

TEST_CASE("a compiling without a region behind it is not told which it is of") {
  const Analysed trace(timed("_compile.compile_inner", 10, 50) + timed("_compile.compile_inner", 100, 50) +
                       region("3/1", 200, 10));
  const auto rows = find_compiles(trace.capture);
  CHECK(row_of(rows, CompileKind::kCompile, "").count == 1);
  CHECK(row_of(rows, CompileKind::kRecompile, "3/1").count == 1);
}

TEST_CASE("the compiler's own log names what it compiles") {
  const auto logged = [](std::string_view name, std::string_view id, int ts, int dur) {
    return host("dynamo_timed", name, ts, dur, fmt::format(R"("compile_id":"{}")", id));
  };
  const Analysed trace(logged("dynamo", "2/0", 0, 110) + logged("entire_frame_compile", "2/0", 5, 100) +
                       logged("inductor_compile", "2/0", 20, 50) + logged("entire_frame_compile", "2/1", 200, 30) +
                       logged("entire_frame_compile", "2/2_1", 300, 20) +
                       logged("entire_backward_compile", "2/0", 400, 10));
  const auto rows = find_compiles(trace.capture);
  CHECK(row_of(rows, CompileKind::kCompile, "2/0").total_ns == 100'000);
  CHECK(row_of(rows, CompileKind::kRecompile, "2/1").total_ns == 30'000);
  CHECK(row_of(rows, CompileKind::kRecompile, "2/2_1").total_ns == 20'000);
  CHECK(row_of(rows, CompileKind::kBackward, "2/0").total_ns == 10'000);
  CHECK(row_of(rows, CompileKind::kCompiler).total_ns == 170'000);
}

TEST_CASE("of what was compiled before only the runs are told, and of a trace without any of it nothing") {
  const Analysed ran(host("cpu_op", "TorchDynamo Cache Lookup", 0, 4) + region("0/1", 10, 50));
  const auto rows = find_compiles(ran.capture);
  REQUIRE(rows.size() == 2);
  CHECK_FALSE(rows.front().is_compiling());
  CHECK(is_of_pytorch(ran.capture));
  const Analysed eager(host("cpu_op", "aten::mm", 0, 4));
  CHECK(find_compiles(eager.capture).empty());
  CHECK(is_of_pytorch(eager.capture));
  CHECK_FALSE(is_of_pytorch(Analysed(kernel("gemm", 7, 0, 5, "")).capture));
}

TEST_CASE("what torch.compile did is told of a range and of a step") {
  const Analysed trace(host("user_annotation", "ProfilerStep#1", 0, 1500) +
                       host("user_annotation", "ProfilerStep#2", 1500, 1000) +
                       host("user_annotation", "ProfilerStep#3", 2500, 1500) + kTrained);
  const auto of_step = find_compiles(trace.capture, {.step = 3});
  CHECK(count_of(of_step, CompileKind::kCompile) == 0);
  CHECK(row_of(of_step, CompileKind::kRecompile, "0/1").total_ns == 300'000);
  CHECK(row_of(of_step, CompileKind::kCompiler).count == 1);
  CHECK(count_of(find_compiles(trace.capture, {.step = 2}), CompileKind::kCompiler) == 0);
  CHECK(find_compiles(trace.capture, {.step = 9}).empty());
  const auto early = find_compiles(trace.capture, {.from_ns = 0, .to_ns = 600'000});
  CHECK(row_of(early, CompileKind::kCompile, "0/0").count == 1);
  CHECK(count_of(early, CompileKind::kGraphBreak) == 0);
}

TEST_CASE("a row of torch.compile says what it is of, or that it is not told") {
  const Analysed trace(timed("_compile.compile_inner", 10, 50));
  const auto rows = find_compiles(trace.capture);
  const auto fields = compile_fields();
  const CompileRow& compile = row_of(rows, CompileKind::kCompile);
  CHECK(std::get<std::string_view>(find_field(fields, "compile").value({compile})) == "compile");
  CHECK(std::holds_alternative<std::monostate>(find_field(fields, "id").value({compile})));
}

}  // namespace vizd::compiles_test
