// vizd push --watch: traces come into the store whole and once, each as its rank of the job of its step.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/query/push_watch.h"
#include "cli/query/settled_files.h"
#include "http/child_process.h"
#include "store/client.h"
#include "support/catch.h"
#include "support/store_server.h"

namespace vizd::watch_test {
namespace {

using namespace std::chrono_literals;

std::string trace_of(int rank, int step) {
  return fmt::format(
      R"({{"schemaVersion":1,"distributedInfo":{{"backend":"nccl","rank":{0},"world_size":4}},"traceEvents":[)"
      R"({{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{1}","pid":1,"tid":1,"ts":1000,"dur":900}},)"
      R"({{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1100,"dur":300}}]}})",
      rank, step);
}

// What the store has, as "job rank slices" a line.
std::string pushed(const StoreServer& server) {
  const auto answer = server.client().ask(
      "SELECT job, rank, max(slices), sum(state = 'done') FROM push GROUP BY job, rank ORDER BY job, rank "
      "FORMAT TabSeparated");
  return answer ? *answer : "";
}

}  // namespace

TEST_CASE("a trace that is left in a watched folder is pushed whole, once, as its rank of the job of its step") {
  if (clickhouse_program().empty()) {
    WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
    return;
  }
  StoreServer server;
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "host_b");
  const auto watch = [&] {
    return ChildProcess({"push", "--watch", folder.path(), "--settle", "0", "--store", server.url(), "--job", "train"},
                        {});
  };
  folder.write("host_b/rank3.json", trace_of(3, 100));
  folder.write("notes.txt", "no trace");
  // Still written: half of it is there, and its program has it open.
  const std::string whole = trace_of(1, 100);
  const int fd = ::open((folder / "rank1.json").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(::write(fd, whole.data(), whole.size() / 2) == static_cast<ssize_t>(whole.size() / 2));
  {
    ChildProcess watching = watch();
    CHECK(wait_until([&] { return pushed(server) == "train step 100\t3\t2\t1\n"; }));
    folder.write("later.json", trace_of(0, 200));
    CHECK(wait_until([&] { return pushed(server) == "train step 100\t3\t2\t1\ntrain step 200\t0\t2\t1\n"; }));
    REQUIRE(::write(fd, whole.data() + whole.size() / 2, whole.size() - whole.size() / 2) > 0);
    ::close(fd);
    CHECK(wait_until([&] {
      return pushed(server) == "train step 100\t1\t2\t1\ntrain step 100\t3\t2\t1\ntrain step 200\t0\t2\t1\n";
    }));
    watching.send_signal(SIGTERM);
    CHECK(watching.wait_for_end() == 0);
    CHECK(watching.standard_error == "");
    CHECK(watching.standard_output.find("job train step 100: rank 1, 2 slices") != std::string::npos);
  }
  // From the beginning again, while the store comes later: what is there is not pushed twice.
  const std::string before = pushed(server);
  server.kill();
  ChildProcess again = watch();
  REQUIRE(again.wait_for_log("retrying"));
  server.start();
  folder.write("rank2.json", trace_of(2, 200));
  CHECK(wait_until([&] { return pushed(server) == before + "train step 200\t2\t2\t1\n"; }));
  again.send_signal(SIGTERM);
  CHECK(again.wait_for_end() == 0);
}

TEST_CASE("a file is settled once nobody writes it and it has been as it is for a while") {
  const TemporaryFolder folder;
  SettledFiles files(folder.path(), 0ms);
  folder.write("a", "1");
  folder.write(".hidden", "1");
  CHECK(files.take() == std::vector<std::string>{folder / "a"});
  CHECK(files.take().empty());
  files.again(folder / "a", 0ms);
  CHECK(files.take().size() == 1);
  const int fd = ::open((folder / "a").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  REQUIRE(::write(fd, "2", 1) == 1);
  CHECK(files.take().empty());
  ::close(fd);
  CHECK(files.take().size() == 1);
  SettledFiles patient(folder.path(), 1h);
  CHECK(patient.take().empty());
}

TEST_CASE("a trace that says no rank and no step has those of its path") {
  const Capture nothing;
  CHECK(rank_of_trace(nothing, "/runs/iteration_200/rank3_trace.json") == 3u);
  CHECK(step_of_trace(nothing, "/runs/iteration_200/rank3_trace.json") == 200);
  CHECK(step_of_trace(nothing, "/runs/step_1/worker.Step-20.json") == 20);
  CHECK_FALSE(rank_of_trace(nothing, "/ranking/trace.json"));
  CHECK_FALSE(step_of_trace(nothing, "/runs/steps/trace.json"));
  CHECK_FALSE(rank_of_trace(nothing, "/rank99999999999999999999/trace.json"));
}

}  // namespace vizd::watch_test
