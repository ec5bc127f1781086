// The program as a whole: what it prints, what it refuses, how it ends, and that it lets in only those it should.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/version.h"
#include "http/command_run.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::program_test {

namespace {

const std::string kKernels = test_data("tinygrad-2025-09/ramp.rewrites.pkl");
const std::string kProfile = test_data("tinygrad-2025-09/ramp.profile.pkl");

struct Program {
  explicit Program(std::vector<std::string> arguments, const std::vector<std::string>& variables = {},
                   const std::string& before = "")
      : process(std::move(arguments), with_folders(variables), before) {}

  std::vector<std::string> with_folders(std::vector<std::string> variables) const {
    variables.push_back("XDG_STATE_HOME=" + folder.path());
    variables.push_back("TMPDIR=" + folder.path());
    variables.push_back("USER=somebody");
    return variables;
  }
  int port() {
    REQUIRE(process.wait_for_line());
    const std::string& line = process.standard_output;
    REQUIRE(line.starts_with("http://127.0.0.1:"));
    return std::stoi(line.substr(17));
  }
  std::string token() const {
    const auto at = process.standard_output.find("#token=");
    REQUIRE(at != std::string::npos);
    return process.standard_output.substr(at + 7, 32);
  }

  TemporaryFolder folder;
  ChildProcess process;
};

std::string get(int port, const std::string& path, const std::string& headers = "") {
  RawClient client(port);
  REQUIRE(client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "Connection: close\r\n\r\n"));
  REQUIRE(client.read_to_end());
  return client.text();
}

int status(const std::string& answer) { return std::stoi(answer.substr(9, 3)); }

}  // namespace

TEST_CASE("stdout carries one line, the URL, and SIGTERM ends the program") {
  Program program({"--port", "0", "--kernels", kKernels, "--profile", kProfile});
  const int port = program.port();
  CHECK(status(get(port, "/api/v1/session")) == 401);
  const std::string answer = get(port, "/api/v1/session", "Authorization: Bearer " + program.token() + "\r\n");
  CHECK(status(answer) == 200);
  CHECK(answer.find("Set-Cookie: vizd_80=" + program.token()) != std::string::npos);
  CHECK(status(get(port, "/api/v1/session", "Cookie: vizd_80=" + program.token() + "\r\n")) == 200);
  CHECK(status(get(port, "/ctxs")) == 401);
  CHECK(status(get(port, "/no/such/path")) == 401);
  CHECK(status(get(port, "/healthz")) == 200);

  RawClient events(port);
  REQUIRE(events.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + program.token() +
                      "\r\n\r\n"));
  REQUIRE(events.read_until("\r\n\r\n"));
  CHECK(program.process.wait_for_log("ready in"));
  program.process.send_signal(SIGTERM);
  CHECK(program.process.wait_for_end() == 0);
  CHECK(std::count(program.process.standard_output.begin(), program.process.standard_output.end(), '\n') == 1);
}

TEST_CASE("SIGTERM ends the program whatever a query is doing") {
  Program program({"--port", "0", kKernels});
  RawClient asks(program.port());
  // Minutes in SQLite's own trim().
  const std::string query =
      "SELECT+length(trim(replace(hex(zeroblob(400000)),'00','aa'),replace(hex(zeroblob(400000)),'00','bc')))";
  REQUIRE(asks.send("GET /api/v1/sql?q=" + query + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                    program.token() + "\r\n\r\n"));
  RawClient forever(program.port());
  REQUIRE(
      forever.send("GET /api/v1/sql?q=WITH+RECURSIVE+n(i)+AS+(SELECT+1+UNION+ALL+SELECT+i+FROM+n)+SELECT+count(*)"
                   "+FROM+n HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                   program.token() + "\r\n\r\n"));
  CHECK(program.process.wait_for_log("ready in"));
  const std::string metrics = "Authorization: Bearer " + program.token() + "\r\n";
  CHECK(status(get(program.port(), "/api/v1/session", metrics)) == 200);
  program.process.send_signal(SIGTERM);
  CHECK(program.process.wait_for_end() == 0);
}

TEST_CASE("the end of the terminal ends the program, and under nohup does not") {
  for (const bool is_ignored : {false, true}) {
    Program program({"--port", "0", kKernels}, {}, is_ignored ? "trap '' HUP" : "");
    const int port = program.port();
    CHECK(program.process.wait_for_log("ready in"));
    program.process.send_signal(SIGHUP);
    if (is_ignored) {
      CHECK(status(get(port, "/healthz")) == 200);
      program.process.send_signal(SIGTERM);
    }
    CHECK(program.process.wait_for_end() == 0);
  }
}

TEST_CASE("where too few files may be open the program says how many it needs, and ends") {
  for (const int most : {6, 8, 11, 40}) {
    INFO(most);
    Program program({"--port", "0", kKernels}, {}, "ulimit -n " + std::to_string(most));
    CHECK(program.process.wait_for_end() == EXIT_FAILURE);
    CHECK(program.process.standard_error.find("files") != std::string::npos);
  }
}

TEST_CASE("the token is kept, for this user alone, and a restart uses it again") {
  TemporaryFolder state;
  const auto run = [&] {
    ChildProcess process({"--port", "0", kKernels}, {"XDG_STATE_HOME=" + state.path()});
    REQUIRE(process.wait_for_line());
    return process.standard_output.substr(process.standard_output.find('#'));
  };
  const std::string first = run();
  CHECK(first.size() == 7 + 32 + 1);
  CHECK(run() == first);
  struct stat info {};
  REQUIRE(::stat((state / "vizd/token").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  // One that others could have read is not trusted any more.
  REQUIRE(::chmod((state / "vizd/token").c_str(), 0644) == 0);
  CHECK(run() != first);
}

TEST_CASE("the counters need the token") {
  Program program({"--port", "0", kKernels});
  const int port = program.port();
  CHECK(status(get(port, "/metrics")) == 401);
  const std::string answer = get(port, "/metrics", "Authorization: Bearer " + program.token() + "\r\n");
  CHECK(status(answer) == 200);
  CHECK(answer.find("vizd_connections{state=\"answering\"} 1\n") != std::string::npos);
  CHECK(answer.find("vizd_answers_total{status=\"4xx\"} 1\n") != std::string::npos);
  CHECK(answer.find("vizd_kept_bytes{store=\"passes\"} ") != std::string::npos);
}

TEST_CASE("an address of IPv6 may stand in brackets, and an empty one is refused") {
  Program program({"--port", "0", "--no-token", "--host", "[::1]", kKernels});
  if (program.process.wait_for_line()) {  // a machine without IPv6 has no such address
    CHECK(program.process.standard_output.starts_with("http://[::1]:"));
  } else {
    CHECK(program.process.standard_error.find("cannot listen on ::1") != std::string::npos);
  }
  Program refused({"--port", "0", "--host", "", kKernels});
  CHECK(refused.process.wait_for_end() == 2);
  CHECK(refused.process.standard_error.find("--host ''") != std::string::npos);
}

TEST_CASE("without the token everyone on loopback is let in, and nobody beyond") {
  Program program({"--port", "0", "--no-token", kKernels});
  const int port = program.port();
  CHECK(program.process.standard_output.find("token") == std::string::npos);
  CHECK(status(get(port, "/ctxs")) == 200);
  Program refused({"--port", "0", "--no-token", "--host", "0.0.0.0", kKernels});
  CHECK(refused.process.wait_for_end() == 2);
  CHECK(refused.process.standard_error.find("--no-token") != std::string::npos);
}

TEST_CASE("a second vizd on the port ends with an error that names it") {
  Program first({"--port", "0", "--no-token", kKernels});
  const std::string port = std::to_string(first.port());
  Program second({"--port", port, "--no-token", kKernels});
  CHECK(second.process.wait_for_end() == 1);
  CHECK(second.process.standard_output.empty());
  CHECK(second.process.standard_error.find("port " + port) != std::string::npos);
  // PORT is the port where the option is not given.
  Program third({"--no-token", kKernels}, {"PORT=" + port});
  CHECK(third.process.wait_for_end() == 1);
  CHECK(third.process.standard_error.find("port " + port) != std::string::npos);
}

TEST_CASE("what cannot be meant is refused with one line that says why") {
  struct Row {
    std::vector<std::string> arguments;
    std::vector<std::string> variables;
    std::string says;
  };
  const Row rows[] = {
      {{"/no/such/capture"}, {}, "/no/such/capture"},
      {{"--kernels", "/no/such/capture"}, {}, "/no/such/capture"},
      {{"--kernels", test_data()}, {}, "folder"},
      {{"--port", "70000"}, {}, "--port"},
      {{"--port", "x"}, {}, "--port"},
      {{}, {"PORT=x"}, "PORT=x"},
      {{"--log-level", "loud"}, {}, "--log-level"},
      {{"--source-root", "/no/such/folder"}, {}, "--source-root"},
      {{"--no-such-option"}, {}, "--no-such-option"},
      {{"--host", "no.such.host.invalid", kKernels}, {}, "no.such.host.invalid"},
  };
  for (const Row& row : rows) {
    Program program(row.arguments, row.variables);
    INFO(row.says);
    CHECK(program.process.wait_for_end() > 0);
    CHECK(program.process.standard_output.empty());
    CHECK(program.process.standard_error.find(row.says) != std::string::npos);
    CHECK(std::count(program.process.standard_error.begin(), program.process.standard_error.end(), '\n') == 1);
  }
}

TEST_CASE("without an input it waits where tinygrad leaves its captures, and says how to make one") {
  Program program({"--port", "0", "--no-token"});
  const int port = program.port();
  const auto session = [&] { return get(port, "/api/v1/session"); };
  REQUIRE(wait_until([&] { return session().find("\"loading\"") == std::string::npos; }));
  CHECK(session().find("\"hint\":{") != std::string::npos);
  CHECK(session().find(program.folder / "rewrites.pkl.somebody") != std::string::npos);
  CHECK(status(get(port, "/ctxs")) == 404);
  std::filesystem::copy_file(kKernels, program.folder / "rewrites.pkl.somebody");
  CHECK(wait_until([&] { return status(get(port, "/ctxs")) == 200; }));
  CHECK(session().find("\"hint\":null") != std::string::npos);
}

TEST_CASE("a capture that names foreign files gets none of them read") {
  // Its passes and rules lie in /etc/passwd, /etc/hostname, /proc/self/environ, /dev/zero, ../kernel.py and kernel.py.
  const std::string capture = test_data("tinygrad-2025-09/foreign-files.rewrites.pkl");
  TemporaryFolder sources;
  std::filesystem::create_directories(sources / "root");
  sources.write("kernel.py", "outside_of_the_root()\n");
  sources.write("root/kernel.py", "inside_of_the_root()\n");
  Program program({"--port", "0", "--no-token", "--source-root", sources / "root", capture});
  const int port = program.port();
  std::string all = get(port, "/api/v1/contexts") + get(port, "/ctxs");
  for (const char* pass : {"0", "1", "2", "3", "4", "5"}) {
    all += get(port, std::string("/ctxs?ctx=0&idx=") + pass);
    all += get(port, std::string("/api/v1/rewrites/0/") + pass);
    all += get(port, std::string("/api/v1/match/0/") + pass + "/1");
  }
  CHECK(all.find("/etc/passwd") != std::string::npos);
  for (const char* secret : {"root:", "XDG_STATE_HOME=", "outside_of_the_root"})
    CHECK(all.find(secret) == std::string::npos);
  CHECK(all.find("inside_of_the_root") != std::string::npos);
  CHECK(all.find("<missing>") != std::string::npos);

  Program without({"--port", "0", "--no-token", "--no-sources", capture});
  CHECK(get(without.port(), "/ctxs").find("inside_of_the_root") == std::string::npos);
}

TEST_CASE("a vizd that lies alone serves the page that it carries, and nothing that lies beside it") {
  const TemporaryFolder place;
  std::filesystem::create_directories(place / "bin");
  std::filesystem::create_directories(place / "web");
  place.write("web/index.html", "somebody else's page");
  const std::string alone = place / "bin/vizd";
  Program program({"--port", "0", "--no-token", kKernels}, {}, "cp \"$0\" " + alone + " && exec " + alone + " \"$@\"");
  const int port = program.port();
  CHECK(get(port, "/").find("<title>vizd</title>") != std::string::npos);
  CHECK(status(get(port, "/app.js")) == 200);
  CHECK(get(port, "/").find("somebody") == std::string::npos);
}

TEST_CASE("licences has a text for each library that the program needs, and for the page's packages") {
  std::map<std::string, std::string> texts;
  for (const nlohmann::json& one : CommandRun({"licences", "--json"}).records()) texts[one["name"]] = one["text"];
  const std::map<std::string, std::string> names{
      {"libfmt", "fmt"},
      {"libsimdjson", "simdjson"},
      {"libzstd", "zstd"},
      {"libcapstone", "capstone"},
      {"libxlsxwriter", "libxlsxwriter"},
      {"libz", "zlib"},
      {"libcpp-httplib", "cpp-httplib"},
      {"libsqlite3", "SQLite"},
      {"libssl", "OpenSSL"},
      {"libcrypto", "OpenSSL"},
      {"libstdc++", "GCC's run-time libraries"},
      {"libgcc_s", "GCC's run-time libraries"},
      {"libm", "the GNU C library"},
      {"libresolv", "the GNU C library"},   // which a build for tests may need
      {"libpthread", "the GNU C library"},  // which a build for tests may need
      {"libdl", "the GNU C library"},       // which a build for tests may need
      {"librt", "the GNU C library"},       // which a build for tests may need
      {"libc", "the GNU C library"},
      {"ld-linux-x86-64", "the GNU C library"},
      {"ld-linux-aarch64", "the GNU C library"}};
  const std::string command =
      "LC_ALL=C readelf -d '" + vizd_binary() + "' | sed -nE 's/.*NEEDED.*\\[(.*)\\.so.*/\\1/p'";
  std::FILE* const needed = ::popen(command.c_str(), "r");
  REQUIRE(needed != nullptr);
  std::array<char, 200> line{};
  while (std::fgets(line.data(), line.size(), needed) != nullptr) {
    const std::string library = std::string(line.data()).substr(0, std::strlen(line.data()) - 1);
    INFO(library);
    if (library.ends_with("san")) continue;  // of a build for tests
    REQUIRE(names.contains(library));
    CHECK(texts[names.at(library)].size() > 500);
  }
  CHECK(::pclose(needed) == 0);
  for (const char* package : {"vizd", "preact", "@preact/signals", "flatbush"}) CHECK(texts[package].size() > 500);
  const CommandRun one({"licenses", "fmt"});
  CHECK(one.code == 0);
  CHECK(one.out.find(texts["fmt"]) != std::string::npos);
  CHECK(CommandRun({"licences", "nothing"}).code == 2);
}

TEST_CASE("--version and --help-all say so and end well") {
  Program version({"--version"});
  CHECK(version.process.wait_for_end() == 0);
  const std::string& told = version.process.standard_output;
  CHECK(told.starts_with("vizd " + std::string(kVersion) + "\ncommit "));
  CHECK(told.find("\nbuild ") != std::string::npos);
  Program help({"--help-all"});
  CHECK(help.process.wait_for_end() == 0);
  for (const char* option : {"--kernels", "--profile", "--port", "--host", "--allow-host", "--no-token",
                             "--source-root", "--no-sources", "--log-level", "--dev", "--version", "PORT", "BROWSER"}) {
    INFO(option);
    CHECK(help.process.standard_output.find(option) != std::string::npos);
  }
}

#if !defined(VIZD_SANITIZED)  // which take addresses by the terabyte
TEST_CASE("where the system gives too few addresses for the threads, that is the word that the program ends with") {
  const std::string command = "ulimit -v 300000; exec " + vizd_binary() + " --port 0 --no-token 2>&1";
  std::FILE* const program = ::popen(command.c_str(), "r");
  REQUIRE(program != nullptr);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), program));
  const int status = ::pclose(program);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK(text.find("ulimit -v") != std::string::npos);
}
#endif

}  // namespace vizd::program_test
