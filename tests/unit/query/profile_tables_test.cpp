// What queries say of a profile: each table, and that what a table takes on itself (filters, order, groups) changes
// nothing in the result.
#include <algorithm>
#include <span>

#include "formats/registry.h"
#include "support/catch.h"
#include "support/made_profile.h"
#include "timeline/timeline.h"
#include "unit/query/asked.h"

namespace vizd::sql::profile_tables_test {
namespace {

// A process with a thread and a device with a stream; a launch that leads to a kernel; a counter; two buffers.
struct SmallProfile {
  SmallProfile() {
    const auto add_track = [&](const char* name, TrackKind kind, std::uint32_t parent, std::int64_t number) {
      Track track;
      track.name = capture.strings.add(name);
      track.kind = kind;
      track.parent = parent;
      track.number = number;
      capture.profile.tracks.push_back(std::move(track));
      return static_cast<std::uint32_t>(capture.profile.tracks.size() - 1);
    };
    const auto process = add_track("python", TrackKind::kProcess, Track::kNoParent, 77);
    const auto thread = add_track("main", TrackKind::kThread, process, 78);
    const auto device = add_track("Core 0", TrackKind::kDevice, Track::kNoParent, 0);
    const auto stream = add_track("Kernel Function", TrackKind::kStream, device, 7);
    const auto name = [&](const char* text) { return capture.strings.add(text); };
    EventColumns& host = capture.profile.tracks[thread].events;
    host.push_back({.start_ns = 100, .dur_ns = 50, .name = name("step"), .category = name("cpu_op")});
    host.push_back({.start_ns = 110, .dur_ns = 10, .name = name("launch")});
    host.push_back({.start_ns = 111, .dur_ns = 0, .name = name("mark"), .kind = EventKind::kInstant});
    EventColumns& work = capture.profile.tracks[stream].events;
    work.push_back({.start_ns = 130, .dur_ns = 5, .name = name("\x1B[32mmm.normal\x1B[0m")});
    work.push_back({.start_ns = 140, .dur_ns = 9, .name = name("mm.normal"), .is_error = true});
    work.push_back({.start_ns = 150, .dur_ns = 7, .name = name("copy")});
    auto& arguments = capture.profile.tracks[stream].arguments;
    ArgumentColumn& rate =
        find_or_add_argument(arguments, name("DDR Bandwidth(GB/s)"), name("GB/s"), ArgumentType::kReal);
    rate.push_back(0, 4.5);
    rate.push_back(1, 19.5);
    ArgumentColumn& use = find_or_add_argument(arguments, name("uArch Rate"), {}, ArgumentType::kText);
    use.push_back(0, name("39.5%"));
    use.push_back(2, name("81.0%"));
    find_or_add_argument(arguments, name("bytes"), name("B"), ArgumentType::kInteger).push_back(2, std::int64_t{4096});
    capture.profile.flows.push_back({thread, 1, stream, 0});
    Counter& counter = capture.profile.tracks[device].counters.emplace_back();
    counter.name = name("memory");
    counter.unit = name("B");
    counter.at_ns.push_back(100);
    counter.value.push_back(1.5);
    counter.at_ns.push_back(120);
    counter.value.push_back(2.5);
    capture.profile.tracks[device].allocations = {
        {.key = 1,
         .count = 4,
         .item_size_bytes = 4,
         .dtype = name("float"),
         .birth_ns = 100,
         .death_ns = 140,
         .death_order = 2,
         .freed = true},
        {.key = 2, .count = 8, .item_size_bytes = 1, .address = 4096, .birth_ns = 120, .birth_order = 1}};
    capture.profile.runs.push_back(
        {.kind = name("step"), .name = name("step 3"), .number = 3, .from_ns = 100, .to_ns = 150});
    capture.facts.push_back({.name = name("torch"), .value = name("2.5")});
    capture.profile.start_ns = 100;
    capture.profile.end_ns = 157;
    capture.has_profile = true;
    capture.format = "test";
    timeline = prepare_timeline(capture, 1);
  }

  Source source() const { return {.capture = &capture, .timeline = &timeline, .name = "small"}; }
  std::string ask(std::string_view query) const {
    INFO(query);
    const Asked asked({source()}, query);
    CHECK_FALSE(asked.error);
    if (asked.error) WARN(asked.error->text());
    return asked.text();
  }

  Capture capture;
  Timeline timeline;
};

TEST_CASE("slices have the times, names and places that the profile has, without colours") {
  const SmallProfile small;
  CHECK(small.ask("SELECT id, ts, dur, track_id, name, depth, parent_id, kind, is_error, category FROM slice") ==
        "0 100 50 1 step 0 null span 0 cpu_op\n"
        "1 110 10 1 launch 1 0 span 0 null\n"
        "2 111 0 1 mark 2 1 instant 0 null\n"
        "3 130 5 3 mm.normal 0 null span 0 null\n"
        "4 140 9 3 mm.normal 0 null span 1 null\n"
        "5 150 7 3 copy 0 null span 0 null\n");
  CHECK(small.ask("SELECT name, count(*), sum(dur) FROM slice GROUP BY name") ==
        "copy 1 7\nlaunch 1 10\nmark 1 0\nmm.normal 2 14\nstep 1 50\n");
  CHECK(small.ask("SELECT DISTINCT name FROM slice WHERE name = 'mm.normal'") == "mm.normal\n");
  CHECK(small.ask("SELECT TRACE_START(), TRACE_END(), TRACE_DUR()") == "100 157 57\n");
  CHECK(small.ask(
            "SELECT PERCENTILE(dur, 50), PERCENTILE(dur, 100), PERCENTILE(dur, 0), PERCENTILE(NULL, 5) FROM slice") ==
        "8 50 0 null\n");
}

TEST_CASE("times since 1970 are exact: with the capture's offset they are the file's, to the nanosecond") {
  const std::string_view text =
      R"({"traceEvents":[)"
      R"({"ph":"X","name":"late","pid":1,"tid":7,"ts":1700000000123466.790,"dur":5.001},)"
      R"({"ph":"X","name":"early","pid":1,"tid":7,"ts":1700000000123456.789,"dur":"5.125"}]})";
  Capture capture;
  REQUIRE(read_capture({"trace.json", std::as_bytes(std::span(text))}, capture));
  const Timeline timeline = prepare_timeline(capture, 1);
  const auto ask = [&](std::string_view query) { return Asked({Source{&capture, &timeline, "t"}}, query).text(); };
  CHECK(ask("SELECT s.name, s.ts + c.unix_offset_ns, s.dur FROM slice s, capture c ORDER BY s.ts") ==
        "early 1700000000123456789 5125\nlate 1700000000123466790 5001\n");
  CHECK(ask("SELECT unix_start_ns, unix_start_ns - unix_offset_ns = start_ns FROM capture") ==
        "1700000000123456789 1\n");
  capture.profile.clock.unix_offset_ns.reset();
  CHECK(ask("SELECT unix_start_ns FROM capture") == "null\n");
}

TEST_CASE("tracks, threads and processes are joined as in Perfetto") {
  const SmallProfile small;
  CHECK(small.ask("SELECT id, name, type, parent_id, path, utid, upid, number FROM track") ==
        "0 python process null python null 0 77\n"
        "1 main thread 0 python/main 1 0 78\n"
        "2 Core 0 device null Core 0 null null 0\n"
        "3 Kernel Function stream 2 Core 0/Kernel Function null null 7\n"
        "4 memory counter 2 Core 0/memory null null null\n");
  CHECK(small.ask("SELECT s.name, t.tid, p.pid FROM slice s JOIN track k ON k.id = s.track_id "
                  "JOIN thread t USING (utid) JOIN process p ON p.upid = t.upid ORDER BY s.id LIMIT 1") ==
        "step 78 77\n");
  CHECK(small.ask("SELECT c.ts, c.value, t.name, t.unit, c.name FROM counter c JOIN track t ON t.id = c.track_id") ==
        "100 1.5 memory B memory\n120 2.5 memory B memory\n");
  CHECK(small.ask("SELECT o.name, i.name FROM flow JOIN slice o ON o.id = slice_out JOIN slice i ON i.id = slice_in") ==
        "launch mm.normal\n");
  CHECK(small.ask("SELECT id, ts, dur, is_freed, size, address, dtype FROM allocation") ==
        "0 100 40 1 16 null float\n1 120 37 0 8 4096 null\n");
  CHECK(small.ask("SELECT kind, name, number, ts, dur FROM run") == "step step 3 3 100 50\n");
  CHECK(small.ask("SELECT name, value FROM fact") == "torch 2.5\n");
  CHECK(small.ask("SELECT name, launches, total_ns, max_ns, longest_slice_id FROM kernel") ==
        "mm.normal 1 9 9 4\ncopy 1 7 7 5\nmm.normal 1 5 5 3\n");
  CHECK(small.ask("SELECT name, format, start_ns, end_ns FROM capture") == "small test 100 157\n");
}

TEST_CASE("arguments are found by set and by key, and have their type") {
  const SmallProfile small;
  CHECK(small.ask("SELECT arg_set_id, key, name, unit, value_type, int_value, real_value, string_value, display_value "
                  "FROM args ORDER BY arg_set_id, key") ==
        "3 debug.DDR Bandwidth(GB/s) DDR Bandwidth(GB/s) GB/s real null 4.5 null 4.5\n"
        "3 debug.uArch Rate uArch Rate null string null null 39.5% 39.5%\n"
        "4 debug.DDR Bandwidth(GB/s) DDR Bandwidth(GB/s) GB/s real null 19.5 null 19.5\n"
        "5 debug.bytes bytes B int 4096 null null 4096\n"
        "5 debug.uArch Rate uArch Rate null string null null 81.0% 81.0%\n");
  CHECK(small.ask("SELECT key FROM args WHERE arg_set_id = 5 AND name = 'bytes'") == "debug.bytes\n");
  CHECK(small.ask("SELECT count(*) FROM args WHERE arg_set_id = 77 OR arg_set_id = -1 OR key = 5") == "0\n");
  CHECK(small.ask("SELECT EXTRACT_ARG(arg_set_id, 'debug.bytes'), EXTRACT_ARG(arg_set_id, 'bytes'), "
                  "EXTRACT_ARG(arg_set_id, 'no'), EXTRACT_ARG(NULL, 'bytes') FROM slice WHERE id = 5") ==
        "4096 4096 null null\n");
}

// As bigTpuProfile's README has them, of what it writes.
TEST_CASE("the queries that bigTpuProfile's users have run as they are written") {
  const SmallProfile small;
  CHECK(small
            .ask(R"(// Filter all "mm.normal" items and show them by duration in descending order
select * from slice s
where s.name="mm.normal"
order by dur desc
)")
            .starts_with("4 140 9 3"));
  CHECK(small
            .ask(R"(// List operator durations under a specified core
SELECT s.*
FROM slice s
JOIN track t ON s.track_id = t.id
JOIN track parent ON t.parent_id = parent.id
WHERE parent.name = 'Core 0' AND t.name = 'Kernel Function'
ORDER BY s.dur DESC;
)")
            .starts_with("4 140 9 3"));
  const Asked rates({small.source()}, R"(SELECT a.real_value AS ddr_bandwidth, s.*  FROM slice s
JOIN args a ON s.arg_set_id = a.arg_set_id
WHERE a.key = 'debug.DDR Bandwidth(GB/s)'
  AND ddr_bandwidth BETWEEN 5 AND 20
order by ddr_bandwidth desc;)");
  REQUIRE(rates.rows.size() == 1);
  CHECK(rates.rows[0][0] == "19.5");
  CHECK(rates.rows[0][1] == "4");
  const Asked low({small.source()}, R"(SELECT a.display_value  AS uArchRate, s.* FROM slice s
JOIN args a ON s.arg_set_id = a.arg_set_id
WHERE a.key = 'debug.uArch Rate'
  AND CAST(a.display_value  AS DOUBLE) < 40
order by CAST(uArchRate AS DOUBLE) desc;)");
  REQUIRE(low.rows.size() == 1);
  CHECK(low.rows[0][0] == "39.5%");
}

TEST_CASE("ranks of one capture are told apart by their numbers, and a capture of one rank has it on all tracks") {
  Capture capture;
  for (const std::int64_t rank : {3, 7}) {
    Track& of_rank = capture.profile.tracks.emplace_back();
    of_rank.kind = TrackKind::kRank;
    of_rank.number = rank;
    Track& thread = capture.profile.tracks.emplace_back();
    thread.kind = TrackKind::kThread;
    thread.parent = static_cast<std::uint32_t>(capture.profile.tracks.size() - 2);
    Event event;
    event.name = capture.strings.add("work");
    event.dur_ns = 10 * rank;
    thread.events.push_back(event);
  }
  capture.has_profile = true;
  const auto ask = [](Capture& of, std::string_view query) {
    const Timeline timeline = prepare_timeline(of, 1);
    return Asked({Source{.capture = &of, .timeline = &timeline, .name = "job (2 ranks)"}}, query).text();
  };
  CHECK(ask(capture,
            "SELECT t.rank_number, t.capture_id, sum(s.dur) FROM slice s JOIN track t ON t.id = s.track_id "
            "GROUP BY 1 ORDER BY 1") == "3 0 30\n7 0 70\n");
  Capture alone;
  Track& thread = alone.profile.tracks.emplace_back();
  thread.kind = TrackKind::kThread;
  alone.facts.push_back(
      {.subject = alone.strings.add("distributedInfo"), .name = alone.strings.add("rank"), .value = std::int64_t{5}});
  alone.has_profile = true;
  CHECK(ask(alone, "SELECT rank_number FROM track") == "5\n");
}

TEST_CASE("several captures are asked as one, and their ids do not meet") {
  const SmallProfile a, b;
  const auto ask = [&](std::string_view query) { return Asked({a.source(), b.source()}, query).text(); };
  CHECK(ask("SELECT count(*), count(DISTINCT id), max(id) FROM slice") == "12 12 11\n");
  CHECK(ask("SELECT t.capture_id, count(*), sum(s.dur) FROM slice s JOIN track t ON t.id = s.track_id GROUP BY 1") ==
        "0 6 81\n1 6 81\n");
  CHECK(ask("SELECT name, count(*) FROM slice GROUP BY name") == "copy 2\nlaunch 2\nmark 2\nmm.normal 4\nstep 2\n");
  CHECK(ask("SELECT DISTINCT name FROM slice ORDER BY name") == "copy\nlaunch\nmark\nmm.normal\nstep\n");
  CHECK(ask("SELECT count(*) FROM args a JOIN slice s USING (arg_set_id) WHERE s.name = 'copy'") == "4\n");
  CHECK(ask("SELECT i.id FROM flow JOIN slice i ON i.id = slice_in") == "3\n9\n");
  CHECK(ask("SELECT min(track_id), max(track_id) FROM counter") == "4 9\n");
}

// A plus takes a column out of the table's hands: SQLite then does the work by itself.
TEST_CASE("filters, orders and groups that tables take on themselves give what SQLite gives alone") {
  Capture capture;
  fill_profile({.events = 3000, .lanes = 5, .names = 12, .overlapping = 0.2, .seed = 11}, capture);
  const Timeline timeline = prepare_timeline(capture, 1);
  const Source source{.capture = &capture, .timeline = &timeline, .name = "made"};
  const std::int64_t middle = capture.profile.end_ns / 2;
  const std::string half = std::to_string(middle), quarter = std::to_string(middle / 2);
  const std::vector<std::string> values{
      half,    quarter, "0", "-5", "2.5", quarter + ".5", "NULL", "'x'", "9223372036854775807", "-9223372036854775808",
      "1e300", "x'00'", "3", "700"};
  const std::vector<std::string> columns{"id", "ts", "dur", "track_id", "depth", "arg_set_id"};
  std::size_t found = 0;
  for (const std::string& column : columns) {
    for (const std::string& value : values) {
      for (const char* compare : {"=", "<", "<=", ">", ">="}) {
        const std::string select = "SELECT count(*), sum(id), sum(dur) FROM slice WHERE ";
        const Asked narrowed({source}, select + column + compare + value);
        const Asked plain({source}, select + "+" + column + compare + value);
        INFO(column << compare << value);
        REQUIRE_FALSE(narrowed.error);
        CHECK(narrowed.text() == plain.text());
        found += narrowed.text() != "0 null null\n" ? 1 : 0;
      }
    }
  }
  CHECK(found > 100);
  const auto same = [&](const std::string& narrowed, const std::string& plain) {
    INFO(narrowed);
    const Asked a({source}, narrowed), b({source}, plain);
    REQUIRE_FALSE(a.error);
    CHECK(!a.rows.empty());
    CHECK(a.text() == b.text());
  };
  for (const std::string& filter :
       std::vector<std::string>{"1", "name = 'kernel_3'", "ts BETWEEN " + quarter + " AND " + half, "dur > 3000",
                                "depth = 0 AND track_id < 4", "name IN ('kernel_1', 'kernel_2') AND dur < 5000"}) {
    const std::string from = " FROM slice WHERE " + filter;
    same("SELECT ts" + from + " ORDER BY ts", "SELECT ts" + from + " ORDER BY +ts");
    same("SELECT ts" + from + " ORDER BY ts DESC", "SELECT ts" + from + " ORDER BY +ts DESC");
    same("SELECT track_id, ts" + from + " ORDER BY track_id, ts",
         "SELECT track_id, ts" + from + " ORDER BY +track_id, +ts");
    same("SELECT id" + from + " ORDER BY id", "SELECT id" + from + " ORDER BY +id");
    same("SELECT id" + from + " ORDER BY id DESC", "SELECT id" + from + " ORDER BY +id DESC");
    same("SELECT name, count(*), sum(dur), min(ts)" + from + " GROUP BY name",
         "SELECT name, count(*), sum(dur), min(ts)" + from + " GROUP BY +name");
    same("SELECT DISTINCT name" + from + " ORDER BY name", "SELECT DISTINCT +name" + from + " ORDER BY +name");
    same("SELECT DISTINCT track_id" + from + " ORDER BY 1", "SELECT DISTINCT +track_id" + from + " ORDER BY 1");
    same("SELECT name, id" + from + " ORDER BY name, id", "SELECT name, id" + from + " ORDER BY +name, +id");
  }
  same("SELECT max(name), min(name) FROM slice", "SELECT max(+name), min(+name) FROM slice");
  same(
      "SELECT a.id, b.id FROM slice a JOIN slice b ON b.parent_id = a.id AND b.track_id = a.track_id ORDER BY 1, 2 "
      "LIMIT 50",
      "SELECT a.id, b.id FROM slice a JOIN slice b ON +b.parent_id = +a.id ORDER BY 1, 2 LIMIT 50");
  same("SELECT id FROM track WHERE capture_id = 0 AND id > 2 AND id <= 4.5",
       "SELECT id FROM track WHERE +id > 2 AND +id <= 4.5");
}

TEST_CASE("a slice's parent is the innermost one that holds it") {
  Capture capture;
  fill_profile({.events = 800, .lanes = 4, .names = 5, .overlapping = 0.3, .seed = 3}, capture);
  const Timeline timeline = prepare_timeline(capture, 1);
  const Source source{.capture = &capture, .timeline = &timeline, .name = "made"};
  CHECK(Asked({source}, "SELECT count(*) > 100 FROM slice WHERE parent_id IS NOT NULL").text() == "1\n");
  // Each parent holds its child, lies higher, and none between the two rows does.
  CHECK(Asked({source},
              "SELECT count(*) FROM slice c JOIN slice p ON p.id = c.parent_id WHERE p.ts > c.ts OR "
              "p.ts + p.dur < c.ts + c.dur OR p.depth >= c.depth OR p.track_id <> c.track_id")
            .text() == "0\n");
  CHECK(Asked({source},
              "SELECT count(*) FROM slice c JOIN slice o ON o.track_id = c.track_id AND o.depth < c.depth "
              "WHERE o.ts <= c.ts AND o.ts + o.dur >= c.ts + c.dur AND o.ts < c.ts AND "
              "(c.parent_id IS NULL OR o.depth > (SELECT depth FROM slice WHERE id = c.parent_id))")
            .text() == "0\n");
}

}  // namespace
}  // namespace vizd::sql::profile_tables_test
