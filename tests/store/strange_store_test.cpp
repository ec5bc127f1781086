// What stands at a store's address and is no ClickHouse, or answers in other columns than were asked for: an error that
// says so.
#include "support/strange_store.h"

#include <fmt/format.h>

#include <string>

#include "http/child_process.h"
#include "store/fleet.h"
#include "store/job_check.h"
#include "store/pull.h"
#include "store/removal.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::strange_store_test {
namespace {

std::string error_of(const auto& result) { return result ? "" : result.error().message; }

TEST_CASE("a store that answers in other columns than were asked for is said to be none") {
  for (const std::string data : {"[[5,5]]", "[[null,null]]", "[[{},\"x\"]]", "[[[],-1]]", "[[\"piece\",1.5]]",
                                 "[[\"piece\",99999999999]]", "[[true,false]]"}) {
    INFO(data);
    const StrangeStore strange(R"({"meta":[{"name":"a","type":"String"},{"name":"b","type":"UInt64"}],"data":)" + data +
                               "}");
    const store::Store store({strange.address()}, {});
    CHECK(error_of(store::pull(store, "job", 0, store::kMostRankBytes, [](std::string_view) {})) ==
          "answers like no ClickHouse: its columns are others than were asked for");
    CHECK(!error_of(store.ranks("job")).empty());
    CHECK(!error_of(store::remove_rank(store, "job", 0, store::Deletion::kBegun)).empty());
    CHECK(!error_of(store::steps(store, "job")).empty());
    CHECK(!error_of(store::made_waits(store, "job")).empty());
  }
}

TEST_CASE("a store whose answer is another JSON than ClickHouse's is said to be none") {
  for (const char* const answer :
       {"", "5", "[]", "{}", R"({"meta":{"a":5},"data":[]})", R"({"meta":[5],"data":[]})",
        R"({"meta":[{"name":"a","type":7}],"data":[]})", R"({"meta":[{"name":"a"}],"data":[]})",
        R"({"meta":[{"name":"a","type":"String"}],"data":{}})", R"({"meta":[{"name":"a","type":"String"}],"data":[5]})",
        R"({"meta":[{"name":"a","type":"String"}],"data":[["x","y"]]})"}) {
    INFO(answer);
    const StrangeStore strange(answer);
    CHECK(error_of(store::jobs(store::Store({strange.address()}, {}))) ==
          "answers like no ClickHouse: its JSON cannot be read");
  }
}

TEST_CASE("a rank that a strange store is asked for is a bad gateway, and why") {
  const StrangeStore strange(R"({"meta":[{"name":"content","type":"UInt64"}],"data":[[7]]})");
  const TemporaryFolder folder;
  ChildProcess vizd({"--port", "0", "--no-token", "--store", strange.url()},
                    {"XDG_STATE_HOME=" + folder.path(), "XDG_CACHE_HOME=" + folder.path(), "TMPDIR=" + folder.path()});
  REQUIRE(vizd.wait_for_line());
  const int port = std::stoi(vizd.standard_output.substr(vizd.standard_output.rfind(':') + 1));
  RawClient client(port);
  REQUIRE(client.send(fmt::format(
      "GET /api/v1/fleet/open?job=a&rank=0 HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", port)));
  CHECK(client.read_to_end());
  CHECK(client.text().starts_with("HTTP/1.1 502 "));
  CHECK(client.text().find("answers like no ClickHouse") != std::string::npos);
}

}  // namespace
}  // namespace vizd::strange_store_test
