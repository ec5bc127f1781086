// The samples' timelines against what tinygrad's own viewer answered for them: every event, allocation and marker.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "formats/unpack.h"
#include "reference/tinygrad/profile.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::profile_golden_test {
namespace {

using nlohmann::json;

// Reads the reference's binary body (docs/formats/tinygrad.md).
class Body {
 public:
  explicit Body(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T take() {
    T value{};
    REQUIRE(bytes_.size() >= sizeof(T));
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  std::string text(std::size_t size) {
    REQUIRE(bytes_.size() >= size);
    std::string result(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return result;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

json events_of(Body& body, const json& strings, std::uint32_t count) {
  json events = json::array();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto name = body.take<std::uint32_t>(), ref = body.take<std::uint32_t>(), start = body.take<std::uint32_t>();
    const double dur = std::nearbyint(double{body.take<float>()} * 1000) / 1000;
    const auto info = body.take<std::uint32_t>();
    events.push_back({strings[name], ref == 0 ? json() : json(ref - 1), start, dur, strings[info]});
  }
  return events;
}

json allocations_of(Body& body, const json& strings, std::uint32_t count) {
  json events = json::array();
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_alloc = body.take<std::uint8_t>() != 0;
    const auto at = body.take<std::uint32_t>(), key = body.take<std::uint32_t>();
    if (!is_alloc) {
      events.push_back({"free", at, key});
      continue;
    }
    const auto dtype = body.take<std::uint32_t>();
    events.push_back({"alloc", at, key, strings[dtype], body.take<std::uint64_t>()});
  }
  return events;
}

json decode(Body body) {
  json result;
  result["dur"] = body.take<std::uint32_t>();
  result["peak"] = body.take<std::uint64_t>();
  const auto index_size = body.take<std::uint32_t>(), lane_count = body.take<std::uint32_t>();
  const json index = json::parse(body.text(index_size));
  result["markers"] = index["markers"];
  result["dtypeSize"] = index["dtypeSize"];
  for (std::uint32_t i = 0; i < lane_count; ++i) {
    const std::string name = body.text(body.take<std::uint8_t>());
    const bool is_timeline = body.take<std::uint8_t>() == 0;
    const auto count = body.take<std::uint32_t>();
    json lane = {{"type", is_timeline ? "timeline" : "memory"}};
    if (!is_timeline) lane["peak"] = body.take<std::uint64_t>();
    lane["events"] =
        is_timeline ? events_of(body, index["strings"], count) : allocations_of(body, index["strings"], count);
    result["lanes"][name] = lane;
  }
  REQUIRE(body.at_end());
  return result;
}

MappedFile open(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) FAIL(file.error().text());
  return std::move(*file);
}

TEST_CASE("the timelines of 2025-09 equal the reference's") {
  const std::string name = GENERATE("ramp", "rewrite_error", "multi", "gpt");
  const std::string stem = shared_data("samples/tinygrad-2025-09/") + name;
  if (!std::filesystem::exists(stem + ".golden.json.gz")) {
    WARN("skipped, not here: " << stem << ".golden.json.gz");
    return;
  }
  Capture capture;
  for (const char* part : {".rewrites.pkl", ".profile.pkl"}) {
    const MappedFile file = open(stem + part);
    const auto result = read_capture({stem + part, file.bytes()}, capture);
    if (!result) FAIL(result.error().text());
  }
  CHECK(capture.has_profile);
  CHECK(capture.skipped.empty());
  const auto body = reference_profile(capture);
  REQUIRE(body.has_value());
  const json ours = decode(Body(*body));

  const MappedFile packed = open(stem + ".golden.json.gz");
  const auto golden_text = unpack(packed.bytes(), name);
  REQUIRE(golden_text.has_value());
  const char* text = reinterpret_cast<const char*>(golden_text->data());
  const json golden = json::parse(text, text + golden_text->size())["profile"];
  for (const char* key : {"dur", "peak", "markers", "dtypeSize"}) CHECK(ours[key] == golden[key]);
  REQUIRE(ours["lanes"].size() == golden["lanes"].size());
  for (const auto& [lane, expected] : golden["lanes"].items()) {
    INFO(lane);
    REQUIRE(ours["lanes"].contains(lane));
    const json& found = ours["lanes"][lane];
    REQUIRE(found["events"].size() == expected["events"].size());
    for (std::size_t i = 0; i < expected["events"].size(); ++i) CHECK(found["events"][i] == expected["events"][i]);
    CHECK(found["type"] == expected["type"]);
    if (expected.contains("peak")) CHECK(found["peak"] == expected["peak"]);
  }
}

}  // namespace
}  // namespace vizd::profile_golden_test
