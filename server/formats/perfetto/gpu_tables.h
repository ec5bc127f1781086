// GpuTables: what packets of GPUs refer to by number: queues and stages, contexts, kernels, counters. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace vizd::perfetto {

struct GpuTables {
  struct Spec {
    std::string name, description;
  };
  struct Kernel {
    std::string name, arch;
    std::vector<std::string> arguments;  // messages
  };
  struct CounterSpec {
    std::string name, unit;
  };
  using CounterSpecs = std::unordered_map<std::uint64_t, CounterSpec>;
  struct Counters {
    std::int64_t gpu = 0;
    CounterSpecs specs;
  };

  std::unordered_map<std::uint64_t, Spec> specs;              // hardware queues and stages
  std::unordered_map<std::uint64_t, std::int64_t> processes;  // by graphics context
  std::unordered_map<std::uint64_t, Kernel> kernels;
  std::unordered_map<std::uint64_t, std::string> argument_names;
  std::unordered_map<std::uint64_t, Counters> counters;
};

}  // namespace vizd::perfetto
