// Perfetto's traces: what is written is read again, whatever is cut off it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/perfetto/format.h"
#include "formats/registry.h"
#include "model/argument_json.h"
#include "support/catch.h"
#include "timeline/timeline.h"

namespace vizd::perfetto_test {
namespace {

using Strings = std::vector<std::string>;

Result<void> read_bytes(std::string_view bytes, Capture& capture) {
  return read_capture({"trace.pftrace", std::as_bytes(std::span(bytes))}, capture);
}

// "TRACK KIND NAME [CATEGORY] START+DURATION ARGUMENTS" of each event, from the profile's start.
Strings events_of(const Capture& capture) {
  Strings texts;
  const auto paths = track_paths(capture.profile.tracks, capture.strings);
  for (std::size_t t = 0; t < paths.size(); ++t) {
    const Track& track = capture.profile.tracks[t];
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      const Event event = track.events[i];
      std::string text =
          fmt::format("{} {} {} [{}] {}+{}", paths[t], event_kind_name(event.kind), capture.strings.get(event.name),
                      capture.strings.get(event.category), event.start_ns - capture.profile.start_ns, event.dur_ns);
      Strings arguments;
      for (const ArgumentColumn& column : track.arguments) {
        if (const auto value = column.of(i))
          arguments.push_back(
              fmt::format(" {}={}", capture.strings.get(column.name), value_text(*value, capture.strings)));
      }
      std::ranges::sort(arguments);
      for (const std::string& argument : arguments) text += argument;
      texts.push_back(text);
    }
  }
  std::ranges::sort(texts);
  return texts;
}

constexpr std::string_view kTrace =
    R"({"baseTimeNanoseconds":1700000000000000000,"distributedInfo":{"rank":1,"world_size":2},"traceEvents":[)"
    R"({"ph":"M","name":"process_name","pid":9,"args":{"name":"python"}},)"
    R"({"ph":"X","cat":"cpu_op","name":"outer","pid":9,"tid":9,"ts":10,"dur":30,"args":{"Input Dims":[[1,2]],"x":1.5}},)"
    R"({"ph":"X","cat":"cuda_runtime","name":"launch","pid":9,"tid":9,"ts":12,"dur":5,"args":{"correlation":4}},)"
    R"({"ph":"X","cat":"kernel","name":"k1","pid":0,"tid":7,"ts":20,"dur":10,"args":{"correlation":4}},)"
    R"({"ph":"X","cat":"kernel","name":"k2","pid":0,"tid":7,"ts":25,"dur":10},)"
    R"({"ph":"X","cat":"kernel","name":"none","pid":0,"tid":7,"ts":25,"dur":0},)"
    R"({"ph":"i","name":"here","pid":9,"tid":9,"ts":11},)"
    R"({"ph":"B","name":"open","pid":9,"tid":9,"ts":41},)"
    R"({"ph":"C","name":"load","pid":9,"ts":12,"args":{"a":1,"b":2.5}},)"
    R"({"ph":"s","cat":"ac2g","name":"ac2g","id":4,"pid":9,"tid":9,"ts":12},)"
    R"({"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":4,"pid":0,"tid":7,"ts":20}]})";

std::string written(const Capture& capture) {
  std::string bytes;
  perfetto::write(capture, {}, [&](std::string_view part) { bytes += part; });
  return bytes;
}

TEST_CASE("a trace written for Perfetto is read as it was", "[perfetto]") {
  Capture first, second;
  REQUIRE(read_bytes(kTrace, first));
  const std::string bytes = written(first);
  REQUIRE(perfetto::sniff({std::as_bytes(std::span(bytes))}));
  REQUIRE(read_bytes(bytes, second));
  CHECK(second.format == "perfetto");
  CHECK(events_of(second) == events_of(first));
  CHECK(second.profile.flow_ends.size() == 2);
  CHECK(second.profile.clock.unix_offset_ns.has_value());
  CHECK(*second.profile.clock.unix_offset_ns + second.profile.start_ns == 1700000000000010000);
  REQUIRE(second.skipped.empty());
  std::size_t counters = 0;
  for (const Track& track : second.profile.tracks) counters += track.counters.size();
  CHECK(counters == 2);
}

TEST_CASE("JSON after line breaks is no Perfetto trace, though its packets begin with one", "[perfetto]") {
  const auto is_perfetto = [](const std::string& bytes) { return perfetto::sniff({std::as_bytes(std::span(bytes))}); };
  const std::string members = R"({"pad":")" + std::string(70'000, 'x') + R"(","traceEvents":[)";
  for (const std::string_view blanks : {"\n", "\n\n", "\n\n\n", "\n\r\n", "\n  \t\n"}) {
    for (const std::string& json :
         {members, std::string(kTrace), std::string(R"([ {"ph":"X"}])"), std::string("{ }  ")})
      CHECK_FALSE(is_perfetto(std::string(blanks) + json));
  }
  // A first packet whose length is that of a line break, of '{' or of '['.
  for (const std::size_t length : {10u, 91u, 123u}) {
    std::string packet("\x40\x05\x50\x01\x32", 5);  // a time, a sequence, and a clock snapshot that fills it
    packet += static_cast<char>(length - packet.size() - 1);
    packet.resize(length, '\0');
    CHECK(is_perfetto("\n" + std::string(1, static_cast<char>(length)) + packet + "\n\x02\x40\x06"));
  }
  Capture capture;
  const std::string trace = "\n\n" + std::string(kTrace);
  REQUIRE(read_bytes(trace, capture));
  CHECK(capture.format == "chrome");
}

TEST_CASE("a Perfetto trace cut anywhere gives its whole packets", "[perfetto]") {
  Capture whole;
  REQUIRE(read_bytes(kTrace, whole));
  const std::string bytes = written(whole);
  std::size_t most = 0;
  for (std::size_t size = 8; size < bytes.size(); ++size) {
    Capture capture;
    if (!read_bytes(std::string_view(bytes).substr(0, size), capture)) continue;
    prepare_timeline(capture, 1);
    std::size_t events = 0;
    for (const Track& track : capture.profile.tracks) events += track.events.size();
    CHECK(events >= most);
    most = std::max(most, events);
  }
  CHECK(most == events_of(whole).size());
}

std::size_t argument_count(const Capture& capture) {
  std::size_t count = 0;
  for (const Track& track : capture.profile.tracks) {
    for (const ArgumentColumn& column : track.arguments) count += column.size();
  }
  return count;
}

TEST_CASE("whichever byte of a Perfetto trace is changed, what is lost by it is told", "[perfetto]") {
  Capture whole;
  REQUIRE(read_bytes(kTrace, whole));
  const std::string bytes = written(whole);
  const std::size_t events = events_of(whole).size(), arguments = argument_count(whole);
  REQUIRE(arguments > 0);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const unsigned change : {0x01u, 0x02u, 0x04u, 0x08u, 0x10u, 0x20u, 0x40u, 0x80u, 0xFFu}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ change);
      CAPTURE(at, change);
      Capture capture;
      if (!read_bytes(changed, capture)) continue;
      prepare_timeline(capture, 1);
      if (!capture.skipped.empty() || !capture.warnings.empty()) continue;
      if (events_of(capture).size() < events) FAIL("events are missing without a word");
      if (argument_count(capture) < arguments) FAIL("arguments are missing without a word");
    }
  }
}

}  // namespace
}  // namespace vizd::perfetto_test
