// speedscope's files: what becomes of their profiles, and of everything that is wrong with them.
#include <string>
#include <vector>

#include "formats/speedscope/format.h"
#include "support/catch.h"
#include "support/failing_allocation.h"
#include "support/named_sets.h"
#include "support/temporary_folder.h"

namespace vizd::speedscope_test {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view kSchema = "https://www.speedscope.app/file-format-schema.json";

// A document of these profiles.
std::string document(const std::string& profiles) {
  return R"({"exporter":"test 1.0","profiles":[)" + profiles + R"(],"$schema":")" + std::string(kSchema) +
         R"(","shared":{"frames":[{"name":"main","file":"main.py","line":3},{"name":"work"},{"name":"rest"}]}})";
}
std::string evented(const std::string& events, const std::string& unit = "microseconds") {
  return document(R"({"type":"evented","name":"thread 1","unit":")" + unit +
                  R"(","startValue":10,"endValue":50,"events":[)" + events + "]}");
}
std::string sampled(const std::string& samples, const std::string& weights) {
  return document(
      R"({"type":"sampled","name":"thread 2","unit":"milliseconds","startValue":0,"endValue":9,"samples":[)" + samples +
      R"(],"weights":[)" + weights + "]}");
}

Result<void> read(std::string_view bytes, Capture& capture) {
  return speedscope::read({"f", std::as_bytes(std::span(bytes))}, capture);
}

// "NAME START+DURATION", with the kind where it is no span.
Strings events_of(const Capture& capture, std::size_t track = 0) {
  Strings texts;
  REQUIRE(track < capture.profile.tracks.size());
  for (const Event event : capture.profile.tracks[track].events) {
    std::string text = std::string(capture.strings.get(event.name)) + " " + std::to_string(event.start_ns) + "+" +
                       std::to_string(event.dur_ns);
    if (event.kind != EventKind::kSpan) text += " " + std::string(event_kind_name(event.kind));
    texts.push_back(text);
  }
  return texts;
}

// Reads what must be readable, though records may be missing.
struct Opened {
  explicit Opened(const std::string& bytes) {
    if (const auto result = read(bytes, capture); !result) FAIL(result.error().text());
  }
  Capture capture;
};

TEST_CASE("an evented profile's frames are spans, with their places as arguments", "[speedscope]") {
  const Opened opened(
      evented(R"({"type":"O","frame":0,"at":10},{"type":"O","frame":1,"at":12.5},{"type":"C","frame":1,"at":20},)"
              R"({"type":"C","frame":0,"at":40})"));
  const Capture& capture = opened.capture;
  CHECK(capture.format == "speedscope");
  CHECK(capture.has_profile);
  CHECK(capture.profile.start_ns == 10'000);
  CHECK(capture.profile.end_ns == 50'000);
  REQUIRE(capture.profile.tracks.size() == 1);
  const Track& track = capture.profile.tracks[0];
  CHECK(capture.strings.get(track.name) == "thread 1");
  CHECK(events_of(capture) == Strings{"main 10000+30000", "work 12500+7500"});
  REQUIRE(track.arguments.size() == 2);
  for (const ArgumentColumn& argument : track.arguments) {
    REQUIRE(argument.size() == 1);
    CHECK(argument.events[0] == 0);
  }
  CHECK(capture.strings.get(std::get<StringId>(track.arguments[0].value(0))) == "main.py");
  CHECK(std::get<std::int64_t>(track.arguments[1].value(0)) == 3);
  REQUIRE(capture.facts.size() == 1);
  CHECK(capture.strings.get(std::get<StringId>(capture.facts[0].value)) == "test 1.0");
  CHECK(capture.skipped.empty());
  CHECK(capture.warnings.empty());
}

TEST_CASE("a sampled profile's samples keep their stacks, and what they share is spans", "[speedscope]") {
  const Opened opened(sampled("[0,1],[0,1],[0,2],[],[0]", "1,2,3,1,2"));
  const Capture& capture = opened.capture;
  const Track& track = capture.profile.tracks[0];
  REQUIRE(track.samples.size() == 4);
  CHECK(track.samples.at_ns[2] == 3'000'000);
  CHECK(track.samples.stack[0] == track.samples.stack[1]);
  const auto frames = frames_of(capture.stacks, StackId{track.samples.stack[2]});
  REQUIRE(frames.size() == 2);
  CHECK(capture.strings.get(frames[0].function) == "rest");
  CHECK(capture.strings.get(frames[1].function) == "main");
  CHECK(frames[1].line == 3);
  CHECK(capture.stacks.size() == 3);
  CHECK(events_of(capture) ==
        Strings{"main 0+6000000", "work 0+3000000", "rest 3000000+3000000", "main 7000000+2000000"});
  CHECK(capture.profile.end_ns == 9'000'000);
  CHECK(capture.skipped.empty());
}

TEST_CASE("values that are no times are drawn as nanoseconds, and a note says so", "[speedscope]") {
  const Opened opened(evented(R"({"type":"O","frame":0,"at":11},{"type":"C","frame":0,"at":14})", "bytes"));
  CHECK(events_of(opened.capture) == Strings{"main 11+3"});
  REQUIRE(opened.capture.notes.size() == 1);
  CHECK(opened.capture.notes[0] == "the profile \"thread 1\" counts bytes, not time: each is drawn as a nanosecond");
  CHECK(Opened(evented("", "")).capture.notes.size() == 1);
}

TEST_CASE("events that make no sense are left out and counted, and the rest is read", "[speedscope]") {
  struct Case {
    std::string events;
    std::string reason;
    Strings left;
  };
  const std::string whole = R"({"type":"O","frame":0,"at":10},{"type":"C","frame":0,"at":40})";
  const Strings all{"main 10000+30000"};
  const char* const kNone = "events without a type, a time or a frame of the file's";
  const Case cases[] = {
      {R"({"type":"O","frame":7,"at":10},)" + whole, kNone, all},
      {R"({"type":"O","frame":-1,"at":10},)" + whole, kNone, all},
      {R"({"type":"O","frame":"0","at":10},)" + whole, kNone, all},
      {R"({"type":"X","frame":0,"at":10},)" + whole, kNone, all},
      {R"({"type":"O","frame":0,"at":1e300},)" + whole, kNone, all},
      {R"({"type":"O","frame":0,"at":9223372036854775807},)" + whole, kNone, all},
      {R"({"type":"O","frame":0},)" + whole, kNone, all},
      {R"(null,)" + whole, kNone, all},
      {R"([1],)" + whole, kNone, all},
      {whole + R"(,{"type":"O","frame":1,"at":20})", "events before the one that they follow", all},
      {R"({"type":"C","frame":1,"at":10},)" + whole, "ends of frames that had not begun", all},
      {R"({"type":"O","frame":0,"at":10},{"type":"O","frame":1,"at":11},{"type":"C","frame":0,"at":40})",
       "missing ends of frames, which end with the one around them",
       {"main 10000+30000", "work 11000+29000"}}};
  for (const Case& c : cases) {
    INFO(c.events);
    const Opened opened(evented(c.events));
    CHECK(opened.capture.skipped == std::map<std::string, std::uint64_t>{{c.reason, 1}});
    CHECK(events_of(opened.capture) == c.left);
  }
  // What never ends was still running.
  CHECK(events_of(Opened(evented(R"({"type":"O","frame":0,"at":10})")).capture) ==
        Strings{"main 10000+40000 unfinished"});
}

TEST_CASE("samples that make no sense are left out and counted", "[speedscope]") {
  const auto skipped = [](const std::string& samples, const std::string& weights) {
    const Opened opened(sampled(samples, weights));
    CHECK(opened.capture.profile.tracks[0].samples.size() == 1);
    REQUIRE(opened.capture.skipped.size() == 1);
    CHECK(opened.capture.skipped.begin()->second == 1);
    return opened.capture.skipped.begin()->first;
  };
  CHECK(skipped("[0],[9]", "1,1") == "samples of frames that the file does not have, or of more than 4096");
  CHECK(skipped("[0],0", "1,1") == "samples of frames that the file does not have, or of more than 4096");
  CHECK(skipped("[0],[1]", "1,-1") == "samples of no usable weight");
  CHECK(skipped("[0],[1]", "1,1e30") == "samples of no usable weight");
  CHECK(skipped("[0],[1]", "1,null") == "samples of no usable weight");
  const Opened unweighted(sampled("[0],[1]", "1"));
  CHECK(unweighted.capture.warnings.size() == 1);
  CHECK(unweighted.capture.profile.tracks[0].samples.size() == 2);
}

TEST_CASE("a speedscope file that is cut or damaged is refused with its place, wherever that is",
          "[speedscope][broken]") {
  const std::string whole = evented(R"({"type":"O","frame":0,"at":10},{"type":"C","frame":0,"at":40})");
  Capture capture;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto result = read(whole.substr(0, size), capture);
    REQUIRE_FALSE(result);
    CHECK(result.error().where == "f:" + std::to_string(size + 1));
  }
  int refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char flip : {'\x01', '\x20', '\x80'}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      Capture flipped;
      const auto result = read(bytes, flipped);
      refused += result ? 0 : 1;
      if (!result) CHECK(result.error().where.starts_with("f"));
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("hostile speedscope files end in an error or in counted skips", "[speedscope][broken]") {
  Capture capture;
  CHECK_FALSE(read(std::string(1'000'000, '['), capture));
  CHECK_FALSE(read(R"({"profiles":[1e99999]})", capture));
  CHECK_FALSE(read(R"({"profiles":{}})", capture));
  CHECK_FALSE(read("[]", capture));
  CHECK_FALSE(read("\"\xff\"", capture));
  const Opened nothing(document("1,[],{},null,{\"type\":\"other\"}"));
  CHECK(nothing.capture.profile.tracks.empty());
  CHECK(nothing.capture.skipped.at("profiles that are neither evented nor sampled") == 5);

  const auto nested =
      read(R"({"profiles":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}", capture);
  REQUIRE_FALSE(nested);
  CHECK(nested.error().text() == "f:19: is nested deeper than a speedscope file can be; export it again");
  CHECK(Opened(R"({"name":"[[[[[[[[[[\"[[[[","profiles":[]})").capture.profile.tracks.empty());

  // As deep as a program that recurses without end.
  std::string events;
  for (int i = 0; i < 5000; ++i) events += R"({"type":"O","frame":0,"at":11},)";
  const Opened deep(evented(events + R"({"type":"C","frame":0,"at":12})"));
  CHECK(deep.capture.profile.tracks[0].events.size() == 4096);
  CHECK(deep.capture.skipped.at("frames within more than 4096 others") == 5000 - 4096);
}

TEST_CASE("very many small samples cost no more beside what is kept of them than their text", "[speedscope]") {
  constexpr std::size_t kSamples = 200'000;
  std::string samples = "[0]", weights = "1";
  for (std::size_t i = 1; i < kSamples; ++i) samples += ",[0]", weights += ",1";
  const std::string text = sampled(samples, weights);
  const HeldMemory held;
  Capture capture;
  REQUIRE(read(text, capture));
  CHECK(capture.profile.tracks[0].samples.size() == kSamples);
  constexpr std::size_t kKept_bytes = sizeof(std::int64_t) + sizeof(std::uint32_t) + sizeof(double);
  CHECK(held.most_bytes() < static_cast<std::int64_t>(2 * kKept_bytes * kSamples + text.size()));
}

TEST_CASE("a speedscope file is known by its beginning, packed or not, and named for what it is", "[speedscope]") {
  const TemporaryFolder folder;
  folder.write("run.speedscope.json", evented(""));
  folder.write("package.json", R"({"lockfileVersion":3})");
  const auto sets = named_sets({folder / "run.speedscope.json", folder / "package.json"});
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].format == &speedscope::kFormat);
  CHECK(sets[0].name == "run");
  CHECK(sets[1].format == nullptr);
  // What says so may stand behind more than is looked at; then the name tells.
  const std::string late = R"({"exporter":")" + std::string(2 * kSniffedBytes, 'x') + "\"," + evented("").substr(1);
  CHECK(find_format(as_bytes(std::span(late)), "/a/run.json") == nullptr);
  CHECK(find_format(as_bytes(std::span(late)), "/a/run.speedscope.json") == &speedscope::kFormat);
  CHECK(find_format(as_bytes(std::span(late)), "run.speedscope.json.gz") == &speedscope::kFormat);
  CHECK(find_format(as_bytes(std::span("hello", 5)), "run.speedscope.json") == nullptr);
}

}  // namespace
}  // namespace vizd::speedscope_test
