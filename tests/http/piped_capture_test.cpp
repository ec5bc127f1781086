// Captures that come through a pipe: every command answers of them as of the file, and the server shows them.
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/command_line/pipes.h"
#include "http/child_process.h"
#include "http/shell_run.h"
#include "support/catch.h"
#include "support/examples.h"
#include "support/temporary_folder.h"

namespace vizd::piped_capture_test {
namespace {

std::string quoted(const std::string& path) { return "'" + path + "'"; }

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

TEST_CASE("vizd summary and check answer of what comes through a pipe as of the file, whatever its format") {
  std::size_t answered = 0;
  for (const Example& example : all_examples()) {
    if (example.paths.size() != 1) continue;
    const std::string file = example.paths[0];
    for (const std::string command : {"summary", "check"}) {
      INFO(command << " " << file);
      const TemporaryFolder folder;
      // By the name that the pipe has, so that both say the same.
      std::ofstream(folder / "stdin", std::ios::binary) << std::ifstream(file, std::ios::binary).rdbuf();
      ShellRun named("vizd " + command + " --json " + quoted(folder / "stdin") + " 2>&1");
      const ShellRun piped("cat " + quoted(file) + " | vizd " + command + " --json - 2>&1");
      replace_all(named.output, folder / "stdin", "/dev/stdin");
      CHECK(piped.output == named.output);
      CHECK(piped.code == named.code);
      answered += piped.code == 0;
    }
  }
  CHECK(answered >= 8);
}

TEST_CASE("what comes through a pipe is also named by its descriptor, and beside files and options") {
  const std::string capture = test_data("../golden/etdump/delegate_int/input/");
  const std::string dump = quoted(capture + "etdump.etdp"), record = quoted(capture + "etrecord.bin");
  const ShellRun whole("vizd export --tsv --etrecord " + record + " " + dump);
  REQUIRE(whole.code == 0);
  for (const std::string name : {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
    CHECK(ShellRun("cat " + dump + " | vizd export --tsv --etrecord " + record + " " + name).output == whole.output);
  CHECK(ShellRun("cat " + record + " | vizd export --tsv --etrecord - " + dump).output == whole.output);
  CHECK(ShellRun("cat " + dump + " | vizd export --tsv --etrecord " + record + " /dev/fd/7 7<&0").output ==
        whole.output);
  CHECK(ShellRun("vizd export --tsv --etrecord " + record + " - <" + dump).output == whole.output);
}

TEST_CASE("the page shows what came through a pipe") {
  const TemporaryFolder folder;
  const std::string pipe = quoted(folder / "pipe");
  ChildProcess vizd({"--no-token", "--port", "0", "-"}, {"HOME=" + folder.path(), "PATH=/usr/bin:/bin"},
                    "mkfifo " + pipe + "; cat " + quoted(test_data("../golden/etdump/delegate_int/input/etdump.etdp")) +
                        " >" + pipe + " & exec <" + pipe);
  REQUIRE(vizd.wait_for_line());
  const int port = std::atoi(vizd.standard_output.substr(vizd.standard_output.rfind(':') + 1).c_str());
  CHECK(wait_until([&] {
    RawClient client(port);
    client.send("GET /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    client.read_to_end();
    return client.body().find("\"name\":\"stdin\"") != std::string::npos &&
           client.body().find("\"ready\"") != std::string::npos;
  }));
  vizd.send_signal(SIGTERM);
  CHECK(vizd.wait_for_end() == 0);
}

TEST_CASE("a pipe that brings nothing, or no capture, is told in words") {
  const ShellRun nothing("true | vizd summary - 2>&1");
  CHECK(nothing.code == 2);
  CHECK(nothing.output.find("/dev/stdin: the pipe was empty") != std::string::npos);
  const ShellRun other("cat " + quoted(test_data("page.png")) + " | vizd summary - 2>&1");
  CHECK(other.code == 1);
  CHECK(other.output.find("/dev/stdin: ") != std::string::npos);
}

TEST_CASE("limits: of what comes through a pipe no more is taken than 2 GiB") {
  CHECK(kMostPipedBytes == std::uint64_t{2} << 30);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const std::string bytes(1000, 'x');
  REQUIRE(::write(ends[1], bytes.data(), bytes.size()) == 1000);
  ::close(ends[1]);
  std::string path = "/dev/fd/" + std::to_string(ends[0]);
  CHECK(take_pipes({path}, 999).find("of input; write it to a file and name that") != std::string::npos);
  ::close(ends[0]);
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], bytes.data(), bytes.size()) == 1000);
  ::close(ends[1]);
  path = "/dev/fd/" + std::to_string(ends[0]);
  CHECK(take_pipes({path}, 1000).empty());
  std::ifstream kept(path);
  CHECK(std::string(std::istreambuf_iterator<char>(kept), {}) == bytes);
  struct stat info {};
  CHECK((::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)));
  ::close(ends[0]);
}

}  // namespace
}  // namespace vizd::piped_capture_test
