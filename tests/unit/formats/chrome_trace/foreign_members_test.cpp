// What stands in a trace beside its events: long members, samples, empty records; times, durations and texts that are
// not as they should be; and files that are named where they cannot be read.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "formats/registry.h"
#include "formats/unread.h"
#include "support/catch.h"
#include "support/packed.h"

namespace vizd::foreign_members_test {
namespace {

using Strings = std::vector<std::string>;

void read(std::string_view text, Capture& capture) {
  if (const auto done = read_capture({"trace.json", std::as_bytes(std::span(text))}, capture); !done)
    FAIL(done.error().text());
}

std::string written(const Capture& capture) {
  std::string text;
  for (const Format* const format : formats()) {
    if (format->name == "chrome") format->writer->write(capture, {}, [&](std::string_view part) { text += part; });
  }
  return text;
}

Strings events_in(const Capture& capture) {
  Strings texts;
  for (const Track& track : capture.profile.tracks) {
    for (const Event event : track.events) texts.emplace_back(capture.strings.get(event.name));
  }
  std::ranges::sort(texts);
  return texts;
}

bool is_whole(const Capture& capture) { return capture.warnings.empty() && capture.skipped.empty(); }

constexpr std::string_view kEvent = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2})";

TEST_CASE("a trace is known whose events stand behind a long member, and keeps that", "[chrome]") {
  std::string sources = "\"";
  for (int i = 0; i < 20'000; ++i) sources += fmt::format("x = {}\\n", i);
  sources += "\"";
  const std::string text = fmt::format(
      R"({{"file_info":{{"files":{{"t.py":[{},20000]}}}},"all":{},"traceEvents":[{}]}})", sources, sources, kEvent);
  for (const std::string& stored : {text, gzipped(text)}) {
    Capture capture, again;
    read(stored, capture);
    CHECK(events_in(capture) == Strings{"a"});
    CHECK(is_whole(capture));
    const std::string once = written(capture);
    CHECK(once.find("x = 19999\\n\",20000]") != std::string::npos);
    read(once, again);
    CHECK(written(again) == once);
  }
  const std::string other = fmt::format(R"({{"file_info":{0},"events":[{1}]}})", sources, kEvent);
  CHECK(find_format_further(*ByteStream::of(std::as_bytes(std::span(other)))) == nullptr);
}

TEST_CASE("empty records at either end of the list are no damage", "[chrome]") {
  for (const char* text : {"[{},%]", "[%,{}]", "{\"traceEvents\":[%, { }]}", "{\"traceEvents\":[{},%,{}]}"}) {
    std::string json(text);
    json.replace(json.find('%'), 1, kEvent);
    Capture capture;
    read(json, capture);
    CHECK(events_in(capture) == Strings{"a"});
    CHECK(is_whole(capture));
    CHECK(written(capture).find("{}") != std::string::npos);
  }
}

TEST_CASE("samples that a trace lists stand on their threads", "[chrome]") {
  Capture capture;
  read(R"({"traceEvents":[{"name":"thread_name","ph":"M","pid":7,"tid":"1","args":{"name":"js"}}],
           "samples":[{"ts":"2000","pid":7,"tid":"1","weight":"2","sf":2},{"ts":"1000","tid":"1","sf":1},
                      {"ts":"3000","pid":7,"tid":"1","sf":9},{"ts":"4000","pid":7,"tid":"1","sf":3}],
           "stackFrames":{"1":{"name":"root"},"2":{"name":"leaf","parent":1},"3":{"name":"loop","parent":3}}})",
       capture);
  REQUIRE(capture.profile.tracks.size() == 2);
  const StackSamples& samples = capture.profile.tracks[1].samples;
  REQUIRE(samples.size() == 2);
  CHECK(samples.at_ns[0] == 1'000'000);
  CHECK(samples.weight[1] == 2);
  Strings frames;
  for (const Frame& frame : frames_of(capture.stacks, StackId{samples.stack[1]}))
    frames.emplace_back(capture.strings.get(frame.function));
  CHECK(frames == Strings{"leaf", "root"});
  CHECK(capture.skipped.size() == 1);
  CHECK(capture.skipped.begin()->second == 2);
  CHECK(written(capture).find(R"("stackFrames":{"1":{"name":"root"})") != std::string::npos);
}

TEST_CASE("stacks of a trace's samples: each frame is looked at once, and those whose callers never end are none",
          "[chrome]") {
  constexpr int kDeepest = 4096, kFrames = 6000;
  std::string frames = R"("a":{"name":"a","parent":"b"},"b":{"name":"b","parent":"a"},"0":{"name":"0","parent":null})";
  for (int i = 1; i < kFrames; ++i) frames += fmt::format(R"(,"{0}":{{"name":"{0}","parent":"{1}"}})", i, i - 1);
  std::string samples;
  const std::vector<std::string> ids = {"a", "b", "a", std::to_string(kFrames - 1), std::to_string(kDeepest - 1)};
  for (const std::string& id : ids)
    samples += fmt::format(R"({}{{"ts":1,"tid":1,"sf":"{}"}})", samples.empty() ? "" : ",", id);
  Capture capture;
  read(fmt::format(R"({{"traceEvents":[],"samples":[{}],"stackFrames":{{{}}}}})", samples, frames), capture);
  REQUIRE(capture.profile.tracks.size() > 0);
  const StackSamples& read_samples = capture.profile.tracks.back().samples;
  REQUIRE(read_samples.size() == 1);
  CHECK(frames_of(capture.stacks, StackId{read_samples.stack[0]}).size() == kDeepest);
  CHECK(capture.stacks.size() == kDeepest);
  REQUIRE(capture.skipped.size() == 1);
  CHECK(capture.skipped.begin()->second == ids.size() - 1);
}

TEST_CASE("limits: series, metadata and members of a Chrome trace beyond their limits are left out and counted",
          "[chrome]") {
  constexpr std::size_t kSeries = 1 << 18, kMembers = 1 << 16, kBeyond = 3, kPerEvent = 256;
  std::string events, members;
  for (std::size_t i = 0; i < kSeries + kBeyond; ++i) {
    if (i % kPerEvent == 0)
      events += fmt::format(R"({}{{"ph":"C","pid":1,"tid":1,"ts":1,"name":"c{}","args":{{)", i == 0 ? "" : "}},", i);
    events += fmt::format(R"({}"s{}":1)", i % kPerEvent == 0 ? "" : ",", i % kPerEvent);
  }
  events += "}}";
  for (std::size_t i = 0; i < kSeries + kBeyond; ++i)
    events += fmt::format(R"(,{{"ph":"M","pid":1,"name":"m","args":{{"v":{}}}}})", i);
  for (std::size_t i = 0; i < kMembers + kBeyond; ++i) members += fmt::format(R"(,"k{}":null)", i);
  Capture capture;
  read(fmt::format(R"({{"traceEvents":[{}]{}}})", events, members), capture);
  std::size_t series = 0;
  for (const Track& track : capture.profile.tracks) series += track.counters.size();
  CHECK(series == kSeries);
  CHECK(capture.skipped["values of counters' series beyond 262,144"] == kBeyond);
  CHECK(capture.skipped["metadata beyond 262,144 values"] == kBeyond + kMembers);  // members are metadata too
  CHECK(capture.skipped["members beside the events beyond 65,536"] == kBeyond);
}

TEST_CASE("work at time 0 among times since 1970 is left out and counted, other events are not", "[chrome]") {
  const auto event = [](const char* category, const char* ts, const char* duration) {
    return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":0,"tid":1,"ts":{},"dur":{}}})", category, category,
                       ts, duration);
  };
  for (const char* at : {"0", "\"0\"", "0.000", "-1727743122000000.5"}) {
    for (const char* duration : {"0", "1615207264505020"}) {
      Capture capture;
      read("[" + event("kernel", at, duration) + "," + event("gpu_memcpy", "1615207264505020", "100") + "," +
               event("kernel", "1615207264505320", "100") + "]",
           capture);
      CHECK(events_in(capture) == Strings{"gpu_memcpy", "kernel"});
      CHECK(capture.profile.end_ns - capture.profile.start_ns == 400'000);
      REQUIRE(capture.skipped.size() == 1);
      CHECK(capture.skipped.begin()->second == 1);
    }
  }
  Capture relative;
  read("[" + event("kernel", "0", "5") + "," + event("kernel", "10", "5") + "]", relative);
  CHECK(events_in(relative).size() == 2);
  CHECK(is_whole(relative));
}

TEST_CASE("a negative duration is no work, and is told", "[chrome]") {
  Capture capture;
  read(R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":9,"dur":-4},
           {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":20,"dur":4}])",
       capture);
  const EventColumns& events = capture.profile.tracks.back().events;
  CHECK(events.role(0) == EventRole::kNone);
  CHECK(events.role(1) == EventRole::kKernel);
  REQUIRE(capture.notes.size() == 1);
  CHECK(capture.notes[0].starts_with("1 events have a negative duration"));
}

TEST_CASE("a text with an escape that JSON does not have keeps all its backslashes, and is told", "[chrome]") {
  Capture capture;
  read(R"([{"ph":"X","name":"C:\Users\new\train.py","pid":1,"tid":2,"ts":1,"dur":1},
           {"ph":"X","name":"a\\b\tc","pid":1,"tid":2,"ts":3,"dur":1}])",
       capture);
  CHECK(events_in(capture) == Strings{"C:\\Users\\new\\train.py", "a\\b\tc"});
  REQUIRE(capture.warnings.size() == 1);
  CHECK(capture.warnings[0].starts_with("1 texts have backslashes"));
}

TEST_CASE("files that vizd does not read are named", "[chrome]") {
  const std::pair<std::string_view, std::string_view> files[] = {
      {"<!DOCTYPE html><html>", "HTML"},
      {"\xFD"
       "7zXZ",
       "xz"},
      {"PK\x03\x04", "zip"},
      {"\xFF\xFE[\0", "UTF-16"},
      {R"({"nodes":[{"id":1,"callFrame":{"functionName":"f"}}],"samples":[1]})", ".cpuprofile"},
      {R"({"version":"2.1","pg_config":{},"entries":[]})", "flight recorder"},
      {R"([{"children":[],"frame":{"name":"ROOT"},"metrics":{"time":1}}])", "hatchet"},
      {R"({"schema":"1.1.1-chakra.0.0.4","pid":1,"nodes":[{"id":1}]})", "execution trace"},
      {"[[1, 2, 3], [[0, 5], [1, 6]]]", "memory timeline"},
      {R"({"rocprofiler-sdk-tool":[{}]})", "rocprofv3"}};
  for (const auto& [text, name] : files) {
    Capture capture;
    const auto done = read_capture({"x", std::as_bytes(std::span(text))}, capture);
    REQUIRE_FALSE(done);
    CHECK(done.error().text().find(name) != std::string::npos);
  }
  const std::string trace =
      fmt::format(R"({{"schemaVersion":1,"entries":[],"pg_config":[],"traceEvents":[{}]}})", kEvent);
  CHECK(unknown_kind(std::as_bytes(std::span(trace))).empty());
}

}  // namespace
}  // namespace vizd::foreign_members_test
