#include "query/memory_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace vizd::sql {

MemoryPlaces::MemoryPlaces(const Catalog& catalog, Count count_of)
    : parts_(catalog.sources().size()), counts_(catalog.sources().size()) {
  for (std::size_t source = 0; source < parts_.size(); ++source) {
    const auto& tracks = catalog.capture(source).profile.tracks;
    for (std::uint32_t t = 0; t < tracks.size(); ++t) {
      const std::size_t of_track = count_of(tracks[t]);
      if (of_track > 0) parts_[source].push_back({counts_[source], t, &tracks[t]});
      counts_[source] += of_track;
    }
  }
}

const MemoryPlaces::Part& MemoryPlaces::part(const Place& place) const {
  return *(std::ranges::upper_bound(parts_[place.source], place.at, {}, &Part::first) - 1);
}

void write_pool(const AllocatorPool& pool, Cell& cell) {
  pool.is_known ? cell.copied_text(fmt::format("[{},{}]", pool.first, pool.second)) : cell.null();
}

void write_stream(const AllocatorPool& pool, Cell& cell) {
  constexpr std::uint64_t kMost = INT64_MAX;
  if (pool.stream > kMost)
    return cell.copied_text(fmt::format("{}{}", pool.is_stream_negative ? "-" : "", pool.stream));
  const auto stream = static_cast<std::int64_t>(pool.stream);
  cell.integer(pool.is_stream_negative ? -stream : stream);
}

void write_moment_ts(const AllocatorLog& log, AllocatorMoment moment, Cell& cell) {
  moment == 0 || moment > log.entries.size() ? cell.null() : cell.integer(log.entries.at_ns[moment - 1]);
}

void write_entry(AllocatorMoment moment, Cell& cell) {
  moment == 0 || moment == kNeverDone ? cell.null() : cell.integer(moment - 1);
}

void add_memory_columns(std::vector<RowColumn>& columns, Catalog& catalog,
                        const std::shared_ptr<const MemoryPlaces>& places) {
  const auto track_id = [&catalog, places](const Place& p) {
    return global_id(catalog.tracks(), p.source, places->track_number(p));
  };
  columns.push_back({{"track_id", ColumnType::kInteger, "track.id of the memory"},
                     [track_id](const Place& p, Cell& cell) { cell.integer(track_id(p)); },
                     track_id});
  columns.push_back({{"device", ColumnType::kInteger, "The device's number"},
                     [places](const Place& p, Cell& cell) { cell.integer(places->track(p).allocator->device); }});
}

}  // namespace vizd::sql
