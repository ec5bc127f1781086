// The timeline's routes on the small capture: what they answer, what browsers may keep, and what they refuse.
#include "support/catch.h"
#include "support/places.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"
#include "support/tile_reader.h"
#include "vizd/capture_writer.h"

namespace vizd::timeline_routes_test {
namespace {

const std::string kFolder = test_data("tinygrad-2025-09/");

std::string header(const Response& response, std::string_view name) {
  for (const Header& h : response.headers) {
    if (h.name == name) return h.value;
  }
  return "";
}

struct ServedProfile : ServedCapture {
  ServedProfile() : ServedCapture(kFolder + "ramp.rewrites.pkl", kFolder + "ramp.profile.pkl") { loaded(); }
  std::string key() const { return json("/api/v1/lanes")["key"]; }
};

TEST_CASE("lanes say what there is, and tiles hold every event of them") {
  const ServedProfile served;
  const nlohmann::json lanes = served.json("/api/v1/lanes");
  CHECK(lanes["status"] == "ready");
  CHECK(lanes["capture"] == "c0");
  std::uint64_t events = 0, tiled = 0;
  std::string rows;
  for (std::size_t i = 0; i < lanes["lanes"].size(); ++i) {
    events += lanes["lanes"][i]["events"].get<std::uint64_t>();
    rows += (i == 0 ? "" : ",") + std::to_string(i);
    CHECK(lanes["lanes"][i]["first_ns"] <= lanes["lanes"][i]["last_ns"]);
  }
  CHECK(events == lanes["events"]);
  REQUIRE(events > 100);
  const Response tiles = served.answer("/api/v1/tiles/" + served.key() + "?level=22&from=0&to=63&rows=" + rows);
  REQUIRE(tiles.status == 200);
  CHECK(tiles.content_type == "application/octet-stream");
  for (const RowTile& tile : read_tiles(tiles.body->bytes()).rows) {
    tiled += tile.count;
    for (const TileSpan& span : tile.spans) CHECK(span.name < lanes["name_count"].get<std::uint64_t>());
  }
  CHECK(tiled == events);
}

TEST_CASE("of a capture without a profile it is said that there are no lanes") {
  ServedCapture served(kFolder + "ramp.rewrites.pkl");
  served.loaded();
  const nlohmann::json lanes = served.json("/api/v1/lanes");
  CHECK(lanes["status"] == "none");
  CHECK(lanes["lanes"].empty());
  CHECK(served.status("/api/v1/lanes?capture=c7") == 404);
}

TEST_CASE("a span of a tile is told exactly, and only where there is one") {
  const ServedProfile served;
  const Response answer = served.answer("/api/v1/tiles/" + served.key() + "?level=22&from=0&to=63&rows=0:0-0");
  std::size_t aggregates = 0;
  for (const RowTile& tile : read_tiles(answer.body->bytes()).rows) {
    const std::string url =
        "/api/v1/span/" + served.key() + "?level=22&tile=" + std::to_string(tile.tile) + "&rows=0:0-0&span=";
    std::uint64_t events = 0;
    for (std::size_t i = 0; i < tile.spans.size(); ++i) {
      const nlohmann::json span = served.json(url + std::to_string(i));
      events += span["events"].get<std::uint64_t>();
      CHECK(span["longest"]["dur_ns"] >= span["first"]["dur_ns"]);
      CHECK(span["longest"]["index"] >= span["first"]["index"]);
      CHECK(span["name_ns"] <= span["busy_ns"]);
      aggregates += tile.spans[i].is_one() ? 0 : 1;
    }
    CHECK(events == tile.count + (tile.began_before ? 1 : 0));
    CHECK(served.answer(url + std::to_string(tile.spans.size())).status == 404);
    CHECK(served.answer(url + "1024").status == 400);
  }
  CHECK(aggregates > 0);
  CHECK(served.answer("/api/v1/span/" + served.key() + "?level=22&tile=0&rows=0&span=0").status == 400);
}

TEST_CASE("what is under a key may be kept for good, and is known by its tag") {
  const ServedProfile served;
  for (const std::string& url : {"/api/v1/tiles/" + served.key() + "?level=20&from=0&to=3&rows=0,1:0-1",
                                 "/api/v1/names/" + served.key() + "/0"}) {
    const Response first = served.answer(url);
    REQUIRE(first.status == 200);
    CHECK(header(first, "Cache-Control") == "private, max-age=31536000, immutable");
    const std::string tag = header(first, "ETag");
    REQUIRE(!tag.empty());
    const Response second = served.answer(url, {{"If-None-Match", tag}});
    CHECK(second.status == 304);
    CHECK(second.body == nullptr);
    CHECK(served.answer(url, {{"If-None-Match", "W/\"other\""}}).body->bytes() == first.body->bytes());
  }
  const ServedProfile again;
  CHECK(again.key() == served.key());
}

TEST_CASE("an event says all that is known of it, and where it lies leads back to it") {
  const ServedProfile served;
  const nlohmann::json lanes = served.json("/api/v1/lanes")["lanes"];
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::string prefix = "/api/v1/event/" + std::to_string(lane) + "/";
    for (std::uint32_t i = 0; i < lanes[lane]["events"].get<std::uint32_t>() && i < 40; ++i) {
      const nlohmann::json event = served.json(prefix + std::to_string(i));
      CHECK(event["index"] == i);
      CHECK(event["self_ns"] <= event["dur_ns"]);
      if (!event["parent"].is_null()) CHECK(event["parent"]["row"] < event["row"]);
      const nlohmann::json found = served.json("/api/v1/at?lane=" + std::to_string(lane) +
                                               "&row=" + event["row"].dump() + "&at=" + event["start_ns"].dump());
      if (event["dur_ns"] > 0) CHECK(found["index"] == i);
      const std::int64_t end_ns = event["start_ns"].get<std::int64_t>() + event["dur_ns"].get<std::int64_t>();
      const nlohmann::json later = served.json("/api/v1/at?lane=" + std::to_string(lane) + "&next=1" +
                                               "&row=" + event["row"].dump() + "&at=" + std::to_string(end_ns));
      if (event["dur_ns"] > 0)
        CHECK(later["index"] == (event["next"].is_null() ? event["next"] : event["next"]["index"]));
    }
  }
}

TEST_CASE("a name's durations are those of the range's table, and a selection tells how much of it is busy") {
  const ServedProfile served;
  const nlohmann::json table = served.json("/api/v1/range?from=0&to=100000000000");
  const nlohmann::json lanes = served.json("/api/v1/lanes")["lanes"];
  std::int64_t busy_ns = 0;
  for (const nlohmann::json& lane : lanes) busy_ns += lane["busy_ns"].get<std::int64_t>();
  CHECK(table["busy_ns"] == busy_ns);
  const nlohmann::json whole = served.json("/api/v1/range");
  CHECK(whole["names"] == served.json("/api/v1/range?from=0&to=" + whole["to"].dump())["names"]);
  CHECK(whole["from"] == 0);
  CHECK(served.json("/api/v1/range?from=5")["to"] == whole["to"]);
  CHECK(served.json("/api/v1/range?to=5")["from"] == 0);
  for (const nlohmann::json& name : table["names"]) {
    const nlohmann::json found =
        served.json("/api/v1/durations/" + served.key() + "/" + name["name"].dump() + "?bins=5");
    for (const char* key : {"count", "total_ns", "median_ns", "p90_ns", "max_ns", "worst"})
      CHECK(found[key] == name[key]);
    CHECK(found["bins"]["edges_ns"].size() == 6);
    std::uint64_t events = 0;
    for (const nlohmann::json& count : found["bins"]["count"]) events += count.get<std::uint64_t>();
    CHECK(events == name["count"]);
  }
  CHECK(served.answer("/api/v1/durations/" + served.key() + "/100000").status == 404);
  CHECK(served.answer("/api/v1/durations/" + served.key() + "/0?bins=0").status == 400);
}

TEST_CASE("searches page through what they find; a range's table and the search agree") {
  const ServedProfile served;
  const nlohmann::json table = served.json("/api/v1/range?from=0&to=100000000000");
  REQUIRE(!table["names"].empty());
  CHECK(table["exact"] == true);
  const nlohmann::json& name = table["names"][0];
  const std::string url = "/api/v1/events/search?name=" + name["name"].dump() + "&limit=1";
  std::uint64_t found = 0;
  std::string cursor;
  for (nlohmann::json page = served.json(url); !page["items"].empty(); page = served.json(url + "&after=" + cursor)) {
    ++found;
    CHECK(page["total"] == name["count"]);
    CHECK(page["items"][0]["label"] == name["label"]);
    cursor = page["last"];
    REQUIRE(found <= name["count"].get<std::uint64_t>());
  }
  CHECK(found == name["count"]);
  CHECK(served.json("/api/v1/events/search?q=nothing+like+it")["total"] == 0);
}

TEST_CASE("memory: a view, its summary, the set at the peak and the allocation drawn at a place") {
  const ServedProfile served;
  const nlohmann::json lanes = served.json("/api/v1/lanes")["lanes"];
  bool has_memory = false;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i]["memory"].is_null()) continue;
    has_memory = true;
    const std::string url = "/api/v1/memory/" + served.key() + "/" + std::to_string(i);
    const nlohmann::json summary = served.json(url + "/summary"), set = served.json(url + "/set?at=peak");
    CHECK(summary["peak_bytes"] == lanes[i]["memory"]["peak_bytes"]);
    CHECK(set["bytes"] == summary["peak_bytes"]);
    CHECK(served.json(url + "/set?at=end")["count"] == summary["leaks"]);
    CHECK(served.answer(url + "?from=0&to=1000000&width=100&height=100").status == 200);
    const nlohmann::json& item = set["items"][0];
    const nlohmann::json found = served.json("/api/v1/allocation/" + std::to_string(i) + "?at=" + set["at_ns"].dump() +
                                             "&offset=" + item["offset"].dump());
    CHECK(found["index"] == item["index"]);
  }
  CHECK(has_memory);
}

TEST_CASE("who holds a memory adds up to what is alive, and each holder's allocations are listed") {
  const ServedProfile served;
  const nlohmann::json lanes = served.json("/api/v1/lanes")["lanes"];
  std::size_t holders = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i]["memory"].is_null()) continue;
    const std::string url = "/api/v1/memory/" + served.key() + "/" + std::to_string(i);
    for (const std::string by : {"operator", "module", "line", "category"}) {
      for (const std::string at : {"peak", "end", "1000000"}) {
        INFO(url << " " << by << " " << at);
        const nlohmann::json held = served.json(url + "/holders?at=" + at + "&by=" + by);
        std::int64_t bytes = 0, allocations = 0, grown = 0;
        for (const nlohmann::json& row : held["rows"]) {
          ++holders;
          bytes += row["bytes"].get<std::int64_t>();
          allocations += row["allocations"].get<std::int64_t>();
          grown += row["grown_bytes"].get<std::int64_t>();
          const nlohmann::json set = served.json(url + "/set?at=" + at + "&by=" + by + "&holder=" + row["id"].dump());
          CHECK(set["bytes"] == row["bytes"]);
          CHECK(set["count"] == row["allocations"]);
          if (!row["example"].is_null()) CHECK(set["items"][0]["index"] == row["example"]);
        }
        CHECK(bytes == held["bytes"]);
        CHECK(allocations == served.json(url + "/set?at=" + at)["count"]);
        CHECK(held["count"] == held["rows"].size());
        // What grew since a time is what is held less what was held then.
        const std::string since = served.json(url + "/holders?at=0&by=" + by)["bytes"].dump();
        CHECK(std::to_string(bytes - grown) == since);
      }
    }
    const nlohmann::json peak = served.json(url + "/holders"),
                         of_all = served.json(url + "/holders?from=0&to=" + "99999999999");
    CHECK(peak["bytes"] == lanes[i]["memory"]["peak_bytes"]);
    CHECK(of_all["bytes"] == peak["bytes"]);
    CHECK(served.json(url + "/holders?from=0&to=0")["bytes"] <= peak["bytes"]);
    CHECK(served.answer(url + "/holders?by=colour").status == 400);
    CHECK(served.answer(url + "/holders?at=noon").status == 400);
    CHECK(served.answer(url + "/holders?from=9&to=3").status == 400);
    CHECK(served.answer(url + "/set?holder=-3").status == 400);
  }
  CHECK(holders > 0);
}

TEST_CASE("what makes no sense is refused with a reason") {
  const ServedProfile served;
  const std::string tiles = "/api/v1/tiles/" + served.key();
  for (const std::string& url :
       {tiles, tiles + "?level=51&from=0&to=0&rows=0", tiles + "?level=0&from=1&to=0&rows=0",
        tiles + "?level=0&from=0&to=64&rows=0", tiles + "?level=50&from=0&to=2&rows=0",
        tiles + "?level=-1&from=0&to=0&rows=0", tiles + "?level=0&from=0&to=0&rows=x", tiles + "?level=0&from=0&to=0",
        tiles + "?level=0&from=0&to=0&rows=0:5-2", tiles + "?level=0&from=0&to=0&rows=0&pick=wrong",
        tiles + "?level=1e3&from=0&to=0&rows=0", std::string("/api/v1/at?lane=0&row=0"),
        std::string("/api/v1/range?from=5&to=4"), std::string("/api/v1/events/search"),
        std::string("/api/v1/events/search?q=a&after=1.2"), std::string("/api/v1/events/search?q=a&limit=0"),
        "/api/v1/memory/" + served.key() + "/0?from=0&to=0&width=1&height=1"}) {
    INFO(url);
    const int status = served.answer(url).status;
    CHECK((status == 400 || status == 404));
    CHECK(served.json(url, status).contains("error"));
  }
  for (const std::string& url :
       {std::string("/api/v1/tiles/0123456789abcdef?level=0&from=0&to=0&rows=0"), std::string("/api/v1/event/99/0"),
        std::string("/api/v1/event/0/4000000000"), tiles + "?level=0&from=0&to=0&rows=99",
        tiles + "?level=0&from=0&to=0&rows=0&counters=0:0", tiles + "?level=0&from=0&to=0&rows=0&pick=name:100000"}) {
    INFO(url);
    CHECK(served.status(url) == 404);
  }
}

TEST_CASE("limits: 64 tiles, 4,096 rows and 65,536 tiles of rows at once, 1,000 events of a search") {
  const TemporaryFolder folder;
  {
    capture::CaptureWriter writer(folder / "lanes.bin");
    for (int i = 0; i < 4097; ++i) writer.event(writer.lane(std::to_string(i)), "event", 0, 5);
  }
  ServedCapture served(folder / "lanes.bin");
  served.loaded();
  const std::string tiles = "/api/v1/tiles/" + std::string(served.json("/api/v1/lanes")["key"]) + "?level=0&from=0";
  const auto status_of = [&](int rows, int last_tile) {
    std::string list = "0";
    for (int i = 1; i < rows; ++i) list += "," + std::to_string(i);
    return served.status(tiles + "&to=" + std::to_string(last_tile) + "&rows=" + list);
  };
  CHECK(status_of(1, 63) == 200);
  CHECK(status_of(1, 64) == 400);
  CHECK(status_of(4096, 0) == 200);
  CHECK(status_of(4097, 0) == 413);
  CHECK(status_of(1024, 63) == 200);
  CHECK(status_of(1025, 63) == 413);
  CHECK(served.status("/api/v1/events/search?q=a&limit=1000") == 200);
  CHECK(served.status("/api/v1/events/search?q=a&limit=1001") == 400);
}

}  // namespace
}  // namespace vizd::timeline_routes_test
