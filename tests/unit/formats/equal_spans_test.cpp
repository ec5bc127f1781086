// Spans of the same times: whichever format tells of them, the outer one is drawn above the inner ones, and stays there
// in what is written of them.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "formats/registry.h"
#include "formats/span_stack.h"
#include "support/catch.h"
#include "support/etdump_writer.h"
#include "support/temporary_folder.h"
#include "timeline/timeline.h"
#include "vizd/capture_writer.h"

namespace vizd::equal_spans_test {
namespace {

using Strings = std::vector<std::string>;

void read_into(Capture& capture, const std::string& bytes) {
  const auto done = read_capture({"f", std::as_bytes(std::span(bytes))}, capture);
  if (!done) FAIL(done.error().text());
}

// The names of the lane's events, row by row from the top.
Strings rows_of(Capture& capture) {
  const Timeline timeline = prepare_timeline(capture, 1);
  Strings rows;
  for (std::size_t t = 0; t < timeline.lanes.size(); ++t) {
    for (std::uint32_t row = 0; row < timeline.lanes[t].row_count(); ++row) {
      std::string names;
      for (std::uint32_t i = timeline.lanes[t].row(row).begin; i < timeline.lanes[t].row(row).end; ++i)
        names +=
            (names.empty() ? "" : " ") + std::string(capture.strings.get(capture.profile.tracks[t].events.name(i)));
      rows.push_back(names);
    }
  }
  return rows;
}

Strings rows_read(const std::string& bytes) {
  Capture capture;
  read_into(capture, bytes);
  return rows_of(capture);
}

std::string speedscope(const std::string& profile) {
  return R"({"profiles":[{"name":"t","unit":"nanoseconds","startValue":5,"endValue":9,)" + profile +
         R"(}],"$schema":"https://www.speedscope.app/file-format-schema.json",)"
         R"("shared":{"frames":[{"name":"main"},{"name":"work"},{"name":"leaf"}]}})";
}

// Records of those phases, with what they have beside their times, and the ends of as many.
std::string chrome(char begin, char end, const std::string& more) {
  std::string records;
  for (const char* name : {"main", "work", "leaf"})
    records += fmt::format(R"({{"ph":"{}","name":"{}","pid":1,"tid":1,"ts":5,"cat":"c"{}}},)", begin, name, more);
  for (int i = 0; i < 3; ++i) records += fmt::format(R"({{"ph":"{}","pid":1,"tid":1,"ts":9,"cat":"c"{}}},)", end, more);
  return R"({"traceEvents":[)" + records + R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}}]})";
}

std::string native() {
  const TemporaryFolder folder;
  {
    capture::CaptureWriter writer(folder / "a.bin");
    for (const char* name : {"main", "work", "leaf"}) writer.event(writer.lane("t"), name, 5, 4);
  }
  std::ifstream file(folder / "a.bin", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("spans of the same times lie in one another as the file tells them", "[formats]") {
  const Strings expected{"main", "work", "leaf"};
  CHECK(rows_read(speedscope(R"("type":"sampled","samples":[[0,1,2]],"weights":[4])")) == expected);
  CHECK(rows_read(
            speedscope(R"("type":"evented","events":[{"type":"O","frame":0,"at":5},{"type":"O","frame":1,"at":5},)"
                       R"({"type":"O","frame":2,"at":5},{"type":"C","frame":2,"at":9},{"type":"C","frame":1,"at":9},)"
                       R"({"type":"C","frame":0,"at":9}])")) == expected);
  // Frames that never end, likewise.
  CHECK(
      rows_read(speedscope(R"("type":"evented","events":[{"type":"O","frame":0,"at":5},{"type":"O","frame":1,"at":5},)"
                           R"({"type":"O","frame":2,"at":5}])")) == expected);
  CHECK(rows_read(chrome('B', 'E', "")) == expected);
  CHECK(rows_read(chrome('B', 'E', R"(,"args":{"a":1})")) == expected);
  CHECK(rows_read(chrome('B', 'i', "")).front().starts_with("main"));
  CHECK(rows_read(chrome('b', 'e', R"(,"id":1)")) == expected);
  CHECK(rows_read(chrome('X', 'M', R"(,"dur":4)")) == expected);
  CHECK(rows_read(native()) == expected);
  // An ETDump tells of what a call did before it tells of the call.
  std::vector<FlatNode> events;
  for (const char* name : {"leaf", "work", "Method::execute"})
    events.push_back(made_profile_event({.name = name, .instruction = 0}, 5, 9));
  CHECK(rows_read(made_etdump({made_run("Execute", events)})) == Strings{"Method::execute", "work", "leaf"});
}

TEST_CASE("spans of the same times lie in one another as before once they are written and read again", "[formats]") {
  for (const Format* format : formats()) {
    if (format->writer == nullptr || format->read == nullptr || format->writer->write == nullptr) continue;
    for (const std::string& file : {chrome('B', 'E', ""), chrome('b', 'e', R"(,"id":1)"), native()}) {
      Capture capture;
      read_into(capture, file);
      static_cast<void>(prepare_timeline(capture, 1));
      std::string bytes;
      format->writer->write(capture, {}, [&](std::string_view part) { bytes += part; });
      INFO(format->name);
      if (find_format(std::as_bytes(std::span(bytes))) != format) continue;  // a table of figures
      CHECK(rows_read(bytes) == Strings{"main", "work", "leaf"});
    }
  }
}

TEST_CASE("a span that is open knows its place, and gets its end wherever the next ones begin", "[formats]") {
  constexpr std::int64_t kLong_ns = std::int64_t{1} << 40;
  EventColumns events;
  SpanStack stack;
  CHECK(stack.open(events, {.start_ns = 0, .name = {}, .is_error = true}) == 0);
  CHECK(stack.open(events, {.start_ns = 1, .name = {}}) == 1);
  CHECK(stack.depth() == 2);
  CHECK(stack.close(events, kLong_ns) == 1);
  CHECK(stack.open(events, {.start_ns = kLong_ns, .name = {}}) == 2);
  CHECK(stack.close(events, 2 * kLong_ns) == 2);
  CHECK(stack.close(events, 3 * kLong_ns) == 0);
  CHECK_FALSE(stack.close(events, 4));
  CHECK(stack.open(events, {.start_ns = 9, .name = {}}) == 3);
  CHECK(stack.open(events, {.start_ns = 12, .name = {}}) == 4);
  CHECK(stack.finish(events, 10) == std::vector<std::uint32_t>{3, 4});
  CHECK(stack.depth() == 0);
  CHECK(events.dur_ns(0) == 3 * kLong_ns);
  CHECK(events.is_error(0));
  CHECK(events.dur_ns(1) == kLong_ns - 1);
  CHECK(events.dur_ns(2) == kLong_ns);
  CHECK(events.dur_ns(3) == 1);
  CHECK(events.dur_ns(4) == 0);
  CHECK(events.kind(2) == EventKind::kSpan);
  CHECK(events.kind(3) == EventKind::kUnfinished);
}

}  // namespace
}  // namespace vizd::equal_spans_test
