#include "hardware/sample_table.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace vizd::hardware {

void SampleTable::add(std::span<const std::byte> packets, std::int64_t sm_version) {
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::size_t i = 0; i < addresses.size(); ++i) places.emplace(addresses[i].address, i);
  read_pc_samples(packets, sm_version, [&](const PcSample& sample) {
    const auto stall = static_cast<std::size_t>(std::ranges::find(stalls, sample.stall) - stalls.begin());
    if (stall == stalls.size()) {
      stalls.push_back(sample.stall);
      totals.push_back(0);
    }
    const auto [entry, is_new] = places.try_emplace(sample.address, addresses.size());
    if (is_new) addresses.push_back({.address = sample.address, .stalls = {}});
    SampledAddress& at = addresses[entry->second];
    at.stalls.resize(stalls.size());
    ++at.stalls[stall];
    ++at.samples;
    at.active += sample.is_active;
    ++totals[stall];
    ++samples;
    active += sample.is_active;
    return true;
  });
}

void SampleTable::finish() {
  std::vector<std::size_t> order(stalls.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return totals[a] > totals[b]; });
  const auto arranged = [&](const auto& values) {
    auto made = values;
    for (std::size_t i = 0; i < order.size(); ++i) made[i] = values[order[i]];
    return made;
  };
  for (SampledAddress& at : addresses) {
    at.stalls.resize(stalls.size());
    at.stalls = arranged(at.stalls);
  }
  stalls = arranged(stalls);
  totals = arranged(totals);
  std::ranges::sort(addresses, {}, &SampledAddress::address);
}

}  // namespace vizd::hardware
