#include "analysis/figures/stack_table.h"

#include <algorithm>
#include <tuple>

namespace vizd {

StackTable stack_table(const Capture& capture, const std::vector<std::uint32_t>& tracks, std::int64_t from_ns,
                       std::int64_t to_ns, std::size_t most) {
  std::vector<StackShare> shares(capture.stacks.size());
  StackTable table;
  for (const std::uint32_t track : tracks) {
    const StackSamples& samples = capture.profile.tracks[track].samples;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples.at_ns[i] < from_ns || samples.at_ns[i] > to_ns || samples.stack[i] >= shares.size()) continue;
      StackShare& share = shares[samples.stack[i]];
      ++share.samples;
      share.weight += samples.weight[i];
      ++table.samples;
      table.weight += samples.weight[i];
    }
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i].stack = to_id<StackId>(i);
    if (shares[i].samples > 0) table.stacks.push_back(shares[i]);
  }
  table.stack_count = table.stacks.size();
  std::ranges::stable_sort(table.stacks, [](const StackShare& a, const StackShare& b) {
    return std::tuple(-a.weight, b.samples) < std::tuple(-b.weight, a.samples);
  });
  if (table.stacks.size() > most) table.stacks.resize(most);
  return table;
}

}  // namespace vizd
