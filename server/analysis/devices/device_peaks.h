// DevicePeaks: what devices can do at most: dense arithmetic by precision, and bytes of their memory a second. A table
// of vizd's own (device_peaks.cpp has each figure's source), which a file of the user's adds to. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vizd {

enum class Precision : std::uint8_t { kFp64, kFp32, kTf32, kBf16, kFp16, kFp8, kInt8 };
inline constexpr std::size_t kPrecisions = 7;

inline constexpr std::string_view kPrecisionNames[kPrecisions] = {"fp64", "fp32", "tf32", "bf16",
                                                                  "fp16", "fp8",  "int8"};
inline std::string_view precision_name(Precision precision) {
  return kPrecisionNames[static_cast<std::size_t>(precision)];
}
std::optional<Precision> precision_of(std::string_view name);

struct DevicePeak {
  std::string name;                                // "H100 SXM", as it is shown
  std::vector<std::string> words;                  // all of which a device's name has, in any case
  std::array<double, kPrecisions> teraflops = {};  // dense; 0: it has no such units, or the figure is not known
  double gigabytes_per_s = 0;
  std::string source;

  std::optional<double> flops(Precision precision) const;
  std::optional<double> bytes_per_s() const;
};

class DevicePeaks {
 public:
  // vizd's own.
  DevicePeaks();

  // Puts those of a file before them: a JSON list of {"name", "words", "fp32", "bf16", …, "GB/s", "source"}. An error
  // says which entry is wrong.
  std::optional<Error> add(std::string_view json);

  // The first whose words the name has; null where none has.
  const DevicePeak* find(std::string_view device_name) const;
  // The same among those of files alone, and among vizd's own.
  const DevicePeak* find_added(std::string_view device_name) const;
  const DevicePeak* find_own(std::string_view device_name) const;
  const std::vector<DevicePeak>& all() const { return peaks_; }

 private:
  std::vector<DevicePeak> peaks_;
  std::size_t added_ = 0;  // of peaks_, the first of them: those of files
};

}  // namespace vizd
