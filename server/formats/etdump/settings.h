// Settings: how options say that an ETDump is read: the units of its times and of the answer, what a delegate's own
// figures mean, and whether the answer is to be the Inspector's. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/etdump/delegate_metadata.h"
#include "formats/etdump/delegate_rules.h"
#include "formats/registry.h"

namespace vizd::etdump {

enum class TimeScale : std::uint8_t { kNanoseconds, kMicroseconds, kMilliseconds, kSeconds, kCycles };

// "ns", "us", "ms", "s", "cycles".
std::string_view scale_name(TimeScale scale);

// How long a tick of the clock is that timed the events which the rule fits.
struct DelegateClock {
  DelegateRule rule;
  double tick_ns = 1;
};

struct Settings {
  TimeScale source = TimeScale::kNanoseconds;
  TimeScale target = TimeScale::kMilliseconds;
  MetadataRules metadata;                      // which fields a delegate's metadata has
  std::optional<double> delegate_ticks;        // so many ticks of a delegate are one target unit
  std::vector<DelegateClock> delegate_clocks;  // the first that fits an event counts
  std::string reference_tensors;               // a folder; "": none
  std::string reference_graph;                 // of the ETRecord, by name; "": the one that suits best
  std::string reference_dump;                  // another run's file or folder; "": none
  std::size_t iteration = 0;                   // of each block, whose logged values are told; 0: the first that has any
  std::string method;                          // whose maps resolve every block; "": each block's own
  std::size_t warm_up_iterations = 0;          // the first ones of each block, which statistics leave out
  std::size_t most_raw_values = SIZE_MAX;      // of an event's iterations, where they are listed
  bool is_reference = false;                   // the Inspector's own answer, its faults included

  // Source ticks in a target unit.
  double factor() const;
  // Ticks of a delegate's event in a target unit: by a clock of its own where that is told.
  double delegate_factor(const BlockEvent& event) const;
};

inline constexpr std::string_view kReferenceDump = "reference-dump";

extern const SettingOption kSettingOptions[13];

// Says of each line of the options' files that it does nothing, if that is so: a clock that no event of a delegate has,
// or fields that are in no event's metadata.
std::vector<std::string> idle_rules(const Settings& settings, std::span<const Block> blocks);

// Errors: a value that an option does not take; cycles on one side only.
Result<Settings> read_settings(const OpenSet& set);

}  // namespace vizd::etdump
