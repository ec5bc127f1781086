#include "formats/tinygrad/reading/profile_reader.h"

#include <map>
#include <string>
#include <utility>

#include "formats/pickle/machine.h"
#include "formats/tinygrad/reading/rewrites_reader.h"
#include "formats/tinygrad/v2025_09/version.h"
#include "formats/tinygrad/v2026_08/version.h"
#include "formats/tinygrad/viewer_words.h"
#include "support/catch.h"
#include "support/tiny_capture.h"

namespace vizd::tinygrad::profile_reader_test {
namespace {

struct ProfileOf {
  explicit ProfileOf(const std::string& events, const MeasureExecution& measure = {}) { read(events, measure); }

  void read(const std::string& events, const MeasureExecution& measure = {}) {
    const std::string bytes = profile_pickle(events);
    const auto tree = pickle::read_pickle(as_bytes(bytes), "f");
    if (!tree) FAIL(tree.error().text());
    REQUIRE(profile_version(*tree) == &tinygrad_2025_09::kVersion);
    read_profile(*tree, tinygrad_2025_09::kVersion, measure, capture);
  }
  std::string_view text(StringId id) const { return capture.strings.get(id); }
  std::uint64_t skipped() const {
    std::uint64_t count = 0;
    for (const auto& [reason, times] : capture.skipped) count += times;
    return count;
  }
  const Track& lane(std::size_t i) const { return capture.profile.tracks.at(i); }

  Capture capture;
};

const std::string kNone = "N";

TEST_CASE("profile: lanes in order of first appearance, events by whole microseconds", "[tinygrad]") {
  const ProfileOf p(range_event("B", a_text("late"), "30.5", decimal("31")) +
                    range_event("A", a_text("x"), "10", decimal("12.25")) +
                    range_event("B", a_text("second"), "20.9", decimal("21")) +
                    range_event("B", a_text("third"), "20.1", decimal("21")) +
                    range_event("B", a_text("no time at all"), "20", decimal("20")));
  REQUIRE(p.capture.profile.tracks.size() == 2);
  CHECK(p.text(p.lane(0).name) == "B");
  CHECK(p.text(p.lane(1).name) == "A");
  REQUIRE(p.lane(0).events.size() == 3);
  CHECK(p.text(p.lane(0).events[0].name) == "second");  // recorded before the third, in the same microsecond
  CHECK(p.text(p.lane(0).events[1].name) == "third");
  CHECK(p.text(p.lane(0).events[2].name) == "late");
  CHECK(p.lane(0).events[1].start_ns == 20'100);
  CHECK(p.lane(0).events[1].order == 2);
  CHECK(p.lane(1).events[0].dur_ns == 2'250);
  CHECK(p.capture.profile.start_ns == 10'000);
  CHECK(p.capture.profile.end_ns == 31'000);
  CHECK(p.skipped() == 0);
}

TEST_CASE("profile: devices' clocks are moved to the host's, the last one known for all events", "[tinygrad]") {
  const ProfileOf p(device_event("NV", "1", decimal("2")) + range_event("NV", a_text("compute"), "10", decimal("11")) +
                    range_event("NV", a_text("copy"), "10", decimal("11"), true) +
                    device_event("NV", "-9.89625", decimal("100")) + device_event("AMD", "5", kNone) +
                    range_event("AMD", a_text("copy"), "10", decimal("11"), true));
  CHECK(p.lane(0).events[0].start_ns == 103);  // 10 - 9.89625, rounded down
  CHECK(p.lane(0).events[0].dur_ns == 1'000);
  CHECK(p.lane(0).events[1].start_ns == 110'000);
  CHECK(p.lane(1).events[0].start_ns == 15'000);  // no clock of its own for copies
}

TEST_CASE("profile: an open range ends where it starts, and is no event", "[tinygrad]") {
  const ProfileOf p(range_event("A", a_text("open"), "10", kNone));
  CHECK(p.lane(0).events.empty());
  CHECK(p.capture.profile.end_ns == 10'000);
}

std::string graph_event(const std::string& entries, const std::string& signals) {
  return opcodes(PickleWriter()
                     .object("tinygrad.device", "ProfileGraphEvent")
                     .mark()
                     .text("ents")
                     .raw(a_list(entries))
                     .text("deps")
                     .list()
                     .text("sigs")
                     .raw(a_list(signals))
                     .built());
}

std::string graph_entry(std::string_view device, std::string_view name, int start, int end) {
  return opcodes(PickleWriter()
                     .object("tinygrad.device", "ProfileGraphEntry")
                     .mark()
                     .text("device")
                     .text(device)
                     .text("name")
                     .text(name)
                     .text("st_id")
                     .integer(start)
                     .text("en_id")
                     .integer(end)
                     .text("is_copy")
                     .boolean(false)
                     .built());
}

TEST_CASE("profile: a graph is a range over its entries, to the picosecond", "[tinygrad]") {
  const ProfileOf p(device_event("CPU:1", "0.00025", kNone) +
                    graph_event(graph_entry("CPU:1", "a", 0, 1) + graph_entry("CPU", "b", 2, 3),
                                decimal("10") + decimal("12") + decimal("11") + decimal("30.5")));
  REQUIRE(p.capture.profile.tracks.size() == 3);
  CHECK(p.text(p.lane(0).name) == "CPU Graph");
  CHECK(p.text(p.lane(1).name) == "CPU:1");
  CHECK(p.text(p.lane(2).name) == "CPU");
  const Event whole = p.lane(0).events.front();
  CHECK(p.text(whole.name) == "batched 2");
  CHECK(whole.start_ns == 10'000);
  CHECK(whole.dur_ns == 20'499);
  CHECK(whole.dur_ps == 750);
  CHECK(whole.dur_us() == 20.49975);
  CHECK(p.text(p.lane(2).events.front().name) == "b");
}

std::string alloc(int key, int count, std::string_view at) {
  return point_event("CPU", "alloc", an_int(key), a_dict(a_text("dtype") + int_dtype() + a_text("sz") + an_int(count)),
                     at);
}
std::string release(int key, std::string_view at) { return point_event("CPU", "free", an_int(key), "}", at); }

TEST_CASE("profile: allocations with their order, numbers used again", "[tinygrad]") {
  const ProfileOf p(release(1, "30") + alloc(1, 4, "10") + alloc(2, 8, "20") + alloc(1, 2, "40"));
  REQUIRE(p.lane(0).allocations.size() == 3);
  const auto& a = p.lane(0).allocations;
  CHECK(a[0].key == 1);
  CHECK(a[0].size_bytes() == 16);
  CHECK(p.text(a[0].dtype) == "int");
  CHECK(a[0].freed);
  CHECK(a[0].birth_ns == 10'000);
  CHECK(a[0].death_ns == 30'000);
  CHECK(a[0].birth_order == 0);
  CHECK(a[1].birth_order == 1);
  CHECK(a[0].death_order == 2);
  CHECK(a[2].birth_order == 3);
  CHECK_FALSE(a[1].freed);
  CHECK_FALSE(a[2].freed);
}

TEST_CASE("profile: markers", "[tinygrad]") {
  const ProfileOf p(point_event("TINY", "marker", kNone,
                                a_dict(a_text("name") + a_text("pass 1") + a_text("color") + a_text("red")), "12.5"));
  REQUIRE(p.capture.profile.markers.size() == 1);
  CHECK(p.capture.profile.markers[0].at_ns == 12'500);
  CHECK(p.text(p.capture.profile.markers[0].name) == "pass 1");
  CHECK(p.text(p.capture.profile.markers[0].colour) == "red");
}

// What a program of 2026 leaves for its viewer, by name; and how many points were left out.
std::pair<std::map<std::string, std::string>, std::uint64_t> told_the_viewer(const std::string& events) {
  const std::string bytes = profile_pickle(events);
  const auto tree = pickle::read_pickle(as_bytes(bytes), "f");
  REQUIRE(tree.has_value());
  Capture capture;
  read_profile(*tree, tinygrad_2026_08::kVersion, {}, capture);
  std::map<std::string, std::string> told;
  for (const Fact& fact : capture.facts) {
    CHECK(capture.strings.get(fact.subject) == tinygrad::kForViewer);
    told[std::string(capture.strings.get(fact.name))] = capture.strings.get(std::get<StringId>(fact.value));
  }
  std::uint64_t skipped = 0;
  for (const auto& [reason, times] : capture.skipped) skipped += times;
  return {told, skipped};
}

TEST_CASE("profile: JSON points are what json.dumps makes of them, the last of a name", "[tinygrad]") {
  const auto point = [](const std::string& key, const std::string& value) {
    return point_event("CPU", "JSON", key, value, "1");
  };
  const std::string map = a_dict(an_int(16) + a_text("v_add\n") + a_text("k") + a_list(kNone + an_int(-3)));
  const auto [told, skipped] = told_the_viewer(
      point(a_text("pcMap"), an_int(1)) + point(a_text("pcMap"), map) +
      point(an_int(7), a_tuple(a_text("\xc3\xa9") + opcodes(PickleWriter().boolean(true)) + a_list("") + a_dict(""))) +
      point(a_text("rate"), opcodes(PickleWriter().raw(std::string("G\x3f\xb9\x99\x99\x99\x99\x99\x9a", 9)))) +
      point(a_text("huge"), opcodes(PickleWriter().raw(std::string("G\x7f\xf0\0\0\0\0\0\0", 9)))) +
      point(a_text("bytes"), opcodes(PickleWriter().raw(std::string("C\x01x", 3)))) + point(a_tuple(""), an_int(1)) +
      point(a_text("by object"), a_dict(a_tuple("") + an_int(1))));
  CHECK(told == std::map<std::string, std::string>{{"pcMap", R"({"16": "v_add\n", "k": [null, -3]})"},
                                                   {"7", R"(["\u00e9", true, [], {}])"},
                                                   {"rate", "0.1"}});
  CHECK(skipped == 4);
  std::string deep = an_int(1);
  for (int i = 0; i < 200; ++i) deep = a_list(deep);
  CHECK(told_the_viewer(point(a_text("deep"), deep)).second == 1);
}

TEST_CASE("profile: events lead to contexts by name and by key", "[tinygrad]") {
  const std::string program = opcodes(PickleWriter()
                                          .object("tinygrad.renderer", "ProgramSpec")
                                          .mark()
                                          .text("name")
                                          .text("E_4 coloured")
                                          .text("src")
                                          .text("")
                                          .text("device")
                                          .text("CPU")
                                          .built());
  const std::string tree_key = opcodes(PickleWriter()
                                           .global("tinygrad.uop.ops", "UOp")
                                           .mark()
                                           .raw(ops_member("SINK"))
                                           .raw(int_dtype())
                                           .raw(")NNN")
                                           .reduce());
  const TinyRewrites tiny{.keys = tracing_key("schedule", a_text("schedule")) +
                                  tracing_key("\x1b[34mE_4\x1b[0m", a_text("E_4") + tree_key, program),
                          .contexts = a_list("") + a_list("")};
  const std::string rewrites = tiny.pickle();
  ProfileOf p("");
  const auto tree = pickle::read_pickle(as_bytes(rewrites), "f");
  REQUIRE(tree.has_value());
  p.capture.profile = {};
  REQUIRE(rewrites_version(*tree) == &tinygrad_2025_09::kVersion);
  REQUIRE(read_rewrites(*tree, tinygrad_2025_09::kVersion, "f", p.capture).has_value());
  const MeasureExecution measure = [&](const Capture& capture,
                                       const KernelExecution& execution) -> std::optional<ExecutionWork> {
    const std::int64_t n = capture.values.as_int(capture.values.items(execution.var_vals)[1]);
    return ExecutionWork{n, 2 * n, 0.5, std::string(capture.strings.get(execution.program.name))};
  };
  const auto exec = [](int n, std::string_view at) {
    return point_event("CPU", "exec", a_text("E_4 coloured"),
                       a_dict(a_text("metadata") + kNone + a_text("var_vals") + a_dict(a_text("n") + an_int(n))), at);
  };
  p.read(range_event("TINY", tracing_key("lower", a_text("nobody") + tree_key), "1", decimal("2")) +
             range_event("TINY", tracing_key("other", a_text("nobody")), "3", decimal("4")) +
             range_event("CPU", a_text("E_4"), "10", decimal("11")) +
             range_event("CPU", a_text("E_4"), "20", decimal("22")) +
             range_event("CPU", a_text("E_4"), "5", decimal("6")) + exec(7, "9") + exec(8, "19"),
         measure);
  REQUIRE(p.capture.profile.tracks.size() == 2);
  const auto& host = p.lane(0).events;
  CHECK(p.text(host[0].name) == "lower");
  CHECK(host[0].context == ContextId{1});
  CHECK(host[1].context == ContextId{kNoId});
  const auto& device = p.lane(1).events;
  REQUIRE(device.size() == 3);
  CHECK(p.text(device[0].name) == "\x1b[34mE_4\x1b[0m");
  const auto column = [&](std::string_view name) -> const ArgumentColumn& {
    const ArgumentColumn* found = find_argument(p.lane(1).arguments, p.capture.strings.find(name));
    REQUIRE(found != nullptr);
    return *found;
  };
  CHECK_FALSE(column(argument::kFlop).of(0));  // before any launch was recorded
  CHECK(column(argument::kFlop).of(1) == ArgumentValue(std::int64_t{7}));
  CHECK(column(argument::kFlop).of(2) == ArgumentValue(std::int64_t{8}));
  CHECK(p.text(column(argument::kFlop).unit) == "FLOP");
  CHECK(column(argument::kMemoryBytes).of(2) == ArgumentValue(std::int64_t{16}));
  CHECK(column(argument::kLoadStoreBytes).of(2) == ArgumentValue(0.5));
  CHECK(column(argument::kMetadata).of(2) == ArgumentValue(p.capture.strings.find("E_4 coloured")));
  CHECK(device[2].context == ContextId{1});
}

TEST_CASE("profile: bad records are left out and counted", "[tinygrad]") {
  const std::string good = range_event("CPU", a_text("good"), "1", decimal("2"));
  const auto skips = [&](const std::string& events) {
    const ProfileOf p(good + events);
    CHECK(p.lane(0).events.size() == 1);
    return p.skipped();
  };
  CHECK(skips(range_event("CPU", a_text("x"), "NaN", decimal("2"))) == 1);
  CHECK(skips(range_event("CPU", a_text("x"), "1", an_int(2))) == 1);
  CHECK(skips(range_event("CPU", a_text("x"), "3", decimal("2"))) == 1);
  CHECK(skips(range_event("CPU", an_int(1), "1", decimal("2"))) == 1);
  CHECK(skips(range_event("GPU", a_text("x"), "1", decimal("2"), true)) == 1);
  CHECK(skips(device_event("CPU", "x", kNone)) == 1);
  CHECK(skips(point_event("CPU", "free", an_int(1), "}", "1")) == 1);
  CHECK(skips(point_event("CPU", "free", kNone, "}", "1")) == 1);
  CHECK(skips(point_event("CPU", "alloc", an_int(1), "}", "1")) == 1);
  CHECK(skips(point_event("CPU", "alloc", an_int(-1), "}", "1")) == 1);
  CHECK(skips(point_event("CPU", "alloc", an_int(1), a_dict(a_text("dtype") + int_dtype() + a_text("sz") + an_int(-4)),
                          "1")) == 1);
  CHECK(skips(point_event(
            "CPU", "alloc", an_int(1),
            a_dict(a_text("dtype") + int_dtype() + a_text("sz") + "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"), "1")) ==
        1);
  CHECK(skips(point_event("CPU", "exec", kNone, kNone, "x")) == 1);
  CHECK(skips(graph_event("", "")) == 1);
  CHECK(skips(graph_event(graph_entry("CPU", "a", 0, 5), decimal("1"))) == 1);
  CHECK(skips(graph_event(graph_entry("CPU", "a", -1, 0), decimal("1"))) == 1);
  CHECK(skips(graph_event(kNone, decimal("1"))) == 1);
}

TEST_CASE("profile: counters and traces of devices are read, and events of unknown classes counted as left out",
          "[tinygrad]") {
  const auto record = [](std::string_view module, std::string_view name) {
    return opcodes(PickleWriter().object(module, name).mark().text("device").text("AMD").built());
  };
  const std::string trace = record("tinygrad.runtime.ops_amd", "ProfileSQTTEvent");
  const ProfileOf p(range_event("AMD", a_text("x"), "10", decimal("12")) + trace +
                    record("tinygrad.device", "ProfileProgramEvent") +
                    record("tinygrad.runtime.ops_amd", "ProfilePMCEvent") + trace +
                    record("tinygrad.runtime.ops_nv", "ProfilePMAEvent") + record("tinygrad.new", "ProfileNewEvent") +
                    record("tinygrad.new", "ProfileNewEvent"));
  CHECK(p.capture.notes.empty());
  CHECK(p.capture.skipped == std::map<std::string, std::uint64_t>{
                                 {"event of class tinygrad.new.ProfileNewEvent, which vizd does not know", 2},
                                 {"record of hardware without its run or its bytes", 4}});
}

TEST_CASE("profile: known by its events", "[tinygrad]") {
  const auto version_of = [](const std::string& bytes) {
    const auto tree = pickle::read_pickle(as_bytes(bytes), "f");
    REQUIRE(tree.has_value());
    return profile_version(*tree);
  };
  CHECK(version_of(profile_pickle("")) == &tinygrad_2025_09::kVersion);
  const std::string newer = opcodes(PickleWriter()
                                        .object("tinygrad.helpers", "ProfileRangeEvent")
                                        .mark()
                                        .text("device")
                                        .text("CPU")
                                        .text("profile_key")
                                        .none()
                                        .built());
  CHECK(version_of(profile_pickle(newer)) == &tinygrad_2026_08::kVersion);
  CHECK(version_of(profile_pickle("N")) == nullptr);
  CHECK(version_of(profile_pickle(opcodes(PickleWriter().object("os", "Profile").mark().built()))) == nullptr);
  CHECK(version_of("\x80\x04}.") == nullptr);
}

}  // namespace
}  // namespace vizd::tinygrad::profile_reader_test
