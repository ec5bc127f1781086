// What kind of work a trace's events say that they are, in every format that keeps a trace.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/registry.h"
#include "support/catch.h"

namespace vizd::roles_test {
namespace {

constexpr std::string_view kTrace = R"({"traceEvents":[
  {"ph":"X","name":"ProfilerStep#3","cat":"cpu_op","pid":1,"tid":1,"ts":0,"dur":90},
  {"ph":"X","name":"aten::mm","cat":"cpu_op","pid":1,"tid":1,"ts":1,"dur":9},
  {"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":2,"dur":3,"args":{"correlation":5}},
  {"ph":"B","name":"aten::add","cat":"cpu_op","pid":1,"tid":1,"ts":20}, {"ph":"E","pid":1,"tid":1,"ts":25},
  {"ph":"X","name":"gemm","cat":"kernel","pid":0,"tid":7,"ts":6,"dur":4,"args":{"correlation":5,".own":1}},
  {"ph":"X","name":"copy","cat":"gpu_memcpy","pid":0,"tid":7,"ts":11,"dur":4},
  {"ph":"X","name":"clear","cat":"gpu_memset","pid":0,"tid":7,"ts":16,"dur":4},
  {"ph":"X","name":"dma_request","cat":"mtia_ccp_events","pid":0,"tid":7,"ts":21,"dur":4},
  {"ph":"X","name":"mark","cat":"user_annotation","pid":1,"tid":2,"ts":1,"dur":1}]})";

void read(std::string_view bytes, Capture& capture) {
  const auto done = read_capture({"trace", std::as_bytes(std::span(bytes))}, capture);
  if (!done) FAIL(done.error().text());
}

// "aten::mm 5" for each event, with "step" where it is one.
std::vector<std::string> roles_of(const Capture& capture) {
  std::vector<std::string> roles;
  for (const Track& track : capture.profile.tracks) {
    for (const Event event : track.events)
      roles.push_back(fmt::format("{} {}{}", capture.strings.get(event.name), static_cast<int>(event.role),
                                  event.is_step ? " step" : ""));
  }
  std::ranges::sort(roles);
  return roles;
}

// The names of arguments, hidden ones in brackets.
std::vector<std::string> arguments_of(const Capture& capture) {
  std::vector<std::string> names;
  for (const Track& track : capture.profile.tracks) {
    for (const ArgumentColumn& column : track.arguments)
      names.push_back(column.is_hidden ? fmt::format("({})", capture.strings.get(column.name))
                                       : std::string(capture.strings.get(column.name)));
  }
  std::ranges::sort(names);
  return names;
}

TEST_CASE("a trace's events say what work they are, also in a file of another format", "[chrome][native][perfetto]") {
  using enum EventRole;
  Capture first;
  read(kTrace, first);
  const auto role = [](EventRole of) { return static_cast<int>(of); };
  const std::vector<std::string> roles{fmt::format("ProfilerStep#3 {} step", role(kOperator)),
                                       fmt::format("aten::add {}", role(kNone)),
                                       fmt::format("aten::mm {}", role(kOperator)),
                                       fmt::format("clear {}", role(kMemset)),
                                       fmt::format("copy {}", role(kMemcpy)),
                                       fmt::format("cudaLaunchKernel {}", role(kCall)),
                                       fmt::format("dma_request {}", role(kMemcpy)),
                                       fmt::format("gemm {}", role(kKernel)),
                                       fmt::format("mark {}", role(kNone))};
  CHECK(first.profile.is_trace);
  CHECK(roles_of(first) == roles);
  CHECK(arguments_of(first) == std::vector<std::string>{"(.ph)", ".own", "correlation", "correlation"});
  for (const Format* const format : formats()) {
    if (format->writer == nullptr || format->read == nullptr || format->name == "bigtpu") continue;
    CAPTURE(format->name);
    std::string bytes;
    format->writer->write(first, {}, [&](std::string_view part) { bytes += part; });
    Capture again;
    read(bytes, again);
    CHECK(again.profile.is_trace);
    CHECK(roles_of(again) == roles);
    CHECK(arguments_of(again) == arguments_of(first));
  }
}

TEST_CASE("of what is no trace, events say nothing of work, and no name is hidden", "[native][perfetto]") {
  Capture plain;
  plain.has_profile = true;
  Track& track = plain.profile.tracks.emplace_back();
  track.name = plain.strings.add("lane");
  track.events.push_back(
      {.start_ns = 1, .dur_ns = 1, .name = plain.strings.add("gemm"), .category = plain.strings.add("kernel")});
  find_or_add_argument(track.arguments, plain.strings.add(".ph"), {}, ArgumentType::kInteger)
      .push_back(0, std::int64_t{7});
  for (const Format* const format : formats()) {
    if (format->name != "vizd" && format->name != "perfetto") continue;
    CAPTURE(format->name);
    std::string bytes;
    format->writer->write(plain, {}, [&](std::string_view part) { bytes += part; });
    Capture again;
    read(bytes, again);
    CHECK_FALSE(again.profile.is_trace);
    CHECK(roles_of(again) == std::vector<std::string>{"gemm 0"});
    CHECK(arguments_of(again) == std::vector<std::string>{".ph"});
  }
}

}  // namespace
}  // namespace vizd::roles_test
