#include "analysis/devices/device_peaks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "base/ascii_case.h"
#include "base/parse_json.h"

namespace vizd {
namespace {

// Dense figures, those of matrix units where there are such; of an MI250 those of one of its two dies, which are two
// devices to whoever uses them.
struct Known {
  std::string_view name;
  std::array<std::string_view, 2> words;
  std::array<double, kPrecisions> teraflops;  // fp64 fp32 tf32 bf16 fp16 fp8 int8
  double gigabytes_per_s;
  std::string_view source;
};

constexpr std::string_view kVolta = "NVIDIA V100 datasheet", kTuring = "NVIDIA T4 datasheet";
constexpr std::string_view kAmpere = "NVIDIA A100 datasheet, without sparsity";
constexpr std::string_view kHopper = "NVIDIA H100 datasheet, without sparsity";
constexpr std::string_view kBlackwell = "NVIDIA HGX B200 datasheet, an eighth, without sparsity";
constexpr std::string_view kAda = "NVIDIA L4 and L40S datasheets, without sparsity";
constexpr std::string_view kGeForce = "NVIDIA Ada and Ampere GA102 whitepapers, FP32 accumulation, without sparsity";
constexpr std::string_view kInstinct200 = "AMD Instinct MI200 datasheet, matrix units, one die";
constexpr std::string_view kInstinct300 = "AMD CDNA 3 whitepaper, matrix units, without sparsity";
constexpr std::string_view kInstinct350 = "AMD Instinct MI350 series datasheet, matrix units, without sparsity";

constexpr Known kKnown[] = {
    {"V100 PCIe", {"V100", "PCIE"}, {7.0, 14.0, 0, 0, 112, 0, 0}, 900, kVolta},
    {"V100 SXM2", {"V100"}, {7.8, 15.7, 0, 0, 125, 0, 0}, 900, kVolta},
    {"T4", {"T4"}, {0, 8.1, 0, 0, 65, 0, 130}, 320, kTuring},
    {"A100 40GB", {"A100", "40GB"}, {19.5, 19.5, 156, 312, 312, 0, 624}, 1555, kAmpere},
    {"A100 40GB", {"A100", "PG509"}, {19.5, 19.5, 156, 312, 312, 0, 624}, 1555, kAmpere},
    {"A100 80GB", {"A100"}, {19.5, 19.5, 156, 312, 312, 0, 624}, 2039, kAmpere},
    {"A30", {"A30"}, {10.3, 10.3, 82, 165, 165, 0, 330}, 933, "NVIDIA A30 datasheet, without sparsity"},
    {"A10", {"A10"}, {0, 31.2, 62.5, 125, 125, 0, 250}, 600, "NVIDIA A10 datasheet, without sparsity"},
    {"A40", {"A40"}, {0, 37.4, 74.8, 149.7, 149.7, 0, 299.3}, 696, "NVIDIA A40 datasheet, without sparsity"},
    {"L4", {"L4"}, {0, 30.3, 60, 121, 121, 242.5, 242.5}, 300, kAda},
    {"L40S", {"L40S"}, {0, 91.6, 183, 362, 362, 733, 733}, 864, kAda},
    {"RTX 4090", {"RTX", "4090"}, {0, 82.6, 82.6, 165.2, 165.2, 330.3, 660.6}, 1008, kGeForce},
    {"RTX 3090", {"RTX", "3090"}, {0, 35.6, 35.6, 71, 71, 0, 284}, 936, kGeForce},
    {"H100 PCIe", {"H100", "PCIE"}, {51, 51, 378, 756, 756, 1513, 1513}, 2039, kHopper},
    {"H100 NVL", {"H100", "NVL"}, {60, 60, 417.5, 835, 835, 1670.5, 1670.5}, 3900, kHopper},
    {"H100 SXM", {"H100"}, {67, 67, 494.7, 989.4, 989.4, 1978.9, 1978.9}, 3350, kHopper},
    {"H200", {"H200"}, {67, 67, 494.7, 989.4, 989.4, 1978.9, 1978.9}, 4800, "NVIDIA H200 datasheet, without sparsity"},
    {"GH200",
     {"GH200"},
     {67, 67, 494.7, 989.4, 989.4, 1978.9, 1978.9},
     4000,
     "NVIDIA GH200 datasheet, without sparsity"},
    {"B200", {"B200"}, {37, 75, 1125, 2250, 2250, 4500, 4500}, 8000, kBlackwell},
    {"MI210", {"MI210"}, {45.3, 45.3, 0, 181, 181, 0, 181}, 1638.4, kInstinct200},
    {"MI250X", {"MI250X"}, {47.9, 47.9, 0, 191.5, 191.5, 0, 191.5}, 1638.4, kInstinct200},
    {"MI250", {"MI250"}, {45.3, 45.3, 0, 181, 181, 0, 181}, 1638.4, kInstinct200},
    {"MI300A", {"MI300A"}, {122.6, 122.6, 490.3, 980.6, 980.6, 1961.2, 1961.2}, 5300, kInstinct300},
    {"MI300X", {"MI300X"}, {163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 2614.9}, 5300, kInstinct300},
    {"MI325X", {"MI325X"}, {163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 2614.9}, 6000, kInstinct300},
    {"MI350X", {"MI350X"}, {72.1, 144.2, 0, 2306.9, 2306.9, 4613.7, 4613.7}, 8000, kInstinct350},
    {"MI355X", {"MI355X"}, {78.6, 157.3, 0, 2516.6, 2516.6, 5033.2, 5033.2}, 8000, kInstinct350},
};

// Whether the name has the word as one of its runs of letters and digits: "A10" is none of "A100"'s.
bool has_word(std::string_view name, std::string_view word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t from = at;
    while (at < name.size() && is_part(name[at])) ++at;
    if (equal_in_any_case(name.substr(from, at - from), word)) return true;
    at += at == from || at < name.size() ? 1 : 0;
  }
  return false;
}

Result<DevicePeak> read_peak(const nlohmann::json& entry, std::size_t number) {
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorKind::kBadInput, fmt::format("device {}: {}", number, what), ""};
  };
  if (!entry.is_object()) return wrong("is no object");
  DevicePeak peak;
  peak.source = "a file of yours";
  for (const auto& [key, value] : entry.items()) {
    const auto precision = precision_of(key);
    if (key == "name" || key == "source") {
      if (!value.is_string()) return wrong(fmt::format("\"{}\" is no text", key));
      (key == "name" ? peak.name : peak.source) = value.get<std::string>();
    } else if (key == "words") {
      if (!value.is_array()) return wrong("\"words\" is no list of texts");
      for (const auto& word : value) {
        if (!word.is_string() || word.get<std::string>().empty()) return wrong("\"words\" is no list of texts");
        peak.words.push_back(word.get<std::string>());
      }
    } else if (precision || key == "GB/s") {
      if (!value.is_number() || value.get<double>() < 0) return wrong(fmt::format("\"{}\" is no number", key));
      (precision ? peak.teraflops[static_cast<std::size_t>(*precision)] : peak.gigabytes_per_s) = value.get<double>();
    } else {
      return wrong(
          fmt::format("\"{}\" is none of name, words, source, GB/s, {}", key, fmt::join(kPrecisionNames, ", ")));
    }
  }
  if (peak.name.empty()) return wrong("has no \"name\"");
  if (peak.words.empty()) peak.words.push_back(peak.name);
  return peak;
}

const DevicePeak* find_among(std::span<const DevicePeak> peaks, std::string_view device_name) {
  const auto found = std::ranges::find_if(peaks, [&](const DevicePeak& peak) {
    return std::ranges::all_of(peak.words, [&](const std::string& word) {
      return contains_in_any_case(word, " ") ? contains_in_any_case(device_name, word) : has_word(device_name, word);
    });
  });
  return found == peaks.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Precision> precision_of(std::string_view name) {
  const auto found = std::ranges::find(kPrecisionNames, name);
  if (found == std::end(kPrecisionNames)) return std::nullopt;
  return static_cast<Precision>(found - std::begin(kPrecisionNames));
}

std::optional<double> DevicePeak::flops(Precision precision) const {
  const double peak = teraflops[static_cast<std::size_t>(precision)];
  return peak > 0 ? std::optional(peak * 1e12) : std::nullopt;
}

std::optional<double> DevicePeak::bytes_per_s() const {
  return gigabytes_per_s > 0 ? std::optional(gigabytes_per_s * 1e9) : std::nullopt;
}

DevicePeaks::DevicePeaks() {
  for (const Known& known : kKnown) {
    DevicePeak peak{std::string(known.name), {}, known.teraflops, known.gigabytes_per_s, std::string(known.source)};
    for (const std::string_view word : known.words) {
      if (!word.empty()) peak.words.emplace_back(word);
    }
    peaks_.push_back(std::move(peak));
  }
}

std::optional<Error> DevicePeaks::add(std::string_view json) {
  const nlohmann::json list = parse_json(json);
  if (!list.is_array()) return Error{ErrorKind::kBadInput, "is no JSON list of devices", ""};
  std::vector<DevicePeak> added;
  for (const auto& entry : list) {
    auto peak = read_peak(entry, added.size() + 1);
    if (!peak) return peak.error();
    added.push_back(std::move(*peak));
  }
  peaks_.insert(peaks_.begin(), added.begin(), added.end());
  added_ += added.size();
  return std::nullopt;
}

const DevicePeak* DevicePeaks::find(std::string_view device_name) const { return find_among(peaks_, device_name); }

const DevicePeak* DevicePeaks::find_added(std::string_view device_name) const {
  return find_among(std::span(peaks_).first(added_), device_name);
}

const DevicePeak* DevicePeaks::find_own(std::string_view device_name) const {
  return find_among(std::span(peaks_).subspan(added_), device_name);
}

}  // namespace vizd
