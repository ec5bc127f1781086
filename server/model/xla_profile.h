// XlaProfile: what XLA's profiler (XPlane files of JAX, TensorFlow and PyTorch/XLA) says of the devices' work beyond
// what tracks and events hold: times in picoseconds, by two clocks; the op, module and program of each piece of work;
// what the metadata of an op says, once; the packed HLO modules; and counts of the file's own parts. The capture's
// tracks show the same events in nanoseconds. Plain data, filled by a format on one thread, then read-only by any.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/string_table.h"
#include "model/arguments.h"

namespace vizd {

// A module of /host:metadata: an HloProto as it was packed.
struct HloModuleBytes {
  std::string name;                         // "jit_f" of the plane's "jit_f(17)"
  std::optional<std::uint64_t> program_id;  // 17; none where the plane tells no number
  std::string bytes;
};

// Picoseconds from XlaHost::origin_ns on. The end is outside.
struct XlaSpan {
  std::int64_t start_ps = 0, end_ps = 0;
  std::int64_t dur_ps() const { return end_ps - start_ps; }
};

inline std::int64_t floor_ns(std::int64_t ps) { return ps >= 0 ? ps / 1000 : -((-(ps + 1)) / 1000) - 1; }

enum class XlaClass : std::uint8_t { kKernel, kMemcpy, kMemset, kOp };

// What the metadata of a kind of event says, for every event of the kind. StringId{}: nothing.
struct XlaOpMetadata {
  StringId category{}, op_name{}, source{};
  std::optional<std::int64_t> flops, model_flops, bytes_accessed;
};

// What pieces of work have in common. An absent id is StringId{kNoId}.
struct XlaWorkKind {
  XlaClass work = XlaClass::kKernel;
  StringId name{};
  StringId op{kNoId}, module{kNoId};
  std::optional<std::uint64_t> program_id = {};
  std::uint32_t metadata = kNoId;  // place in XlaHost::metadata
};

struct XlaWork {
  XlaSpan drawn;               // by the host's clock, as the timeline shows it
  XlaSpan timed;               // by the device's own clock where the file has it for the whole line; else the same
  std::uint32_t kind = 0;      // place in XlaHost::kinds
  std::uint32_t call = kNoId;  // place in XlaHost::calls: what launched it
  StringId details{};          // the text of kernel_details
  std::int64_t bytes_copied = kUnknown;

  static constexpr std::int64_t kUnknown = -1;
};

// A line whose events are work: all of it lies together in XlaHost::work, in the file's order.
struct XlaStream {
  std::uint32_t device = 0;             // place in XlaHost::devices
  std::optional<ArgumentValue> number;  // of a GPU's stream; a thread's name on a CPU; none on a TPU
  bool is_nested = false;               // its work are ops, which lie within one another
  std::size_t first = 0, count = 0;
};

// Figures of a plane are integers or reals, as the file has them.
using XlaNumber = std::optional<std::variant<std::int64_t, double>>;

struct XlaDevice {
  std::string name;  // "TPU:0", "GPU:3", "CPU"
  bool has_plane = false;
  std::string type = "", vendor = "";  // "" where the plane does not tell
  XlaNumber peak_flops = {}, peak_bytes_per_s = {}, memory_bytes = {}, cores = {}, clock_khz = {};
  std::vector<XlaSpan> transfers = {};  // of the line "Async XLA Ops"
};

struct XlaLine {
  std::int64_t id = 0;
  std::string name;
  std::uint64_t events = 0, instants = 0;
  std::int64_t total_ps = 0;
  std::optional<XlaSpan> extent;
};

struct XlaPlane {
  std::string name;
  std::vector<XlaLine> lines;
  std::uint64_t event_metadata = 0, stat_metadata = 0;
};

// A call of the host's that launched work.
struct XlaCall {
  StringId name{};
  XlaSpan span;
};

// One execution of a module.
struct XlaRun {
  std::uint32_t device = 0;
  StringId module{};  // "jit_f" of "jit_f(17)"
  std::optional<std::uint64_t> program_id;
  XlaSpan span;
};

struct XlaStep {
  std::optional<std::string> device;  // none: every device
  std::string plane;
  std::int64_t line = 0;
  StringId name{};
  std::optional<std::int64_t> number;
  XlaSpan span;
};

struct XlaFlowCounts {
  std::uint64_t producers = 0, consumers = 0, joined = 0;
};

struct XlaAllocator {
  std::string name;
  std::uint64_t events = 0, allocations = 0, deallocations = 0;
  std::int64_t allocated_bytes = 0, peak_bytes = 0, peak_ps = 0, lifetime_peak_bytes = 0, capacity_bytes = 0;
};

// The kinds of a stat's value: double, uint64, int64, text, bytes, reference to a text.
inline constexpr std::size_t kXlaStatTypes = 6;

// One file.
struct XlaHost {
  std::string name;
  std::uint32_t track = kNoId;    // its root in Profile::tracks
  std::int64_t origin_ns = 0;     // the file's own time at 0 ps
  std::int64_t base_time_ns = 0;  // Unix time at the file's 0 ns; 0 where the file does not tell, or its times are such
  std::optional<std::int64_t> profile_ns;
  std::optional<XlaSpan> extent;
  std::uint64_t lines = 0, events = 0, instants = 0, aggregated = 0, stats = 0, errors = 0, warnings = 0;
  std::uint64_t unknown_fields = 0, unknown_metadata = 0, negative_durations = 0;
  bool is_cut = false;

  std::vector<XlaPlane> planes;
  std::vector<XlaDevice> devices;
  std::vector<XlaStream> streams;
  std::vector<XlaWork> work;
  std::vector<XlaWorkKind> kinds;
  std::vector<XlaOpMetadata> metadata;
  std::vector<XlaCall> calls;        // first those with a correlation, each once; then others that launched a run
  std::size_t correlated_calls = 0;  // how many of them have a correlation
  std::vector<XlaRun> runs;
  std::vector<XlaStep> steps;
  std::map<std::int64_t, XlaFlowCounts> flows;  // by type
  std::map<StringId, std::array<std::uint64_t, kXlaStatTypes>> stat_types;
  std::vector<XlaAllocator> allocators;
  std::vector<HloModuleBytes> modules;
};

struct XlaProfile {
  std::vector<XlaHost> hosts;
};

}  // namespace vizd
