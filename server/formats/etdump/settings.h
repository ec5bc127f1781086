// Settings: how options say that an ETDump is read: the units of its times and of the answer, what a delegate's own
// figures mean, and whether the answer is to be the Inspector's. Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/registry.h"

namespace vizd::etdump {

enum class TimeScale : std::uint8_t { kNanoseconds, kMicroseconds, kMilliseconds, kSeconds, kCycles };

// "ns", "us", "ms", "s", "cycles".
std::string_view scale_name(TimeScale scale);

struct Settings {
  TimeScale source = TimeScale::kNanoseconds;
  TimeScale target = TimeScale::kMilliseconds;
  bool reads_metadata = false;           // "a=1;b=2" becomes the columns a and b
  std::optional<double> delegate_ticks;  // so many ticks of a delegate are one target unit
  // How long a tick of a delegate's clock is, in nanoseconds, by the delegate's name.
  std::map<std::string, double> delegate_clocks_ns;
  std::string reference_tensors;           // a folder; "": none
  std::string reference_dump;              // another run's file or folder; "": none
  std::size_t iteration = 0;               // of each block, whose logged values are told; 0: the first that has any
  std::string method;                      // whose maps resolve every block; "": each block's own
  std::size_t warm_up_iterations = 0;      // the first ones of each block, which statistics leave out
  std::size_t most_raw_values = SIZE_MAX;  // of an event's iterations, where they are listed
  bool is_reference = false;               // the Inspector's own answer, its faults included

  // Source ticks in a target unit.
  double factor() const;
  // Ticks of a delegate in a target unit: by its own clock where that is told.
  double delegate_factor(const std::optional<std::string>& backend) const;
};

inline constexpr std::string_view kReferenceDump = "reference-dump";

extern const SettingOption kSettingOptions[12];

// Errors: a value that an option does not take; cycles on one side only.
Result<Settings> read_settings(const OpenSet& set);

}  // namespace vizd::etdump
