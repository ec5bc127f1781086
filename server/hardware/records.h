// What a GPU's own recorders left in a capture, as it stands there: thread traces and counters of AMD's GPUs, samples
// of program counters of NVIDIA's, and the programs and devices they are of. Views into the capture, which must outlive
// it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace vizd::hardware {

// A run of a program, numbered over the whole capture.
struct RunKey {
  std::int64_t program = 0;  // Program::number
  std::int64_t run = 0;
  auto operator<=>(const RunKey&) const = default;
};

struct Program {
  std::int64_t number = 0;
  std::string_view device, name;
  std::string_view key;  // what links it to its runs and its context; its name where the capture has no such keys
  std::span<const std::byte> binary;
  std::optional<std::uint64_t> base;  // where it was loaded
};

struct Device {
  std::string_view name;
  std::optional<std::int64_t> gfx_target;  // AMD: 110000 is gfx1100
  std::optional<std::int64_t> sm_version;  // NVIDIA: 0x809
  std::int64_t clock_shift_ns = 0;         // to be added to its times for the host's
  // AMD: what each shader engine holds; 0 where the device does not say.
  std::int64_t simds_per_engine = 0, waves_per_simd = 0;
};

// A counter as it was sampled: one number for each of its instances.
struct CounterSample {
  std::string_view name;
  std::uint32_t xccs = 0, instances = 0, engines = 0, arrays = 0, groups = 0;
};

struct CounterRun {
  RunKey key;
  std::string_view device;
  std::vector<CounterSample> samples;
  std::span<const std::byte> values;  // 64 bits each, sample after sample
};

struct ThreadTrace {
  RunKey key;
  std::string_view device;
  std::int64_t engine = 0;        // the shader engine, counted over all XCCs
  bool has_instructions = false;  // else it tells waves and registers alone
  std::span<const std::byte> packets;
};

struct PcSampling {
  std::string_view device, program;
  std::string_view key;  // as Program::key
  std::span<const std::byte> packets;
};

// When a run of a program began, by its device's clock, and how long it took.
struct TimedRun {
  std::string_view device, key;
  double dur_us = 0;
  std::int64_t start_ns = 0;
};

struct Records {
  std::vector<Device> devices;
  std::vector<Program> programs;
  std::vector<TimedRun> timed_runs;  // in the capture's order
  std::vector<CounterRun> counters;
  std::vector<ThreadTrace> traces;
  std::vector<PcSampling> samplings;
  std::vector<RunKey> runs;  // of counters and traces, in order of first appearance

  bool any() const { return !counters.empty() || !traces.empty() || !samplings.empty(); }
  // Once all of the above are there, before anything is looked for.
  void index();
  // Null where the capture has none; of several the last one counts.
  const Program* find_program(std::int64_t number) const;
  const Program* find_program(const PcSampling& sampling) const;
  // In the capture's order.
  std::vector<const ThreadTrace*> traces_of(const RunKey& run) const;
  const Device* find_device(std::string_view name) const {
    for (const Device& device : devices) {
      if (device.name == name) return &device;
    }
    return nullptr;
  }
  // What an NVIDIA device of that name says it is.
  std::int64_t sm_version_of(std::string_view device) const {
    constexpr std::int64_t kUsualVersion = 0x800;
    const Device* const found = find_device(device);
    return found == nullptr ? kUsualVersion : found->sm_version.value_or(kUsualVersion);
  }
  // The run's times: a program's runs are timed in the order in which they were recorded. Null where they were not.
  const TimedRun* find_timed(const RunKey& key) const;
  // sampling: one of samplings.
  const TimedRun* find_timed(const PcSampling& sampling) const;

 private:
  // The one of that key that so many are before, on a device of that kind: "AMD" as well as "AMD:1".
  const TimedRun* find_timed(std::string_view device, std::string_view key, std::size_t before) const;

  // Places in the lists above.
  std::vector<std::size_t> traces_by_run_;
  std::map<std::int64_t, std::size_t> program_of_number_;
  std::map<std::string_view, std::size_t> program_of_key_;
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>>
      timed_;  // by kind of device and key
  // How many of the same program are before a run, and before each sampling.
  std::map<RunKey, std::size_t> runs_before_;
  std::vector<std::size_t> samplings_before_;
};

}  // namespace vizd::hardware
