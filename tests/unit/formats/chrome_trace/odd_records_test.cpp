// Records of traces that are not as they should be, and count all the same: also when the trace is written and read
// again.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/chrome_trace/format.h"
#include "formats/registry.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"
#include "reference/trace_file/trace_summary.h"
#include "support/catch.h"
#include "timeline/event_json.h"
#include "timeline/event_order.h"
#include "timeline/event_query.h"
#include "unit/query/asked.h"

namespace vizd::odd_records_test {
namespace {

using Lines = std::vector<std::string>;

std::uint32_t lane_with_events(const Capture& capture) {
  const auto has_events = [](const Track& track) { return track.events.size() > 0; };
  return static_cast<std::uint32_t>(std::ranges::find_if(capture.profile.tracks, has_events) -
                                    capture.profile.tracks.begin());
}

// A trace of those records and members, read as it stands and after it was written once more.
class TwiceRead {
 public:
  explicit TwiceRead(const std::string& events, const std::string& more = "") {
    read("{\"traceEvents\":[" + events + "]" + more + "}", first_);
    std::string written;
    chrome_trace::write(first_, {}, [&](std::string_view part) { written += part; });
    read(written, second_);
  }

  // The lines that tell(capture, summary) has of both.
  template <typename Tell>
  Lines told(Tell&& tell) const {
    const Lines lines = tell(first_, summarize_trace(first_).at(0));
    CHECK(tell(second_, summarize_trace(second_).at(0)) == lines);
    return lines;
  }

  Lines categories() const {
    return told([](const Capture&, const TraceSummary& summary) {
      Lines lines;
      for (const auto& c : summary.categories)
        lines.push_back(fmt::format("{} '{}' {} {}", c.phase, c.category, c.events, c.total_ns));
      return lines;
    });
  }
  const Capture& capture() const { return first_; }

  template <typename Look>
  void for_each(Look&& look) {
    look(first_);
    look(second_);
  }

 private:
  static void read(const std::string& text, Capture& capture) {
    if (const auto done = read_capture({"trace.json", std::as_bytes(std::span(text))}, capture); !done)
      FAIL(done.error().text());
  }

  Capture first_, second_;
};

TEST_CASE("a category that is empty, a number or a truth value is counted as it stands", "[chrome]") {
  const TwiceRead read(
      R"({"ph":"X","name":"a","cat":"","pid":1,"tid":1,"ts":1,"dur":1},
         {"ph":"X","name":"a","cat":3,"pid":1,"tid":1,"ts":3,"dur":1},
         {"ph":"X","name":"a","cat":null,"pid":1,"tid":1,"ts":5,"dur":1},
         {"ph":"i","name":"a","cat":true,"pid":1,"tid":1,"ts":6},
         {"ph":"B","name":"a","pid":1,"tid":1,"ts":7},{"ph":"E","cat":"","pid":1,"tid":1,"ts":8},
         {"ph":"s","id":1,"name":"a","cat":"","pid":1,"tid":1,"ts":1},
         {"ph":"f","id":1,"name":"a","pid":1,"tid":1,"ts":2},
         {"ph":"C","name":"c","cat":"","pid":1,"tid":1,"ts":2,"args":{"v":1}})");
  CHECK(read.categories() == Lines{"B 'None' 1 0", "C '' 1 0", "E '' 1 0", "X '' 1 1000", "X '3' 1 1000",
                                   "X 'None' 1 1000", "f 'None' 1 0", "i 'True' 1 0", "s '' 1 0"});
}

TEST_CASE("numbers beyond 64 bits keep their digits", "[chrome]") {
  const TwiceRead read(
      R"({"ph":"i","name":"a","pid":1,"tid":18446744073709551615,"ts":1,"args":{"Addr":9223372036854775813}})");
  const Lines lines = read.told([](const Capture& capture, const TraceSummary& summary) {
    Lines texts;
    std::string json;
    JsonWriter writer(json);
    write_number(writer, *summary.tracks.at(0).thread, capture.strings);
    texts.push_back(json);
    for (const Track& track : capture.profile.tracks) {
      for (const ArgumentColumn& column : track.arguments)
        texts.push_back(value_text(column.value(0), capture.strings));
    }
    return texts;
  });
  CHECK(lines == Lines{"18446744073709551615", "9223372036854775813"});
}

TEST_CASE("a time of 0 among times since 1970 is kept beside them", "[chrome]") {
  const TwiceRead read(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1700000000000000.001,"dur":2},
                          {"ph":"X","name":"b","pid":1,"tid":1,"ts":0,"dur":1},
                          {"ph":"X","name":"c","pid":1,"tid":1,"ts":1700000000000003,"dur":1})");
  CHECK(read.told([](const Capture&, const TraceSummary& summary) {
    return Lines{std::to_string(summary.first_ns.value()), std::to_string(summary.last_ns.value()),
                 std::to_string(summary.events)};
  }) == Lines{"0", "1700000000000004000", "3"});
  CHECK_FALSE(read.capture().warnings.empty());
}

TEST_CASE("records without a time count by their phase", "[chrome]") {
  const TwiceRead read(R"({"ph":"X","name":"a","pid":1,"tid":1,"dur":2},{"ph":"i","name":"a","ts":"x"},{"ts":5})");
  CHECK(read.told([](const Capture&, const TraceSummary& summary) {
    Lines lines;
    for (const auto& phase : summary.phases) lines.push_back(fmt::format("{} {}", phase.phase, phase.events));
    return lines;
  }) == Lines{"None 1", "X 1", "i 1"});
}

TEST_CASE("5 and 5.0 are one correlation, \"5\" is another, and a null is none", "[chrome]") {
  const auto event = [](const char* category, const char* correlation) {
    return fmt::format(
        R"({{"ph":"X","name":"a","cat":"{}","pid":1,"tid":1,"ts":1,"dur":1,"args":{{"correlation":{}}}}})", category,
        correlation);
  };
  for (const auto& [of_work, pairs] : {std::pair("5.0", 1), std::pair("\"5\"", 0), std::pair("null", 0)}) {
    const TwiceRead read(event("cuda_runtime", "5") + "," + event("kernel", of_work));
    CHECK(read.told([](const Capture&, const TraceSummary& summary) {
      return Lines{std::to_string(summary.launches.pairs)};
    }) == Lines{std::to_string(pairs)});
  }
}

TEST_CASE("of a member that stands twice the last counts, and a base time keeps its digits", "[chrome]") {
  const TwiceRead read(R"({"ph":"i","name":"a","pid":1,"tid":1,"ts":1})",
                       R"(,"distributedInfo":{"rank":3,"world_size":4},"baseTimeNanoseconds":1700000000000000123.0,
                           "distributedInfo":{"world_size":2})");
  CHECK(read.told([](const Capture& capture, const TraceSummary& summary) {
    return Lines{summary.rank ? "rank" : "no rank", value_text(summary.world_size.value(), capture.strings),
                 std::to_string(summary.base_time_ns)};
  }) == Lines{"no rank", "2", "1700000000000000123"});
}

TEST_CASE("an argument whose name begins with a point is no member of its event", "[chrome]") {
  const TwiceRead read(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{".ph":"B",".cat":""}})");
  CHECK(read.categories() == Lines{"X 'None' 1 1000"});
}

TEST_CASE("an argument whose name begins with a point is shown, found and asked for as the file has it", "[chrome]") {
  TwiceRead read(
      R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"made":"by hand","args":{".ph":"own",".size":7}},
         {"ph":"X","name":"b","pid":1,"tid":1,"ts":3,"dur":1,"args":{".size":3}})");
  read.for_each([](Capture& capture) {
    const Timeline timeline = prepare_timeline(capture, 1);
    const std::string event = event_json(capture, timeline, {lane_with_events(capture), 0});
    CHECK(event.find(R"({"name":".ph","unit":"","value":"own"},{"name":".size","unit":"","value":7})") !=
          std::string::npos);
    CHECK(event.find("by hand") == std::string::npos);
    const auto find = [&](std::string_view text, std::string_view order) {
      std::string names;
      for (const EventPlace& place : marked_in_order(capture, find_by_text(capture, timeline, text, 1),
                                                     {lane_with_events(capture)}, *parse_event_order(order), 10))
        names += capture.strings.get(capture.profile.tracks[place.lane].events.name(place.event));
      return names;
    };
    CHECK(find(".size>5", "start") == "a");
    CHECK(find("own", "start") == "a");
    CHECK(find("by hand", "start") == "");
    CHECK(find("dur>0", "argument:.size") == "ba");
    CHECK(sql::Asked({{.capture = &capture, .timeline = &timeline, .name = "t"}},
                     "SELECT key, name, display_value FROM args ORDER BY arg_set_id, key")
              .text() == "args..ph .ph own\nargs..size .size 7\nargs..size .size 3\n");
  });
}

TEST_CASE("of what is no trace, names that begin with a point are arguments as any", "[chrome]") {
  Capture capture;
  Track& track = capture.profile.tracks.emplace_back();
  track.events.push_back({.start_ns = 1, .dur_ns = 1, .name = capture.strings.add("a")});
  find_or_add_argument(track.arguments, capture.strings.add(".size"), {}, ArgumentType::kInteger)
      .push_back(0, std::int64_t{7});
  const Timeline timeline = prepare_timeline(capture, 1);
  CHECK(event_json(capture, timeline, {0, 0}).find(R"("name":".size")") != std::string::npos);
  CHECK(sql::Asked({{.capture = &capture, .timeline = &timeline, .name = "c"}}, "SELECT key FROM args").text() ==
        "debug..size\n");
}

TEST_CASE("a capture that counts more records than it could ever have held is written in bounded room", "[chrome]") {
  for (const std::string_view name : {trace::kWithoutTime, std::string_view("process_name")}) {
    Capture capture;
    Track& track = capture.profile.tracks.emplace_back();
    track.kind = TrackKind::kProcess;
    track.number = 1;
    capture.profile.is_trace = true;
    capture.facts.push_back(
        {.name = capture.strings.add(fact::kTimeOffset_ns), .value = std::int64_t{0}, .is_hidden = true});
    Fact& fact = capture.facts.emplace_back();
    fact.name = capture.strings.add(name);
    fact.is_hidden = name == trace::kWithoutTime;
    fact.value = std::int64_t{1} << 40;
    if (name != trace::kWithoutTime) {
      fact.track = 0;
      fact.times = 0xffff'ffff;
    }
    std::size_t written_bytes = 0;
    std::string end;
    chrome_trace::write(capture, {}, [&](std::string_view part) {
      written_bytes += part.size();
      end = part;
    });
    CHECK(written_bytes > std::size_t{1} << 20);
    CHECK(written_bytes < std::size_t{100} << 20);
    CHECK(end.find("more records like the last are left out") != std::string::npos);
  }
}

TEST_CASE("offsets and counts that cannot be are no facts of a native capture", "[native]") {
  Capture capture;
  capture.has_profile = true;
  capture.profile.tracks.emplace_back().events.push_back({.start_ns = 1, .dur_ns = 1});
  constexpr std::int64_t kFar = std::int64_t{3} << 61;
  const std::pair<std::string_view, std::int64_t> told[] = {
      {fact::kTimeOffset_ns, kFar}, {fact::kTimeOffset_ns, -kFar}, {fact::kTimeOffset_ns, 1'700'000'000'000'000'000},
      {trace::kWithoutTime, -1},    {trace::kWithoutTime, kFar},   {trace::kWithoutTime, 12}};
  for (const auto& [name, value] : told) capture.facts.push_back({.name = capture.strings.add(name), .value = value});
  for (const Format* const format : formats()) {
    if (format->name != "vizd" && format->name != "perfetto") continue;
    capture.profile.clock.unix_offset_ns = format->name == "vizd" ? std::optional(kFar) : std::nullopt;
    std::string bytes;
    format->writer->write(capture, {}, [&](std::string_view part) { bytes += part; });
    Capture again;
    REQUIRE(read_capture({"again", std::as_bytes(std::span(bytes))}, again));
    Lines lines;
    for (const Fact& fact : again.facts) {
      if (const auto* const number = std::get_if<std::int64_t>(&fact.value))
        lines.push_back(fmt::format("{} {}", again.strings.get(fact.name), *number));
    }
    CHECK(lines == Lines{".time offset 1700000000000000000", ".events without a time 12"});
    CHECK_FALSE(again.profile.clock.unix_offset_ns.has_value());
  }
}

TEST_CASE("times that no clock can have are none, and a trace's base may be anything", "[chrome]") {
  for (const char* base : {"9223372036854775807", "-9223372036854775808", "4611686018427387904"}) {
    INFO(base);
    const TwiceRead read(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":4611686018427387,"dur":1},
                            {"ph":"X","name":"b","pid":1,"tid":1,"ts":9223372036854775.807,"dur":9223372036854775})",
                         std::string(R"(,"baseTimeNanoseconds":)") + base);
    read.told([](const Capture& capture, const TraceSummary& summary) {
      CHECK(summary.last_ns == 4'611'686'018'427'388'000);
      CHECK(is_possible_offset(capture.profile.clock.unix_offset_ns.value_or(0)));
      return Lines{};
    });
  }
}

TEST_CASE("metadata and members that are called as what vizd keeps for itself are the file's", "[chrome]") {
  for (const char* rank : {"", R"(,"distributedInfo":{"rank":1,".time offset":7})"}) {
    const TwiceRead read(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},)"
                         R"({"ph":"M","name":".time offset","pid":2,"args":{"name":"p"}},)"
                         R"({"ph":"M","name":".events without a time","pid":1,"args":{"name":9000000000000000000}})",
                         std::string(R"(,".time offset":"x",".events without a time":9000000000000000000)") + rank);
    CHECK(read.told([](const Capture& capture, const TraceSummary& summary) {
      Lines lines{std::to_string(capture.profile.start_ns)};
      for (const auto& phase : summary.phases) lines.push_back(fmt::format("{} {}", phase.phase, phase.events));
      for (const auto& row : summary.metadata) lines.push_back(fmt::format("{} {}", row.name, row.events));
      return lines;
    }) == Lines{"1000", "M 2", "X 1", ".events without a time 1", ".time offset 1"});
  }
}

TEST_CASE("metadata with numbers that are very small, very large or nearly alike are each kept", "[chrome]") {
  std::string records = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})";
  for (const char* number : {"1e-9", "2e-9", "1e306", "-1e306", "0.25", "0.25"})
    records += fmt::format(R"(,{{"ph":"M","name":"process_sort_index","pid":1,"args":{{"sort_index":{}}}}})", number);
  const TwiceRead read(records);
  CHECK(read.told([](const Capture& capture, const TraceSummary&) {
    Lines lines;
    for (const Fact& fact : capture.facts) {
      if (const auto* const number = std::get_if<double>(&fact.value))
        lines.push_back(fmt::format("{} {}", *number, fact.times));
    }
    return lines;
  }) == Lines{"1e-09 1", "2e-09 1", "1e+306 1", "-1e+306 1", "0.25 2"});
}

TEST_CASE("what is nested in a record and is no JSON is written as a text, so that the file stays JSON", "[chrome]") {
  const TwiceRead read(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,
                           "args":{"good":[1,{"a":null}],"bad":[1,,2],"number":[NaN]}},
                          {"ph":"E","pid":1,"tid":3,"ts":5,"args":{"more":[tru]}},
                          {"ph":"M","name":"process_labels","pid":1,"args":{"labels":["a" "b"]}})");
  std::string written;
  chrome_trace::write(read.capture(), {}, [&](std::string_view part) { written += part; });
  const auto trace = nlohmann::json::parse(written);
  REQUIRE(trace["traceEvents"].size() == 3);
  for (const auto& record : trace["traceEvents"]) {
    const auto& arguments = record["args"];
    if (record["ph"] == "X") {
      CHECK(arguments["good"] == nlohmann::json::parse(R"([1,{"a":null}])"));
      CHECK(arguments["bad"] == "[1,,2]");
      CHECK(arguments["number"] == "[NaN]");
    } else {
      CHECK(arguments ==
            (record["ph"] == "E" ? nlohmann::json{{"more", "[tru]"}} : nlohmann::json{{"labels", "[\"a\" \"b\"]"}}));
    }
  }
}

}  // namespace
}  // namespace vizd::odd_records_test
