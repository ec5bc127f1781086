// MemoryReader: reads one section's allocations and frees into its tracks, and brings them together at the end. One
// thread.
#pragma once

#include <cstdint>

#include "base/huge_pages.h"
#include "formats/native/columns.h"
#include "formats/native/event_reader.h"
#include "formats/native/tables.h"
#include "formats/native/track_table.h"
#include "model/capture.h"

namespace vizd::native {

class MemoryReader {
 public:
  using FindContext = EventReader::FindContext;

  MemoryReader(Tables& tables, TrackTable& tracks, FindContext find_context)
      : tables_(tables), tracks_(tracks), find_context_(std::move(find_context)) {}

  // Said before any allocation is added: how many come, and whether a table of frees says when they end.
  void expect(std::size_t allocations, bool has_frees) {
    expected_ = allocations;
    has_frees_ = has_frees;
  }
  void add_allocations(const Columns& columns);
  void add_frees(const Columns& columns);
  // Brings allocations and frees together.
  void finish();

 private:
  struct MemoryChange {
    std::uint32_t track;
    std::int64_t at_ns;
    bool is_free;
    Allocation allocation;  // of a free: its key alone
  };

  // To its track, where allocations say themselves when they were freed, if they were.
  void keep_allocation(std::uint32_t track, const Allocation& allocation);
  // Numbers the allocations where none of them says its place among the changes.
  void number_allocations();
  // For a capture that records frees apart from allocations: pairs them by their times.
  void pair_frees();

  Tables& tables_;
  TrackTable& tracks_;
  const FindContext find_context_;
  std::size_t expected_ = 0;
  bool has_frees_ = false;
  bool has_orders_ = false;            // of the allocations that were kept
  LargeVector<MemoryChange> changes_;  // where there are frees
};

}  // namespace vizd::native
