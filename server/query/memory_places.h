// MemoryPlaces: where things of memory are, of which each track that owns one has many: allocations, an allocator's
// entries and segments; and what their tables have in common. Made for one query, on its thread.
#pragma once

#include <memory>
#include <vector>

#include "model/allocator_log.h"
#include "query/tables.h"

namespace vizd::sql {

class MemoryPlaces {
 public:
  // How many a track has.
  using Count = std::size_t (*)(const Track& track);

  MemoryPlaces(const Catalog& catalog, Count count_of);

  std::uint64_t count(std::size_t source) const { return counts_[source]; }
  std::uint32_t track_number(const Place& place) const { return part(place).track; }
  const Track& track(const Place& place) const { return *part(place).of; }
  // The place in the track's own list.
  std::size_t at(const Place& place) const { return static_cast<std::size_t>(place.at - part(place).first); }

 private:
  struct Part {
    std::uint64_t first;
    std::uint32_t track;
    const Track* of;
  };
  const Part& part(const Place& place) const;

  std::vector<std::vector<Part>> parts_;  // by capture
  std::vector<std::uint64_t> counts_;
};

// An allocator's pool and stream as cells: null where they are not known.
void write_pool(const AllocatorPool& pool, Cell& cell);
void write_stream(const AllocatorPool& pool, Cell& cell);
// The time of a moment on the capture's clock: when the last of its entries was done.
void write_moment_ts(const AllocatorLog& log, AllocatorMoment moment, Cell& cell);
// The number of the last of its entries; null of what never came, or came before the first.
void write_entry(AllocatorMoment moment, Cell& cell);
inline void write_bytes(std::uint64_t bytes, Cell& cell) { cell.integer(static_cast<std::int64_t>(bytes)); }

// The columns track_id and device.
void add_memory_columns(std::vector<RowColumn>& columns, Catalog& catalog,
                        const std::shared_ptr<const MemoryPlaces>& places);

}  // namespace vizd::sql
