#include "http/transport/router.h"

#include "support/catch.h"

namespace vizd::router_test {

namespace {

Router router() {
  Router router;
  router.add("/ctxs", [](const Request&, auto) { return Response::text(200, "ctxs"); });
  router.add("/api/v1/rewrites/{}/{}", [](const Request&, auto arguments) {
    return Response::text(200, std::string(arguments[0]) + "," + std::string(arguments[1]));
  });
  return router;
}

std::string ask(const std::string& path) {
  const Response response = router().route({.method = "GET", .path = path, .headers = {}, .query = {}});
  return response.status == 200 ? std::string(response.body->bytes()) : std::to_string(response.status);
}

}  // namespace

TEST_CASE("paths find their handlers, whole and exact") {
  CHECK(ask("/ctxs") == "ctxs");
  CHECK(ask("/api/v1/rewrites/3/14") == "3,14");
  CHECK(ask("/api/v1/rewrites//") == ",");
  for (const char* path : {"", "/", "ctxs", "/ctxs/", "//ctxs", "/CTXS", "/ctxs/1", "/api/v1/rewrites/3",
                           "/api/v1/rewrites/3/14/15", "/api/v1/../../ctxs"}) {
    INFO(path);
    CHECK(ask(path) == "404");
  }
}

TEST_CASE("numbers in paths are numbers, and below their limit") {
  CHECK(*parse_index("0", 1, "context") == 0);
  CHECK(*parse_index("41", 42, "context") == 41);
  CHECK(parse_index("42", 42, "context").error().kind == ErrorKind::kNotFound);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "1.0", "99999999999999999999", "a"}) {
    INFO(text);
    CHECK(parse_index(text, 42, "context").error().kind == ErrorKind::kBadInput);
  }
}

}  // namespace vizd::router_test
