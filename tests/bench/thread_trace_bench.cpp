// How fast thread traces are decoded: packets alone, instructions to lanes, where the cycles went, waves. Of a made
// trace of RDNA 3: waves that load, wait, and go round a loop. Where VIZD_BENCH_TRACE names a folder, the trace and its
// program are written there: trace_bench.mjs has tinygrad decode the same ones.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>

#include "hardware/thread_trace/heat.h"
#include "hardware/thread_trace/instruction_walk.h"
#include "hardware/thread_trace/lanes.h"
#include "hardware/thread_trace/waves.h"
#include "support/made_trace.h"

namespace vizd::thread_trace {
namespace {

constexpr std::size_t kWaves = 20'000;

// For trace_bench.mjs.
void write_for_others(const std::string& name, const std::string& bytes) {
  if (const char* const folder = std::getenv("VIZD_BENCH_TRACE"))
    std::ofstream(std::string(folder) + "/" + name, std::ios::binary) << bytes;
}

// s_load_b64, s_waitcnt, v_mov_b32, s_barrier, s_cbranch_scc0 to v_mov_b32, s_endpgm
const amd::CodeListing& code() {
  static const std::string elf = [] {
    std::string made = made_elf(from_hex("000004f4000000f8070489bf0203027e0000bdbffdffa1bf0000b0bf"), 0x100);
    write_for_others("program.elf", made);
    return made;
  }();
  static const auto listing = amd::CodeListing::read(amd::Family::kRdna3, bytes_of(elf));
  return *listing;
}

const std::string& trace() {
  constexpr std::uint64_t kLoad = 1, kBarrier = 0x13, kJump = 3, kJumpNo = 4, kRounds = 20;
  static const std::string made = [] {
    TraceWriter writer;
    writer.header(3);
    for (std::size_t i = 0; i < kWaves; ++i) {
      const std::uint64_t wave = i % 16;
      writer.wave_start(wave).inst(wave, kLoad).wait(19).add(0b1101 | 1 << 4 | wave << 7, 3);
      for (std::uint64_t round = 1; round <= kRounds; ++round) {
        writer.valu(wave).wait(7).inst(wave, kBarrier).alu_exec(2).inst(wave, round == kRounds ? kJumpNo : kJump);
      }
      writer.wave_end(wave);
    }
    std::string bytes = writer.finish();
    write_for_others("trace.bin", bytes);
    return bytes;
  }();
  return made;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(trace().size()));
}

void decode_trace(benchmark::State& state) {
  std::uint64_t packets = 0;
  for (auto _ : state) {
    decode_packets(bytes_of(trace()), [&](const Packet&) { return ++packets != 0; });
    benchmark::DoNotOptimize(packets);
  }
  count_bytes(state);
  state.SetItemsProcessed(static_cast<std::int64_t>(packets));
}
BENCHMARK(decode_trace);

void instructions_of_trace(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t known = 0;
    walk_instructions(bytes_of(trace()), &code(), [&](const Step& step) {
      known += step.line != nullptr;
      return true;
    });
    benchmark::DoNotOptimize(known);
  }
  count_bytes(state);
}
BENCHMARK(instructions_of_trace);

void lanes_of_trace(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(lanes_of(bytes_of(trace()), &code()));
  count_bytes(state);
}
BENCHMARK(lanes_of_trace);

void heat_of_trace(benchmark::State& state) {
  for (auto _ : state) {
    HeatBuilder builder(amd::Family::kRdna3, code());
    builder.add(bytes_of(trace()));
    benchmark::DoNotOptimize(builder.finish());
  }
  count_bytes(state);
}
BENCHMARK(heat_of_trace);

void waves_of_trace(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(waves_of(bytes_of(trace())));
  count_bytes(state);
}
BENCHMARK(waves_of_trace);

}  // namespace
}  // namespace vizd::thread_trace
