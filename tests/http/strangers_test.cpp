// Strangers without the token, as many as may connect, who ask for the page's program and do not read it: whoever has
// the token is answered all the while, and so is whoever asks whether vizd is alive.
#include <sys/resource.h>

#include <algorithm>
#include <deque>
#include <string>

#include "http/child_process.h"
#include "support/catch.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace vizd::strangers_test {
namespace {

// How many connections this process may open, of those that a server takes.
std::size_t most_strangers() {
  constexpr rlim_t kWanted = 4096, kOwn = 256;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(kWanted + kOwn, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur - kOwn);
}

TEST_CASE("4,096 strangers keep nobody out who has the token") {
  const std::size_t count = most_strangers();
  const TemporaryFolder folder;
  ChildProcess vizd({"--port", "0", test_data("tinygrad-2025-09/ramp.rewrites.pkl")},
                    {"XDG_STATE_HOME=" + folder.path(), "XDG_CACHE_HOME=" + folder.path(), "TMPDIR=" + folder.path()});
  REQUIRE(vizd.wait_for_line());
  const std::string& url = vizd.standard_output;
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  const std::string token = url.substr(url.rfind('=') + 1, 32);
  const auto ask = [&](const std::string& path) {
    return fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n\r\n", path, port, token);
  };
  RawClient known(port);
  REQUIRE(known.send(ask("/api/v1/facts")));
  REQUIRE(known.read_until("\r\n\r\n"));
  REQUIRE(known.status() == 200);
  std::deque<RawClient> strangers;
  for (std::size_t i = 0; i < count; ++i) {
    strangers.emplace_back(port);
    // Some are closed to make room before they have asked.
    static_cast<void>(strangers.back().send(fmt::format("GET /app.js HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", port)));
    if (i % 512 != 0) continue;
    RawClient next(port);
    REQUIRE(next.send(ask("/api/v1/session")));
    CHECK(next.read_until("\r\n\r\n"));
    CHECK(next.status() == 200);
    RawClient alive(port);
    REQUIRE(alive.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    CHECK(alive.read_until("ok\n"));
  }
  // The connection that was there before them is still there.
  const std::size_t before = known.text().size();
  REQUIRE(known.send(ask("/api/v1/session")));
  CHECK(wait_until([&] { return known.read_some(), known.text().size() > before; }));
  CHECK(known.text().find("HTTP/1.1 200", before) != std::string::npos);
}

}  // namespace
}  // namespace vizd::strangers_test
