#include "timeline/profile_json.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "unit/timeline/profile_fixture.h"

namespace vizd {
namespace {

using nlohmann::json;

TEST_CASE("the profile's body holds lanes, links, memory and markers as columns", "[timeline]") {
  ProfileFixture made;
  StringTable& strings = made.capture->strings;
  const ContextId context = made.add_context("kernel", {"lower"});
  made.capture->profile.start_ns = 1000;
  made.capture->profile.end_ns = 3000;
  Track& lane = made.add_lane("CPU");
  made.add_event(lane, "lower", 1100, 1200);  // recorded before what holds it
  made.add_event(lane, "kernel", 1100, 2000, Event{.context = context, .order = 1});
  made.add_event(lane, "late", 1900, 2500);
  made.add_allocation(lane, 5, 10, 1500, 0).freed = true;
  lane.allocations.back().death_ns = 1700;
  lane.allocations.back().death_order = 1;
  made.add_allocation(lane, 5, 20, 1800, 2);
  made.capture->profile.markers.push_back({1250, strings.add("pass"), strings.add("red")});
  made.add_lane("empty");

  const json body = json::parse(profile_json(*made.capture, 9));
  CHECK(body["revision"] == 9);
  CHECK(body["dur_ns"] == 2000);
  const auto text = [&](const json& place) { return body["strings"][place.get<std::size_t>()].get<std::string>(); };
  REQUIRE(body["lanes"].size() == 2);
  const json& cpu = body["lanes"][0];
  CHECK(cpu["name"] == "CPU");
  CHECK(cpu["start"] == json({100, 100, 900}));
  CHECK(cpu["dur"] == json({900, 100, 600}));
  CHECK(text(cpu["label"][0]) == "kernel");
  CHECK(text(cpu["label"][1]) == "lower");
  CHECK(cpu["context"] == json({0, 0, -1}));
  CHECK(cpu["pass"] == json({-1, 0, -1}));
  CHECK(cpu["row"] == json({0, 1, 1}));
  CHECK(cpu["rows"] == 2);
  CHECK(cpu["relaned"] == 1);
  const json& memory = cpu["memory"];
  CHECK(memory["birth"] == json({500, 800}));
  CHECK(memory["death"] == json({700, -1}));
  CHECK(memory["size_bytes"] == json({40, 80}));
  CHECK(memory["count"] == json({10, 20}));
  CHECK(memory["offset"] == json({0, 0}));
  CHECK(text(memory["dtype"][0]) == "float");
  CHECK(memory["peak_bytes"] == 80);
  CHECK(memory["peak_ns"] == 800);
  CHECK(memory["end_bytes"] == 80);
  CHECK(memory["at_peak"] == json({1}));
  CHECK(memory["live"]["at"] == json({500, 700, 800}));
  CHECK(memory["live"]["bytes"] == json({40, 0, 80}));
  CHECK(body["lanes"][1]["memory"].is_null());
  CHECK(body["lanes"][1]["start"].empty());
  CHECK(body["markers"] == json::parse(R"([{"at": 250, "name": "pass", "colour": "red"}])"));
}

TEST_CASE("a profile without lanes is still a body", "[timeline]") {
  ProfileFixture made;
  const json body = json::parse(profile_json(*made.capture, 1));
  CHECK(body["lanes"].empty());
  CHECK(body["strings"] == json({""}));
}

}  // namespace
}  // namespace vizd
