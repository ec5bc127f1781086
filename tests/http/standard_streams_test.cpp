// vizd with an stdout or stderr that is closed, full, or has no reader any more.
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "http/shell_run.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::standard_streams_test {
namespace {

const std::string kCapture = test_data("tinygrad-2025-09/ramp.rewrites.pkl");

TEST_CASE("an answer that cannot be written is an error with a word of it, in every command") {
  for (const std::string command : {"ls", "show", "rules", "text --context 2 --pass 3", "summary", "check",
                                    "export --to dot --context 2 --pass 3"}) {
    INFO(command);
    const ShellRun ran("vizd " + command + " '" + kCapture + "' 2>&1 >/dev/full");
    CHECK(ran.code == 1);
    CHECK(ran.output.find("No space left on device") != std::string::npos);
  }
  CHECK(ShellRun("vizd help 2>&1 >/dev/full").code == 1);
  for (const std::string closed : {">&-", "<&- >&-"}) {
    const ShellRun ran("vizd ls '" + kCapture + "' 2>&1 " + closed);
    CHECK(ran.code == 1);
    CHECK(ran.output.find("cannot be written") != std::string::npos);
  }
}

TEST_CASE("a reader that leaves ends a command without a word") {
  const ShellRun ran("trap '' PIPE; { vizd show '" + kCapture + "' | true; } 2>&1");
  CHECK(ran.output.empty());
}

TEST_CASE("a command whose stderr is gone still answers") {
  const std::string usual = ShellRun("vizd ls '" + kCapture + "'").output;
  CHECK(!usual.empty());
  for (const std::string where : {"2>/dev/full", "2>&-", "<&- 2>&-"}) {
    const ShellRun ran("vizd ls '" + kCapture + "' " + where);
    CHECK(ran.code == 0);
    CHECK(ran.output == usual);
    CHECK(ShellRun("vizd ls /no/such/file " + where).code == 1);
  }
}

TEST_CASE("a server whose stderr is closed, full or read no more goes on serving") {
  for (const std::string where : {"2>/dev/full", "2>&-", "<&- 2>&-", "2> >(true)"}) {
    INFO(where);
    // The shell tells its number, which is then the program's.
    const std::string command = "exec bash -c 'echo $$; exec \"" + std::string(vizd_binary()) +
                                "\" --no-token --log-level debug --port 0 \"" + kCapture + "\" " + where + "'";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 256> line{};
    REQUIRE(std::fgets(line.data(), line.size(), pipe) != nullptr);
    const pid_t pid = std::atoi(line.data());
    REQUIRE(pid > 1);
    REQUIRE(std::fgets(line.data(), line.size(), pipe) != nullptr);
    const std::string url = line.data();
    const int port = std::atoi(url.substr(url.rfind(':') + 1).c_str());
    for (int i = 0; i < 3; ++i) {
      RawClient client(port);
      REQUIRE(client.send("GET /api/v1/contexts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
      REQUIRE(client.read_to_end());
      CHECK(client.status() == 200);
    }
    ::kill(pid, SIGTERM);
    const int status = ::pclose(pipe);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}

}  // namespace
}  // namespace vizd::standard_streams_test
