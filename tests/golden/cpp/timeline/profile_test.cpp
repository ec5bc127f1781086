// Profiles of the sample captures against what tinygrad's own server answered for them: /get_profile's meaning, and the
// rows in which its page would draw the events.
#include "reference/tinygrad/profile.h"

#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/reference_body.h"
#include "timeline/event_links.h"
#include "timeline/lane_rows.h"
#include "timeline/memory_layout.h"

namespace vizd::profile_test {
namespace {

using nlohmann::json;

const std::string kSamples = shared_data("samples/tinygrad-2025-09/");

void read_file(const std::string& path, Capture& capture) {
  const auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  const auto result = read_capture({path, file->bytes()}, capture);
  if (!result) FAIL(result.error().text());
}

std::string unzip(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text;
  std::vector<char> part(1 << 20);
  for (int n; (n = gzread(file, part.data(), static_cast<unsigned>(part.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  gzclose(file);
  return text;
}

struct Golden {
  json contexts, profile;
};

// A capture and its golden, or null where the sample is not here.
struct Sample {
  std::unique_ptr<Capture> capture;
  Golden golden;
};

// Only the two values that are compared are parsed: the streams beside them are large.
json parse_at(const std::string& text, std::string_view key) {
  const std::size_t at = text.find(key);
  REQUIRE(at != std::string::npos);
  std::istringstream rest(text.substr(at + key.size()));
  json value;
  rest >> value;
  return value;
}

Sample read_sample(const std::string& name) {
  if (!std::filesystem::exists(kSamples + name + ".profile.pkl")) {
    WARN("skipped, not here: " << name);
    return {};
  }
  Sample sample{std::make_unique<Capture>(), {}};
  read_file(kSamples + name + ".rewrites.pkl", *sample.capture);
  read_file(kSamples + name + ".profile.pkl", *sample.capture);
  const std::string golden = unzip(kSamples + name + ".golden.json.gz");
  sample.golden = {parse_at(golden, "\"ctxs\":"), parse_at(golden, "\"profile\":")};
  return sample;
}

// As the goldens have it: lanes by name, durations to the nanosecond, halves to the even one as Python rounds.
class Decoder {
 public:
  explicit Decoder(const std::string& body) : body_(body) {}

  json decode() {
    json out;
    out["dur"] = body_.get<std::uint32_t>();
    out["peak"] = body_.get<std::uint64_t>();
    const auto index_size = body_.get<std::uint32_t>();
    const auto lane_count = body_.get<std::uint32_t>();
    const json index = json::parse(body_.text(index_size));
    strings_ = index["strings"];
    out["dtypeSize"] = index["dtypeSize"];
    out["markers"] = index["markers"];
    out["lanes"] = json::object();
    for (std::uint32_t i = 0; i < lane_count; ++i) {
      const std::string name = body_.name();
      out["lanes"][name] = body_.get<std::uint8_t>() == 0 ? decode_events() : decode_memory();
    }
    REQUIRE(body_.at_end());
    return out;
  }

 private:
  json string() { return strings_[body_.get<std::uint32_t>()]; }

  json decode_events() {
    json events = json::array();
    for (auto left = body_.get<std::uint32_t>(); left > 0; --left) {
      const json name = string();
      const auto ref = body_.get<std::uint32_t>();
      const auto start = body_.get<std::uint32_t>();
      const double dur = std::nearbyint(static_cast<double>(body_.get<float>()) * 1000) / 1000;
      events.push_back({name, ref == 0 ? json() : json(ref - 1), start, dur, string()});
    }
    return {{"type", "timeline"}, {"events", events}};
  }

  json decode_memory() {
    const auto count = body_.get<std::uint32_t>();
    const auto peak = body_.get<std::uint64_t>();
    json events = json::array();
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool is_alloc = body_.get<std::uint8_t>() == 1;
      const auto at = body_.get<std::uint32_t>();
      const auto key = body_.get<std::uint32_t>();
      if (is_alloc) {
        const json dtype = string();
        events.push_back({"alloc", at, key, dtype, body_.get<std::uint64_t>()});
      } else {
        events.push_back({"free", at, key});
      }
    }
    return {{"type", "memory"}, {"peak", peak}, {"events", events}};
  }

  ReferenceBody body_;
  json strings_;
};

TEST_CASE("the reference's profile says what the reference said", "[timeline]") {
  const Sample sample = read_sample(GENERATE(std::string("ramp"), "rewrite_error", "multi", "gpt"));
  if (sample.capture == nullptr) return;
  const Result<std::string> body = reference_profile(*sample.capture);
  REQUIRE(body);
  const json got = Decoder(*body).decode();
  const json& want = sample.golden.profile;
  for (const char* key : {"dur", "peak", "dtypeSize", "markers"}) CHECK(got[key] == want[key]);
  REQUIRE(got["lanes"].size() == want["lanes"].size());
  for (const auto& [name, lane] : want["lanes"].items()) {
    INFO(name);
    REQUIRE(got["lanes"].contains(name));
    CHECK(got["lanes"][name]["type"] == lane["type"]);
    REQUIRE(got["lanes"][name]["events"].size() == lane["events"].size());
    for (std::size_t i = 0; i < lane["events"].size(); ++i) {
      INFO(i);
      REQUIRE(got["lanes"][name]["events"][i] == lane["events"][i]);
    }
  }
}

// tinygrad's page, from its whole microseconds: the first level whose last event has ended (index.js renderProfiler).
std::multimap<std::pair<std::int64_t, std::string>, std::size_t> levels_of_page(const json& events) {
  std::multimap<std::pair<std::int64_t, std::string>, std::size_t> levels;
  std::vector<std::int64_t> ends;
  for (const json& event : events) {
    const auto start = event[2].get<std::int64_t>();
    std::size_t level = 0;
    while (level < ends.size() && ends[level] > start) ++level;
    if (level == ends.size()) ends.push_back(0);
    ends[level] = start + static_cast<std::int64_t>(event[3].get<double>());
    levels.emplace(std::pair(start, event[0].get<std::string>()), level);
  }
  return levels;
}

TEST_CASE("events lie in the rows in which tinygrad's page draws them", "[timeline]") {
  const Sample sample = read_sample(GENERATE(std::string("ramp"), "rewrite_error", "multi", "gpt"));
  if (sample.capture == nullptr) return;
  const Capture& capture = *sample.capture;
  const std::int64_t start_us = capture.profile.start_ns / 1000;
  for (const Track& lane : capture.profile.tracks) {
    const std::string name(capture.strings.get(lane.name));
    if (!sample.golden.profile["lanes"].contains(name) || lane.events.empty()) continue;
    const auto levels = levels_of_page(sample.golden.profile["lanes"][name]["events"]);
    const LaneRows rows = lane_rows(lane.events);
    CHECK(rows.relaned == 0);
    for (std::size_t i = 0; i < lane.events.size(); ++i) {
      const Event event = lane.events[i];
      const auto [from, to] =
          levels.equal_range({event.start_ns / 1000 - start_us, std::string(capture.strings.get(event.name))});
      REQUIRE(std::any_of(from, to, [&](const auto& entry) { return entry.second == rows.row[i]; }));
    }
  }
}

TEST_CASE("events lead where tinygrad's page goes on a click", "[timeline]") {
  const Sample sample = read_sample(GENERATE(std::string("ramp"), "rewrite_error", "multi", "gpt"));
  if (sample.capture == nullptr) return;
  const Capture& capture = *sample.capture;
  for (const Track& lane : capture.profile.tracks) {
    const std::string name(capture.strings.get(lane.name));
    if (!sample.golden.profile["lanes"].contains(name) || lane.events.empty()) continue;
    const std::vector<EventLink> links = event_links(lane.events, lane_rows(lane.events), capture.rewrites);
    const json& events = sample.golden.profile["lanes"][name]["events"];
    REQUIRE(events.size() == links.size());
    std::int64_t context = -1, pass = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!events[i][1].is_null()) {
        context = events[i][1].get<std::int64_t>();
        pass = 0;
      } else if (context >= 0) {
        const json& passes = sample.golden.contexts[static_cast<std::size_t>(context)]["steps"];
        std::int64_t next = pass > 0 ? pass + 1 : 0;
        while (next < static_cast<std::int64_t>(passes.size()) &&
               passes[static_cast<std::size_t>(next)]["name"] != events[i][0])
          ++next;
        if (next == static_cast<std::int64_t>(passes.size())) context = -1;
        pass = next;
      }
      INFO(name << " " << i << " " << events[i][0]);
      REQUIRE((links[i].context == ContextId{kNoId} ? -1 : static_cast<std::int64_t>(links[i].context)) == context);
      if (context >= 0) REQUIRE((links[i].pass == kNoId ? 0 : static_cast<std::int64_t>(links[i].pass)) == pass);
    }
  }
}

TEST_CASE("packing and peak of real allocations", "[timeline]") {
  const Sample sample = read_sample(GENERATE(std::string("ramp"), "rewrite_error", "multi", "gpt"));
  if (sample.capture == nullptr) return;
  for (const Track& lane : sample.capture->profile.tracks) {
    if (lane.allocations.empty()) continue;
    const std::string name = std::string(sample.capture->strings.get(lane.name)) + " Memory";
    const MemoryLayout layout = memory_layout(lane.allocations);
    CHECK(layout.peak_bytes == sample.golden.profile["lanes"][name]["peak"].get<std::uint64_t>());
    CHECK(layout.height_bytes >= layout.peak_bytes);
  }
}

}  // namespace
}  // namespace vizd::profile_test
