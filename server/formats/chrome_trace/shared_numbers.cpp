#include "formats/chrome_trace/shared_numbers.h"

#include <algorithm>
#include <set>

namespace vizd::chrome_trace {

void SharedNumbers::count(std::span<const Numbered> works, std::span<const Numbered> calls) {
  std::set<std::uint32_t> devices;
  std::vector<const Numbered*> free;
  std::size_t next = 0;
  for (const Numbered& work : works) {
    const std::uint32_t device = tracks_[work.track].parent;
    for (; next < calls.size() && calls[next].start_ns <= work.start_ns; ++next) free.push_back(&calls[next]);
    if (free.empty() || !devices.insert(device).second) continue;
    ++launches_[device][tracks_[free.back()->track].parent];
    free.pop_back();
  }
}

std::uint32_t SharedNumbers::process_of(std::uint32_t device) const {
  const auto found = launches_.find(device);
  if (found == launches_.end()) return kNoId;
  return std::ranges::max_element(found->second, {}, [](const auto& process) { return process.second; })->first;
}

}  // namespace vizd::chrome_trace
