// What recording costs the thread that records, one thread and eight at once: events, and ops with their matches.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>
#include <string>

#include "vizd/capture_writer.h"

namespace {

using vizd::capture::CaptureWriter;

std::string path() { return std::string(P_tmpdir) + "/vizd_writer_bench.bin"; }

std::unique_ptr<CaptureWriter> writer;

void begin(const benchmark::State&) { writer = std::make_unique<CaptureWriter>(path()); }
void end(const benchmark::State&) {
  writer.reset();
  std::remove(path().c_str());
}

// As a real recorder: a timestamp it has already, and one of a few names.
void record_event(benchmark::State& state) {
  const std::string names[] = {"gemm_128x128", "softmax", "layer_norm", "all_reduce"};
  const auto lane = writer->lane("stream " + std::to_string(state.thread_index()));
  std::int64_t at_ns = 0;
  for (auto _ : state) {
    writer->event(lane, names[static_cast<std::size_t>(at_ns) % 4], at_ns, 5);
    at_ns += 7;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(record_event)->Setup(begin)->Teardown(end)->Threads(1)->Threads(8);

void record_op(benchmark::State& state) {
  const auto kind = writer->kind("ADD", "#c0f0c0");
  vizd::capture::OpInfo info;
  info.kind = kind;
  info.dtype = "float32";
  info.argument = "axis=1";
  info.shape = "(128, 64)";
  auto last = writer->op(info, {});
  for (auto _ : state) last = writer->op(info, {last, last});
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(record_op)->Setup(begin)->Teardown(end)->Threads(1)->Threads(8);

}  // namespace
