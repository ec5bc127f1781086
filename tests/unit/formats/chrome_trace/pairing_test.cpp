// Begins and ends that do not stand in the order of time, or are of another name; flows and counters of a trace.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/registry.h"
#include "support/catch.h"

namespace vizd::pairing_test {
namespace {

using Strings = std::vector<std::string>;

struct ReadTrace {
  explicit ReadTrace(const std::string& events) {
    const std::string text = "{\"traceEvents\":[" + events + "]}";
    if (const auto done = read_capture({"trace.json", std::as_bytes(std::span(text))}, capture); !done)
      FAIL(done.error().text());
  }
  // "NAME START+DURATION KIND" in microseconds, sorted.
  Strings events() const {
    Strings texts;
    for (const Track& track : capture.profile.tracks) {
      for (const Event event : track.events)
        texts.push_back(fmt::format("{} {}+{} {}", capture.strings.get(event.name), event.start_ns / 1000,
                                    event.dur_ns / 1000, event_kind_name(event.kind)));
    }
    std::ranges::sort(texts);
    return texts;
  }
  // "FROM TO" of each flow, sorted.
  Strings flows() const {
    Strings texts;
    const auto name = [&](std::uint32_t track, std::uint32_t event) {
      return capture.strings.get(capture.profile.tracks[track].events.name(event));
    };
    for (const Flow& flow : capture.profile.flows.span())
      texts.push_back(fmt::format("{} {}", name(flow.from_track, flow.from_event), name(flow.to_track, flow.to_event)));
    std::ranges::sort(texts);
    return texts;
  }
  Capture capture;
};

// Records of one thread: "B 10 name", "E 20" for one without a name; "b 10 name 1" with an id.
std::string records(const Strings& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const auto at = line.find(' '), name = line.find(' ', at + 1),
               id = line.find(' ', std::min(name, line.size() - 1) + 1);
    text += fmt::format(R"({}{{"ph":"{}","pid":1,"tid":1,"ts":{})", text.empty() ? "" : ",", line.substr(0, at),
                        line.substr(at + 1, name - at - 1));
    if (name != line.npos) text += fmt::format(R"(,"name":"{}")", line.substr(name + 1, id - name - 1));
    if (name != line.npos && id != line.npos) text += fmt::format(R"(,"cat":"c","id":"{}")", line.substr(id + 1));
    text += "}";
  }
  return text;
}
Strings events_of(const Strings& lines) { return ReadTrace(records(lines)).events(); }

TEST_CASE("ends that stand before their begins are paired by time", "[chrome]") {
  const Strings nested{"inner 20+70 span", "outer 10+90 span"};
  CHECK(events_of({"E 90 inner", "E 100 outer", "B 10 outer", "B 20 inner"}) == nested);
  CHECK(events_of({"E 90", "E 100", "B 10 outer", "B 20 inner"}) == nested);
  CHECK(events_of({"E 100 outer", "B 10 outer", "B 20 inner", "E 90 inner"}) == nested);
  // The buffers of a thread, each in order, but the second one first.
  CHECK(events_of({"E 45 step", "B 70 step", "B 10 step", "E 80 step"}) ==
        Strings{"step 10+35 span", "step 70+10 span"});
  CHECK(events_of({"E 40 b", "B 30 b", "E 20 a", "B 10 a"}) == Strings{"a 10+10 span", "b 30+10 span"});
  CHECK(events_of({"E 5000000 long", "E 9000000 long", "B 8000000 long", "B 0 long"}) ==
        Strings{"long 0+5000000 span", "long 8000000+1000000 span"});
}

TEST_CASE("an end closes the open span of its name, and else none", "[chrome]") {
  const ReadTrace stray(
      records({"B 0 step", "B 10 load", "E 20 load", "E 30 flush", "B 40 work", "E 50 work", "E 100 step"}));
  CHECK(stray.events() == Strings{"flush 30+0 instant", "load 10+10 span", "step 0+100 span", "work 40+10 span"});
  REQUIRE(stray.capture.notes.size() == 1);
  CHECK(stray.capture.notes[0].starts_with("1 ends have no open begin"));
  CHECK(events_of({"B 0 a", "B 5 b", "E 10 a", "E 20 b"}) == Strings{"a 0+10 span", "b 5+15 span"});
  CHECK(events_of({"B 0 a", "B 5 a", "E 10 a", "E 20 a"}) == Strings{"a 0+20 span", "a 5+5 span"});
  CHECK(events_of({"E 3 a", "B 5 a", "X 5 end"}) == Strings{"a 3+0 instant", "a 5+0 unfinished", "end 5+0 span"});
}

TEST_CASE("many open spans of other names make no end slow", "[chrome]") {
  Strings lines;
  for (int i = 0; i < 20'000; ++i) lines.push_back(fmt::format("B {} a", i));
  for (int i = 0; i < 20'000; ++i) lines.push_back(fmt::format("E {} b", 20'000 + i));
  CHECK(events_of(lines).size() == 40'000);
}

TEST_CASE("asynchronous ends are paired by name and time", "[chrome]") {
  CHECK(events_of({"e 290 request 9", "F 190 read 8", "S 120 read 8", "b 125 request 9"}) ==
        Strings{"read 120+70 asynchronous", "request 125+165 asynchronous"});
  CHECK(events_of({"b 100 request 1", "e 101 lookup 1", "e 500 request 1"}) ==
        Strings{"lookup 101+0 instant", "request 100+400 asynchronous"});
  CHECK(events_of({"b 0 a 1", "b 5 b 1", "e 10 a 1", "e 20 b 1"}) ==
        Strings{"a 0+10 asynchronous", "b 5+15 asynchronous"});
}

TEST_CASE("ids of asynchronous events are their process's, unless they are said to be global", "[chrome]") {
  const auto text = [](const char* id) {
    return fmt::format(R"({{"ph":"b","name":"a","cat":"c",{0},"pid":1,"tid":1,"ts":1}},
                          {{"ph":"e","name":"a","cat":"c",{0},"pid":2,"tid":2,"ts":5}})",
                       id);
  };
  CHECK(ReadTrace(text(R"("id2":{"global":"0x1"})")).events() == Strings{"a 1+4 asynchronous"});
  CHECK(ReadTrace(text(R"("id2":{"local":"0x1"})")).events().size() == 2);
}

TEST_CASE("flows are told by category, id and name, and by ids of slices", "[chrome]") {
  std::string slices;
  for (const char* name : {"a", "b", "c", "d"})
    slices +=
        fmt::format(R"({{"ph":"X","name":"{0}","pid":1,"tid":"{0}","ts":{1},"dur":5}},)", name, (name[0] - 'a') * 10);
  const auto end = [](const char* phase, const char* at, const char* name, int ts) {
    return fmt::format(R"({{"ph":"{}","cat":"x","id":1,"pid":1,"tid":"{}","name":"{}","ts":{},"bp":"e"}},)", phase, at,
                       name, ts);
  };
  const std::string last = R"({"ph":"i","name":"z","pid":1,"tid":"z","ts":1})";
  CHECK(ReadTrace(slices + end("s", "a", "one", 1) + end("s", "b", "two", 11) + end("f", "c", "one", 21) +
                  end("f", "d", "two", 31) + last)
            .flows() == Strings{"a c", "b d"});
  CHECK(ReadTrace(slices + end("s", "a", "send", 1) + end("f", "c", "receive", 21) + last).flows() == Strings{"a c"});
  const auto bound = [](const char* name, int ts, const char* more) {
    return fmt::format(R"({{"ph":"X","name":"{0}","pid":1,"tid":"{0}","ts":{1},"dur":5,{2}}},)", name, ts, more);
  };
  CHECK(ReadTrace(bound("in", 50, R"("bind_id":"0x5","flow_in":true)") +
                  bound("out", 1, R"("bind_id":"0x5","flow_out":true)") +
                  bound("other", 2, R"("bind_id":"0x6","flow_out":true)") +
                  bound("both", 20, R"("bind_id":"0x5","flow_in":true,"flow_out":true)") +
                  bound("not", 60, R"("bind_id":"0x5","flow_in":false)") + last)
            .flows() == Strings{"both in", "out both"});
}

TEST_CASE("a counter is its process's, whichever threads write it", "[chrome]") {
  const auto value = [](int thread, int ts, const char* number) {
    return fmt::format(R"({{"ph":"C","name":"q","pid":5,"tid":{},"ts":{},"args":{{"n":{}}}}})", thread, ts, number);
  };
  const ReadTrace read(value(1, 0, "1") + "," + value(2, 10, "\".75\"") + "," + value(1, 20, "\"+10.5\""));
  REQUIRE(read.capture.profile.tracks.size() == 1);
  const Track& track = read.capture.profile.tracks[0];
  CHECK(track.kind == TrackKind::kProcess);
  REQUIRE(track.counters.size() == 1);
  CHECK(std::ranges::equal(track.counters[0].value.span(), std::vector{1.0, 0.75, 10.5}));
}

}  // namespace
}  // namespace vizd::pairing_test
