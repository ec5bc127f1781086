// AllocatorReader: one section's logs of allocators. A log that lacks a part, or refers to what is missing, is left out
// whole and counted: its numbers are places in each other's lists. Belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/facts_reader.h"
#include "formats/native/tables.h"
#include "formats/native/track_table.h"
#include "model/allocator_log.h"
#include "model/profile.h"

namespace vizd::native {

class AllocatorReader {
 public:
  // How the chunks of a type are added; those of the first type first.
  struct Part {
    capture::ChunkType type;
    void (AllocatorReader::*add)(const Columns& columns, Tables& tables, const FactsReader& facts);
  };
  static const std::array<Part, 7> kParts;

  // Once all tracks and their allocations are there.
  void finish(TrackTable& tracks, Tables& tables);

 private:
  struct Read {
    std::uint64_t track = 0;
    std::shared_ptr<AllocatorLog> log;
  };

  void add_allocators(const Columns& columns, Tables& tables, const FactsReader& facts);
  void add_actions(const Columns& columns, Tables& tables, const FactsReader& facts);
  void add_pools(const Columns& columns, Tables& tables, const FactsReader& facts);
  void add_sites(const Columns& columns, Tables& tables, const FactsReader& facts);
  void add_entries(const Columns& columns, Tables& tables, const FactsReader& facts);
  void add_lives(const Columns& columns, Tables& tables, const FactsReader& facts);
  void add_segments(const Columns& columns, Tables& tables, const FactsReader& facts);
  // Calls add(log, i) for each record whose allocator is there.
  template <typename Add>
  void for_each(const Columns& columns, Tables& tables, Add&& add);
  static bool is_whole(const AllocatorLog& log, std::size_t allocations);

  std::vector<Read> read_;
};

}  // namespace vizd::native
