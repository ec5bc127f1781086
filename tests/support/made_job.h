// A job made up to be like real ones: every rank runs the same steps on a device with a compute stream and a
// communication stream, launched from a host thread; one rank is slower than the others, one step is slow for all, and
// in each all-reduce whoever comes last keeps the others waiting. The same numbers make the same job.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "model/capture.h"

namespace vizd {

struct MadeJob {
  std::uint32_t ranks = 64;
  std::size_t events = 3000;  // of each rank, about
  std::uint32_t steps = 12;
  std::uint32_t slow_rank = 13;
  std::uint32_t slow_step = 5;
};

// Fills an empty capture with one rank of the job.
class RankMaker {
 public:
  RankMaker(const MadeJob& job, std::uint32_t rank, Capture& capture)
      : job_(job), rank_(rank), capture_(capture), random_(1000 + rank) {}

  void fill() {
    capture_.has_profile = true;
    capture_.format = "vizd";
    Profile& profile = capture_.profile;
    root_ = add_track(Track::kNoParent, TrackKind::kRank, "rank " + std::to_string(rank_));
    const std::uint32_t process = add_track(root_, TrackKind::kProcess, "python");
    host_ = add_track(process, TrackKind::kThread, "main");
    device_ = add_track(root_, TrackKind::kDevice, "GPU " + std::to_string(rank_ % 8));
    compute_ = add_track(device_, TrackKind::kStream, "stream 7");
    reduce_ = add_track(device_, TrackKind::kStream, "stream 20");
    for (int i = 0; i < 40; ++i) kernels_.push_back(text("void gemm_kernel_" + std::to_string(i) + "<float>"));
    launch_ = text("cudaLaunchKernel");
    all_reduce_ = text("ncclDevKernel_AllReduce_Sum_f16");
    const std::size_t per_step = std::max<std::size_t>(job_.events / job_.steps, 8);
    const std::size_t kernels = (per_step - 2) / 2;
    for (std::uint32_t step = 0; step < job_.steps; ++step) fill_step(step, kernels);
    profile.start_ns = 0;
    profile.end_ns = at_ns_;
    for (std::uint32_t i = 0; i < 200; ++i) add_allocation(i);
    Counter power;
    power.name = text("power");
    power.unit = text("W");
    for (std::int64_t i = 0; i < 100; ++i) {
      power.at_ns.push_back(at_ns_ / 100 * i);
      power.value.push_back(300.0 + static_cast<double>(random_() % 100));
    }
    profile.tracks[device_].counters.push_back(std::move(power));
  }

 private:
  StringId text(const std::string& value) { return capture_.strings.add(value); }

  std::uint32_t add_track(std::uint32_t parent, TrackKind kind, const std::string& name) {
    Track& track = capture_.profile.tracks.emplace_back();
    track.name = text(name);
    track.kind = kind;
    track.parent = parent;
    track.number = std::int64_t{rank_};
    return static_cast<std::uint32_t>(capture_.profile.tracks.size() - 1);
  }

  std::int64_t some(std::int64_t middle) {
    return middle * 3 / 4 + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(middle / 2));
  }

  void fill_step(std::uint32_t step, std::size_t kernels) {
    const std::int64_t from_ns = at_ns_;
    std::int64_t slowness = 100;
    if (rank_ == job_.slow_rank) slowness += 35;
    if (step == job_.slow_step) slowness += 60;
    auto& tracks = capture_.profile.tracks;
    for (std::size_t i = 0; i < kernels; ++i) {
      const std::size_t kernel = i % kernels_.size();
      const std::int64_t dur_ns = some(4000 + 300 * static_cast<std::int64_t>(kernel)) * slowness / 100;
      const auto launch = static_cast<std::uint32_t>(tracks[host_].events.size());
      tracks[host_].events.push_back(
          {.start_ns = at_ns_, .dur_ns = 1200, .name = launch_, .category = text("cuda_runtime")});
      const auto event = static_cast<std::uint32_t>(tracks[compute_].events.size());
      tracks[compute_].events.push_back(
          {.start_ns = at_ns_ + 2500, .dur_ns = dur_ns, .name = kernels_[kernel], .category = text("kernel")});
      if (i % 16 == 0) {
        capture_.profile.flows.push_back({host_, launch, compute_, event});
        find_or_add_argument(tracks[compute_].arguments, text("bytes"), text("B"), ArgumentType::kInteger)
            .push_back(event, std::int64_t{4096} * static_cast<std::int64_t>(i + 1));
      }
      at_ns_ += dur_ns + 3000;
    }
    // The others wait for the slowest.
    const std::int64_t wait_ns = rank_ == job_.slow_rank ? 20'000 : (at_ns_ - from_ns) / 4;
    tracks[reduce_].events.push_back(
        {.start_ns = at_ns_, .dur_ns = wait_ns, .name = all_reduce_, .category = text("kernel")});
    at_ns_ += wait_ns + 10'000;
    capture_.profile.runs.push_back({.kind = text("step"),
                                     .name = text("ProfilerStep#" + std::to_string(step)),
                                     .number = step,
                                     .from_ns = from_ns,
                                     .to_ns = at_ns_});
    at_ns_ += 5000;
  }

  void add_allocation(std::uint32_t i) {
    const std::int64_t birth_ns = at_ns_ / 400 * i;
    capture_.profile.tracks[device_].allocations.push_back({.key = i,
                                                            .count = 1024 + i,
                                                            .item_size_bytes = 4,
                                                            .dtype = text("float"),
                                                            .category = text(i % 3 == 0 ? "weights" : "activations"),
                                                            .birth_ns = birth_ns,
                                                            .death_ns = birth_ns + at_ns_ / 4,
                                                            .birth_order = i,
                                                            .death_order = 200 + i,
                                                            .freed = i % 3 != 0});
  }

  const MadeJob& job_;
  const std::uint32_t rank_;
  Capture& capture_;
  std::mt19937_64 random_;
  std::uint32_t root_ = 0, host_ = 0, device_ = 0, compute_ = 0, reduce_ = 0;
  std::vector<StringId> kernels_;
  StringId launch_{}, all_reduce_{};
  std::int64_t at_ns_ = 0;
};

}  // namespace vizd
