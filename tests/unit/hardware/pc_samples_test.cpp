#include "hardware/pc_samples.h"

#include <vector>

#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::hardware::pc_samples_test {
namespace {

// A packet with so many bytes of samples.
std::string packet(std::uint32_t unit, std::string_view samples, bool dropped = false) {
  const std::uint32_t header = static_cast<std::uint32_t>(samples.size()) | (unit & 0xFF) << 8 | (unit >> 8) << 25 |
                               static_cast<std::uint32_t>(dropped) << 28;
  std::string body(samples);
  body.resize(28);
  return body.substr(0, 4) + std::string(reinterpret_cast<const char*>(&header), sizeof header) + body.substr(4);
}

std::string short_sample(std::uint64_t address, std::uint64_t stall, std::uint64_t wave, bool active) {
  const std::uint64_t bits = address >> 4 | stall << 45 | wave << 50 | static_cast<std::uint64_t>(active) << 62;
  return {reinterpret_cast<const char*>(&bits), sizeof bits};
}

std::vector<PcSample> samples_of(const std::string& packets, std::int64_t version) {
  std::vector<PcSample> samples;
  read_pc_samples(bytes_of(packets), version, [&](const PcSample& sample) {
    samples.push_back(sample);
    return true;
  });
  return samples;
}

TEST_CASE("samples of program counters: their bytes go on in the unit's next packet", "[hardware]") {
  const std::string first = short_sample(0x1230, 9, 17, true), second = short_sample(0x40, 18, 2, false);
  const std::string both = first + second;
  const auto samples =
      samples_of(packet(0x123, both.substr(0, 11)) + packet(7, first) + packet(0x123, both.substr(11)), 0x809);
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].address == 0x1230);
  CHECK(samples[0].stall == "MEMORY_DEPENDENCY");
  CHECK(samples[0].wave == 17);
  CHECK(samples[0].is_active);
  CHECK(samples[0].graphics_cluster() == 0x123 >> 5);
  CHECK(samples[0].texture_cluster() == 1);
  CHECK(samples[0].multiprocessor() == 1);
  CHECK(samples[1].unit == 7);
  CHECK(samples[1].start_cycle == 0);  // each unit's own
  CHECK(samples[2].start_cycle == 32);
  CHECK(samples[2].end_cycle == 64);
  CHECK(samples[2].address == 0x40);
  CHECK(samples[2].stall == "NONE");
  CHECK_FALSE(samples[2].is_active);
}

TEST_CASE("samples of program counters: what a dropped packet began is left out", "[hardware]") {
  const std::string sample = short_sample(0x40, 3, 0, true);
  const auto samples = samples_of(packet(1, sample.substr(0, 5)) + packet(1, sample, true), 0x809);
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].stall == "SYNC");
  CHECK(samples_of(packet(1, sample).substr(0, 31), 0x809).empty());
}

TEST_CASE("samples of program counters: newer devices write nine bytes", "[hardware]") {
  // stall 6, wave's high bits 2, the address, then active and the wave's low bits
  const std::uint64_t bits = 6 | 2 << 6 | (0x5670ull >> 4) << 8;
  const std::string sample =
      std::string(reinterpret_cast<const char*>(&bits), sizeof bits) + static_cast<char>(1 << 3 | 0xa << 4);
  const auto samples = samples_of(packet(0, sample), 0xa04);
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].address == 0x5670);
  CHECK(samples[0].stall == "EXEC_DEPENDENCY");
  CHECK(samples[0].wave == (2 << 4 | 0xa));
  CHECK(samples[0].is_active);
}

}  // namespace
}  // namespace vizd::hardware::pc_samples_test
