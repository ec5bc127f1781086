// Search in a pass over a real capture, and what a wrong question gets for an answer.
#include <set>

#include "support/served_capture.h"

namespace vizd::search_test {

TEST_CASE("a query finds nodes at a state, and the states at which it becomes true and false") {
  ServedCapture served;
  const std::string search = "/api/v1/search/" + served.largest_pass();
  const auto sinks = served.json(search + "?q=op=SINK");
  REQUIRE(sinks["total"] == 1);
  CHECK(sinks["ids"].size() == 1);
  CHECK(sinks["error"].is_null());
  CHECK(sinks["first_state"].is_null());

  // What is born at some match is found from that state on, and not before.
  const auto later = served.json(search + "?q=born>0&from=0");
  const int born = later["first_state"]["some"];
  CHECK(born > 0);
  CHECK(later["first_state"]["none"] == 0);
  CHECK(later["total"] == 0);
  CHECK(served.json(search + "?q=born>0&state=" + std::to_string(born))["total"] > 0);
  CHECK(served.json(search + "?q=born>0&state=" + std::to_string(born - 1))["total"] == 0);
  CHECK(served.json(search + "?q=op=NOSUCH&from=3")["first_state"]["some"].is_null());
}

TEST_CASE("no more ids are sent than asked for, and the total says how many there are") {
  ServedCapture served;
  const std::string search = "/api/v1/search/" + served.largest_pass();
  const auto all = served.json(search + "?q=fanin>=0");
  const auto some = served.json(search + "?q=fanin>=0&limit=2");
  REQUIRE(all["ids"].size() > 2);
  CHECK(some["ids"].size() == 2);
  CHECK(some["total"] == all["total"]);
}

TEST_CASE("a query that is not understood is answered with its place and what may stand there") {
  ServedCapture served;
  const auto answer = served.json("/api/v1/search/0/0?q=op=LOAD colour=red");
  CHECK(answer["ids"].empty());
  CHECK(answer["error"]["at"] == 8);
  CHECK(answer["error"]["message"].get<std::string>().find("dtype") != std::string::npos);
  // Places count as a browser's strings do: the clef is two units and four bytes.
  CHECK(served.json("/api/v1/search/0/0?q=\xF0\x9D\x84\x9E colour=red")["error"]["at"] == 3);
  CHECK_FALSE(served.json("/api/v1/search/0/0")["error"].is_null());
}

TEST_CASE("a search of what is not there is refused") {
  ServedCapture served;
  CHECK(served.status("/api/v1/search/0/999999?q=a") == 404);
  CHECK(served.status("/api/v1/search/999/0?q=a") == 404);
  CHECK(served.status("/api/v1/search/x/0?q=a") == 400);
  CHECK(served.status("/api/v1/search/0/0?q=a&state=99999999") == 404);
  CHECK(served.status("/api/v1/search/0/0?q=a&state=-1") == 400);
  CHECK(served.status("/api/v1/search/0/0?q=a&from=4294967296") == 400);
  CHECK(served.status("/api/v1/search/0/0?q=a&limit=many") == 400);
  CHECK(served.status("/api/v1/search/0/0?q=a&capture=nope") == 404);
}

}  // namespace vizd::search_test
