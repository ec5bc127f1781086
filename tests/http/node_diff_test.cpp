// Biographies and differences over a real capture, and what is refused.
#include <set>

#include "support/served_capture.h"

namespace vizd::node_diff_test {
using nlohmann::json;

TEST_CASE("every node's biography tells its versions, who made and removed it, and its edges") {
  ServedCapture served;
  const std::string url = "/api/v1/node/" + served.largest_pass() + "/";
  bool made = false, removed = false;
  int nodes = 0;
  for (; served.status(url + std::to_string(nodes)) == 200; ++nodes) {
    const json node = served.json(url + std::to_string(nodes));
    CHECK(node["id"] == nodes);
    REQUIRE_FALSE(node["versions"].empty());
    CHECK(node["versions"][0]["state"] == node["born"]);
    CHECK((node["born"] == 0) == node["born_by"].is_null());
    CHECK((node["died"] == -1) == node["died_by"].is_null());
    if (!node["born_by"].is_null()) {
      made = true;
      CHECK(node["born_by"]["state"] == node["born"]);
      CHECK(node["born_by"]["file"].get<std::string>().ends_with(".py"));
    }
    removed = removed || !node["died_by"].is_null();
    for (const char* ends : {"sources", "users"}) {
      CHECK(node[ends]["id"].size() == node[ends]["born"].size());
      for (const json& born : node[ends]["born"]) CHECK(born >= node["born"]);
    }
    for (const json& version : node["versions"]) CHECK_FALSE(version["kind"]["name"].get<std::string>().empty());
  }
  CHECK(nodes > 10);
  CHECK(made);
  CHECK(removed);
}

TEST_CASE("the difference of a pass's first and last state tells what came, went and changed") {
  ServedCapture served;
  const std::string place = served.largest_pass();
  const json same = served.json("/api/v1/diff/" + place + "?from=2&to=2");
  CHECK(same["diff"].empty());
  CHECK(same["only_to"].empty());
  CHECK(same["changed"]["from"].empty());
  const json pass = served.json("/api/v1/diff/" + place + "?from=0&to=5");
  CHECK_FALSE(pass["diff"].empty());
  CHECK(pass["only_from"].size() + pass["only_to"].size() + pass["changed"]["from"].size() > 0);
  for (const json& id : pass["only_to"]) {
    const json node = served.json("/api/v1/node/" + place + "/" + std::to_string(id.get<int>()));
    CHECK(node["born"] > 0);
    CHECK(node["born"] <= 5);
  }
}

TEST_CASE("states of two passes are compared by structure") {
  ServedCapture served;
  const json diff = served.json("/api/v1/diff/2/0?from=0&to=0&to_pass=1");
  CHECK(diff["from"]["pass"] == 0);
  CHECK(diff["to"]["pass"] == 1);
  CHECK(diff["to"]["context"] == 2);
  CHECK(diff["same"]["from"].size() > 0);
  const json contexts = served.json("/api/v1/diff/2/0?from=0&to=0&to_context=3&to_pass=0");
  CHECK(contexts["same"]["from"].size() == contexts["same"]["to"].size());
  CHECK(contexts["changed"]["from"].size() == contexts["changed"]["to"].size());
}

TEST_CASE("nodes and states that are not there are refused") {
  ServedCapture served;
  const std::string place = served.largest_pass();
  CHECK(served.status("/api/v1/node/" + place + "/99999999") == 404);
  CHECK(served.status("/api/v1/node/" + place + "/-1") == 400);
  CHECK(served.status("/api/v1/node/" + place + "/x") == 400);
  CHECK(served.status("/api/v1/node/999/0/0") == 404);
  CHECK(served.status("/api/v1/diff/" + place) == 400);
  CHECK(served.status("/api/v1/diff/" + place + "?from=0") == 400);
  CHECK(served.status("/api/v1/diff/" + place + "?from=0&to=99999999") == 404);
  CHECK(served.status("/api/v1/diff/" + place + "?from=a&to=0") == 400);
  CHECK(served.status("/api/v1/diff/" + place + "?from=0&to=0&to_context=999") == 404);
  CHECK(served.status("/api/v1/diff/" + place + "?from=0&to=0&to_pass=99999") == 404);
}

}  // namespace vizd::node_diff_test
