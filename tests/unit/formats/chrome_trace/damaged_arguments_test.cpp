// What is wrong among the arguments of one event, or the members of one device, costs those alone, and is counted.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "formats/registry.h"
#include "support/catch.h"

namespace vizd::damaged_arguments_test {
namespace {

std::string read_arguments(const std::string& trace, Capture& capture) {
  REQUIRE(read_capture({"f", std::as_bytes(std::span(trace))}, capture));
  std::string names;
  for (const Track& track : capture.profile.tracks) {
    for (const ArgumentColumn& column : track.arguments) names += std::string(capture.strings.get(column.name)) + " ";
  }
  return names;
}

std::string trace_with(const std::string& arguments) {
  return R"({"traceEvents":[{"ph":"X","name":"k","pid":1,"tid":1,"ts":1,"dur":1,"args":{)" + arguments +
         R"(}},{"ph":"X","name":"next","pid":1,"tid":1,"ts":5,"dur":1}]})";
}

std::size_t event_count(const Capture& capture) {
  std::size_t count = 0;
  for (const Track& track : capture.profile.tracks) count += track.events.size();
  return count;
}

TEST_CASE("arguments of an event that are no JSON are counted, and the others kept", "[chrome]") {
  for (const char* damaged : {R"("b" 2)", R"("b":1 2)", R"(b:2)", R"("b":)", R"(:2)", R"("b"::"c")", R"("b":"x""y")"}) {
    CAPTURE(damaged);
    Capture capture;
    CHECK(read_arguments(trace_with(R"("a":1,)" + std::string(damaged) + R"(,"c":"d,\"e")"), capture) == "a c ");
    CHECK(event_count(capture) == 2);
    CHECK(capture.skipped == std::map<std::string, std::uint64_t>{{"arguments that are damaged", 1}});
  }
  // A comma too many loses nothing.
  Capture capture;
  CHECK(read_arguments(trace_with(R"("a":1,,"c":2,)"), capture) == "a c ");
  CHECK(capture.skipped.empty());
}

TEST_CASE("an event whose arguments may have swallowed the next is left out alone", "[chrome]") {
  Capture capture;
  read_arguments(
      R"({"traceEvents":[{"ph":"X","name":"k","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":1,)"
      R"({"ph":"X","name":"l","pid":1,"tid":1,"ts":3,"dur":1}},{"ph":"X","name":"m","pid":1,"tid":1,"ts":5,"dur":1}]})",
      capture);
  CHECK(event_count(capture) == 1);
  CHECK(capture.skipped["events that are damaged"] == 1);
}

TEST_CASE("bytes of zero in a trace are told, wherever they stand", "[chrome]") {
  const std::string whole = trace_with(R"("a":"a longer text")");
  for (const char* at : {"longer", "next", "traceEvents", ":1}]", "{\"ph\""}) {
    CAPTURE(at);
    std::string trace = whole;
    const std::size_t offset = trace.rfind(at);
    trace[offset] = '\0';
    Capture capture;
    if (!read_capture({"f", std::as_bytes(std::span(trace))}, capture)) continue;
    const std::string warning = fmt::format("f:{}: zero bytes", offset);
    CHECK(std::ranges::any_of(capture.warnings, [&](const std::string& told) { return told.starts_with(warning); }));
  }
  Capture capture;
  read_arguments(whole, capture);
  CHECK(capture.warnings.empty());
}

TEST_CASE("members of a device that are no JSON are counted, and the others kept", "[chrome]") {
  const std::string trace = R"({"deviceProperties":[{"id":0,"name" "A","regs":7},{"id":1}],)"
                            R"("traceEvents":[{"ph":"X","name":"k","pid":1,"tid":1,"ts":1,"dur":1}]})";
  Capture capture;
  read_arguments(trace, capture);
  std::string facts;
  for (const Fact& fact : capture.facts) {
    if (!fact.is_hidden)
      facts += std::string(capture.strings.get(fact.subject)) + "." + std::string(capture.strings.get(fact.name)) + " ";
  }
  CHECK(facts == "deviceProperties[0].id deviceProperties[0].regs deviceProperties[1].id ");
  CHECK(capture.skipped == std::map<std::string, std::uint64_t>{{"members of the trace that are damaged", 1}});
}

}  // namespace
}  // namespace vizd::damaged_arguments_test
