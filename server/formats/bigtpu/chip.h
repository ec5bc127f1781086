// The chips whose profiles vizd reads: how many cores and CDMA ports they have, what their dynamic records' numbers
// mean, which clock and bandwidths are theirs by their makers' tables. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd::bigtpu {

enum class Engine : std::uint8_t { kTiu, kGdma, kSdma, kCdma };
// The engines that each core has: all but CDMA, whose ports the cores share.
inline constexpr std::array kEnginesOfCore{Engine::kTiu, Engine::kGdma, Engine::kSdma};
inline constexpr std::size_t kCoreEngines = kEnginesOfCore.size();

constexpr std::string_view engine_name(Engine engine) {
  constexpr std::array<std::string_view, 4> kNames{"TIU", "GDMA", "SDMA", "CDMA"};
  return kNames[static_cast<std::size_t>(engine)];
}

// The first records of each engine are the profiler's own: a send and the wait that the cores are aligned by.
inline constexpr std::size_t kInitRecords = 2;

// Types of the commands by which engines send and wait for messages.
inline constexpr int kTiuSystem = 15, kDmaSystem = 6, kCdmaSystem = 7;
inline constexpr int system_type(Engine engine) {
  return engine == Engine::kTiu ? kTiuSystem : engine == Engine::kCdma ? kCdmaSystem : kDmaSystem;
}

struct Chip {
  std::string_view name;
  std::string_view product;
  std::uint32_t core_count;
  std::uint32_t port_count;                 // of CDMA
  bool has_hau;                             // whose number comes between GDMA's and SDMA's
  std::optional<std::int64_t> tiu_id_wrap;  // at this number of a TIU command ids start anew, on TIU and GDMA
  double clock_mhz;                         // of the counter and of each engine, as the makers have it
  double ddr_gb_per_s;                      // a core's share of the memory's peak
  double l2_gb_per_s;
  std::uint32_t lane_count;  // NPUs of a core
  // A command's shape is rounded up to these: channels of the cube, its pixels, pixels of the vector unit.
  std::uint32_t cube_channel_alignment, cube_pixel_alignment, vector_pixel_alignment;
  double ddr_mhz;
  std::uint32_t local_memory_mib;  // of a core
};

inline constexpr Chip kAks{"AKS", "BM1690 (SG2260)", 8, 11, true, std::nullopt, 1000, 68.264, 128, 64, 64, 4, 64, 8533,
                           16};
inline constexpr Chip kAksv{"AKSV", "SG2260E", 4, 10, false, 0x3FFFF, 1000, 68.264, 128, 64, 64, 4, 64, 8533, 16};

// The chip of the arch that global.profile names, a number or a word; null: none that vizd knows.
const Chip* find_chip(std::string_view arch);
// What is known of other chips' arch: their name; "" where nothing is.
std::string_view other_chip_name(std::string_view arch);

// Which engine a dynamic record is of. VSDMA counts as SDMA, whose ids it shares.
enum class RecordEngine : std::uint8_t { kTiu, kGdma, kSdma, kCdma, kOther, kInvalid };
RecordEngine record_engine(const Chip& chip, unsigned number);

}  // namespace vizd::bigtpu
