// Traces augmented with the work of kernels and operators.
#include "reference/inductor/augment.h"

#include "analysis/figures/argument_cursor.h"
#include "support/analysed_trace.h"

namespace vizd::augment_test {
namespace {

// The figure of the one event of that name; none where it has none.
std::optional<double> figure_of(const Capture& capture, std::string_view event, std::string_view argument) {
  for (const Track& track : capture.profile.tracks) {
    ArgumentCursor cursor(track, argument, capture.strings);
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (capture.strings.get(track.events.name(i)) != event) continue;
      const auto value = cursor.at(i);
      if (!value) return std::nullopt;
      const auto* const whole = std::get_if<std::int64_t>(&*value);
      return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(*value);
    }
  }
  FAIL("no such event");
  return std::nullopt;
}

TEST_CASE("kernels get their shares, operators their whole, and what is there stays") {
  const std::string dims = R"("Input Dims":[[4,8],[8,16]],"Input type":["float","float"])";
  const std::string events = record("cpu_op", "aten::mm", 1, 1, 0, 50, R"("External id":1,)" + dims) +
                             record("cuda_runtime", "cudaLaunchKernel", 1, 1, 10, 5, R"("correlation":11)") +
                             kernel("split", 7, 20, 10, R"("correlation":11,"External id":1,"kernel_flop":0)") +
                             kernel("gemm", 7, 40, 30, R"("correlation":11,"External id":1)") +
                             kernel("known", 7, 100, 10, R"("kernel_flop":5,"kernel_num_gb":0.5)") +
                             kernel("unknown", 7, 120, 10, "");
  const std::string text = R"({"traceEvents":[)" + events + R"({"ph":"M","name":"process_name","pid":0,"args":{}}]})";
  Capture capture;
  REQUIRE(read_capture({"trace.json", std::as_bytes(std::span(text))}, capture));
  const Augmented augmented = augment_trace(capture);
  CHECK(augmented.kernels == 3);
  CHECK(augmented.operators == 1);
  const double flop = 2.0 * 4 * 8 * 16, gigabytes = 4.0 * (4 * 8 + 8 * 16 + 4 * 16) / 1e9;
  CHECK(figure_of(capture, "aten::mm", "kernel_flop") == flop);
  CHECK(figure_of(capture, "aten::mm", "kernel_num_gb") == gigabytes);
  CHECK(figure_of(capture, "split", "kernel_flop") == flop / 4);
  CHECK(figure_of(capture, "gemm", "kernel_flop") == flop * 3 / 4);
  CHECK(figure_of(capture, "known", "kernel_flop") == 5);
  CHECK(figure_of(capture, "known", "kernel_num_gb") == 0.5);
  CHECK_FALSE(figure_of(capture, "unknown", "kernel_flop"));
}

}  // namespace
}  // namespace vizd::augment_test
