// The guard's table: what may pass and what is refused, and with which status.
#include "http/transport/guard.h"

#include "support/catch.h"

namespace vizd::guard_test {

namespace {

const std::string kToken = "0123456789abcdef0123456789abcdef";

Request get(std::vector<Header> headers, std::string path = "/api/v1/session") {
  return {.method = "GET", .path = std::move(path), .headers = std::move(headers), .query = {}};
}

// The status of the refusal, or 200 where the request may pass.
int status_of(const Request& request, const GuardPolicy& policy = {}, Secrecy secrecy = Secrecy::kPublic) {
  const auto refusal = refuse(request, policy, secrecy);
  return refusal ? refusal->status : 200;
}

struct Row {
  const char* what;
  Request request;
  int status;
};

}  // namespace

TEST_CASE("the guard's table") {
  const Header host{"Host", "localhost:8000"};
  const Row rows[] = {
      {"plain", get({host}), 200},
      {"any port, for tunnels renumber", get({{"Host", "127.0.0.1:9"}}), 200},
      {"no port", get({{"Host", "localhost"}}), 200},
      {"IPv6", get({{"Host", "[::1]:8000"}}), 200},
      {"names have no case", get({{"host", "LocalHost:8000"}}), 200},
      {"no Host", get({}), 400},
      {"two Hosts", get({host, host}), 400},
      {"foreign Host", get({{"Host", "evil.example:8000"}}), 421},
      {"own name as prefix", get({{"Host", "localhost.evil.example"}}), 421},
      {"own name as suffix", get({{"Host", "evil-localhost"}}), 421},
      {"empty Host", get({{"Host", ""}}), 421},
      {"trailing dot", get({{"Host", "localhost."}}), 421},
      {"unclosed bracket", get({{"Host", "[::1"}}), 421},
      {"port that is none", get({{"Host", "localhost:80a"}}), 421},
      {"user part", get({{"Host", "localhost:80@evil.example"}}), 421},
      {"another loopback address", get({{"Host", "127.0.0.2:8000"}}), 421},
      {"own Origin", get({host, {"Origin", "http://localhost:8000"}}), 200},
      {"foreign Origin", get({host, {"Origin", "http://evil.example"}}), 403},
      {"Origin of another port", get({host, {"Origin", "http://localhost:9000"}}), 403},
      {"Origin over https", get({host, {"Origin", "https://localhost:8000"}}), 403},
      {"opaque Origin", get({host, {"Origin", "null"}}), 403},
      {"two Origins, one foreign", get({host, {"Origin", "http://localhost:8000"}, {"Origin", "http://evil.example"}}),
       403},
      {"foreign Host and the same Origin", get({{"Host", "evil.example"}, {"Origin", "http://evil.example"}}), 421},
      {"own page", get({host, {"Sec-Fetch-Site", "same-origin"}}), 200},
      {"typed by the user", get({host, {"Sec-Fetch-Site", "none"}}), 200},
      {"another site", get({host, {"Sec-Fetch-Site", "cross-site"}}), 403},
      {"another port of the same site", get({host, {"Sec-Fetch-Site", "same-site"}}), 403},
      {"the page embedded in another site",
       get({host, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "iframe"}}, "/"),
       403},
      {"a link to the page",
       get({host, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "document"}},
           "/"),
       200},
      {"a link to data",
       get({host, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "document"}},
           "/ctxs"),
       403},
      {"Range", get({host, {"Range", "bytes=0-10"}}), 416},
      {"a body by length", get({host, {"Content-Length", "5"}}), 400},
      {"no body, said so", get({host, {"Content-Length", "0"}}), 200},
      {"two lengths", get({host, {"Content-Length", "0"}, {"Content-Length", "0"}}), 400},
      {"a chunked body", get({host, {"Transfer-Encoding", "chunked"}}), 400},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    CHECK(status_of(row.request) == row.status);
  }
}

TEST_CASE("only GET and HEAD pass the guard, whatever else they bring") {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PRI", "get", ""}) {
    Request request = get({{"Host", "localhost"}});
    request.method = method;
    INFO(method);
    CHECK(status_of(request) == 405);
  }
  Request head = get({{"Host", "localhost"}});
  head.method = "HEAD";
  CHECK(status_of(head) == 200);
}

TEST_CASE("further names are allowed by name") {
  GuardPolicy policy;
  policy.allowed_hosts.push_back("box.lan");
  CHECK(status_of(get({{"Host", "box.lan:8000"}}), policy) == 200);
  CHECK(status_of(get({{"Host", "box.lan:8000"}, {"Origin", "http://box.lan:8000"}}), policy) == 200);
  CHECK(status_of(get({{"Host", "box.lan:8000"}, {"Origin", "http://localhost:8000"}}), policy) == 403);
}

TEST_CASE("a refused host is named, with what to do") {
  const auto refusal = refuse(get({{"Host", "box.lan:8000"}}, "/"), {}, Secrecy::kPublic);
  REQUIRE(refusal);
  CHECK(refusal->body->bytes().find("--allow-host box.lan") != std::string_view::npos);
}

TEST_CASE("the token: Bearer, cookie, wrong, none") {
  GuardPolicy policy;
  policy.token = kToken;
  const Header host{"Host", "localhost:8000"};
  const auto with = [&](std::vector<Header> headers) {
    headers.push_back(host);
    return status_of(get(std::move(headers)), policy, Secrecy::kNeedsToken);
  };
  CHECK(with({}) == 401);
  CHECK(with({{"Authorization", "Bearer " + kToken}}) == 200);
  CHECK(with({{"Authorization", "Bearer " + kToken + "0"}}) == 401);
  CHECK(with({{"Authorization", "Bearer "}}) == 401);
  CHECK(with({{"Authorization", "Basic " + kToken}}) == 401);
  for (std::size_t i = 0; i < kToken.size(); ++i) {
    std::string other = kToken;
    other[i] = other[i] == 'x' ? 'y' : 'x';
    CHECK(with({{"Authorization", "Bearer " + other}}) == 401);
    CHECK(with({{"Authorization", "Bearer " + kToken.substr(0, i)}}) == 401);
  }
  CHECK(with({{"Cookie", "vizd_8000=" + kToken}}) == 200);
  CHECK(with({{"Cookie", "a=b; vizd_8000=" + kToken + "; c=d"}}) == 200);
  CHECK(with({{"Cookie", "vizd_8000=" + kToken.substr(1)}}) == 401);
  CHECK(with({{"Cookie", "vizd_9000=" + kToken}}) == 401);
  CHECK(with({{"Cookie", "xvizd_8000=" + kToken}}) == 401);
  CHECK(with({{"Cookie", "vizd_8000"}}) == 401);
  // A server on another port of the host may have set one of the same name, for a longer path: that comes first.
  CHECK(with({{"Cookie", "vizd_8000=shadow; vizd_8000=" + kToken}}) == 200);
  CHECK(with({{"Cookie", "vizd_8000=shadow"}, {"Cookie", "vizd_8000=" + kToken}}) == 200);
  CHECK(with({{"Cookie", "vizd_8000=shadow; vizd_8000=other"}}) == 401);
  CHECK(status_of(get({host}), policy, Secrecy::kPublic) == 200);
}

TEST_CASE("a Bearer token is traded for a cookie named for the port that the browser sees") {
  GuardPolicy policy;
  policy.token = kToken;
  const auto cookie = token_cookie(get({{"Host", "localhost:9000"}, {"Authorization", "Bearer " + kToken}}), policy);
  REQUIRE(cookie);
  CHECK(cookie->find("vizd_9000=" + kToken + ";") == 0);
  CHECK(cookie->find("HttpOnly") != std::string::npos);
  CHECK(cookie->find("SameSite=Strict") != std::string::npos);
  CHECK_FALSE(token_cookie(get({{"Host", "localhost:9000"}}), policy));
  CHECK_FALSE(token_cookie(get({{"Host", "localhost"}, {"Authorization", "Bearer x"}}), GuardPolicy{}));
}

TEST_CASE("in a notebook any name will do, pages of this machine frame the page, and the token stays required") {
  const GuardPolicy policy{.token = kToken, .in_notebook = true};
  const Header hub{"Host", "hub.example"}, bearer{"Authorization", "Bearer " + kToken};
  const auto site = [&](const char* from, const char* to, const char* path) {
    return get({hub, {"Sec-Fetch-Site", from}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", to}}, path);
  };
  const Row rows[] = {
      {"under the name of the notebook's server", get({hub}), 200},
      {"its Origin", get({hub, {"Origin", "https://hub.example"}}), 200},
      {"another's Origin", get({hub, {"Origin", "https://evil.example"}}), 403},
      {"no name", get({}), 400},
      {"a name that is none", get({{"Host", "[::1"}}), 421},
      {"the page in a frame", site("same-site", "iframe", "/"), 200},
      {"data in a frame", site("same-site", "iframe", "/ctxs"), 403},
      {"another site's script", site("cross-site", "script", "/"), 403},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    CHECK(status_of(row.request, policy) == row.status);
  }
  CHECK(status_of(get({hub}), policy, Secrecy::kNeedsToken) == 401);
  CHECK(status_of(get({hub, bearer}), policy, Secrecy::kNeedsToken) == 200);

  // Beside it, others of the same Jupyter have cookies of their own.
  const auto path_of = [&](const char* path) {
    const auto cookie = token_cookie(get({hub, bearer, {"X-ProxyContextPath", path}}), policy);
    return cookie ? cookie->substr(cookie->find("Path=")).substr(0, cookie->substr(cookie->find("Path=")).find(';'))
                  : "";
  };
  CHECK(path_of("/user/me/proxy/8123") == "Path=/user/me/proxy/8123");
  CHECK(path_of("/a; Domain=evil.example") == "Path=/");
  CHECK(path_of("a") == "Path=/");

  const auto policy_of = [](bool in_notebook) { return security_headers(in_notebook).front().value; };
  CHECK(policy_of(true).ends_with("frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"));
  CHECK(policy_of(false).ends_with("frame-ancestors 'none'"));
}

}  // namespace vizd::guard_test
