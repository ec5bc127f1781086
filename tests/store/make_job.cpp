// Writes a made-up job (tests/support/made_job.h), a file a rank: vizd_make_job RANKS EVENTS FOLDER. For
// scripts/fleet-demo, and for measuring.
#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/parallel.h"
#include "formats/native/capture_encoder.h"
#include "support/made_job.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: vizd_make_job RANKS EVENTS FOLDER\n");
    return 2;
  }
  const vizd::MadeJob job{.ranks = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)),
                          .events = std::strtoul(argv[2], nullptr, 10)};
  const std::filesystem::path folder = argv[3];
  std::filesystem::create_directories(folder);
  vizd::for_each_index(job.ranks, vizd::core_count(), [&](std::size_t i) {
    const auto rank = static_cast<std::uint32_t>(i);
    vizd::Capture capture;
    vizd::RankMaker(job, rank, capture).fill();
    const auto path = folder / fmt::format("rank_{:04}.bin", rank);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
    if (!file) std::exit(1);
    vizd::native::encode_capture(capture, {.source_line = {}, .level = 1},
                                 [&](std::string_view part) { std::fwrite(part.data(), 1, part.size(), file.get()); });
  });
}
