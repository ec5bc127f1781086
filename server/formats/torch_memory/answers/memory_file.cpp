#include "formats/torch_memory/answers/memory_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace vizd::torch_memory {

Result<std::unique_ptr<MemoryFile>> MemoryFile::open(const FormatInput& input) {
  auto snapshot = read_snapshot(input);
  if (!snapshot) return std::move(snapshot).error();
  return std::make_unique<MemoryFile>(std::move(*snapshot));
}

MemoryFile::MemoryFile(std::unique_ptr<Snapshot> snapshot, Run run)
    : snapshot_(std::move(snapshot)), words_(*snapshot_) {
  for (const std::int64_t device : snapshot_->devices()) {
    replays_.push_back(std::make_unique<Replay>(*snapshot_, device));
    if (run == Run::kNow) replays_.back()->run();
  }
  pair_annotations();
}

void MemoryFile::pair_annotations() {
  std::map<std::pair<std::optional<std::int64_t>, StringId>, std::vector<std::size_t>> open;
  for (const Annotation& annotation : snapshot_->annotations) {
    std::vector<std::size_t>& of = open[{annotation.device, annotation.name}];
    if (annotation.stage == Stage::kStart) {
      of.push_back(ranges_.size());
      ranges_.push_back({snapshot_->strings.get(annotation.name), annotation.device, annotation.time_ns, std::nullopt});
    } else if (annotation.stage == Stage::kEnd && !of.empty()) {
      ranges_[of.back()].end_ns = annotation.time_ns;
      of.pop_back();
    }
  }
  for (const auto& replay : replays_) {
    DeviceRanges of{.device = replay->device(), .by_start = {}, .latest_end_ns = {}};
    for (std::uint32_t i = 0; i < ranges_.size(); ++i) {
      if (ranges_[i].device == of.device) of.by_start.push_back(i);
    }
    std::ranges::stable_sort(of.by_start, {}, [&](std::uint32_t i) { return ranges_[i].start_ns; });
    std::int64_t latest_ns = kNoTime;
    for (const std::uint32_t i : of.by_start) {
      latest_ns = std::max(latest_ns, ranges_[i].end_ns.value_or(INT64_MAX));
      of.latest_end_ns.push_back(latest_ns);
    }
    by_device_.push_back(std::move(of));
  }
}

std::string_view MemoryFile::range_at(std::int64_t device, std::int64_t time_ns) const {
  const auto of = std::ranges::find(by_device_, device, &DeviceRanges::device);
  if (of == by_device_.end() || time_ns == kNoTime) return {};
  const auto after =
      std::ranges::upper_bound(of->by_start, time_ns, {}, [&](std::uint32_t i) { return ranges_[i].start_ns; });
  for (auto i = static_cast<std::size_t>(after - of->by_start.begin()); i-- > 0 && of->latest_end_ns[i] > time_ns;) {
    const NamedRange& range = ranges_[of->by_start[i]];
    if (!range.end_ns || time_ns < *range.end_ns) return range.name;
  }
  return {};
}

std::vector<std::int64_t> MemoryFile::range_ends(std::int64_t device, std::string_view name_begins) const {
  std::vector<std::int64_t> ends;
  for (const NamedRange& range : ranges_) {
    if (range.device == device && range.end_ns && range.name.starts_with(name_begins)) ends.push_back(*range.end_ns);
  }
  std::ranges::sort(ends);
  return ends;
}

Value MemoryFile::stream(std::uint32_t stream) const {
  const Stream& of = snapshot_->streams[stream];
  if (!of.is_negative) return of.magnitude;
  return Json{fmt::format("-{}", of.magnitude)};
}

Value MemoryFile::pool(std::uint32_t pool) const {
  if (pool == kNoPool) return {};
  return Json{fmt::format("[{},{}]", snapshot_->pools[pool].first, snapshot_->pools[pool].second)};
}

Value MemoryFile::text(StringId id) const {
  const std::string_view text = snapshot_->strings.get(id);
  return text.empty() ? Value() : Value(std::string(text));
}

void add_counters(Record& record, const Counters& counters) {
  for (std::size_t i = 0; i < kCounters; ++i) record.push_back({kCounterFields[i], counters.bytes[i]});
}

}  // namespace vizd::torch_memory
