// How long replays take: the largest pass of each sample capture, and all passes of a capture. Captures are the
// samples where VIZD_SHARED has them, and what VIZD_BENCH_CAPTURE names (a rewrites.pkl).
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "reference/tinygrad/rewrite_stream.h"
#include "rewrite/history.h"
#include "rewrite/replay.h"

namespace vizd {
namespace {

std::shared_ptr<const Capture> open_capture(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return nullptr;
  auto capture = std::make_shared<Capture>();
  if (const auto read = read_capture({path, file->bytes()}, *capture); !read) {
    fmt::print(stderr, "{}: {}\n", path, read.error().text());
    return nullptr;
  }
  return capture;
}

const Pass& largest_pass(const Capture& capture) {
  return *std::ranges::max_element(capture.rewrites.passes, {}, &Pass::match_count);
}

void count_matches(benchmark::State& state, std::uint64_t matches) {
  state.counters["matches"] = static_cast<double>(matches);
  state.SetItemsProcessed(static_cast<std::int64_t>(matches) * state.iterations());
}

void replay_largest(benchmark::State& state, const std::shared_ptr<const Capture>& capture) {
  const Pass& pass = largest_pass(*capture);
  for (auto _ : state) {
    Replay replay(*capture, pass);
    while (!replay.at_end()) replay.advance();
    benchmark::DoNotOptimize(replay.graph().root());
  }
  count_matches(state, pass.match_count);
}

void history_of_largest(benchmark::State& state, const std::shared_ptr<const Capture>& capture) {
  const Pass& pass = largest_pass(*capture);
  std::size_t bytes = 0;
  for (auto _ : state) bytes = build_history(*capture, pass, {})->memory_bytes();
  count_matches(state, pass.match_count);
  state.counters["bytes"] = static_cast<double>(bytes);
}

void reference_stream_of_largest(benchmark::State& state, const std::shared_ptr<const Capture>& capture) {
  const Pass& pass = largest_pass(*capture);
  std::size_t bytes = 0;
  for (auto _ : state) {
    ReferenceStream stream(*capture, pass, [](const Location&) { return std::nullopt; });
    bytes = 0;
    for (std::string event; stream.next(event); event.clear()) bytes += event.size();
  }
  count_matches(state, pass.match_count);
  state.counters["bytes"] = static_cast<double>(bytes);
}

void replay_all(benchmark::State& state, const std::shared_ptr<const Capture>& capture) {
  for (auto _ : state) {
    for (const Pass& pass : capture->rewrites.passes) {
      Replay replay(*capture, pass);
      while (!replay.at_end()) replay.advance();
    }
  }
  count_matches(state, capture->rewrites.matches.size());
}

void history_of_all(benchmark::State& state, const std::shared_ptr<const Capture>& capture) {
  for (auto _ : state) {
    for (const Pass& pass : capture->rewrites.passes) benchmark::DoNotOptimize(build_history(*capture, pass, {}));
  }
  count_matches(state, capture->rewrites.matches.size());
}

const bool registered = [] {
  std::vector<std::string> paths;
  for (const char* name : {"multi", "gpt"}) {
    paths.push_back(fmt::format("{}/samples/tinygrad-2025-09/{}.rewrites.pkl", VIZD_SHARED, name));
  }
  if (const char* more = std::getenv("VIZD_BENCH_CAPTURE")) paths.emplace_back(more);
  for (const std::string& path : paths) {
    if (!std::filesystem::exists(path)) continue;
    const auto capture = open_capture(path);
    if (!capture) continue;
    const std::string name = std::filesystem::path(path).filename().string();
    const auto add = [&](const char* what, auto function) {
      benchmark::RegisterBenchmark(fmt::format("{}/{}", what, name).c_str(), function, capture)
          ->Unit(benchmark::kMillisecond);
    };
    add("replay_largest", replay_largest);
    add("history_of_largest", history_of_largest);
    add("reference_stream_of_largest", reference_stream_of_largest);
    add("replay_all", replay_all);
    add("history_of_all", history_of_all);
  }
  return true;
}();

}  // namespace
}  // namespace vizd
