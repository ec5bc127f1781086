// A vizd that shares its page: who may put marks on it, how commands find it, and what is left once it was killed.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "http/command_run.h"
#include "http/transport/guard.h"
#include "support/analysed_trace.h"
#include "support/temporary_folder.h"

namespace vizd::shared_test {
namespace {

namespace fs = std::filesystem;

int status_of(std::vector<Header> headers, std::string_view path, const GuardPolicy& policy) {
  const Request request{.method = "POST", .path = std::string(path), .headers = std::move(headers), .query = {}};
  const auto refusal = refuse(request, policy, Secrecy::kNeedsToken);
  return refusal ? refusal->status : 200;
}

TEST_CASE("the guard's table for what is shared") {
  const GuardPolicy shared{.token = "secret", .is_shared = true}, alone{.token = "secret"};
  const Header host{"Host", "localhost:8000"}, own{"Origin", "http://localhost:8000"},
      type{"Content-Type", "application/octet-stream"}, length{"Content-Length", "100"},
      bearer{"Authorization", "Bearer secret"}, cookie{"Cookie", "vizd_8000=secret"};
  for (const std::string_view path : {kMarksPath, kWherePath}) {
    INFO(path);
    CHECK(status_of({host, type, length, bearer}, path, shared) == 200);
    CHECK(status_of({host, own, type, length, cookie}, path, shared) == 200);
    CHECK(status_of({host, type, length, bearer}, path, alone) == 405);
    CHECK(status_of({host, own, type, length}, path, shared) == 401);
    CHECK(status_of({host, type, length, {"Authorization", "Bearer wrong"}}, path, shared) == 401);
    CHECK(status_of({host, type, length, cookie}, path, shared) == 403);
    CHECK(status_of({host, {"Origin", "http://evil.example"}, type, length, bearer}, path, shared) == 403);
    CHECK(status_of({host, own, {"Content-Type", "text/plain"}, length, cookie}, path, shared) == 415);
    CHECK(status_of({host, type, {"Content-Length", "16385"}, bearer}, path, shared) == 413);
    CHECK(status_of({host, type, bearer}, path, shared) == 411);
  }
  CHECK(status_of({host, type, length, bearer}, kUploadPath, shared) == 405);
}

struct SharingFolder {
  SharingFolder() {
    folder.write("trace.json", R"({"traceEvents":[)" + kernel("gemm", 7, 0, 100, "") +
                                   R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]})");
    fs::create_directory(folder / "run");
  }
  std::vector<std::string> environment() const {
    return {"XDG_RUNTIME_DIR=" + (folder / "run"), "XDG_STATE_HOME=" + (folder / "state")};
  }
  // The exit code, and what it printed on both.
  std::pair<int, std::string> run(std::vector<std::string> words) const {
    ChildProcess process(std::move(words), environment());
    const int code = process.wait_for_end();
    return {code, process.standard_output + process.standard_error};
  }
  std::vector<std::string> announced() const {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder / "run/vizd", none)) found.push_back(entry.path().string());
    return found;
  }

  TemporaryFolder folder;
  const std::string path = folder / "trace.json";
};

TEST_CASE("commands find a vizd that shares, put marks on it, and forget one that was killed") {
  const SharingFolder of;
  {
    ChildProcess server({"--shared", "--port", "0", of.path}, of.environment());
    REQUIRE(server.wait_for_line());
    const auto folders = of.announced();
    REQUIRE(folders.size() == 1);
    struct stat file {};
    REQUIRE(::stat((folders[0] + "/contents/server.json").c_str(), &file) == 0);
    CHECK((file.st_mode & 0777) == 0600);

    const std::string url = server.standard_output.substr(0, server.standard_output.find('#'));
    const auto [code, marked] = of.run({"mark", of.path, "slice:0", "it\x1B[31m waits", "--json"});
    INFO(marked);
    REQUIRE(code == 0);
    const auto mark = nlohmann::json::parse(marked);
    CHECK(mark["number"] == 1);
    CHECK(mark["note"] == "it waits");
    CHECK(mark["url"].get<std::string>().starts_with(url + "#view=timeline&capture=trace&event="));
    CHECK(of.run({"mark"}).second.find("it waits") != std::string::npos);
    CHECK(of.run({"mark", "slice:99", "none"}).first == 1);
    CHECK(of.run({"mark", "nonsense", "none"}).first == 2);
    CHECK(of.run({"open", of.path, "--id", "slice:0"}).second.starts_with(url));
    CHECK(of.run({"where"}).second.find("nobody has its page open") != std::string::npos);
    CHECK(of.run({"mark", "--remove", "1"}).first == 0);
    CHECK(of.run({"mark", "--remove", "1"}).first == 1);
    server.send_signal(SIGKILL);
    server.wait_for_end();
  }
  // What it left counts no more, and goes with the next one's start.
  CHECK(of.announced().size() == 1);
  CHECK(of.run({"mark"}).second.find("no vizd shares its page") != std::string::npos);
  ChildProcess next({"--port", "0", of.path}, of.environment());
  REQUIRE(next.wait_for_line());
  CHECK(of.announced().size() == 1);
  CHECK(of.run({"mark", of.path, "note"}).second.find("start it with --shared") != std::string::npos);
  next.send_signal(SIGTERM);
  CHECK(next.wait_for_end() == 0);
  CHECK(of.announced().empty());
  CHECK(of.run({"--shared", "--no-token"}).first == 2);
}

}  // namespace
}  // namespace vizd::shared_test
