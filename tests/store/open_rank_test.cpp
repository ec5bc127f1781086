// A rank that the page takes out of a store: opened as any capture, and gone with vizd.
#include <fmt/format.h>
#include <signal.h>

#include <filesystem>

#include "formats/native/capture_encoder.h"
#include "http/child_process.h"
#include "support/catch.h"
#include "support/made_job.h"
#include "support/store_server.h"

namespace vizd::open_rank_test {
namespace {

std::string get(int port, const std::string& path) {
  RawClient client(port);
  client.send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", path, port));
  client.read_to_end();
  return client.status() == 200 ? client.body() : fmt::format("status {}", client.status());
}

TEST_CASE("a rank that is opened from a store lies with the captures that are sent, and goes with them") {
  if (clickhouse_program().empty()) {
    WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
    return;
  }
  const StoreServer server;
  const TemporaryFolder folder, state;
  Capture capture;
  RankMaker({.events = 300}, 0, capture).fill();
  std::string bytes;
  native::encode_capture(capture, {.source_line = {}, .level = 1}, [&](std::string_view part) { bytes += part; });
  folder.write("rank_0.bin", bytes);
  ChildProcess pushing({"push", folder / "rank_0.bin", "--store", server.url(), "--job", "../job"}, {});
  REQUIRE(pushing.wait_for_end() == 0);

  ChildProcess vizd({"--port", "0", "--no-token", "--store", server.url()},
                    {"XDG_STATE_HOME=" + state.path(), "XDG_CACHE_HOME=" + state.path(), "TMPDIR=" + state.path()});
  REQUIRE(vizd.wait_for_line());
  const int port = std::stoi(vizd.standard_output.substr(vizd.standard_output.rfind(':') + 1));
  CHECK(get(port, "/api/v1/fleet/open?job=none&rank=0") == "status 404");
  std::string path;
  for (int i = 0; i < 2; ++i) {  // the second time it is there already
    const std::string answer = get(port, "/api/v1/fleet/open?job=../job&rank=0");
    REQUIRE(answer.starts_with("{\"path\":\""));
    path = nlohmann::json::parse(answer)["path"];
    CHECK(std::filesystem::file_size(path) == bytes.size());
    CHECK(std::filesystem::path(path).parent_path().string().starts_with(state.path()));
  }
  const std::string name = std::filesystem::path(path).filename().string();
  CHECK(wait_until([&] { return get(port, "/api/v1/session").find(name) != std::string::npos; }));
  vizd.send_signal(SIGTERM);
  CHECK(vizd.wait_for_end() == 0);
  CHECK_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace vizd::open_rank_test
