#include "reference/tinygrad/profile.h"

#include <nlohmann/json.hpp>

#include "formats/tinygrad/viewer_words.h"
#include "support/catch.h"
#include "support/reference_body.h"
#include "unit/timeline/profile_fixture.h"

namespace vizd::profile_test {
namespace {

struct DecodedEvent {
  std::string name;
  std::uint32_t ref, start_us;
  float dur_us;
  std::string info;
};

TEST_CASE("the reference's body: header, index, lanes of events and of memory", "[timeline]") {
  ProfileFixture made;
  StringTable& strings = made.capture->strings;
  made.capture->profile.start_ns = 5'000'500;  // the reference counts from whole microseconds: 5000
  made.capture->profile.end_ns = 5'100'999;
  Track& lane = made.add_lane("CPU");
  // The lane is sorted by time; within a microsecond the reference keeps the order in which events were recorded.
  made.add_event(lane, "inner", 5'010'100, 5'012'000, Event{.order = 1});
  made.add_event(lane, "outer", 5'010'200, 5'020'450, Event{.context = ContextId{3}, .order = 0});
  made.add_event(lane, "no length", 5'030'000, 5'030'000);
  const auto add = [&](std::string_view name, const ArgumentValue& value) {
    find_or_add_argument(lane.arguments, strings.add(name), StringId{}, type_of(value)).push_back(1, value);
  };
  add(argument::kFlop, std::int64_t{20'500});  // in 10250 ns
  add(argument::kMemoryBytes, 1025.0);
  add(argument::kLoadStoreBytes, std::int64_t{102'500});
  add(argument::kMetadata, strings.add("from here"));
  made.add_allocation(lane, 7, 100, 5'000'500, 0);
  Allocation& freed = made.add_allocation(lane, 8, 50, 5'040'999, 1);
  freed.freed = true;
  freed.death_ns = 5'050'000;
  freed.death_order = 2;
  made.capture->profile.markers.push_back({5'060'499, strings.add("step 1"), strings.add("red")});
  const auto tell = [&](std::string_view subject, std::string_view name, std::string_view value) {
    made.capture->facts.push_back(
        {.subject = strings.add(subject), .name = strings.add(name), .value = strings.add(value), .unit = {}});
  };
  tell(tinygrad::kForViewer, "pcMap", R"({"16": ["add"]})");
  tell(tinygrad::kForViewer, "markers", "[]");         // would hide the index's own
  tell(tinygrad::kForViewer, "broken", R"({"16": )");  // is no JSON
  tell("CPU", "cores", "2");

  const Result<std::string> result = reference_profile(*made.capture);
  REQUIRE(result);
  ReferenceBody body(*result);
  CHECK(body.get<std::uint32_t>() == 100);
  CHECK(body.get<std::uint64_t>() == 600);
  const auto index_size = body.get<std::uint32_t>();
  REQUIRE(body.get<std::uint32_t>() == 2);
  const auto index = nlohmann::ordered_json::parse(body.text(index_size));
  CHECK(index.dump() ==
        R"({"strings":["outer","2.00 GFLOPS  0.1|10.0 GB/s\nfrom here","inner","","float"],"dtypeSize":{"float":4},)"
        R"("markers":[{"ts":60,"name":"step 1","color":"red"}],"pcMap":{"16":["add"]}})");

  CHECK(body.name() == "CPU");
  CHECK(body.get<std::uint8_t>() == 0);
  REQUIRE(body.get<std::uint32_t>() == 2);
  const auto next_event = [&] {
    return DecodedEvent{index["strings"][body.get<std::uint32_t>()], body.get<std::uint32_t>(),
                        body.get<std::uint32_t>(), body.get<float>(), index["strings"][body.get<std::uint32_t>()]};
  };
  const DecodedEvent first = next_event(), second = next_event();
  CHECK(first.name == "outer");
  CHECK(first.ref == 4);
  CHECK(first.start_us == 10);
  CHECK(first.dur_us == 10.25F);
  CHECK(first.info == "2.00 GFLOPS  0.1|10.0 GB/s\nfrom here");
  CHECK(second.name == "inner");
  CHECK(second.ref == 0);
  CHECK(second.dur_us == 1.9F);

  CHECK(body.name() == "CPU Memory");
  CHECK(body.get<std::uint8_t>() == 1);
  REQUIRE(body.get<std::uint32_t>() == 3);
  CHECK(body.get<std::uint64_t>() == 600);
  const auto check_alloc = [&](std::uint32_t at_us, std::uint32_t key, std::uint64_t count) {
    CHECK(body.get<std::uint8_t>() == 1);
    CHECK(body.get<std::uint32_t>() == at_us);
    CHECK(body.get<std::uint32_t>() == key);
    CHECK(index["strings"][body.get<std::uint32_t>()] == "float");
    CHECK(body.get<std::uint64_t>() == count);
  };
  check_alloc(0, 7, 100);
  check_alloc(40, 8, 50);
  CHECK(body.get<std::uint8_t>() == 0);
  CHECK(body.get<std::uint32_t>() == 50);
  CHECK(body.get<std::uint32_t>() == 8);
  CHECK(body.at_end());
}

TEST_CASE("a profile with nothing in it has no lanes", "[timeline]") {
  ProfileFixture made;
  made.add_lane("CPU");
  const Result<std::string> result = reference_profile(*made.capture);
  REQUIRE(result);
  ReferenceBody body(*result);
  CHECK(body.get<std::uint32_t>() == 0);
  CHECK(body.get<std::uint64_t>() == 0);
  body.text(body.get<std::uint32_t>() + sizeof(std::uint32_t));
  CHECK(body.at_end());
}

TEST_CASE("a profile beyond 71 minutes is refused with a reason", "[timeline]") {
  ProfileFixture made;
  Track& lane = made.add_lane("CPU");
  const std::int64_t limit_ns = (std::int64_t{1} << 32) * 1000;
  made.add_event(lane, "kernel", limit_ns - 2000, limit_ns - 1000);
  made.capture->profile.end_ns = limit_ns - 1000;
  CHECK(reference_profile(*made.capture));
  made.capture->profile.end_ns = limit_ns;
  const Result<std::string> result = reference_profile(*made.capture);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::kTooLarge);
  CHECK(result.error().text().find("71.6 minutes") != std::string::npos);
}

TEST_CASE("a buffer number beyond 32 bits is refused with a reason", "[timeline]") {
  ProfileFixture made;
  made.add_allocation(made.add_lane("CPU"), std::uint64_t{1} << 32, 1, 0, 0);
  const Result<std::string> result = reference_profile(*made.capture);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::kTooLarge);
}

TEST_CASE("a lane's name is cut at 255 bytes, between characters", "[timeline]") {
  ProfileFixture made;
  std::string name(254, 'x');
  Track& lane = made.add_lane(name + "\xc3\xa9");
  made.add_event(lane, "kernel", 0, 1000);
  made.capture->profile.end_ns = 1000;
  const Result<std::string> result = reference_profile(*made.capture);
  REQUIRE(result);
  ReferenceBody body(*result);
  body.get<std::uint32_t>();
  body.get<std::uint64_t>();
  body.text(body.get<std::uint32_t>() + sizeof(std::uint32_t));
  CHECK(body.name() == name);
}

}  // namespace
}  // namespace vizd::profile_test
