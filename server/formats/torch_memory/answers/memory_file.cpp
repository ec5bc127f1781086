#include "formats/torch_memory/answers/memory_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
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
