// vizd demo: captures that every installed vizd can write, and opens.
#include <filesystem>
#include <fstream>
#include <set>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::demo_test {
namespace {

namespace fs = std::filesystem;

std::vector<nlohmann::json> written(const TemporaryFolder& folder) {
  const CommandRun run({"demo", folder / "demo", "--only-write", "--json"});
  REQUIRE(run.code == 0);
  return run.records();
}

nlohmann::json counts_of(const std::string& path) {
  const CommandRun ls({"ls", path, "--json"});
  INFO(path);
  REQUIRE(ls.code == 0);
  return ls.records().front();
}

TEST_CASE("each capture of the demo is whole, and of another format than the rest") {
  const TemporaryFolder folder;
  std::set<std::string> formats;
  for (const nlohmann::json& record : written(folder)) {
    const std::string path = record["folder"];
    INFO(path);
    CHECK_FALSE(record["shows"].get<std::string>().empty());
    const CommandRun check({"check", path});
    CHECK(check.code == 0);
    CHECK(formats.insert(counts_of(path)["format"]).second);
  }
  CHECK(formats.size() == 8);
}

TEST_CASE("the demo's training has ranks, steps, kernels, collectives and memory, and the slow rank is told") {
  const TemporaryFolder folder;
  written(folder);
  const std::string path = folder / "demo/training";
  const CommandRun collectives({"kernels", path, "--collectives", "--json"});
  REQUIRE(collectives.code == 0);
  CHECK(collectives.out.find("all_reduce") != std::string::npos);
  const CommandRun kernels({"kernels", path, "--json", "--group", "rank"});
  REQUIRE(kernels.code == 0);
  CHECK(kernels.records().size() >= 2);
  CHECK(counts_of(path)["allocations"] == 2 * (1 + 5 * 8));
  const CommandRun steps({"breakdown", path, "--step", "3", "--json"});
  REQUIRE(steps.code == 0);
  CHECK_FALSE(steps.records().empty());
}

TEST_CASE("the demo leaves what is there as it is, says so of a file that is another one, and overwrites it with -f") {
  const TemporaryFolder folder;
  written(folder);
  const auto before = fs::last_write_time(folder / "demo/training/rank0.json");
  written(folder);
  CHECK(fs::last_write_time(folder / "demo/training/rank0.json") == before);
  std::ofstream(folder / "demo/compiler/toy.bin") << "mine";
  const CommandRun run({"demo", folder / "demo", "--only-write"});
  CHECK(run.code == 1);
  CHECK(run.warns("toy.bin: exists already"));
  std::ifstream kept(folder / "demo/compiler/toy.bin");
  CHECK(std::string(std::istreambuf_iterator<char>(kept), {}) == "mine");
  CHECK(CommandRun({"demo", folder / "demo", "--only-write", "-f"}).code == 0);
  CHECK(fs::file_size(folder / "demo/compiler/toy.bin") > 4);
}

TEST_CASE("the demo opens its captures, and stdout has the URL alone") {
  const TemporaryFolder folder;
  ChildProcess process({"demo", folder / "demo", "--port", "0"}, {"XDG_STATE_HOME=" + folder.path()});
  REQUIRE(process.wait_for_line());
  CHECK(process.standard_output.starts_with("http://127.0.0.1:"));
  CHECK(process.standard_error.find("rank that makes the other wait") != std::string::npos);
  process.send_signal(SIGTERM);
  CHECK(process.wait_for_end() == 0);
}

}  // namespace
}  // namespace vizd::demo_test
