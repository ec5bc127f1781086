#include "hardware/counter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace vizd::hardware {
namespace {

// The numbers one after another.
class Values {
 public:
  explicit Values(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t left() const { return bytes_.size() / sizeof(std::uint64_t); }
  std::uint64_t next() {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
};

// Whether the values hold all numbers of the sample.
bool holds(const Values& values, const CounterSample& sample) {
  std::uint64_t left = values.left();
  for (const std::uint64_t count : {sample.xccs, sample.instances, sample.engines, sample.arrays, sample.groups}) {
    if (count == 0) return true;
    left /= count;
  }
  return left > 0;
}

CounterTotal total_of(const CounterSample& sample, Values& values) {
  CounterTotal total;
  total.name = sample.name;
  total.groups = sample.groups;
  if (sample.groups == 0) return total;
  const auto add = [&](std::uint64_t value) {
    total.sum += std::min(value, std::numeric_limits<std::uint64_t>::max() - total.sum);
    total.most = std::max(total.most, value);
    ++total.count;
    total.rows.back().groups.push_back(value);
  };
  for (std::uint32_t xcc = 0; xcc < sample.xccs; ++xcc) {
    for (std::uint32_t instance = 0; instance < sample.instances; ++instance) {
      for (std::uint32_t engine = 0; engine < sample.engines; ++engine) {
        for (std::uint32_t array = 0; array < sample.arrays; ++array) {
          total.rows.push_back({xcc, instance, engine, array, {}});
          for (std::uint32_t group = 0; group < sample.groups; ++group) add(values.next());
        }
      }
    }
  }
  return total;
}

// Instructions issued a cycle and SIMD, of a WGP's four.
std::optional<double> utilization(const std::vector<CounterTotal>& totals, std::string_view instructions) {
  constexpr double kSimds = 4;
  const auto issued = std::ranges::find(totals, instructions, &CounterTotal::name);
  const auto active = std::ranges::find(totals, "GRBM_GUI_ACTIVE", &CounterTotal::name);
  if (issued == totals.end() || active == totals.end() || issued->count == 0 || active->most == 0) return std::nullopt;
  const double mean = static_cast<double>(issued->sum) / static_cast<double>(issued->count);
  return 100 * mean / (static_cast<double>(active->most) * kSimds);
}

}  // namespace

CounterTable counter_table(const CounterRun& run) {
  CounterTable table;
  Values values(run.values);
  for (const CounterSample& sample : run.samples) {
    if (!holds(values, sample)) {
      table.problem = fmt::format("the counters end within {}: the recording was cut off", sample.name);
      break;
    }
    table.totals.push_back(total_of(sample, values));
  }
  constexpr std::pair<std::string_view, std::string_view> kRates[] = {{"VALU utilization", "SQ_INSTS_VALU"},
                                                                      {"SALU utilization", "SQ_INSTS_SALU"}};
  for (const auto& [name, instructions] : kRates) {
    if (const auto percent = utilization(table.totals, instructions)) table.rates.push_back({name, *percent});
  }
  return table;
}

}  // namespace vizd::hardware
