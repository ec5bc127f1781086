// A store that is asked over https: by whom its certificate has to be made, and for which host.
#include <fmt/format.h>

#include <cstdlib>

#include "http/child_process.h"
#include "store/client.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/store_server.h"
#include "support/strange_store.h"

namespace vizd::https_store_test {
namespace {

using namespace std::chrono_literals;

// An authority of a test's own, and a certificate that it made.
class Authority {
 public:
  Authority() { run("req -x509 -days 2 -subj /CN=authority -keyout ca.key -out ca.pem" + kNewKey); }

  // names: as a certificate has them, "DNS:localhost". The configuration of a ClickHouse that has it.
  std::string certify(const std::string& names, int port) const {
    folder_.write("names", "subjectAltName=" + names);
    run("req -subj /CN=store -keyout store.key -out store.csr" + kNewKey);
    run("x509 -req -in store.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out store.pem");
    return fmt::format(
        "<https_port>{0}</https_port><openSSL><server><certificateFile>{1}</certificateFile><privateKeyFile>{2}"
        "</privateKeyFile><verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile>"
        "<cacheSessions>false</cacheSessions></server></openSSL>",
        port, folder_ / "store.pem", folder_ / "store.key");
  }
  std::string file() const { return folder_ / "ca.pem"; }

 private:
  void run(const std::string& command) const {
    REQUIRE(std::system(fmt::format("cd '{}' && openssl {} 2>>log", folder_.path(), command).c_str()) == 0);
  }

  static inline const std::string kNewKey = " -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256";
  TemporaryFolder folder_;
};

bool has_no_server() {
  if (!clickhouse_program().empty() && std::system("openssl version >/dev/null 2>&1") == 0) return false;
  WARN("skipped: there is no clickhouse-server or no openssl here; scripts/install test installs them");
  return true;
}

store::StoreAddress encrypted(const std::string& host, int port) {
  return {.host = host, .port = port, .database = "default", .is_encrypted = true};
}

std::string failure_of(const store::StoreAddress& address, const std::string& ca_file) {
  store::Client client(address, {.user = "", .password = "", .ca_file = ca_file});
  const auto answer = client.ask("SELECT 1");
  return answer ? "" : answer.error().message;
}

}  // namespace

TEST_CASE("a store with https answers whoever trusts its authority, and nobody by another name") {
  if (has_no_server()) return;
  const Authority authority, stranger;
  const int port = free_port();
  const StoreServer server({}, {}, authority.certify("DNS:localhost", port));
  CHECK(failure_of(encrypted("localhost", port), authority.file()) == "");
  for (const std::string& ca_file : {std::string(), stranger.file()}) {
    const std::string failure = failure_of(encrypted("localhost", port), ca_file);
    CHECK(failure.starts_with("the store's certificate is not trusted: "));
    CHECK(failure.ends_with("--store-ca"));
  }
  CHECK(failure_of(encrypted("127.0.0.1", port), authority.file()) ==
        "the store's certificate is of another host: IP address mismatch; name the store as its certificate does");
  CHECK(failure_of(encrypted("localhost", port), authority.file() + ".none").find("cannot be read") !=
        std::string::npos);
  // Plain HTTP at the port named is no TLS: the store answers so, or leaves at once.
  CHECK_THAT(failure_of(encrypted("127.0.0.1", server.address().port), authority.file()),
             Catch::Matchers::EndsWith("is this its https port?"));

  // More than one record goes and comes, again and again on one connection.
  store::Client client(encrypted("localhost", port), {.user = "", .password = "", .ca_file = authority.file()});
  const std::string text(300'000, 'x');
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.ask(fmt::format("SELECT '{}' FORMAT TabSeparated", text.substr(0, 200'000)));
    REQUIRE(answer);
    CHECK(*answer == text.substr(0, 200'000) + "\n");
  }

  const TemporaryFolder folder;
  const std::string capture = test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  const std::string url = fmt::format("https://localhost:{}/fleet", port);
  ChildProcess pushing({"push", capture, "--store", url, "--job", "a", "--store-ca", authority.file()}, {});
  CHECK(pushing.wait_for_end() == 0);
  ChildProcess refused({"push", capture, "--store", url, "--job", "b"}, {});
  CHECK(refused.wait_for_end() == 1);
  CHECK(refused.standard_error.find("not trusted") != std::string::npos);
  ChildProcess pulling({"pull", "--store", url, "--job", "a", "-o", folder / "a.bin"},
                       {"SSL_CERT_FILE=" + authority.file()});
  CHECK(pulling.wait_for_end() == 0);
}

TEST_CASE("a certificate for an address is taken at that address") {
  if (has_no_server()) return;
  const Authority authority;
  const int port = free_port();
  const StoreServer server({}, {}, authority.certify("IP:127.0.0.1", port));
  CHECK(failure_of(encrypted("127.0.0.1", port), authority.file()) == "");
  CHECK(failure_of(encrypted("localhost", port), authority.file()).find("ostname mismatch") != std::string::npos);
}

TEST_CASE("what is silent, or speaks no TLS, where https is asked for ends at a bound") {
  const StrangeStore silent(StrangeStore::Answer{.first = "", .again = "", .pause = 0ms});
  store::StoreAddress address = silent.address();
  address.is_encrypted = true;
  store::HttpConnection connection(address);
  const auto late = connection.post("/", "", "SELECT 1", {.time = 300ms, .most_bytes = 1 << 20});
  REQUIRE(!late);
  CHECK(late.error().kind == ErrorKind::kBusy);
  CHECK(wait_until([&] { return silent.connected() == 0; }));
}

}  // namespace vizd::https_store_test
