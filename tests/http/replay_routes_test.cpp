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

TEST_CASE("replays are lanes of their own, over their work, from the layer to the operator, and no work themselves") {
  const Served files;
  files.folder.write("server.json",
                     trace(step(1, {"gemm", "relu", "gemm", "relu"}) + step(2, {"gemm", "relu", "gemm", "relu"}, 2) +
                           step(3, {"gemm", "gemm", "relu"})));
  const ServedCapture served(files.path());
  // Waits until the capture is read.
  const json lanes = served.json("/api/v1/replay-lanes"), own = served.json("/api/v1/lanes");
  CHECK(lanes["status"] == "ready");
  CHECK(lanes["dur_ns"] == own["dur_ns"]);
  const std::string key = lanes["key"];
  CHECK(key.starts_with(own["key"].get<std::string>() + "-"));
  const auto lane_of = [](const json& of, const char* name) {
    const auto found = std::ranges::find(of["lanes"], json(name), [](const json& lane) { return lane["name"]; });
    return static_cast<std::size_t>(found - of["lanes"].begin());
  };
  const std::size_t replays = lane_of(lanes, "stream 7 replays"), steps = lane_of(lanes, "steps");
  REQUIRE(replays < lanes["lanes"].size());
  CHECK(lanes["over"][replays] == lane_of(own, "stream 7"));
  CHECK(lanes["lanes"][steps]["events"] == 3);
  CHECK(lanes["lanes"][replays]["relaned"] == 0);

  const auto events = served.json("/api/v1/events/search?arguments=1&q=dur>=0&key=" + key)["items"];
  std::vector<std::string> of_first, of_third;
  for (const json& event : events) {
    if (event["lane"] != replays) continue;
    if (event["start_ns"] < 900'000) of_first.push_back(event["label"]);
    if (event["start_ns"] > 1'900'000) of_third.push_back(event["label"]);
  }
  std::ranges::sort(of_first), std::ranges::sort(of_third);
  CHECK(of_first == std::vector<std::string>{"DecoderLayer_0", "DecoderLayer_1", "aten::mm", "aten::mm", "aten::relu",
                                             "aten::relu", "graph 0 · 2 requests"});
  // A record is missing: what fits is a guess, and where it ran a hole.
  CHECK(of_third == std::vector<std::string>{"about DecoderLayer_0", "about DecoderLayer_1", "about aten::mm",
                                             "about aten::mm", "about aten::relu", "graph 0 · 2 requests",
                                             "not recorded: relu"});
  const auto hole = std::ranges::find(events, json("not recorded: relu"), [](const json& e) { return e["label"]; });
  CHECK((*hole)["start_ns"] == 2'120'000);
  CHECK((*hole)["dur_ns"] == 2'000);
  CHECK((*hole)["error"] == true);
  CHECK(served.status("/api/v1/tiles/" + key + "/all") == 200);
  CHECK(served.status("/api/v1/tiles/" + key.substr(0, 17) + "0000000000000000/all") == 404);
}

TEST_CASE("searches know the words of replays and of the server's steps") {
  const Served files;
  const ServedCapture served(files.path());
  const auto total = [&](const std::string& text) {
    return served.json("/api/v1/events/search?q=" + text)["total"].get<int>();
  };
  CHECK(total("layer:1") == 5);
  CHECK(total("layer:1 relu") == 2);
  CHECK(total("operator:mm") == 6);
  CHECK(total("module:net_0") == 11);
  CHECK(total("found:guessed") == 3);
  CHECK(total("found:order layer:0") == 4);
  CHECK(total("phase:decode") == 11);
  CHECK(total("phase:prefill") == 0);
  CHECK(total("replay:slowest") == 4);
  CHECK(total("replay:2") == 3);
  CHECK(total("node:3") == 2);
  CHECK(served.json("/api/v1/events/search?q=replay:slowest")["items"][0]["dur_ns"] == 40'000);
}

TEST_CASE("kernels of replays are grouped by the operators, modules and shapes of their capture") {
  const Served files;
  const ServedCapture served(files.path());
  const auto rows = [&](const std::string& group) {
    return served.json("/api/v1/kernels?group=" + group)["rows"].get<std::vector<json>>();
  };
  const auto operators = rows("operator");
  REQUIRE(operators.size() == 2);
  CHECK(operators[0]["operator"] == "aten::mm");
  CHECK(operators[0]["kernel_launches"] == 6);
  CHECK(operators[0]["calls"] == 6);
  CHECK(operators[0]["flop"] == 6 * 2 * 2 * 8 * 4);
  CHECK(rows("module")[0]["module"] == "Net_0 / DecoderLayer_0");
  CHECK(rows("shapes")[0]["shapes"] == "aten::mm f32[2, 8], f32[8, 4]");
  // Times are those of the trace alone.
  CHECK(rows("name")[0]["total_ns"] == operators[0]["total_ns"]);
  CHECK(served.json("/api/v1/kernels?group=operator&kernel=relu")["rows"][0]["operator"] == "aten::relu");
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

TEST_CASE("the call tree has work of replays in the modules and operators of its capture, once a replay") {
  const Served files;
  const ServedCapture served(files.path());
  const auto nodes = served.json("/api/v1/call-tree")["nodes"].get<std::vector<json>>();
  std::vector<std::string> lines;
  for (const json& node : nodes) {
    std::string path = node["name"];
    for (json parent = node["parent"]; !parent.is_null(); parent = nodes[parent.get<std::size_t>()]["parent"])
      path = nodes[parent.get<std::size_t>()]["name"].get<std::string>() + " > " + path;
    lines.push_back(fmt::format("{} {} {} {}", path, node["calls"].get<int>(), node["launches"].get<int>(),
                                node["told_by"].is_null() ? "trace" : "capture"));
  }
  const std::string step = "step[DECODE bs=2]", layer = step + " > Net_0 > DecoderLayer_0";
  for (const std::string& line : {step + " 3 11 trace", step + " > Net_0 3 11 capture", layer + " 3 6 capture",
                                  layer + " > aten::mm 3 3 capture", layer + " > aten::mm > gemm 3 3 trace"}) {
    CAPTURE(line);
    CHECK(std::ranges::find(lines, line) != lines.end());
  }
  CHECK(std::ranges::none_of(nodes, [](const json& node) { return node["name"] == "hipGraphLaunch"; }));
}

TEST_CASE("two servers' runs are held against each other place by place") {
  const Served files;
  files.folder.write("after.json",
                     trace(step(1, {"gemm", "relu", "gemm2", "relu"}) + step(2, {"gemm", "relu", "gemm2", "relu"})));
  const ServedCapture served({.sets = named_sets({files.path(), files.folder / "after.json"}), .folders = {}});
  const json compared = served.json("/api/v1/compare/places?capture=c1&with=c0");
  CHECK(compared["a"]["steps"] == 3);
  CHECK(compared["b"]["steps"] == 2);
  CHECK(compared["b"]["decode_ns"] == 543'000);
  CHECK(compared["all"] == 4);
  auto records = CommandRun({"compare", files.path(), files.folder / "after.json", "--nodes", "--json"}).records();
  REQUIRE(compared["rows"].size() == records.size());
  CHECK(records[0]["verdict"]["b_median_ns"] == compared["b"]["decode_ns"]);
  records[0].erase("verdict");
  for (std::size_t r = 0; r < records.size(); ++r)
    CHECK(as_in_terminal(compared["rows"][r], {"kind", "a_longest", "b_longest"}) == records[r]);
  const auto other = std::ranges::find(compared["rows"], json(false), [](const json& row) { return row["same_name"]; });
  CHECK((*other)["a_name"] == "gemm");
  CHECK((*other)["b_name"] == "gemm2");
  CHECK((*other)["a_longest"]["dur_ns"] == 40'000);
  CHECK((*other)["b_longest"]["name"] == "gemm2");
  CHECK(served.status("/api/v1/compare/places?capture=c1&with=c0&phase=nothing") == 400);
}

}  // namespace vizd::replay_routes_test
