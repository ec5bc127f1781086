// A person's query whose store dies under it: an error that says so, and the answer once the store is back.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "http/child_process.h"
#include "support/catch.h"
#include "support/store_server.h"

namespace vizd::killed_query_test {

TEST_CASE("a query whose store is killed is told so, and is answered when the store is back") {
  if (clickhouse_program().empty()) {
    WARN("skipped: there is no clickhouse-server here; scripts/install test installs it");
    return;
  }
  StoreServer server;
  store::StoreAddress address = server.address();
  address.database = "default";
  const TemporaryFolder state;
  ChildProcess vizd({"--port", "0", "--no-token", "--store", address.text()},
                    {"XDG_STATE_HOME=" + state.path(), "XDG_CACHE_HOME=" + state.path(), "TMPDIR=" + state.path()});
  REQUIRE(vizd.wait_for_line());
  const int port = std::stoi(vizd.standard_output.substr(vizd.standard_output.rfind(':') + 1));
  const auto request = [&](const char* n) {
    return fmt::format(
        "GET /api/v1/fleet/sql?q=SELECT+'said'+AS+word,{}+AS+n HTTP/1.1\r\nHost: localhost:{}\r\nConnection: "
        "close\r\n\r\n",
        n, port);
  };

  RawClient asking(port);
  // Long enough to be killed while it is at work.
  REQUIRE(asking.send(request("(SELECT+sleep(3))+%2B+(SELECT+sleep(2.9))")));
  // One is this query itself.
  const auto is_asked = [&] {
    const auto found = server.client().ask_server("SELECT count() FROM system.processes WHERE query LIKE '%said%'");
    return found && *found != "1\n";
  };
  REQUIRE(wait_until(is_asked));
  server.kill();
  REQUIRE(asking.read_to_end());
  CHECK(asking.status() == 503);
  const auto refusal = nlohmann::json::parse(asking.body())["error"];
  CHECK(refusal["message"].get<std::string>().starts_with("the store left"));
  // While nobody is there, that is said.
  RawClient in_vain(port);
  REQUIRE(in_vain.send(request("0")));
  REQUIRE(in_vain.read_to_end());
  CHECK(in_vain.status() == 503);
  CHECK(in_vain.body().find("is the store running") != std::string::npos);

  server.start();
  RawClient again(port);
  REQUIRE(again.send(request("0")));
  REQUIRE(again.read_to_end());
  REQUIRE(again.status() == 200);
  CHECK(nlohmann::json::parse(again.body())["rows"] == nlohmann::json::parse(R"([["said", 0]])"));
}

}  // namespace vizd::killed_query_test
