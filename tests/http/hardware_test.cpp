// What GPUs recorded of themselves: a made profile.pkl of AMD's and NVIDIA's recorders, at tinygrad's endpoints and in
// the words of its command line.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "derived/recorded_rows.h"
#include "derived/trace_capture.h"
#include "http/command_run.h"
#include "support/made_hardware.h"
#include "support/made_trace.h"
#include "support/reference_body.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"
#include "support/tiny_capture.h"
#include "timeline/lanes_json.h"

namespace vizd::hardware_test {
namespace {

std::string made_profile() {
  const std::string packets = TraceWriter().header(3).wave_start(1).inst(1, 0).valu(1).alu_exec(2).wave_end(1).finish();
  const std::string samples = pc_sample(0, 0);
  return profile_pickle(
      device_of("AMD", "gfx_target_version", 110'000) + device_of("NV", "sm_version", 0x809) + program_of(3, "k") +
      program_of(4, "other") + run_of("k", "10", "12.5") + run_of("other", "13", "14") + run_of("k", "20", "21") +
      counters_of(3, 7, "SQ_WAVES", 40) + trace_of(3, 7, 0, true, packets) + trace_of(3, 7, 1, false, packets) +
      counters_of(4, 8, "GL2C_HIT", 5) + counters_of(3, 9, "SQ_WAVES", 50) + samples_of("nv_k", "nv", samples));
}

struct Made {
  Made() { folder.write("made.profile.pkl", made_profile()); }
  std::string path() const { return folder / "made.profile.pkl"; }
  TemporaryFolder folder;
};

TEST_CASE("hardware: runs are contexts with their counters and traces, then the samples of NVIDIA's") {
  const Made made;
  const ServedCapture served(made.path());
  std::vector<std::string> steps;
  for (const auto& context : served.json("/ctxs")) {
    for (const auto& step : context["steps"]) {
      steps.push_back(context["name"].get<std::string>() + ": " + step["name"].get<std::string>() + " " +
                      step["query"].get<std::string>());
    }
  }
  CHECK(steps ==
        std::vector<std::string>{"All Counters: PMC /all-pmc?ctx=0&step=0", "SQTT k: PMC /prg-pmc?ctx=1&step=0",
                                 "SQTT k: SE:0 PKTS /sqtt-0?ctx=1&step=1", "SQTT k: OCC /amd-sqtt-occ?ctx=1&step=2",
                                 "SQTT other: PMC /prg-pmc?ctx=2&step=0", "SQTT k n2: PMC /prg-pmc?ctx=3&step=0",
                                 "All Counters: PMA nv_k /prg-pma-pkts?ctx=4&step=0"});
}

TEST_CASE("hardware: counters of a run by their places, and of all runs in columns that all of them share") {
  const Made made;
  const ServedCapture served(made.path());
  CHECK(served.json("/prg-pmc?ctx=3&step=0") == nlohmann::json::parse(R"({"cols":["Name","Sum"],"rows":[["SQ_WAVES",101,
          {"cols":["XCC","INST","SE","SA","WGP:0","WGP:1"],"rows":[[0,0,0,0,50,51]]}]]})"));
  CHECK(served.json("/all-pmc?ctx=0&step=0") ==
        nlohmann::json::parse(R"({"cols":["Kernel","Duration","SQ_WAVES","GL2C_HIT"],
          "rows":[["k",2.5,81,null],["other",1.0,null,11],["k",1.0,101,null]]})"));
  CHECK(served.status("/prg-pmc?ctx=1&step=1") == 404);  // that step is a trace
  CHECK(served.status("/prg-pmc?ctx=9&step=0") >= 400);
  CHECK(served.status("/sqtt-1?ctx=1&step=1") == 404);
}

TEST_CASE("hardware: a trace's lanes in the layout of /get_profile, dispatches with their addresses") {
  const Made made;
  const ServedCapture served(made.path());
  const Response response = served.answer("/sqtt-0?ctx=1&step=1");
  REQUIRE(response.status == 200);
  CHECK(response.content_type == "application/octet-stream");
  ReferenceBody body(response.body->bytes());
  CHECK(body.get<std::uint32_t>() == 6);  // cycles
  CHECK(body.get<std::uint64_t>() == 0);
  const auto index_bytes = body.get<std::uint32_t>();
  REQUIRE(body.get<std::uint32_t>() == 2);
  const auto index = nlohmann::json::parse(body.text(index_bytes));
  CHECK(index["pcMap"]["5892"] == "v_mov_b32_e32(v[1], v[2])");
  CHECK(index["waveColors"].size() == 14);
  std::vector<std::string> events;
  for (int lane = 0; lane < 2; ++lane) {
    const std::string name = body.name();
    CHECK(body.get<std::uint8_t>() == 0);
    const auto count = body.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string event = index["strings"][body.get<std::uint32_t>()];
      CHECK(body.get<std::uint64_t>() == 0);  // neither a context nor a run
      const auto at_cycle = body.get<std::uint32_t>();
      CHECK(body.get<float>() == 1.0F);
      const std::string details = index["strings"][body.get<std::uint32_t>()];
      events.push_back(fmt::format("{} {} {} {}", name, event, at_cycle, details));
    }
  }
  CHECK(body.at_end());
  CHECK(events == std::vector<std::string>{"ALUEXEC:0 VALU VALU 3 {\"link\": \"WAVE:1-1\"}",
                                           "WAVE:1 SALU 2 {\"pc\": 5888}", "WAVE:1 VALUINST 3 {\"pc\": 5892}",
                                           "WAVE:1 WAVEEND 5 {\"pc\": 5896}"});
  // Samples stand behind each other on their unit.
  ReferenceBody samples(served.answer("/prg-pma-pkts?ctx=4&step=0").body->bytes());
  CHECK(samples.get<std::uint32_t>() == 32);
}

TEST_CASE("hardware: OCC unfolds into the compute units that had waves, and each into its waves by SIMD") {
  const TemporaryFolder folder;
  // The second wave of a slot, one of another SIMD, and one that was still running when the trace ended.
  const std::string packets = TraceWriter()
                                  .header(3)
                                  .wave_start(5)
                                  .wave_end(5)
                                  .wave_start(5)
                                  .wave_start(2, 1)
                                  .wave_end(5)
                                  .wave_end(2, 1)
                                  .wave_start(7)
                                  .finish();
  folder.write("made.profile.pkl",
               profile_pickle(device_of("AMD", "gfx_target_version", 110'000) + program_of(3, "k") +
                              trace_of(3, 7, 0, false, packets) + trace_of(3, 7, 2, false, packets)));
  const ServedCapture served(folder / "made.profile.pkl");
  CHECK(served.json("/ctxs")[1]["steps"].size() == 1);
  CHECK(served.json("/amd-sqtt-occ?ctx=1&step=0") ==
        nlohmann::json::parse(R"({"steps":[{"name":"SE:0 CU:0 3","query":"/cu-sqtt?ctx=1&step=1","depth":1},
                                           {"name":"SE:2 CU:0 3","query":"/cu-sqtt?ctx=1&step=2","depth":1}]})"));
  ReferenceBody body(served.answer("/cu-sqtt?ctx=1&step=2").body->bytes());
  CHECK(body.get<std::uint32_t>() == 6);  // cycles
  CHECK(body.get<std::uint64_t>() == 0);
  const auto index_bytes = body.get<std::uint32_t>();
  REQUIRE(body.get<std::uint32_t>() == 2);
  const auto strings = nlohmann::json::parse(body.text(index_bytes))["strings"];
  std::vector<std::string> waves;
  for (int lane = 0; lane < 2; ++lane) {
    const std::string simd = body.name();
    CHECK(body.get<std::uint8_t>() == 0);
    for (auto left = body.get<std::uint32_t>(); left > 0; --left) {
      const std::string name = strings[body.get<std::uint32_t>()];
      CHECK(body.get<std::uint64_t>() == 0);  // neither a context nor a run
      const auto at_cycle = body.get<std::uint32_t>();
      const auto dur_cycles = body.get<float>();
      CHECK(strings[body.get<std::uint32_t>()] == "{}");
      waves.push_back(fmt::format("{} {} {}+{}", simd, name, at_cycle, dur_cycles));
    }
  }
  CHECK(body.at_end());
  CHECK(waves == std::vector<std::string>{"SIMD:0 OCC WAVE:5 N:0 1+1", "SIMD:0 OCC WAVE:5 N:1 3+2",
                                          "SIMD:1 OCC WAVE:2 N:0 4+2"});
  CHECK(served.status("/cu-sqtt?ctx=1&step=3") == 404);
  CHECK(served.status("/cu-sqtt?ctx=1&step=0") == 404);  // that is OCC itself
  CHECK(served.status("/amd-sqtt-occ?ctx=1&step=1") == 404);
  CHECK(served.status("/cu-sqtt?ctx=0&step=1") == 404);  // tables of counters do not unfold
}

TEST_CASE("hardware: a program's cycles by instruction, of all runs and of one, or why there are none") {
  const Made made;
  const ServedCapture served(made.path());
  CHECK(served.json("/api/v1/program/p0")["name"] == "k");
  CHECK(served.json("/api/v1/program/p0/code")["instructions"]["mnemonic"] ==
        nlohmann::json::parse(R"(["s_mov_b32","v_mov_b32_e32","s_endpgm"])"));
  const auto heat = served.json("/api/v1/program/p0/heat");
  CHECK(heat["why"] == nullptr);
  CHECK(heat["runs"]["traces"] == nlohmann::json::parse("[1,0]"));
  CHECK(heat["runs"]["dur_us"] == nlohmann::json::parse("[2.5,1.0]"));
  CHECK(heat["instructions"]["address"] == nlohmann::json::parse("[5888,5892,5896]"));
  CHECK(heat["instructions"]["cycles"] == nlohmann::json::parse("[1,1,1]"));
  CHECK(heat["instructions"]["end"] == nlohmann::json::parse("[0,0,1]"));
  CHECK(heat["instructions"]["executions"] == nlohmann::json::parse("[0,1,0]"));
  CHECK(heat["waves"]["slot"] == nlohmann::json::parse("[1]"));
  CHECK(served.json("/api/v1/program/p0/heat?run=1")["instructions"]["address"].empty());
  CHECK(served.json("/api/v1/program/p0/heat?run=0&wave=0")["waves"]["slot"].size() == 1);
  CHECK(served.status("/api/v1/program/p0/heat?run=0&wave=1") == 404);
  CHECK(served.status("/api/v1/program/p0/heat?run=2") == 404);
  CHECK(served.status("/api/v1/program/p0/heat?run=x") == 400);
  CHECK(served.json("/api/v1/program/p1/heat")["why"] == "No thread trace of this program has instructions.");
}

TEST_CASE("hardware: counters of all runs in columns that all share, a run's by place, samples by address") {
  const Made made;
  const ServedCapture served(made.path());
  const auto all = served.json("/api/v1/counters");
  CHECK(served.json("/api/v1/session")["captures"][0]["tells_hardware"] == true);
  CHECK(all["counters"] == nlohmann::json::parse(R"(["SQ_WAVES","GL2C_HIT"])"));
  CHECK(all["runs"]["kernel"] == nlohmann::json::parse(R"(["k","other","k"])"));
  CHECK(all["runs"]["values"] == nlohmann::json::parse("[[81,null],[null,11],[101,null]]"));
  CHECK(all["runs"]["dur_us"] == nlohmann::json::parse("[2.5,1.0,1.0]"));
  CHECK(all["samplings"][0]["kernel"] == "nv_k");
  CHECK(all["samplings"][0]["samples"] == 1);
  const auto run = served.json("/api/v1/counters/0");
  CHECK(run["counters"][0]["values"] == nlohmann::json::parse("[[40,41]]"));
  CHECK(run["engines"]["waves"] == nlohmann::json::parse("[1,1]"));
  CHECK(run["engines"]["most_at_once"] == nlohmann::json::parse("[1,1]"));
  CHECK(served.json("/api/v1/samples/0")["samples"] == nlohmann::json::parse("[1]"));
  CHECK(served.status("/api/v1/counters/3") == 404);
  CHECK(served.status("/api/v1/samples/1") == 404);
}

TEST_CASE("hardware: a run's thread trace knows its kernel on the timeline, the other runs, and when its waves ran") {
  const Made made;
  ServedCapture served(made.path());
  served.loaded();
  const auto runs = served.json("/api/v1/lanes")["traced_runs"];
  REQUIRE(runs.size() == 2);  // the second is sampled
  CHECK(runs[0]["trace"] == "0");
  CHECK(runs[0]["kernel"] == "k");
  CHECK(runs[0]["event"]["dur_ns"] == 2500);
  const auto lanes = served.json("/api/v1/lanes?capture=c0~0");
  CHECK(lanes["traced_runs"] == runs);
  const auto& work = lanes["trace"]["work"];
  CHECK(work[0].get<int>() >= 0);
  CHECK(work[1].get<int>() == work[0].get<int>() + 4);
  CHECK(served.status("/api/v1/lanes?capture=c0~1") == 404);
}

TEST_CASE(
    "hardware: samples of program counters are a timeline by multiprocessor and warp, by the program's addresses") {
  TemporaryFolder folder;
  const std::string ran = record("tinygrad.helpers", "ProfileRangeEvent",
                                 {{"device", a_text("NV")},
                                  {"name", a_text("k")},
                                  {"st", decimal("100")},
                                  {"en", decimal("101.5")},
                                  {"profile_key", some_bytes("k")}});
  folder.write("sampled.profile.pkl",
               profile_pickle(device_of("NV", "sm_version", 0x809) + program_of(3, "k", an_int(0x4000)) + ran + ran +
                              samples_of("other", "other", pc_sample(0, 1)) +
                              samples_of("k", "k", pc_sample(0x5700, 9, true) + pc_sample(0x50, 3))));
  ServedCapture served(folder / "sampled.profile.pkl");
  served.loaded();
  const auto runs = served.json("/api/v1/lanes")["traced_runs"];
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["event"].is_null());
  CHECK(runs[1]["trace"] == "s1");
  CHECK(runs[1]["event"]["dur_ns"] == 1500);
  const auto lanes = served.json("/api/v1/lanes?capture=c0~s1");
  CHECK(lanes["trace"]["of"] == "samples");
  CHECK(lanes["trace"]["instructions"] == 2);
  CHECK(lanes["trace"]["work"] == nlohmann::json({0, 64}));
  CHECK(lanes["events"] == 2);
  std::size_t warp = 0;
  while (lanes["lanes"][warp]["name"] != "warp 0") ++warp;
  CHECK(lanes["lanes"][warp]["path"] == "GPC 0/TPC 0/SM 0/warp 0");
  const auto detail = [&](int event) {
    return served.json(fmt::format("/api/v1/event/{}/{}?capture=c0~s1", warp, event)).dump();
  };
  CHECK(detail(0).find("MEMORY_DEPENDENCY") != std::string::npos);
  CHECK(detail(0).find(R"("0x1700")") != std::string::npos);   // its first instruction
  CHECK(detail(1).find(R"("address")") != std::string::npos);  // outside the program
  CHECK(served.status("/api/v1/lanes?capture=c0~s2") == 404);
}

TEST_CASE("hardware: of a long thread trace the beginning is there in a moment, and its tiles as long as the trace's") {
  TraceWriter writer;
  writer.header(3).wave_start(1);
  for (int i = 0; i < 400; ++i) writer.inst(1, 0).wait(9);
  writer.wave_end(1);
  std::string packets;
  while (packets.size() < (std::size_t{9} << 20)) packets += writer.cut();
  packets.append(32, '\0');
  TemporaryFolder folder;
  folder.write("long.profile.pkl", profile_pickle(device_of("AMD", "gfx_target_version", 110'000) + program_of(3, "k") +
                                                  run_of("k", "10", "12.5") + trace_of(3, 7, 0, true, packets)));
  ServedCapture served(folder / "long.profile.pkl");
  const auto loaded = served.loaded();
  const Services services = served.services();
  const auto ticket = trace_capture(services.analyses, loaded, {.capture = "c0"});
  const auto made = ticket.wait(kTestDeadline);
  REQUIRE(made);
  const TraceCapture& trace = **made;
  REQUIRE(trace.beginning);
  CHECK(trace.beginning->instructions > 100'000);
  CHECK(trace.beginning->instructions < trace.instructions / 4);
  CHECK(trace.beginning->loaded.revision != trace.loaded.revision);
  for (const LoadedCapture* const each : {&trace.loaded, &trace.beginning->loaded}) {
    const std::string key = key_text(each->timeline);
    CHECK(served.status(fmt::format("/api/v1/tiles/{}?capture=c0~0&level=0&from=0&to=0&rows=0:0-0", key)) == 200);
  }
  CHECK(served.status("/api/v1/tiles/0123456789abcdef?capture=c0~0&level=0&from=0&to=0&rows=0:0-0") == 404);
}

TEST_CASE("hardware: what was recorded is asked for in SQL, and decoded once") {
  TemporaryFolder folder;
  folder.write(
      "sampled.profile.pkl",
      profile_pickle(
          device_of("AMD", "gfx_target_version", 110'000) + device_of("NV", "sm_version", 0x809) +
          program_of(3, "k", an_int(0x4000)) + counters_of(3, 7, "SQ_WAVES", 40) +
          samples_of("k", "k", pc_sample(0x5700, 9) + pc_sample(0x5700, 9, true) + pc_sample(0x5700, 18, true)) +
          samples_of("away", "away", pc_sample(0x40, 12))));
  ServedCapture served(folder / "sampled.profile.pkl");
  served.loaded();
  const auto rows = [&](const std::string& query) { return served.json("/api/v1/sql?q=" + query); };
  const auto samples = rows("SELECT sampling, kernel, address, gpu_address, stall, samples, program_id FROM pc_sample");
  CHECK(samples["rows"] == nlohmann::json::parse(R"([[0,"k",5888,22272,"MEMORY_DEPENDENCY",2,0],
      [0,"k",5888,22272,"NONE",1,0],[1,"away",null,64,"PIPE_BUSY",1,null]])"));
  CHECK(samples["links"][0]["program"][1] == "k");
  const std::size_t kept_bytes = served.services().analyses.kept_bytes();
  CHECK(kept_bytes > 0);
  CHECK(rows("SELECT sum(value), min(program_id) FROM hardware_counter")["rows"] == nlohmann::json::parse("[[81,0]]"));
  CHECK(served.services().analyses.kept_bytes() == kept_bytes);
}

TEST_CASE("hardware: decoding for a query ends with its time") {
  const Made made;
  ServedCapture served(made.path());
  const auto rows = recorded_rows(served.loaded()->capture, Budget({}, std::chrono::milliseconds(-1)));
  REQUIRE_FALSE(rows);
  CHECK(rows.error().kind == ErrorKind::kTooLarge);
}

TEST_CASE("hardware: vizd counters prints runs with the same columns, places and engines") {
  const Made made;
  const auto runs = CommandRun({"counters", made.path(), "--json"}).records();
  REQUIRE(runs.size() == 3);
  CHECK(runs[1]["program"] == "other");
  CHECK(runs[1]["GL2C_HIT"] == 11);
  CHECK(runs[1]["SQ_WAVES"] == nullptr);
  const auto places = CommandRun({"counters", made.path(), "--places", "--json"}).records();
  CHECK(places.at(1)["value"] == 41);
  CHECK(CommandRun({"counters", made.path(), "--engines", "--json"}).records().size() == 2);
  CHECK(CommandRun({"counters", made.path(), "--samples", "--json"}).records().at(0)["samples"] == 1);
  CHECK(CommandRun({"counters", made.path(), "--formulas"}).warns("none: no run of a program has any"));
  CHECK(CommandRun({"counters", made.path(), "--places", "--engines"}).code == 2);
}

TEST_CASE("hardware: vizd instructions prints where the cycles went, and the waves") {
  const Made made;
  const auto records = CommandRun({"instructions", made.path(), "--json"}).records();
  REQUIRE(records.size() == 3);
  CHECK(records[1] == nlohmann::json::parse(R"json({"program":"k","address":"0x1704","hits":1,"cycles":1,
      "median_cycles":1,"issue_cycles":0,"wait_cycles":0,"barrier_cycles":0,"end_cycles":0,"execute_median_cycles":0,
      "instruction":"v_mov_b32_e32(v[1], v[2])"})json"));
  const auto waves = CommandRun({"instructions", made.path(), "--program", "k", "--waves", "--json"}).records();
  REQUIRE(waves.size() == 1);
  CHECK(waves[0]["cycles"] == 3);
  CHECK(waves[0]["run"] == 7);
  CHECK(CommandRun({"instructions", made.path(), "--loops"}).warns("no thread trace contains loops"));
  CHECK(CommandRun({"instructions", made.path(), "--program", "none"}).code == 1);
  CHECK(CommandRun({"instructions", made.path(), "--loops", "--waves"}).code == 2);
}

TEST_CASE("hardware: vizd events prints traces and counters, and all packets") {
  const Made made;
  const CommandRun list({"events", made.path(), "--ls"});
  CHECK(list.lines() == std::vector<std::string>{"ALL", "AMD", "k PMC", "k SQTT SE:0 PKTS", "other PMC", "k n2 PMC"});
  const CommandRun printed({"events", made.path(), "-s", "k SQTT SE:0 PKTS"});
  REQUIRE(printed.lines().size() == 6);
  CHECK(printed.lines()[3] ==
        "1            WAVE:1               VALUINST               1         "
        "DISPATCH 0x01704 v_mov_b32_e32(v[1], v[2])");
  CHECK(printed.lines()[4] ==
        "1            ALUEXEC:0-VALU       VALU                   1         "
        "EXEC     0x01704 v_mov_b32_e32(v[1], v[2])");
  const CommandRun json({"events", made.path(), "--json", "-s", "k SQTT SE:0 PKTS"});
  CHECK(json.records().at(2) == nlohmann::json::parse(
                                    R"json({"clk":0,"cycle":2,"unit":"WAVE:1","op":"SALU","dur":1,"delay":"",
        "info":"DISPATCH 0x01700 s_mov_b32(s[1], 8)"})json"));
  CHECK(CommandRun({"events", made.path(), "-s", "k PMC"}).lines() ==
        std::vector<std::string>{"SQ_WAVES 81", "XCC=0 INST=0 SE=0 SA=0 WGP:0=40 WGP:1=41"});
  const CommandRun packets({"events", made.path(), "--packets"});
  const auto dump = nlohmann::json::parse(packets.out);
  CHECK(dump.size() == 2);
  CHECK(dump["3,7,1"].at(2) == nlohmann::json::parse(R"(["INST",2,{"flag1":0,"flag2":0,"wave":1,"op":"SALU"}])"));
  const CommandRun wrong({"events", made.path(), "-s", "k PM"});
  CHECK(wrong.code == 1);
  CHECK(wrong.warns("did you mean 'k PMC'?"));
}

}  // namespace
}  // namespace vizd::hardware_test
