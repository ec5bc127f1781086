// Chrome's and PyTorch's traces: what becomes of their records, and of everything that is wrong with them.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "formats/chrome_trace/format.h"
#include "formats/registry.h"
#include "model/argument_json.h"
#include "reference/trace_file/trace_summary.h"
#include "support/catch.h"
#include "support/packed.h"
#include "timeline/timeline.h"

namespace vizd::reader_test {
namespace {

Result<void> read_text(std::string_view text, Capture& capture) {
  return read_capture({"trace.json", std::as_bytes(std::span(text))}, capture);
}

struct ReadTrace {
  explicit ReadTrace(const std::string& text) {
    if (const auto result = read_text(text, capture); !result) FAIL(result.error().text());
  }
  // "TRACK NAME START+DURATION" of each event, in the order of the tracks.
  std::vector<std::string> events() const {
    std::vector<std::string> texts;
    const auto paths = track_paths(capture.profile.tracks, capture.strings);
    for (std::size_t t = 0; t < paths.size(); ++t) {
      for (const Event event : capture.profile.tracks[t].events)
        texts.push_back(
            fmt::format("{} {} {}+{}", paths[t], capture.strings.get(event.name), event.start_ns, event.dur_ns));
    }
    return texts;
  }
  TraceSummary summary() const { return summarize_trace(capture).at(0); }
  Capture capture;
};

// An event of these members, on process 1 and thread 2.
std::string record(const std::string& members) { return R"({"pid":1,"tid":2,)" + members + "}"; }
std::string complete(const std::string& name, int ts, int dur, const std::string& more = "") {
  return record(fmt::format(R"("ph":"X","name":"{}","ts":{},"dur":{}{})", name, ts, dur, more));
}
std::string trace_of(const std::string& events, const std::string& more = "") {
  return "{\"traceEvents\":[" + events + "]" + more + "}";
}

using Strings = std::vector<std::string>;

TEST_CASE("a trace is read as an object, a list, and a list that was never closed", "[chrome]") {
  const std::string event = complete("work", 5, 3);
  const Strings expected{"process 1/thread 2 work 5000+3000"};
  CHECK(ReadTrace(trace_of(event)).events() == expected);
  CHECK(ReadTrace("[" + event + "]").events() == expected);
  const ReadTrace open("[" + event + ",\n");
  CHECK(open.events() == expected);
  CHECK(open.capture.warnings.empty());
  CHECK(ReadTrace(gzipped(trace_of(event))).events() == expected);
  CHECK(ReadTrace(zstd_packed(trace_of(event))).events() == expected);
}

TEST_CASE("begins and ends make spans, those without an end are unfinished", "[chrome]") {
  const ReadTrace read(trace_of(record(R"("ph":"B","name":"outer","ts":1)") + "," +
                                record(R"("ph":"B","name":"inner","ts":2)") + "," + record(R"("ph":"E","ts":4)") + "," +
                                record(R"("ph":"i","name":"end","ts":9)")));
  CHECK(read.events() == Strings{"process 1/thread 2 outer 1000+8000", "process 1/thread 2 inner 2000+2000",
                                 "process 1/thread 2 end 9000+0"});
  CHECK(read.capture.profile.tracks.back().events.kind(0) == EventKind::kUnfinished);
  CHECK(read.summary().events == 4);
}

TEST_CASE("a kernel stands below its device and stream, and its launching call leads to it", "[chrome]") {
  const std::string call =
      record(R"("ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","ts":1,"dur":2,"args":{"correlation":7})");
  const std::string kernel =
      R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":5,"dur":4,"args":{"correlation":7,"stream":7}})";
  const ReadTrace read(trace_of(call + "," + kernel, R"(,"distributedInfo":{"rank":3,"world_size":8})"));
  CHECK(read.events() ==
        Strings{"rank 3/process 1/thread 2 cudaLaunchKernel 1000+2000", "rank 3/GPU 0/stream 7 gemm 5000+4000"});
  REQUIRE(read.capture.profile.flows.size() == 1);
  const Flow flow = read.capture.profile.flows[0];
  CHECK(read.capture.profile.tracks[flow.from_track].kind == TrackKind::kThread);
  CHECK(read.capture.profile.tracks[flow.to_track].kind == TrackKind::kStream);
  CHECK(read.summary().launches.pairs == 1);
  CHECK(read.summary().launches.launch_delay.total_ns == 2000);
}

TEST_CASE("times since 1970 are exact, and the clock says what they count from", "[chrome]") {
  const ReadTrace read("[" + record(R"("ph":"X","name":"a","ts":1682725898236567.125,"dur":1)") + "," +
                       record(R"("ph":"X","name":"b","ts":"1682725898236568.001","dur":"0.001")") + "]");
  CHECK(read.events() == Strings{"process 1/thread 2 a 0+1000", "process 1/thread 2 b 876+1"});
  CHECK(read.capture.profile.clock.unix_offset_ns == 1682725898236567125);
  CHECK(read.summary().first_ns == 1682725898236567125);
}

TEST_CASE("texts with control characters and bytes that are no UTF-8 are taken as they are", "[chrome]") {
  const ReadTrace read(trace_of(complete("a\nb", 1, 1) + "," + complete("c\xFF", 2, 1)));
  CHECK(read.events() == Strings{"process 1/thread 2 a\nb 1000+1000", "process 1/thread 2 c\xFF 2000+1000"});
}

TEST_CASE("an event with a quote too many costs itself alone", "[chrome]") {
  const ReadTrace read(trace_of(complete("one", 1, 1) + ",\n" + complete("tw\"o", 2, 1) + ",\n" +
                                complete("three", 3, 1) + ",\n" + complete("four", 4, 1)));
  CHECK(read.events() == Strings{"process 1/thread 2 one 1000+1000", "process 1/thread 2 three 3000+1000",
                                 "process 1/thread 2 four 4000+1000"});
  CHECK(read.capture.skipped.at("events that are damaged") == 1);
}

TEST_CASE("a trace cut anywhere gives the events that are whole, and says so", "[chrome]") {
  std::string events;
  for (int i = 0; i < 40; ++i)
    events += (i > 0 ? "," : "") + complete(fmt::format("e{}", i), i, 1, R"(,"args":{"x":[1,{"y":"}"}]})");
  const std::string whole = trace_of(events, R"(,"schemaVersion":1)");
  for (std::size_t size = 20; size < whole.size(); ++size) {
    Capture capture;
    const auto result = read_text(whole.substr(0, size), capture);
    if (!result) continue;  // not one event is whole
    std::size_t complete_events = 0;
    for (int i = 0; i < 40; ++i) complete_events += whole.find(fmt::format("\"e{}\"", i)) + 60 < size ? 1 : 0;
    CHECK(capture.profile.tracks.back().events.size() >= complete_events);
    CHECK_FALSE(capture.warnings.empty());
  }
}

TEST_CASE("whichever byte of a trace is flipped, it is read or refused, and no later event is lost", "[chrome]") {
  std::string events;
  for (int i = 0; i < 12; ++i)
    events += (i > 0 ? ",\n" : "") + complete(fmt::format("event{}", i), i, 1, R"(,"args":{"a":[1,2],"b":"\n"})");
  const std::string whole = trace_of(events);
  const std::size_t list = whole.find('[');
  for (std::size_t at = list + 1; at < whole.size() - 200; ++at) {
    for (const unsigned bit : {0u, 1u, 5u, 7u}) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1u << bit));
      Capture capture;
      if (!read_text(flipped, capture)) continue;
      prepare_timeline(capture, 1);
      if (flipped[at] == ']' || flipped[at] == '}') continue;  // ends the list or the trace where it stands
      CHECK(capture.strings.find("event11") != StringId{kNoId});
    }
  }
}

TEST_CASE("empty, hostile and foreign files are refused or hold nothing", "[chrome]") {
  for (const std::string text : {"{\"traceEvents\":", "{\"traceEvents\":[", "{\"traceEvents\":[{\"ph\":\"X\""}) {
    Capture capture;
    CHECK_FALSE(read_text(text, capture));
  }
  CHECK(ReadTrace(R"({"traceEvents":[]})").events().empty());
  CHECK(ReadTrace(R"({"traceEvents":[1,null,"x",[{}]]})")
            .capture.skipped.at("items among the events that are no objects") == 4);
  const std::string deep = R"({"traceEvents":[{"ph":"X","ts":1,"args":)" + std::string(100'000, '[');
  Capture capture;
  CHECK_FALSE(read_text(deep, capture));
  const std::string deep_and_whole = R"({"traceEvents":[{"ph":"X","name":"a","ts":1,"args":{"x":)" +
                                     std::string(5000, '[') + std::string(5000, ']') + "}}]}";
  Capture second;
  CHECK(read_text(deep_and_whole, second));
}

TEST_CASE("memory events make allocations, with those that were there before", "[chrome]") {
  const auto memory = [](int ts, int bytes, int address, int total) {
    return record(fmt::format(
        R"("ph":"i","cat":"cpu_instant_event","name":"[memory]","ts":{},"args":{{"Bytes":{},"Addr":{},"Device Type":1,)"
        R"("Device Id":0,"Total Allocated":{},"Total Reserved":4096}})",
        ts, bytes, address, total));
  };
  const ReadTrace read(
      trace_of(memory(1, 512, 64, 1536) + "," + memory(2, -1024, 128, 512) + "," + memory(3, -512, 64, 0)));
  const Track& track = read.capture.profile.tracks.back();
  CHECK(track.kind == TrackKind::kMemory);
  REQUIRE(track.allocations.size() == 2);
  CHECK(track.allocations[0].size_bytes() == 1024);
  CHECK(track.allocations[0].freed);
  CHECK(track.allocations[1].birth_ns == 1000);
  CHECK(track.allocations[1].death_ns == 3000);
  const TraceSummary summary = read.summary();
  REQUIRE(summary.memory.size() == 1);
  CHECK(summary.memory[0].device == "1:0");
  CHECK(summary.memory[0].peak_allocated == 1536);
}

TEST_CASE("reading a trace takes time in proportion to its size, whatever is wrong with it", "[chrome]") {
  // Each of these once cost a look at all that follows; a quadratic reader would not come back.
  std::string quotes, opens = "{\"traceEvents\":[";
  for (int i = 0; i < 20'000; ++i) {
    quotes += complete("a\"b", i, 1) + ",\n";
    opens += "{\"ph\":\"X\",\"args\":{";
  }
  Capture first, second;
  CHECK(read_text("[" + quotes, first));
  CHECK_FALSE(read_text(opens, second));
}

}  // namespace
}  // namespace vizd::reader_test
