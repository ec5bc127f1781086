// Thread traces and counters of real GPUs, where the shared samples are there: as published and as converted, against
// what tinygrad's viewer answers and decodes.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "formats/unpack.h"
#include "hardware/thread_trace/packets.h"
#include "reference/tinygrad/hardware_steps.h"
#include "reference/tinygrad/occupancy_lanes.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::thread_trace_golden_test {
namespace {

using nlohmann::json;

MappedFile open(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) FAIL(file.error().text());
  return std::move(*file);
}

// As /ctxs has them.
std::vector<std::string> steps_of(const json& contexts) {
  std::vector<std::string> steps;
  for (const json& context : contexts) {
    for (const json& step : context["steps"]) {
      steps.push_back(context["name"].get<std::string>() + "/" + step["name"].get<std::string>());
    }
  }
  return steps;
}

std::vector<std::string> steps_of(const HardwareSteps& hardware) {
  std::vector<std::string> steps;
  for (const HardwareContext& context : hardware.contexts()) {
    for (const HardwareStep& step : context.steps) steps.push_back(context.name + "/" + step.name);
  }
  return steps;
}

TEST_CASE("thread traces of the samples: contexts, tables, packets by kind, waves", "[hardware]") {
  const std::string name =
      GENERATE("gfx1100_gemm", "gfx1100_sync", "gfx1200_handwritten", "gfx1200_plus", "gfx950_gemm");
  const bool is_original = GENERATE(false, true);
  const std::string folder = "samples/tinygrad-amd/";
  const std::string path = shared_data(folder + (is_original ? "original/" + name + ".pkl" : name + ".profile.pkl"));
  if (!std::filesystem::exists(path)) {
    WARN("skipped: " << path << " is not here");
    return;
  }
  INFO(path);
  const MappedFile packed = open(shared_data(folder + name + ".golden.json.gz")), file = open(path);
  const auto golden_text = unpack(packed.bytes(), name);
  REQUIRE(golden_text.has_value());
  const char* const text = reinterpret_cast<const char*>(golden_text->data());
  const json golden = json::parse(text, text + golden_text->size());
  Capture capture;
  const auto read = read_capture({path, file.bytes()}, capture);
  if (!read) FAIL(read.error().text());
  CHECK(capture.skipped.empty());
  const HardwareSteps hardware(capture);
  CHECK(steps_of(hardware) == steps_of(golden["ctxs"]));
  for (std::size_t i = 0; i < hardware.contexts().size(); ++i) {
    for (std::size_t j = 0; j < hardware.contexts()[i].steps.size(); ++j) {
      const HardwareStep& step = hardware.contexts()[i].steps[j];
      if (step.path != "/all-pmc" && step.path != "/prg-pmc") continue;
      const auto answer = hardware.answer(step);
      REQUIRE(answer);
      CHECK(json::parse(*answer) == golden["steps"][fmt::format("{}?ctx={}&step={}", step.path, i, j)]["json"]);
    }
  }
  std::uint64_t waves = 0;
  for (const hardware::ThreadTrace& trace : hardware.records().traces) {
    std::map<std::string, std::uint64_t> kinds;
    thread_trace::decode_packets(trace.packets, [&](const thread_trace::Packet& packet) {
      ++kinds[std::string(packet.shape->name)];
      waves += packet.kind() == thread_trace::PacketKind::kWaveStart;
      return true;
    });
    CHECK(json(kinds) ==
          golden["packets"][fmt::format("{},{},{}", trace.key.program, trace.key.run, trace.engine)]["types"]);
  }
  const std::map<std::string, std::uint64_t> known{{"gfx1100_gemm", 1024},
                                                   {"gfx1100_sync", 5},
                                                   {"gfx1200_handwritten", 4},
                                                   {"gfx1200_plus", 1},
                                                   {"gfx950_gemm", 1024}};
  CHECK(waves == known.at(name));
  // What OCC unfolds into are the reference's own waves, each on its unit.
  std::multiset<std::vector<std::int64_t>> listed, expected;
  for (const hardware::RunKey& run : hardware.records().runs) {
    for (const UnitWaves& unit : units_of(hardware.records(), run)) {
      for (const thread_trace::Wave& wave : unit.waves)
        listed.insert({unit.engine, unit.unit, wave.simd, wave.slot, wave.start_cycle, wave.end_cycle});
    }
  }
  for (const auto& [trace, rows] : golden["waves"].items()) {
    for (const json& row : rows) {
      auto wave = row.get<std::vector<std::int64_t>>();
      wave.insert(wave.begin(), std::stoll(trace.substr(trace.rfind(',') + 1)));
      expected.insert(std::move(wave));
    }
  }
  CHECK(listed == expected);
}

}  // namespace
}  // namespace vizd::thread_trace_golden_test
