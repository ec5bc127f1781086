// How long opening takes: a capture as its compiler left it, and the same after `vizd convert`. Captures are tinygrad's
// pairs among the samples where VIZD_SHARED has them, and the one whose X.rewrites.pkl VIZD_BENCH_CAPTURE names.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "formats/native/capture_encoder.h"
#include "formats/registry.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

void read_all(const std::vector<std::span<const std::byte>>& files, Capture& capture) {
  for (const auto& bytes : files) {
    if (const auto read = read_capture({"bench", bytes}, capture); !read)
      fmt::print(stderr, "{}\n", read.error().text());
  }
}

void open_files(benchmark::State& state, const std::vector<std::span<const std::byte>>& files) {
  std::size_t ops = 0, size_bytes = 0;
  for (const auto& bytes : files) size_bytes += bytes.size();
  for (auto _ : state) {
    auto capture = std::make_unique<Capture>();
    read_all(files, *capture);
    ops = capture->ops.size();
    state.PauseTiming();
    capture.reset();
    state.ResumeTiming();
  }
  state.counters["ops"] = static_cast<double>(ops);
  state.counters["bytes"] = static_cast<double>(size_bytes);
}

// Registers both ways of opening one capture; its files are kept until the program ends.
void add_capture(const std::string& rewrites_path) {
  const std::string suffix = ".rewrites.pkl";
  if (!rewrites_path.ends_with(suffix)) return;
  const std::string stem = rewrites_path.substr(0, rewrites_path.size() - suffix.size());
  static std::vector<MappedFile> kept;
  static std::deque<std::string> converted;
  std::vector<std::span<const std::byte>> files;
  for (const std::string& path : {rewrites_path, stem + ".profile.pkl"}) {
    auto file = MappedFile::open(path);
    if (!file) continue;
    files.push_back(file->bytes());
    kept.push_back(std::move(*file));
  }
  if (files.empty()) return;
  Capture capture;
  read_all(files, capture);
  if (!capture.has_rewrites) return;
  std::string& bytes = converted.emplace_back();
  native::encode_capture(capture, {}, [&](std::string_view part) { bytes += part; });
  const std::string name = fs::path(stem).parent_path().filename().string() + "/" + fs::path(stem).filename().string();
  benchmark::RegisterBenchmark(("open/" + name + "/pickle").c_str(), open_files, files)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  const std::vector<std::span<const std::byte>> one{std::as_bytes(std::span(bytes))};
  benchmark::RegisterBenchmark(("open/" + name + "/bin").c_str(), open_files, one)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

const bool registered = [] {
  std::error_code failed;
  for (const char* version : {"tinygrad-2025-09", "tinygrad-2026-08"}) {
    for (const auto& entry : fs::directory_iterator(std::string(VIZD_SHARED "/samples/") + version, failed)) {
      add_capture(entry.path().string());
    }
  }
  if (const char* named = std::getenv("VIZD_BENCH_CAPTURE"); named != nullptr) add_capture(named);
  return true;
}();

}  // namespace
}  // namespace vizd
