// Thread traces that are damaged, or of GPUs that nobody knows: every answer is what could be decoded, and one line of
// the check says that there is damage.
#include <nlohmann/json.hpp>

#include "http/command_run.h"
#include "support/made_hardware.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::damaged_traces_test {
namespace {

// So many bytes that mean nothing, the same each time.
std::string noise(std::uint32_t seed, std::size_t size_bytes) {
  std::string bytes;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    seed = seed * 1664525 + 1013904223;
    bytes += static_cast<char>(seed >> 24);
  }
  return bytes;
}

std::string profile_with(int gfx_target, const std::string& packets) {
  return profile_pickle(device_of("AMD", "gfx_target_version", gfx_target) + program_of(3, "k") +
                        run_of("k", "10", "12.5") + trace_of(3, 7, 0, true, packets));
}

void check_answers(const std::string& path) {
  ServedCapture served(path);
  served.loaded();
  for (const char* const url : {"/ctxs", "/get_profile", "/sqtt-0?ctx=1&step=0", "/api/v1/counters",
                                "/api/v1/counters/0", "/api/v1/program/p0/heat", "/api/v1/lanes",
                                "/api/v1/sql?q=SELECT count(*) FROM wave", "/api/v1/sql?q=SELECT * FROM instruction"}) {
    INFO(url);
    CHECK(served.status(url) == 200);
  }
  nlohmann::json lanes;
  do lanes = served.json("/api/v1/lanes?capture=c0~0");
  while (lanes["status"] == "opening");
  CHECK(lanes["status"] == "ready");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"events", path},
                                             {"events", path, "--packets"},
                                             {"counters", path, "--engines", "--json"},
                                             {"sql", "SELECT * FROM wave", path},
                                             {"summary", path}}) {
    INFO(arguments[0]);
    CHECK(CommandRun(arguments).code == 0);
  }
  // It may tell of no instruction, and says so then.
  const CommandRun instructions({"instructions", path});
  CHECK((instructions.code == 0 || instructions.warns("no thread trace contains instructions")));
}

TEST_CASE("damaged traces: noise behind a header is decoded as far as it goes") {
  const TemporaryFolder folder;
  for (const auto& [target, layout] : {std::pair(110'000, 3), std::pair(120'000, 4), std::pair(90'500, 0)}) {
    const std::string whole = TraceWriter().header(static_cast<std::uint64_t>(layout)).cut();
    folder.write("noise.profile.pkl", profile_with(target, whole + noise(static_cast<std::uint32_t>(layout), 3000)));
    check_answers(folder / "noise.profile.pkl");
  }
}

TEST_CASE("damaged traces: one that does not begin as a trace is told of in one line, and shown") {
  const TemporaryFolder folder;
  const std::string path = folder / "headless.profile.pkl";
  folder.write("headless.profile.pkl", profile_with(110'000, noise(7, 3000)));
  check_answers(path);
  const CommandRun check({"check", path});
  CHECK(check.out.find("1 of 1 thread traces do not begin as thread traces do") != std::string::npos);
  folder.write("empty.profile.pkl", profile_with(110'000, ""));
  CHECK(CommandRun({"check", folder / "empty.profile.pkl"}).out.find("do not begin") == std::string::npos);
}

TEST_CASE("damaged records: what was cut off or is empty is told of, and what is whole is shown") {
  const TemporaryFolder folder;
  const std::string path = folder / "cut.profile.pkl";
  const std::string whole = TraceWriter().header(3).wave_start(1).wave_end(1).wave_start(2).finish();
  // The second counter has one number of two.
  const auto sample_of = [](std::string_view name) {
    std::vector<std::pair<std::string_view, std::string>> fields{{"name", a_text(name)}};
    for (const char* const field : {"xcc", "inst", "se", "sa", "wgp"}) fields.emplace_back(field, an_int(1));
    return record("tinygrad.runtime.ops_amd", "PMCSample", fields);
  };
  std::string values(12, '\0');
  values[0] = 9;
  folder.write("cut.profile.pkl",
               profile_pickle(
                   device_of("AMD", "gfx_target_version", 110'000) + program_of(3, "k") + run_of("k", "10", "12.5") +
                   record("tinygrad.runtime.ops_amd", "ProfilePMCEvent",
                          {{"device", a_text("AMD")},
                           {"kern", an_int(3)},
                           {"sched", a_list(sample_of("SQ_WAVES") + sample_of("GL2C_HIT"))},
                           {"blob", some_bytes(values)},
                           {"exec_tag", an_int(7)}}) +
                   trace_of(3, 7, 0, true, whole) + trace_of(3, 7, 1, false, "") +
                   samples_of("nv_k", "nv", pc_sample(0, 0) + std::string(5, '\0')) + samples_of("idle", "idle", "")));
  const std::string check = CommandRun({"check", path}).out;
  CHECK(check.find("1 of 2 thread traces are empty") != std::string::npos);
  CHECK(check.find("the counters of 1 of 1 runs were cut off") != std::string::npos);
  CHECK(check.find("the samples of 1 of 2 runs end within a packet") != std::string::npos);
  CHECK(check.find("1 of 2 runs with sampled program counters have no sample") != std::string::npos);
  CHECK(check.find("the ends of 1 waves were not recorded") != std::string::npos);
  ServedCapture served(path);
  CHECK(served.json("/prg-pmc?ctx=1&step=0")["rows"][0][1] == 9);
  CHECK(served.json("/prg-pmc?ctx=1&step=0")["rows"][1][0] ==
        "the counters end within GL2C_HIT: the recording was cut off");
  CHECK(served.json("/all-pmc?ctx=0&step=0") ==
        nlohmann::json::parse(R"({"cols":["Kernel","Duration","SQ_WAVES"],"rows":[["k",2.5,9]]})"));
  CHECK(served.json("/api/v1/counters/0")["engines"]["waves"] == nlohmann::json::parse("[2]"));
}

TEST_CASE("damaged traces: operations without a name are shown by their numbers, and counted") {
  const TemporaryFolder folder;
  constexpr std::uint64_t kNoOperation = 0x7F;
  const std::string packets = TraceWriter().header(3).wave_start(1).inst(1, kNoOperation).wave_end(1).finish();
  folder.write("new.profile.pkl", profile_with(110'000, packets));
  const std::string path = folder / "new.profile.pkl";
  check_answers(path);
  CHECK(CommandRun({"check", path}).out.find("1 packets of thread traces have unknown operations") !=
        std::string::npos);
  CHECK(CommandRun({"events", path, "-s", "k SQTT SE:0 PKTS"}).out.find("0x7f") != std::string::npos);
}

}  // namespace
}  // namespace vizd::damaged_traces_test
