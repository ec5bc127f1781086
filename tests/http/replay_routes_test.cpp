// What the page asks of graph replays: the same rows as in the terminal, in a scope, and what names one kernel.
#include <algorithm>

#include "http/command_run.h"
#include "support/served_capture.h"
#include "support/served_replays.h"

namespace vizd::replay_routes_test {
using namespace served_replays;
using nlohmann::json;

namespace {

// Without what the route says beside a row of the terminal.
json as_in_terminal(json row, std::initializer_list<const char*> more) {
  for (const char* const key : more) row.erase(key);
  return row;
}

}  // namespace

TEST_CASE("graphs and replays and steps are those of the terminal, with their times on the page's axis") {
  const Served files;
  const ServedCapture served(files.path());
  const json rank = served.json("/api/v1/graph-replays").at("ranks").at(0);
  const auto graphs = CommandRun({"summary", files.path(), "--graphs", "--json"}).records();
  CHECK(rank["naming"] == graphs[0]);
  CHECK(rank["graphs"] == json::array({graphs[1]}));
  const auto replays = CommandRun({"breakdown", files.path(), "--replays", "--json"}).records();
  REQUIRE(rank["replays"].size() == 3);
  for (std::size_t r = 0; r < 3; ++r)
    CHECK(as_in_terminal(rank["replays"][r], {"from_ns", "to_ns", "gap", "first"}) == replays[r]);
  // The first work of the trace begins 100 us after the first step, at which the page's axis begins.
  CHECK(rank["replays"][0]["from_ns"] == 100'000);
  CHECK(rank["replays"][0]["first"]["name"] == "gemm");
  // The second waits for its step, then for its call, then for the device.
  CHECK(rank["replays"][1]["gap"] ==
        json::parse(R"({"launch_ns":90000,"host_ns":10000,"no_step_ns":814000,"unknown_ns":0})"));

  const json steps = served.json("/api/v1/server-steps").at("ranks").at(0);
  auto records = CommandRun({"summary", files.path(), "--steps", "--json"}).records();
  REQUIRE(steps["rows"].size() == 3);
  for (std::size_t s = 0; s < 3; ++s)
    CHECK(as_in_terminal(steps["rows"][s], {"from_ns", "to_ns", "gap"}) == records[s]);
  CHECK(as_in_terminal(steps["steady"], {"from_ns", "to_ns"}) == records[3]);
  CHECK(steps["steady"]["from_ns"] == 100'000);
  CHECK(steps["steady"]["to_ns"] == 2'164'000);
}

TEST_CASE("nodes say what they are for and where they were slowest; a scope leaves what lies in it") {
  const Served files;
  const ServedCapture served(files.path());
  const json rows = served.json("/api/v1/graph-nodes").at("ranks").at(0).at("rows");
  REQUIRE(rows.size() == 4);
  CHECK(rows[2]["trace"] == json{20000, 40000, 20000});
  CHECK(rows[2]["worst"]["dur_ns"] == 40'000);
  CHECK(rows[2]["count"] == 3);
  CHECK(served.json("/api/v1/graph-nodes?from=900000&to=1500000").at("ranks")[0]["rows"][2]["count"] == 1);
  CHECK(served.json("/api/v1/graph-nodes?steady=1&phase=prefill").at("ranks")[0]["rows"].empty());
  CHECK(served.json("/api/v1/graph-nodes?from=5000&to=6000").at("ranks").empty());
  CHECK(served.status("/api/v1/graph-nodes?phase=dream") == 400);

  const json layers = served.json("/api/v1/model-layers").at("ranks").at(0).at("rows");
  std::int64_t total_ns = 0;
  for (const json& row : layers) total_ns += row["total_ns"].get<std::int64_t>();
  CHECK(total_ns == 4 * 20'000 + 4 * 40'000 + 3 * 20'000);
}

TEST_CASE("a kernel of a replay tells its captured launch, and how surely; the same node's other runs lead on") {
  const Served files;
  ServedCapture served(files.path());
  const json node = served.json("/api/v1/graph-nodes").at("ranks")[0]["rows"][2];
  const std::string lane = std::to_string(node["worst_place"][0].get<int>());
  const std::string path = "/api/v1/kernel-naming/" + lane + "/";
  const json naming = served.json(path + std::to_string(node["worst_place"][1].get<int>()));
  CHECK(naming["replay"] == 1);
  CHECK(naming["node"] == 2);
  CHECK(naming["found"] == "order");
  CHECK(naming["operators"] == json{"aten::mm"});
  CHECK(naming["stack"].size() == 2);
  CHECK(naming["step"]["phase"] == "decode");
  CHECK(naming["runs"] == 3);
  CHECK(naming["slowest"] == naming["drawn"][1]["event"]);
  const json before = served.json(path + std::to_string(naming["previous"]["index"].get<int>()));
  CHECK(before["next"] == naming["slowest"]);
  CHECK(before["previous"].is_null());
  // In the third replay a record is missing: its names are guesses, and it says why.
  const json guess = served.json(path + std::to_string(naming["next"]["index"].get<int>()));
  CHECK(guess["found"] == "guessed");
  CHECK(guess["missing"] == 1);
  CHECK(guess["why"].get<std::string>().find("the capture has 4 launches, the replay 3 pieces of work") !=
        std::string::npos);
  // What the host did is of no replay.
  const auto& tracks = served.loaded()->capture.profile.tracks;
  const auto host = std::ranges::find_if(
      tracks, [](const Track& track) { return !track.events.empty() && !is_work(track.events.role(0)); });
  REQUIRE(host != tracks.end());
  CHECK(served.json(fmt::format("/api/v1/kernel-naming/{}/0", host - tracks.begin()))["replay"].is_null());
  CHECK(served.status("/api/v1/kernel-naming/900/0") == 404);
}

}  // namespace vizd::replay_routes_test
