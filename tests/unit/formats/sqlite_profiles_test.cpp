// GPU profiles kept in SQLite: what becomes of their rows, and that nothing in such a file is executed.
#include <fmt/format.h>
#include <sqlite3.h>

#include <string>
#include <vector>

#include "formats/sqlite_profiles/format.h"
#include "support/catch.h"
#include "support/read_outcome.h"
#include "support/temporary_folder.h"

namespace vizd::sqlite_profiles_test {
namespace {

using Strings = std::vector<std::string>;

// The bytes of a database that these statements make.
std::string database(const std::string& statements) {
  const TemporaryFolder folder;
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open((folder / "made.sqlite").c_str(), &connection) == SQLITE_OK);
  char* error = nullptr;
  sqlite3_exec(connection, statements.c_str(), nullptr, nullptr, &error);
  const std::string message = error == nullptr ? "" : error;
  sqlite3_free(error);
  sqlite3_close(connection);
  REQUIRE(message == "");
  return file_text(folder / "made.sqlite");
}

Result<void> read(const std::string& bytes, Capture& capture) {
  return sqlite_profiles::read({.name = "f", .bytes = std::as_bytes(std::span(bytes))}, capture);
}

// "TRACK/EVENT START+DURATION CATEGORY", where the role or the kind is one that matters with it.
Strings events_of(const Capture& capture) {
  Strings texts;
  const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
  for (std::size_t t = 0; t < paths.size(); ++t) {
    for (const Event event : capture.profile.tracks[t].events)
      texts.push_back(fmt::format("{}: {} {}+{} {} {}", paths[t], capture.strings.get(event.name), event.start_ns,
                                  event.dur_ns, capture.strings.get(event.category), event_kind_name(event.kind)));
  }
  return texts;
}

// "call > work" for each arrow.
Strings launches_of(const Capture& capture) {
  Strings texts;
  const auto& tracks = capture.profile.tracks;
  for (const Flow& flow : capture.profile.flows.span())
    texts.push_back(fmt::format("{}@{} > {}@{}",
                                capture.strings.get(tracks[flow.from_track].events.name(flow.from_event)),
                                tracks[flow.from_track].events.start_ns(flow.from_event),
                                capture.strings.get(tracks[flow.to_track].events.name(flow.to_event)),
                                tracks[flow.to_track].events.start_ns(flow.to_event)));
  return texts;
}

constexpr std::int64_t kProcessA = std::int64_t{7} << 24, kProcessB = std::int64_t{8} << 24;

std::string kernels_of_two_processes() {
  return fmt::format(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid, "
      "demangledName);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (200, 250, 0, 1, 7, 5, {0}, 1), (300, 290, 0, 1, 7, 5, {1}, 1),"
      " (NULL, 400, 0, 1, 7, 6, {0}, 1), (500, 510, 0, 1, 7, 99, {0}, 3);"
      "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid);"
      "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (4, 0, 7), (5, 0, 8);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, nameId);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (280, 285, 1, {1} + 8, 5, 2), (180, 190, 0, {0} + 7, 5, 2);"
      "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
      "INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'cudaLaunchKernel_v7000');",
      kProcessA, kProcessB);
}

TEST_CASE("nsight: work is on its process's device, and joined with its call by process and number") {
  Capture capture;
  REQUIRE(read(database(kernels_of_two_processes()), capture));
  CHECK(capture.format == "nsight-systems");
  CHECK(capture.profile.is_trace);
  CHECK(events_of(capture) == Strings{"GPU 4/process 7/stream 7 of context 1: gemm 200+50 kernel span",
                                      "GPU 4/process 7/stream 7 of context 1: [string 3] 500+10 kernel span",
                                      "GPU 5/process 8/stream 7 of context 1: gemm 300+0 kernel span",
                                      "process 8/thread 8: cudaLaunchKernel 280+5 cuda_driver span",
                                      "process 7/thread 7: cudaLaunchKernel 180+10 cuda_runtime span"});
  CHECK(launches_of(capture) == Strings{"cudaLaunchKernel@180 > gemm@200", "cudaLaunchKernel@280 > gemm@300"});
  CHECK(capture.skipped == std::map<std::string, std::uint64_t>{{"rows without a time", 1}});
  CHECK(capture.notes == Strings{"1 rows end before they start; their end counts as their start"});
  CHECK(capture.warnings == Strings{});
}

TEST_CASE("nsight: operators of emit_nvtx keep their numbers as numbers, and open ranges reach the profile's end") {
  Capture capture;
  REQUIRE(read(database("CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, globalTid, domainId);"
                        "INSERT INTO NVTX_EVENTS VALUES (10, 90, 59, 'aten::mm, seq = 4, op_id = 31', NULL, 1, 0),"
                        " (20, NULL, 59, 'epoch', NULL, 1, 3), (30, NULL, 34, 'here', NULL, 1, 0),"
                        " (0, NULL, 75, 'mine', NULL, 1, 3);"),
               capture));
  CHECK(events_of(capture) == Strings{"process 0/thread 1: aten::mm 10+80 cpu_op span",
                                      "process 0/thread 1: epoch 20+70 user_annotation unfinished",
                                      "process 0/thread 1: here 30+0 user_annotation instant"});
  const Track& thread = capture.profile.tracks[1];
  CHECK(thread.events.role(0) == EventRole::kOperator);
  const auto argument = [&](std::string_view name, std::uint32_t event) {
    const ArgumentColumn* const column = find_argument(thread.arguments, capture.strings.find(name));
    REQUIRE(column != nullptr);
    return column->of(event);
  };
  CHECK(argument("op_id", 0) == ArgumentValue(std::int64_t{31}));
  CHECK(argument("domain", 1) == ArgumentValue(capture.strings.find("mine")));
}

TEST_CASE("nsight: a replay of a graph is a piece of work, and what the profiler lost is a warning") {
  Capture capture;
  REQUIRE(read(database("CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, streamId, graphId);"
                        "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (5, 9, 0, 7, 12);"
                        "CREATE TABLE DIAGNOSTIC_EVENT (severity, text);"
                        "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 'started'), (3, 'buffers were dropped');"),
               capture));
  CHECK(events_of(capture) == Strings{"GPU 0/stream 7: CUDA graph 12 5+4 graph span"});
  CHECK(capture.profile.tracks[1].events.role(0) == EventRole::kKernel);
  CHECK(capture.warnings == Strings{"Nsight Systems reports: buffers were dropped"});
}

TEST_CASE("nsight: times since 1970 count from the session's begin") {
  Capture capture;
  REQUIRE(read(database("CREATE TABLE META_DATA_EXPORT (name, value);"
                        "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PARAM_TIME_NORMALIZE', 'true');"
                        "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs);"
                        "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1780000000000000000);"
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, streamId, bytes);"
                        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1780000000000000100, 1780000000000000150, 0, "
                        "7, 64);"),
               capture));
  CHECK(events_of(capture) == Strings{"GPU 0/stream 7: [CUDA memset] 100+50 gpu_memset span"});
  CHECK(capture.profile.clock.unix_offset_ns == 1780000000000000000);
}

TEST_CASE("rpd: an operation is joined with the first call that it has, and marks are no calls") {
  Capture capture;
  REQUIRE(read(
      database("CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string);"
               "INSERT INTO rocpd_string VALUES (1, 'hipMemcpy'), (2, 'UserMarker'), (3, 'step'),"
               " (4, 'CopyHostToDevice'), (5, ''), (6, 'KernelExecution'), (7, 'gemm'), (8, 'Barrier');"
               "CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, args_id);"
               "INSERT INTO rocpd_api VALUES (1, 9, 9, 10, 20, 1, 5), (2, 9, 9, 5, 50, 2, 3), (3, 9, 9, 30, 35, 1, 5);"
               "CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId, queueId, start, end, description_id, opType_id);"
               "INSERT INTO rocpd_op VALUES (1, 0, 2, 15, 25, 5, 4), (2, 0, 2, 40, 45, 7, 6), (3, 0, 2, 46, 47, 5, 8);"
               "CREATE TABLE rocpd_api_ops (api_id, op_id);"
               "INSERT INTO rocpd_api_ops VALUES (1, 1), (3, 1), (2, 2);"
               "CREATE TABLE rocpd_copyapi (api_ptr_id, size); INSERT INTO rocpd_copyapi VALUES (1, 4096);"),
      capture));
  CHECK(capture.format == "rpd");
  CHECK(events_of(capture) ==
        Strings{"process 9/thread 9: hipMemcpy 10+10 api span", "process 9/thread 9: step 5+45 user_annotation span",
                "process 9/thread 9: hipMemcpy 30+5 api span", "GPU 0/stream 2: CopyHostToDevice 15+10 gpu_memcpy span",
                "GPU 0/stream 2: gemm 40+5 kernel span", "GPU 0/stream 2: Barrier 46+1 barrier span"});
  CHECK(launches_of(capture) == Strings{"hipMemcpy@10 > CopyHostToDevice@15"});
}

TEST_CASE("sqlite: views and generated columns are not read, and a file without a profile is refused") {
  Capture capture;
  // The view would never end, and the column would take 400 MB.
  REQUIRE(read(database("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
                        "i + 1 FROM n) SELECT i AS start, i AS end FROM n;"
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, bytes AS (zeroblob(400000000)));"
                        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2);"),
               capture));
  CHECK(events_of(capture) == Strings{"GPU (number not known)/no stream: [CUDA memcpy Unknown] 1+1 gpu_memcpy span"});
  Capture other, none;
  const auto refused = read(database("CREATE TABLE people (name);"), other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text().find("f: is a SQLite file without the tables of a profile") == 0);
  CHECK_FALSE(read(std::string("SQLite format 3\0", 16), none));
}

TEST_CASE("sqlite: a damaged table gives the rows before the damage, and the others are whole") {
  std::string statements = kernels_of_two_processes() + "CREATE TABLE OSRT_API (start, end, globalTid, nameId);";
  for (int i = 0; i < 2000; ++i) statements += fmt::format("INSERT INTO OSRT_API VALUES ({0}, {0} + 1, 1, 1);", i * 10);
  std::string bytes = database("PRAGMA page_size = 512; PRAGMA synchronous = OFF; BEGIN;" + statements + "COMMIT;");
  bytes.replace(bytes.size() - 4096, 512, 512, '\xFF');
  Capture capture;
  REQUIRE(read(bytes, capture));
  REQUIRE(capture.warnings.size() == 1);
  CHECK(capture.warnings[0].find("f: OSRT_API: ") == 0);
  CHECK(launches_of(capture).size() == 2);
  const std::size_t rows = events_of(capture).size();
  CHECK(rows > 1000);
  CHECK(rows < 2005);
}

}  // namespace
}  // namespace vizd::sqlite_profiles_test
