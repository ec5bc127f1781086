// Calls of tools beside one another, their cancellation, and the end of a session in the middle of them.
#include "cli/agent/mcp_session.h"

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "support/catch.h"
#include "support/wait_until.h"

namespace vizd::mcp_session_test {
namespace {

using Json = nlohmann::json;

// A server whose tools run until they are let go or nobody waits for them.
struct Served {
  Served()
      : server(
            {},
            [this](std::string_view, const std::vector<std::string>&, std::size_t, const std::stop_token& left) {
              ++running;
              wait_until([&] { return may_end || left.stop_requested(); });
              --running;
              return ToolRun{left.stop_requested() ? -1 : 0, "done\n", ""};
            },
            "mark"),
        session(std::make_unique<McpSession>(server, [this](std::string_view line) {
          const std::scoped_lock lock(guard);
          answered.insert(Json::parse(line)["id"].dump());
          return true;
        })) {}

  void call(const std::string& id) {
    CHECK(session->take(R"({"jsonrpc":"2.0","id":)" + id +
                        R"(,"method":"tools/call","params":{"name":"ls","arguments":{"arguments":[]}}})"));
  }
  bool has_answered(const std::string& id) {
    const std::scoped_lock lock(guard);
    return answered.contains(id);
  }

  std::atomic<int> running{0};
  std::atomic<bool> may_end{false};
  std::mutex guard;
  std::set<std::string> answered;
  McpServer server;
  std::unique_ptr<McpSession> session;
};

TEST_CASE("a ping and further calls are answered while calls of tools run") {
  Served served;
  for (int i = 0; i < 9; ++i) served.call(std::to_string(i));
  REQUIRE(wait_until([&] { return served.running == 4; }));
  CHECK(served.session->take(R"({"jsonrpc":"2.0","id":"ping","method":"ping"})"));
  CHECK(served.has_answered("\"ping\""));
  CHECK_FALSE(served.has_answered("0"));
  served.may_end = true;
  for (int i = 0; i < 9; ++i) CHECK(wait_until([&] { return served.has_answered(std::to_string(i)); }));
}

TEST_CASE("a call that is cancelled ends and is not answered, whether it runs or waits") {
  Served served;
  for (int i = 0; i < 6; ++i) served.call(std::to_string(i));
  REQUIRE(wait_until([&] { return served.running == 4; }));
  const auto cancel = [&](const std::string& id) {
    CHECK(served.session->take(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id +
                               "}}"));
  };
  cancel("5");      // which waits
  cancel("99");     // which nobody asked
  cancel("\"0\"");  // a text is no number
  CHECK(served.running == 4);
  for (int i = 0; i < 5; ++i) cancel(std::to_string(i));
  CHECK(wait_until([&] { return served.running == 0; }));
  served.call("7");
  served.may_end = true;
  CHECK(wait_until([&] { return served.has_answered("7"); }));
  CHECK(served.answered == std::set<std::string>{"7"});
}

TEST_CASE("a session that ends in calls ends them") {
  Served served;
  for (int i = 0; i < 6; ++i) served.call(std::to_string(i));
  REQUIRE(wait_until([&] { return served.running == 4; }));
  served.session.reset();
  CHECK(served.running == 0);
  CHECK(served.answered.empty());
}

}  // namespace
}  // namespace vizd::mcp_session_test
