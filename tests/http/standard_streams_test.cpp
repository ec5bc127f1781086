// vizd with an stdout or stderr that is closed, full, or has no reader any more.
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "http/raw_client.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::standard_streams_test {
namespace {

const std::string kCapture = test_data("tinygrad-2025-09/ramp.rewrites.pkl");

struct Ran {
  int code = -1;  // where a signal ended it
  std::string output;
};

// Runs a line of shell in which "vizd" is the program, with what it prints on stdout.
Ran run_line(const std::string& line) {
  const std::string command = "vizd() { '" + std::string(vizd_binary()) + "' \"$@\"; }; " + line;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Ran ran;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.output.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

TEST_CASE("an answer that cannot be written is an error with a word of it, in every command") {
  for (const std::string command : {"ls", "show", "rules", "text --context 2 --pass 3", "summary", "check",
                                    "export --to dot --context 2 --pass 3"}) {
    INFO(command);
    const Ran ran = run_line("vizd " + command + " '" + kCapture + "' 2>&1 >/dev/full");
    CHECK(ran.code == 1);
    CHECK(ran.output.find("No space left on device") != std::string::npos);
  }
  CHECK(run_line("vizd help 2>&1 >/dev/full").code == 1);
  for (const std::string closed : {">&-", "<&- >&-"}) {
    const Ran ran = run_line("vizd ls '" + kCapture + "' 2>&1 " + closed);
    CHECK(ran.code == 1);
    CHECK(ran.output.find("cannot be written") != std::string::npos);
  }
}

TEST_CASE("a reader that leaves ends a command without a word") {
  const Ran ran = run_line("trap '' PIPE; { vizd show '" + kCapture + "' | true; } 2>&1");
  CHECK(ran.output.empty());
}

TEST_CASE("a command whose stderr is gone still answers") {
  const std::string usual = run_line("vizd ls '" + kCapture + "'").output;
  CHECK(!usual.empty());
  for (const std::string where : {"2>/dev/full", "2>&-", "<&- 2>&-"}) {
    const Ran ran = run_line("vizd ls '" + kCapture + "' " + where);
    CHECK(ran.code == 0);
    CHECK(ran.output == usual);
    CHECK(run_line("vizd ls /no/such/file " + where).code == 1);
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
